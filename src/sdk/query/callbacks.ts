/** Answers what the agent asks of the host: permission, hooks, in-process tools. */
import { KedgeError } from '../../errors.js'
import type {
  SDKControlElicitationRequest,
  SDKControlInitializeRequest,
  SDKControlMcpSignInRequest,
  SDKControlMcpSignInResponse,
  SDKControlMcpTokenRequest,
  SDKControlMcpTokenResponse,
  SDKControlPermissionRequest,
  SDKControlRequestUserDialogRequest,
  SDKControlSummarizeRequest,
} from '../../protocol/control.js'
import type { HookCallback, HookEvent, HookInput } from '../../protocol/hooks.js'
import { HOOK_EVENTS } from '../../protocol/hooks.js'
import { isObject } from '../../protocol/json.js'
import type { Options } from '../../protocol/options.js'
import { findPermissionResultProblem, type PermissionResult } from '../../protocol/permission-types.js'
import { NoAnswerWantedError } from '../../transport/peer.js'
import type { HostServers } from '../mcp/host-servers.js'

export type QueryCallbacks = {
  /** The `hooks` of the `initialize` request; undefined when there are none. */
  hooks: SDKControlInitializeRequest['hooks']
  handle(
    request: Record<string, unknown>,
    signal: AbortSignal,
    id: string,
  ): Promise<Record<string, unknown> | undefined>
}

/** `onMistake` hears of answers of the caller that mean nothing: the agent takes them as a no. */
export function createCallbacks(
  options: Options,
  onMistake: (error: KedgeError) => void,
  mcp: Pick<HostServers, 'handle'>,
): QueryCallbacks {
  const byId = new Map<string, HookCallback>()
  const hooks = registerHooks(options.hooks, byId)

  const canUseTool = async (request: Record<string, unknown>, signal: AbortSignal) => {
    if (!options.canUseTool) throw new Error('canUseTool callback is not provided.')
    // The agent's own message: its fields have these types by protocol.
    const { tool_name: name, input, ...rest } = request as Omit<SDKControlPermissionRequest, 'subtype'>
    const result: unknown = await options.canUseTool(name, input, {
      signal,
      suggestions: rest.permission_suggestions,
      blockedPath: rest.blocked_path,
      decisionReason: rest.decision_reason,
      toolUseID: rest.tool_use_id,
      agentID: rest.agent_id,
      ...(rest.can_park ? { canPark: true as const } : {}),
      ...(rest.description ? { description: rest.description } : {}),
      ...(rest.why ? { why: rest.why } : {}),
      ...(rest.preview ? { preview: rest.preview } : {}),
    })
    if (rest.can_park && isObject(result) && result.behavior === 'park') return { behavior: 'park' }
    const problem =
      typeof result === 'object' && result !== null
        ? findPermissionResultProblem(result as Record<string, unknown>) // any object can be looked into
        : `expected an object, got ${result === null ? 'null' : typeof result}`
    if (problem === undefined) return { ...(result as PermissionResult), toolUseID: rest.tool_use_id } // checked just above
    // Nobody waits for the answer any more, so it can't be wrong.
    if (signal.aborted) throw new Error('aborted')
    const error = new KedgeError(
      'invalid_permission_result',
      `canUseTool answered ${name} with an invalid result: ${problem}`,
    )
    onMistake(error)
    throw error
  }

  const runHook = async (request: Record<string, unknown>, signal: AbortSignal) => {
    const id = String(request.callback_id)
    const callback = byId.get(id)
    if (!callback) throw new Error(`No hook callback found for ID: ${id}`)
    const toolUseId = typeof request.tool_use_id === 'string' ? request.tool_use_id : undefined
    // The agent's own message; the callback narrows it by `hook_event_name`.
    const output: unknown = await callback(request.input as HookInput, toolUseId, { signal })
    if (output === undefined) return undefined
    if (typeof output !== 'object' || output === null || Array.isArray(output)) {
      throw new Error(`Hook callback ${id} answered with something that is not an object`)
    }
    return { ...output }
  }

  const summarize = async (request: Record<string, unknown>, signal: AbortSignal) => {
    if (!options.summarize) throw new Error('summarize callback is not provided.')
    // The agent's own message: its fields have these types by protocol.
    const { trigger, instructions, messages } = request as SDKControlSummarizeRequest
    return { summary: await options.summarize({ trigger, instructions, messages }, { signal }) }
  }

  return {
    hooks,
    async handle(request, signal, id) {
      switch (request.subtype) {
        case 'can_use_tool':
          return canUseTool(request, signal)
        case 'hook_callback':
          return runHook(request, signal)
        case 'summarize':
          return summarize(request, signal)
        case 'mcp_token':
          return giveMcpToken(options.getMcpToken, request, signal)
        case 'mcp_sign_in':
          return leadMcpSignIn(options.onMcpSignIn, request, signal)
        case 'mcp_message':
          return mcp.handle(request, signal)
        case 'elicitation':
          return answerElicitation(options.onElicitation, request, signal, id)
        case 'request_user_dialog':
          return answerDialog(options.onUserDialog, request, signal, id)
        default:
          throw new Error(`Unsupported control request subtype: ${String(request.subtype)}`)
      }
    },
  }
}

/** What isn't a token is none: the server then wants a sign-in. */
async function giveMcpToken(
  getMcpToken: Options['getMcpToken'],
  request: Record<string, unknown>,
  signal: AbortSignal,
): Promise<SDKControlMcpTokenResponse> {
  // The agent's own message: its fields have these types by protocol.
  const asked = request as Omit<SDKControlMcpTokenRequest, 'subtype'>
  const wanted = {
    server: asked.server_name,
    url: asked.url,
    reason: asked.reason,
    ...(asked.scopes === undefined ? {} : { scopes: asked.scopes }),
    ...(asked.resource_metadata_url === undefined ? {} : { resourceMetadataUrl: asked.resource_metadata_url }),
  }
  const token: unknown = await getMcpToken?.(wanted, { signal })
  if (token === undefined || token === null || token === '') return {}
  // Never the value in an error: it may be a secret.
  if (typeof token !== 'string' || /[^\x21-\x7e]/.test(token))
    throw new Error('getMcpToken must return a token as text')
  return { access_token: token }
}

/** Anything but a clear answer leaves the server without a sign-in. */
async function leadMcpSignIn(
  onMcpSignIn: Options['onMcpSignIn'],
  request: Record<string, unknown>,
  signal: AbortSignal,
): Promise<SDKControlMcpSignInResponse> {
  // The agent's own message: its fields have these types by protocol.
  const { server_name: server, url, step, address, code, can_paste, problem } = request as SDKControlMcpSignInRequest
  const asked = {
    server,
    url,
    step,
    ...(address === undefined ? {} : { address }),
    ...(code === undefined ? {} : { code }),
    ...(can_paste ? { canPaste: true } : {}),
    ...(problem === undefined ? {} : { problem }),
  }
  const answer = await onMcpSignIn?.(asked, { signal })
  if (answer === undefined) return { action: 'cancel' }
  const action: unknown = answer.action
  if (action !== 'start' && action !== 'finish' && action !== 'cancel')
    throw new Error("onMcpSignIn must answer with an action: 'start', 'finish' or 'cancel'")
  return answer
}

/** Nobody to ask means no: a server's question is never accepted in the user's place. */
async function answerElicitation(
  onElicitation: Options['onElicitation'],
  request: Record<string, unknown>,
  signal: AbortSignal,
  requestId: string,
): Promise<Record<string, unknown>> {
  if (!onElicitation) return { action: 'decline' }
  // The agent's own message: its fields have these types by protocol.
  const asked = request as SDKControlElicitationRequest
  const answer = await onElicitation(
    {
      serverName: asked.mcp_server_name,
      message: asked.message,
      // Agents of older lines leave it out: what isn't an address is a form.
      mode: asked.mode ?? (asked.url === undefined ? 'form' : 'url'),
      ...(asked.url === undefined ? {} : { url: asked.url }),
      ...(asked.elicitation_id === undefined ? {} : { elicitationId: asked.elicitation_id }),
      ...(asked.requested_schema === undefined ? {} : { requestedSchema: asked.requested_schema }),
      ...(asked.title === undefined ? {} : { title: asked.title }),
      ...(asked.display_name === undefined ? {} : { displayName: asked.display_name }),
      ...(asked.description === undefined ? {} : { description: asked.description }),
    },
    {
      signal,
      requestId,
      ...(asked.tool_use_id === undefined ? {} : { toolUseID: asked.tool_use_id }),
      ...(asked.question_key === undefined ? {} : { questionKey: asked.question_key }),
      ...(asked.can_park ? { canPark: true } : {}),
    },
  )
  if (answer === null) throw new NoAnswerWantedError()
  const action: unknown = answer?.action
  if (asked.can_park && action === 'park') return { action }
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    throw new Error("onElicitation must answer with an action: 'accept', 'decline' or 'cancel'")
  if (answer.action !== 'accept' || answer.content !== undefined || asked.mode === 'url') return answer
  // Accepted as it was offered.
  return { ...answer, content: defaultsOf(asked.requested_schema) }
}

/** Nobody to ask means no answer: another host of the same session may have one, and the agent knows what to do without. */
async function answerDialog(
  onUserDialog: Options['onUserDialog'],
  request: Record<string, unknown>,
  signal: AbortSignal,
  requestId: string,
): Promise<Record<string, unknown>> {
  if (!onUserDialog) throw new NoAnswerWantedError()
  // The agent's own message: its fields have these types by protocol.
  const { dialog_kind: dialogKind, payload, tool_use_id: toolUseID } = request as SDKControlRequestUserDialogRequest
  const asked = { dialogKind, payload, ...(toolUseID === undefined ? {} : { toolUseID }) }
  const answer = await onUserDialog(asked, { signal, requestId })
  if (answer === null) throw new NoAnswerWantedError()
  if (answer?.behavior !== 'completed' && answer?.behavior !== 'cancelled')
    throw new Error("onUserDialog must answer with a behavior: 'completed' or 'cancelled'")
  return answer
}

function defaultsOf(schema: Record<string, unknown> | undefined): Record<string, unknown> {
  const properties: unknown = schema?.properties
  if (typeof properties !== 'object' || properties === null) return {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      typeof property === 'object' && property !== null && 'default' in property ? [[name, property.default]] : [],
    ),
  )
}

/** Ids count over all events, in the order of the option. */
function registerHooks(hooks: Options['hooks'], byId: Map<string, HookCallback>): QueryCallbacks['hooks'] {
  if (!hooks) return undefined
  const registered: NonNullable<QueryCallbacks['hooks']> = {}
  let next = 0
  for (const [event, matchers] of Object.entries(hooks)) {
    if (!isHookEvent(event) || !matchers || matchers.length === 0) continue
    registered[event] = matchers.map(({ matcher, hooks: callbacks, timeout, onFailure }) => ({
      ...(matcher === undefined ? {} : { matcher }),
      hookCallbackIds: callbacks.map((callback) => {
        const id = `hook_${next}`
        next += 1
        byId.set(id, callback)
        return id
      }),
      ...(timeout === undefined ? {} : { timeout }),
      ...(onFailure === undefined ? {} : { onFailure }),
    }))
  }
  return Object.keys(registered).length > 0 ? registered : undefined
}

function isHookEvent(event: string): event is HookEvent {
  return HOOK_EVENTS.some((known) => known === event)
}
