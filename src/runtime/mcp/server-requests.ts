/** What MCP servers may ask of a session: its folders, questions to the user, and, where it is allowed, to the model. A question nobody can answer is declined. */

import { sha256 } from '../../platform/files/content-hash.js'
import { oneLine, withoutInvisible } from '../../platform/visible-text.js'
import type { SDKControlElicitationRequest } from '../../protocol/control.js'
import type { JsonObject } from '../../protocol/json.js'
import { isObject } from '../../protocol/json.js'
import type { McpQuestionOrigin } from '../../protocol/mcp/mcp-paused-request.js'
import type { Conversation } from '../conversation.js'

type ElicitationRequest = Omit<SDKControlElicitationRequest, 'subtype'>
type ElicitationAnswer = { action: 'accept' | 'decline' | 'cancel'; content?: JsonObject }
/** No user answers now. It never goes to the server. */
type ParkedElicitation = { action: 'park' }

export type ServerRequestPorts = {
  conversation: Conversation
  /** Its configuration says so. */
  mayAskModel: boolean
  /** Undefined: there is nobody to ask. `origin`: the call that the question belongs to, if that is known. */
  askHost?:
    | ((request: ElicitationRequest, signal: AbortSignal, origin?: McpQuestionOrigin) => Promise<unknown>)
    | undefined
  origin?: McpQuestionOrigin | undefined
}

const MAX_MESSAGE = 4000

/** Answers a request of an MCP server. Rejects with what the server is told. */
export async function answerServerRequest(
  server: string,
  method: string,
  params: JsonObject,
  questions: ServerRequestPorts,
  signal: AbortSignal,
): Promise<JsonObject> {
  switch (method) {
    case 'ping':
      return {}
    case 'roots/list':
      return {
        roots: questions.conversation.permissions.directories().map((path) => ({ uri: fileUrl(path), name: path })),
      }
    case 'elicitation/create':
      return { ...(await elicit(server, params, questions, signal)) }
    case 'sampling/createMessage':
      if (!questions.mayAskModel) throw await refusal(-32_601, 'Sampling is not enabled for this server.')
      return (await import('./sampling.js')).answerSampling(server, params, questions.conversation, signal)
    default:
      throw await refusal(-32_601, 'Method not found')
  }
}

async function refusal(code: number, text: string): Promise<Error> {
  const { RpcRefusal } = await import('../../mcp/open.js')
  return new RpcRefusal(code, text)
}

function fileUrl(path: string): string {
  return `file://${path.split('/').map(encodeURIComponent).join('/')}`
}

/** Hooks first, then the host, then hooks about the answer. Anything but a clear answer is a no. */
async function elicit(
  server: string,
  params: JsonObject,
  { conversation, askHost, origin }: ServerRequestPorts,
  signal: AbortSignal,
): Promise<ElicitationAnswer | ParkedElicitation> {
  const { hooks } = conversation
  const request = readRequest(server, params)
  if (!request) return { action: 'decline' }
  const fromHook = await hooks.elicitation(request, signal)
  const asking = async () => askHost?.(request, signal, origin && (await withShortKey(origin)))
  const asked = fromHook ?? (await asking().catch(() => undefined))
  if (origin?.canPark && !fromHook && isObject(asked) && asked['action'] === 'park') return { action: 'park' }
  const answer = readAnswer(asked)
  const { mode, elicitation_id } = request
  const changed = await hooks.elicitationResult(
    {
      mcp_server_name: server,
      ...(mode ? { mode } : {}),
      ...(elicitation_id === undefined ? {} : { elicitation_id }),
      ...answer,
    },
    signal,
  )
  return changed ? readAnswer({ ...answer, ...changed }) : answer
}

/** A key holds the whole question. Hosts only compare it. */
async function withShortKey(origin: McpQuestionOrigin): Promise<McpQuestionOrigin> {
  const hash = await sha256(new TextEncoder().encode(`${origin.toolUseId} ${origin.key}`))
  return { ...origin, key: hash.slice(0, 32) }
}

function readRequest(server: string, params: JsonObject): ElicitationRequest | undefined {
  const { message, mode, url, elicitationId, requestedSchema } = params
  if (typeof message !== 'string') return undefined
  const isUrl = mode === 'url'
  // An address that is opened for the user must be one of the web.
  if (isUrl && !(typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url))) return undefined
  return {
    mcp_server_name: server,
    message: withoutInvisible(message.slice(0, MAX_MESSAGE)).text,
    ...(isUrl ? { mode: 'url' } : mode === 'form' ? { mode: 'form' } : {}),
    ...(isUrl && typeof url === 'string' ? { url } : {}),
    ...(typeof elicitationId === 'string' ? { elicitation_id: oneLine(elicitationId, 200) } : {}),
    ...(isObject(requestedSchema) ? { requested_schema: requestedSchema } : {}),
  }
}

function readAnswer(value: unknown): ElicitationAnswer {
  if (!isObject(value)) return { action: 'decline' }
  const { action, content } = value
  if (action === 'accept') return { action, ...(isObject(content) ? { content } : {}) }
  return { action: action === 'cancel' ? 'cancel' : 'decline' }
}
