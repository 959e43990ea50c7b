/** What an agent asks of people: each call of these callbacks becomes a request, and its decision the agent's answer. */
import type { ElicitationResult, OnElicitation } from '../../protocol/mcp-servers.js'
import type { CanUseTool } from '../../protocol/permission-types.js'
import { toElicitationResult, toPermissionResult } from '../answers.js'
import type { Ask, AskingAgent } from '../ask-types.js'
import type { SessionJournal } from './session-journal.js'
import { type AskFields, createAskOfToolCall, createElicitationAsk } from './tool-ask.js'

export type AgentRequestPorts = {
  session: string
  journal: Pick<SessionJournal, 'decide'>
  /** Returns the id of a request. `call` is the tool call that needs a decision, the same on every machine. */
  newAskId(call?: string): string | Promise<string>
  hash(text: string): Promise<string>
  now(): number
  /** Returns the sub-agent that makes this call; undefined if it isn't a sub-agent's. */
  askerOf(useId: string): AskingAgent | undefined
}

export type AgentRequestCallbacks = { canUseTool: CanUseTool; onElicitation: OnElicitation }

export function createAgentRequests(ports: AgentRequestPorts): AgentRequestCallbacks {
  const { session, journal, newAskId, hash, now, askerOf } = ports
  const toAsk = (id: string, fields: AskFields): Ask => ({
    id,
    session,
    ...fields,
    since: new Date(now()).toISOString(),
  })
  return {
    async canUseTool(name, input, options) {
      const { agentID, toolUseID, signal, canPark = false } = options
      const asker = agentID === undefined ? undefined : askerOf(toolUseID)
      const fields = createAskOfToolCall(name, input, options, { hash: await hash(JSON.stringify(input)), asker })
      const ask = toAsk(await newAskId(`${agentID ?? ''} ${toolUseID}`), fields)
      const decision = await journal.decide(ask, { canPark, signal })
      if (decision === 'park') return { behavior: 'park' }
      if ('void' in decision) return { behavior: 'deny', message: `The question was withdrawn: ${decision.void}` }
      return toPermissionResult(ask, decision.answer)
    },
    async onElicitation(request, { signal }): Promise<ElicitationResult> {
      const ask = toAsk(await newAskId(), createElicitationAsk(request))
      const decision = await journal.decide(ask, { canPark: false, signal })
      if (decision === 'park' || 'void' in decision) return { action: 'cancel' }
      return toElicitationResult(decision.answer)
    },
  }
}
