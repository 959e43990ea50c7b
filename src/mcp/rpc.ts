/** JSON-RPC with one server: sorts what it sends into answers to our requests, requests of its own, and notifications. */

import type { Clock } from '../platform/clock.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import type { McpQuestionOrigin } from '../protocol/mcp/mcp-paused-request.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { messageOf } from '../protocol/thrown.js'
import { createServerRequestResponder, type ServerAnswerPorts } from './answer-server.js'
import { McpError } from './mcp-error.js'
import { createPendingRequests, type McpRequestOptions } from './pending-requests.js'
import type { McpUnboundRequest } from './stateless/input-rounds.js'
import { answerInputRounds, inputAnswerOf, isInputRequired } from './stateless/input-rounds.js'
import type { McpTransport } from './transports/mcp-transport.js'

export { RpcRefusal } from './answer-server.js'
export type { McpRequestOptions } from './pending-requests.js'

export type RpcPorts = {
  clock: Pick<Clock, 'after' | 'sleep'>
  /** `origin`: the call that the question belongs to, if its server said so. */
  onRequest(method: string, params: JsonObject, signal: AbortSignal, origin?: McpQuestionOrigin): Promise<JsonObject>
  onNotification(method: string, params: JsonObject): void
  onClosed(reason: string): void
  onNote(text: string): void
}

export type Rpc = ReturnType<typeof createRpc>

const MAX_NOTES = 5

/**
 * Creates a JSON-RPC connection over a transport. `firstId`: what was known beforehand, and so never asked, has had
 * its numbers.
 */
export function createRpc(transport: McpTransport, ports: RpcPorts, firstId = 0) {
  /** What every request carries, once a revision is agreed that keeps no connection. */
  let envelope: JsonObject | undefined
  let notes = 0
  const closed = new AbortController()
  /** A server that is gone can't be notified, and needn't be. */
  const tell = (message: JSONRPCMessage) => void transport.send(message).catch(() => {})
  const requests = createPendingRequests(
    {
      clock: ports.clock,
      transport,
      tell,
      envelope: () => envelope ?? {},
      tellsCancels: () => envelope === undefined || transport.closesRequests !== true,
      onCallsOver: () => answers.endSamples(),
    },
    firstId,
  )
  const onRequest: ServerAnswerPorts['onRequest'] = (method, params, signal) => ports.onRequest(method, params, signal)
  const answers = createServerRequestResponder({ onRequest, tell, hasCalls: requests.hasCalls })

  const fail = (reason: string) => {
    if (!requests.failAll(reason)) return
    answers.abortAll()
    closed.abort()
    ports.onClosed(reason)
  }
  const noteOnce = (text: string) => {
    notes += 1
    if (notes <= MAX_NOTES) ports.onNote(text)
  }

  const receive = (message: unknown) => {
    if (!isObject(message)) return noteOnce("a message that isn't a JSON object")
    const { id, method, params } = message
    if (typeof method !== 'string') return requests.settle(message)
    const given = isObject(params) ? params : {}
    if (isId(id)) {
      if (envelope === undefined) return void answers.answer(id, method, given)
      // In such a revision questions come in answers: nothing here may answer it.
      return noteOnce('a request, which its revision of the protocol does not have')
    }
    if (method === 'notifications/cancelled' && isId(given['requestId'])) return answers.abort(given['requestId'])
    if (method === 'notifications/progress' && typeof given['progressToken'] === 'number') {
      return requests.progress(given['progressToken'], given)
    }
    return ports.onNotification(method, given)
  }

  /** Rejects with an `McpError`. */
  const request = async (method: string, params: JsonObject | undefined, options: McpRequestOptions) => {
    const { questions, signal } = options
    const send = (given: JsonObject | undefined) => requests.send(method, given, options)
    const left = envelope === undefined ? undefined : questions?.left
    if (questions?.left && !left) throw new McpError('mcp_cancelled', NO_STATES)
    const first = left ? inputAnswerOf(left) : await send(params)
    if (envelope === undefined || !isInputRequired(first)) return first
    const rounds = {
      send,
      answer: (asked: string, given: JsonObject, until: AbortSignal, key: string) =>
        ports.onRequest(asked, given, until, questions?.originOf(key, false)).catch((problem: unknown) => {
          throw problem instanceof McpError ? problem : new McpError('mcp_cancelled', refusedInput(asked, problem))
        }),
      ...(questions ? { keep: (waiting?: McpUnboundRequest) => questions.keep(waiting, false) } : {}),
      sleep: ports.clock.sleep,
      signal,
    }
    return answerInputRounds(first, { method, params: params ?? {} }, rounds, left?.round)
  }

  return {
    start: () => transport.start({ message: receive, closed: fail, note: ports.onNote }),
    receive,
    /** `stateless`: what every request carries from now on, in a revision that keeps no connection. */
    agreed(version: string, stateless?: JsonObject): void {
      envelope = stateless
      transport.setProtocolVersion?.(version)
    },
    /** Aborted when the connection is over. */
    closed: closed.signal,
    isStateless: (): boolean => envelope !== undefined,
    request,
    notify: (method: string, params?: JsonObject) => tell({ method, ...(params ? { params } : {}), jsonrpc: '2.0' }),
    /** Resolves when nothing of the server runs any more. */
    async close(reason: string): Promise<void> {
      fail(reason)
      await transport.close()
    },
  }
}

const NO_STATES =
  'The call waited for an answer of the user. Meanwhile, the server speaks an older version of the protocol, which can not continue it. The call was not repeated.'

function refusedInput(asked: string, problem: unknown): string {
  return `The server needs an answer to ${asked}, and gets none: ${messageOf(problem)}`
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
