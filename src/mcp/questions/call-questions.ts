/**
 * Questions that a server asks a user during one call of a tool. Where the call is, is kept before the user sees one, so
 * an answer can come days later, to another process. With revision 2026-07-28, that process sends the server's state and
 * the answer. An older server waits on its connection: if that is gone, only a call that may be repeated is made again.
 */
import type { CallWaitPort } from '../../engine/ports.js'
import type { JsonObject } from '../../protocol/json.js'
import { isObject } from '../../protocol/json.js'
import type { McpPausedRequest, McpQuestionOrigin } from '../../protocol/mcp/mcp-paused-request.js'
import { cleanServerLine } from '../clean-text.js'
import { McpError } from '../mcp-error.js'
import type { McpUnboundRequest } from '../stateless/input-rounds.js'

/** The questions of one call, as its connection sees them. */
export type CallQuestions = {
  /** Where an earlier process left the call. */
  readonly left: McpUnboundRequest | undefined
  /** Returns what ties a question to the call. `key` is the same if the question is asked again. */
  originOf(key: string, isLive: boolean): McpQuestionOrigin
  /** Resolves when the request is kept; undefined: the server has the answers. */
  keep(waiting: McpUnboundRequest | undefined, isLive: boolean): Promise<void>
  /** No user answers now: the call stays open. */
  park(): void
}

export type CallQuestionsPorts = {
  wait: CallWaitPort
  callId: string
  server: string
  identity: string
  /** What is sent now; state that belongs to other parameters isn't used. */
  params: JsonObject
  /** Its server says that a second call does no harm. */
  mayRepeat: boolean
}

export function createCallQuestions(ports: CallQuestionsPorts): CallQuestions {
  const { wait, callId, server, identity, mayRepeat } = ports
  return {
    left: leftBehind(ports),
    originOf: (key, isLive) => ({ toolUseId: callId, key, canPark: wait.canPark && (!isLive || mayRepeat) }),
    async keep(waiting, isLive) {
      const state: McpPausedRequest | undefined = waiting && {
        ...waiting,
        server,
        identity,
        ...(isLive ? { isLive: true as const } : {}),
        inputResponses: {},
      }
      await wait.keep(state).catch((problem: unknown) => {
        throw new McpError('mcp_cancelled', String(problem))
      })
    },
    park: wait.park,
  }
}

/** Throws an `McpError` if the call can neither be continued nor repeated. */
function leftBehind({ wait, server, identity, params, mayRepeat }: CallQuestionsPorts): McpUnboundRequest | undefined {
  const { kept } = wait
  if (!kept) return undefined
  if (kept['server'] !== server || kept['identity'] !== identity) {
    throw new McpError(
      'mcp_cancelled',
      `The call waited for an answer of the user. Meanwhile, the configuration of the server has changed, so its state was not sent. ${OUTCOME}`,
    )
  }
  if (kept['isLive'] === true) {
    if (mayRepeat) return undefined
    throw new McpError(
      'mcp_closed',
      `The server asked the user ${quoted(kept['inputRequests'])}, and the connection that it waited on ended before it had the answer. ${OUTCOME}`,
    )
  }
  const { method, requestState, inputRequests, round } = kept
  // A hook or a user has changed the input since: the server's state is about another call.
  const isSame = isObject(kept['params']) && sameText(kept['params']['arguments'], params['arguments'])
  if (method !== 'tools/call' || !isSame || !isObject(inputRequests)) return undefined
  return {
    method,
    params,
    ...(typeof requestState === 'string' ? { requestState } : {}),
    // Checked like what a server sends, before anything of it is asked.
    inputRequests: inputRequests as McpUnboundRequest['inputRequests'],
    inputResponses: {},
    round: typeof round === 'number' ? round : 0,
  }
}

const OUTCOME =
  'The call may or may not have taken effect, and was not repeated. Look before you call the tool again; it will ask again.'

function sameText(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function quoted(questions: unknown): string {
  const [first] = isObject(questions) ? Object.values(questions) : []
  const params = isObject(first) ? first['params'] : undefined
  const message = isObject(params) ? params['message'] : undefined
  return typeof message === 'string' ? JSON.stringify(cleanServerLine(message, 300)) : 'a question'
}
