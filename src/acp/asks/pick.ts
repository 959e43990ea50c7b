/** A choice of the client's user that the agent knows nothing of. */
import type { AgentContext, PermissionOption, ToolCallUpdate } from '@agentclientprotocol/sdk/unstable'
import { methods } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import type { AcpClientAbilities } from '../acp-client.js'
import { textContent } from '../updates/tool-content.js'

export type PickPorts = { context: AgentContext; client: AcpClientAbilities; session: string; newId(): string }

/** Uses a form if the client supports forms, else choices. `no` is the choice that rejects; `undefined` means no choice was made. */
export async function letUserPickInClient(
  title: string,
  choices: readonly (readonly [string, string])[],
  ports: PickPorts,
  no?: string,
): Promise<string | undefined> {
  const { client, context, session, newId } = ports
  if (client.forms) {
    const oneOf = choices.map(([value, name]) => ({ const: value, title: name }))
    const requestedSchema = {
      type: 'object' as const,
      properties: { choice: { type: 'string' as const, title, oneOf } },
      required: ['choice'],
    }
    const answer = await context.request(methods.client.elicitation.create, {
      mode: 'form',
      sessionId: session,
      message: title,
      requestedSchema,
    })
    const content = answer.action === 'accept' && 'content' in answer && isObject(answer.content) ? answer.content : {}
    return choices.find(([value]) => value === content['choice'])?.[0]
  }
  const toolCallId: string = newId()
  const shown: ToolCallUpdate & { title: string } = {
    toolCallId,
    title,
    kind: 'other' as const,
    status: 'pending' as const,
    content: [textContent(title)],
  }
  await context.notify(methods.client.session.update, {
    sessionId: session,
    update: { sessionUpdate: 'tool_call', ...shown },
  })
  const options: PermissionOption[] = [
    // Clients that answer by kind use the first choice that allows.
    ...choices.map(([value, name]) => {
      const kind = value === no ? ('reject_once' as const) : ('allow_once' as const)
      return { optionId: value, name, kind }
    }),
    ...(no === undefined ? [{ optionId: 'cancel', name: 'Cancel', kind: 'reject_once' as const }] : []),
  ]
  const { outcome } = await context.request(methods.client.session.requestPermission, {
    sessionId: session,
    toolCall: shown,
    options,
  })
  const chosen = outcome.outcome === 'selected' ? choices.find(([value]) => value === outcome.optionId)?.[0] : undefined
  const done = {
    sessionUpdate: 'tool_call_update' as const,
    toolCallId,
    status: chosen === undefined ? ('failed' as const) : ('completed' as const),
  }
  await context.notify(methods.client.session.update, { sessionId: session, update: done })
  return chosen
}
