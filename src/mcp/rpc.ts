/** JSON-RPC with one server: numbers requests, matches answers, cancels what took too long, and answers what the server asks. */

import type { Clock } from '../platform/clock.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { McpError, messageOf } from './mcp-error.js'
import type { McpTransport } from './server-wire.js'

export type RequestOptions = {
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Asks for progress, and is told of it. */
  onProgress?: (params: JsonObject) => void
}

export type RpcPorts = {
  clock: Pick<Clock, 'after'>
  /** Answers a request of the server; what it throws is the error the server gets. */
  onRequest(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>
  onNotification(method: string, params: JsonObject): void
  onClosed(reason: string): void
  onNote(text: string): void
}

export type Rpc = ReturnType<typeof createRpc>

/** Requests of one server that are answered at the same time. */
const MAX_SERVER_REQUESTS = 16
const MAX_ERROR_TEXT = 4000
const SAMPLING = 'sampling/createMessage'
const CALL_OVER = 'The call it was for is over.'

/** Thrown by a handler: the server is told this code. */
export class RpcRefusal extends Error {
  readonly rpcCode: number
  constructor(rpcCode: number, message: string) {
    super(message)
    this.rpcCode = rpcCode
  }
}

type Pending = {
  resolve(result: JsonObject): void
  reject(error: McpError): void
  onProgress: RequestOptions['onProgress']
}

/** `firstId`: what was known beforehand, and so never asked, has had its numbers. */
export function createRpc(transport: McpTransport, ports: RpcPorts, firstId = 0) {
  const pending = new Map<number, Pending>()
  const answering = new Map<string | number, AbortController>()
  /** Questions to the model, which are only asked for a call and end with the last of them. */
  const samples = new Set<AbortController>()
  let calls = 0
  let nextId = firstId
  let closed: string | undefined

  const fail = (reason: string) => {
    if (closed !== undefined) return
    closed = reason
    for (const one of pending.values()) one.reject(new McpError('mcp_closed', reason))
    pending.clear()
    for (const controller of answering.values()) controller.abort()
    ports.onClosed(reason)
  }

  /** What can't be told any more is nobody's failure. */
  const tell = (message: JSONRPCMessage) => void transport.send(message).catch(() => {})

  const answer = async (id: string | number, method: string, params: JsonObject) => {
    if (answering.size >= MAX_SERVER_REQUESTS) {
      return tell({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Too many requests at once.' } })
    }
    const controller = new AbortController()
    answering.set(id, controller)
    if (method === SAMPLING) samples.add(controller)
    try {
      if (method === SAMPLING && calls === 0)
        throw new RpcRefusal(-32_600, 'No call is under way that it could be for.')
      const result = await ports.onRequest(method, params, controller.signal)
      if (!controller.signal.aborted) tell({ jsonrpc: '2.0', id, result })
    } catch (error) {
      const code = error instanceof RpcRefusal ? error.rpcCode : -32_603
      const { aborted, reason } = controller.signal
      if (!aborted || reason === CALL_OVER) tell({ jsonrpc: '2.0', id, error: { code, message: messageOf(error) } })
    } finally {
      answering.delete(id)
      samples.delete(controller)
    }
  }

  const endCall = () => {
    calls -= 1
    if (calls === 0) for (const controller of samples) controller.abort(CALL_OVER)
  }

  const receive = (message: unknown) => {
    if (!isObject(message)) return ports.onNote('a message that is no JSON object')
    const { id, method, params } = message
    if (typeof method === 'string') {
      const given = isObject(params) ? params : {}
      if (isId(id)) return void answer(id, method, given)
      if (method === 'notifications/cancelled' && isId(given['requestId'])) {
        return answering.get(given['requestId'])?.abort()
      }
      if (method === 'notifications/progress' && typeof given['progressToken'] === 'number') {
        return pending.get(given['progressToken'])?.onProgress?.(given)
      }
      return ports.onNotification(method, given)
    }
    // Late, double and unasked answers have nobody waiting.
    const waiting = typeof id === 'number' ? pending.get(id) : undefined
    if (!waiting || typeof id !== 'number') return
    pending.delete(id)
    if (isObject(message['result'])) return waiting.resolve(message['result'])
    if (!isObject(message['error'])) {
      return waiting.reject(new McpError('mcp_invalid_answer', 'The server sent an answer without a result.'))
    }
    const { code, message: text } = message['error']
    const said = typeof text === 'string' ? text.slice(0, MAX_ERROR_TEXT) : 'no reason given'
    waiting.reject(
      new McpError('mcp_refused', said.startsWith('MCP error') ? said : `MCP error ${String(code)}: ${said}`),
    )
  }

  return {
    start: () => transport.start({ message: receive, closed: fail, note: ports.onNote }),
    receive,
    agreed: (version: string) => transport.setProtocolVersion?.(version),
    /** Rejects with an `McpError`. */
    request(method: string, params: JsonObject | undefined, options: RequestOptions): Promise<JsonObject> {
      const { timeoutMs, signal, onProgress } = options
      if (closed !== undefined) return Promise.reject(new McpError('mcp_closed', closed))
      if (signal?.aborted) return Promise.reject(new McpError('mcp_cancelled', 'Cancelled before it was sent.'))
      const id = nextId++
      const meta = isObject(params?.['_meta']) ? params['_meta'] : {}
      const sent = onProgress ? { ...params, _meta: { ...meta, progressToken: id } } : params
      const sending = new AbortController()
      let isCall = method === 'tools/call'
      if (isCall) calls += 1
      return new Promise<JsonObject>((resolve, reject) => {
        const settle = () => {
          if (isCall) endCall()
          isCall = false
          stopTimer()
          signal?.removeEventListener('abort', onAbort)
          pending.delete(id)
        }
        const giveUp = (error: McpError, reason: string) => {
          settle()
          // A server that is asked to initialize has nothing yet that could be cancelled.
          if (method !== 'initialize') {
            tell({ method: 'notifications/cancelled', params: { requestId: id, reason }, jsonrpc: '2.0' })
          }
          sending.abort()
          reject(error)
        }
        const onAbort = () =>
          giveUp(new McpError('mcp_cancelled', `${method} was cancelled.`), 'The user cancelled it.')
        const startTimer = () =>
          ports.clock.after(timeoutMs, () => {
            const text = `The server did not answer ${method} within ${timeoutMs / 1000} s.`
            giveUp(new McpError('mcp_timeout', text), 'Timed out.')
          })
        let stopTimer = startTimer()
        signal?.addEventListener('abort', onAbort, { once: true })
        pending.set(id, {
          // Who reports progress is at work: the time counts from there.
          onProgress:
            onProgress &&
            ((params) => {
              stopTimer()
              stopTimer = startTimer()
              onProgress(params)
            }),
          resolve(result) {
            settle()
            resolve(result)
          },
          reject(error) {
            settle()
            reject(error)
          },
        })
        const message = { method, ...(sent ? { params: sent } : {}), jsonrpc: '2.0' as const, id }
        transport.send(message, sending.signal).catch((error: unknown) => {
          pending.get(id)?.reject(error instanceof McpError ? error : new McpError('mcp_closed', messageOf(error)))
        })
      })
    },
    notify: (method: string, params?: JsonObject) => tell({ method, ...(params ? { params } : {}), jsonrpc: '2.0' }),
    /** Resolves when nothing of the server runs any more. */
    async close(reason: string): Promise<void> {
      fail(reason)
      await transport.close()
    },
  }
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
