/** What a handler asks or tells the agent while it runs: requests with an answer, notifications, progress. */
import { KedgeError } from '../../errors.js'
import { isObject } from '../../protocol/json.js'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import type { SdkMcpCallContext } from '../../protocol/sdk-mcp.js'
import { isRequestId, type RequestId } from './server-link.js'

type Waiting = { resolve(result: Record<string, unknown>): void; reject(error: Error): void }
/** `related` is the call it belongs to. */
type Send = (message: JSONRPCMessage, related: RequestId) => Promise<void>

export function createMcpRequestSender(send: Send) {
  const waiting = new Map<RequestId, Waiting>()
  let nextId = 0
  let open = true

  const ask = (request: { method: string; params?: Record<string, unknown> }, related: RequestId) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      if (!open) return reject(new KedgeError('transport_closed', 'The connection to the agent is closed.'))
      const id = nextId
      nextId += 1
      waiting.set(id, { resolve, reject })
      void send({ jsonrpc: '2.0', id, ...request }, related)
    })

  return {
    ask,
    /** What a handler is given beside its arguments. */
    contextOf(id: RequestId, params: object, signal: AbortSignal, sessionId: string | undefined): SdkMcpCallContext {
      const { _meta: meta, inputResponses, requestState }: Record<string, unknown> = { ...params }
      const _meta = isObject(meta) ? meta : undefined
      const token = _meta?.progressToken
      const toolUseId = _meta?.['claudecode/toolUseId']
      const notify: SdkMcpCallContext['sendNotification'] = async (notification) => {
        // What comes after the call was canceled is about nothing.
        if (!signal.aborted) await send({ jsonrpc: '2.0', ...notification }, id)
      }
      return {
        signal,
        requestId: id,
        ...(sessionId === undefined ? {} : { sessionId }),
        ...(typeof toolUseId === 'string' ? { toolUseId } : {}),
        ...(_meta ? { _meta } : {}),
        ...(isObject(inputResponses) ? { inputResponses } : {}),
        ...(typeof requestState === 'string' ? { requestState } : {}),
        async reportProgress(progress, total, message) {
          if (!isRequestId(token)) return
          const params = { progressToken: token, progress, ...(total === undefined ? {} : { total }) }
          const text = message === undefined ? {} : { message }
          await notify({ method: 'notifications/progress', params: { ...params, ...text } })
        },
        sendNotification: notify,
        sendRequest: (request) => ask(request, id),
      }
    },
    answered({ id, error, result }: JSONRPCMessage): void {
      const asker = isRequestId(id) ? waiting.get(id) : undefined
      if (!asker || id === undefined) return
      waiting.delete(id)
      if (error) asker.reject(new KedgeError('control_error', String(error.message)))
      else asker.resolve(result ?? {})
    },
    close(): void {
      open = false
      for (const { reject } of waiting.values())
        reject(new KedgeError('transport_closed', 'The connection to the agent was closed.'))
      waiting.clear()
    },
  }
}
