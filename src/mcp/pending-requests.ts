/** Requests to one server: numbered, each waiting for its answer, given up when it takes too long or nobody wants it any more. */
import type { Clock } from '../platform/clock.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { messageOf } from '../protocol/thrown.js'
import { McpError } from './mcp-error.js'
import type { CallQuestions } from './questions/call-questions.js'
import type { McpTransport } from './transports/mcp-transport.js'

export type McpRequestOptions = {
  timeoutMs: number
  signal?: AbortSignal | undefined
  /** Asks for progress, and is told of it. */
  onProgress?: (params: JsonObject) => void
  /** What becomes of questions to the user that the server asks because of the request. */
  questions?: CallQuestions | undefined
  /** Headers for this request, where there are such things. */
  headers?: Readonly<Record<string, string>>
}

export type PendingRequestPorts = {
  clock: Pick<Clock, 'after'>
  transport: Pick<McpTransport, 'send'>
  tell(message: JSONRPCMessage): void
  /** What stands in `_meta` of every request. */
  envelope(): JsonObject
  /** Whether a server is told of requests that are given up. */
  tellsCancels(): boolean
  /** No call of a tool is under way any more. */
  onCallsOver(): void
}

type Pending = {
  resolve(result: JsonObject): void
  reject(error: McpError): void
  onProgress: McpRequestOptions['onProgress']
}

const MAX_ERROR_TEXT = 4000

export function createPendingRequests(ports: PendingRequestPorts, firstId: number) {
  const pending = new Map<number, Pending>()
  let calls = 0
  let nextId = firstId
  let closed: string | undefined

  const beginCall = (method: string): (() => void) => {
    let isUnderWay = method === 'tools/call'
    if (isUnderWay) calls += 1
    return () => {
      if (!isUnderWay) return
      isUnderWay = false
      calls -= 1
      if (calls === 0) ports.onCallsOver()
    }
  }

  /** Resolves with the answer to request `id`, which `transmit` sends once somebody waits for it. */
  const waitForAnswer = (
    id: number,
    method: string,
    options: McpRequestOptions,
    transmit: (stop: AbortSignal) => void,
  ) => {
    const { timeoutMs, signal, onProgress } = options
    const sending = new AbortController()
    const endCall = beginCall(method)
    return new Promise<JsonObject>((resolve, reject) => {
      const settle = () => {
        endCall()
        stopTimer()
        signal?.removeEventListener('abort', onAbort)
        pending.delete(id)
      }
      const giveUp = (error: McpError, reason: string) => {
        settle()
        // A server that is asked to initialize has nothing yet that could be canceled.
        if (method !== 'initialize' && ports.tellsCancels()) {
          ports.tell({ method: 'notifications/cancelled', params: { requestId: id, reason }, jsonrpc: '2.0' })
        }
        sending.abort()
        reject(error)
      }
      const onAbort = () => giveUp(new McpError('mcp_cancelled', `${method} was canceled.`), 'The user canceled it.')
      const startTimer = () =>
        ports.clock.after(timeoutMs, () => {
          const text = `The server did not answer ${method} within ${timeoutMs / 1000} s.`
          giveUp(new McpError('mcp_timeout', text), 'Timed out.')
        })
      let stopTimer = startTimer()
      signal?.addEventListener('abort', onAbort, { once: true })
      pending.set(id, {
        // A server that reports progress is at work: its time starts again.
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
      transmit(sending.signal)
    })
  }

  return {
    /** Rejects with an `McpError`. */
    send(method: string, params: JsonObject | undefined, options: McpRequestOptions): Promise<JsonObject> {
      if (closed !== undefined) return Promise.reject(new McpError('mcp_closed', closed))
      if (options.signal?.aborted) return Promise.reject(new McpError('mcp_cancelled', 'Canceled before it was sent.'))
      const id = nextId++
      const given = isObject(params?.['_meta']) ? params['_meta'] : {}
      const _meta = { ...ports.envelope(), ...given, ...(options.onProgress ? { progressToken: id } : {}) }
      const sent = Object.keys(_meta).length > 0 ? { ...params, _meta } : params
      const message = { method, ...(sent ? { params: sent } : {}), jsonrpc: '2.0' as const, id }
      return waitForAnswer(id, method, options, (stop) => {
        ports.transport.send(message, stop, options.headers).catch((error: unknown) => {
          pending.get(id)?.reject(error instanceof McpError ? error : new McpError('mcp_closed', messageOf(error)))
        })
      })
    },
    /** An answer arrived. Late, double and unasked ones have nobody waiting. */
    settle(message: JsonObject): void {
      const { id, result, error } = message
      const waiting = typeof id === 'number' ? pending.get(id) : undefined
      if (!waiting || typeof id !== 'number') return
      pending.delete(id)
      if (isObject(result)) waiting.resolve(result)
      else if (isObject(error)) waiting.reject(refusal(error))
      else waiting.reject(new McpError('mcp_invalid_answer', 'The server sent an answer without a result.'))
    },
    progress: (id: number, params: JsonObject): void => pending.get(id)?.onProgress?.(params),
    hasCalls: (): boolean => calls > 0,
    /** The connection is over. False: it was before. */
    failAll(reason: string): boolean {
      if (closed !== undefined) return false
      closed = reason
      for (const one of pending.values()) one.reject(new McpError('mcp_closed', reason))
      pending.clear()
      return true
    },
  }
}

function refusal({ code, message, data }: JsonObject): McpError {
  const said = typeof message === 'string' ? message.slice(0, MAX_ERROR_TEXT) : 'no reason given'
  const text = said.startsWith('MCP error') ? said : `MCP error ${String(code)}: ${said}`
  return new McpError('mcp_refused', text, typeof code === 'number' ? { refusal: { code, data } } : {})
}
