/** One connection of our own server: answers JSON-RPC, runs handlers, lets them be canceled. */
import { isObject } from '../../protocol/json.js'
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import { callMcpToolHandler } from './call-handler.js'
import { completeInputRounds, type ServedRequest as Request } from './host-input-rounds.js'
import { createMcpRequestSender } from './requests-to-agent.js'
import type { ServedTools } from './served-tools.js'
import {
  errorOfThrownValue,
  type HostTransport,
  INVALID_PARAMS,
  isRequestId,
  METHOD_NOT_FOUND,
  type RequestId,
  RpcError,
} from './server-link.js'

export function serveConnection(transport: HostTransport, tools: ServedTools) {
  const running = new Map<RequestId, AbortController>()
  let open = true
  let markClosed = () => {}
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  /** Nobody may be there to hear it any more; that is no concern of a handler. */
  const send = async (message: JSONRPCMessage, relatedRequestId?: RequestId) => {
    if (!open) return
    await transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => {})
  }
  const ours = createMcpRequestSender(send)

  const answer = async (request: Request) => {
    const controller = new AbortController()
    running.set(request.id, controller)
    let message: JSONRPCMessage
    try {
      message = { jsonrpc: '2.0', id: request.id, result: await respond(request, controller.signal) }
    } catch (error) {
      message = errorOfThrownValue(request.id, error)
    }
    running.delete(request.id)
    // A canceled request gets no answer.
    if (!controller.signal.aborted) await send(message)
  }

  const respond = async (request: Request, signal: AbortSignal): Promise<Record<string, unknown>> => {
    const first = await respondOnce(request, signal)
    return transport.takesInputRequests
      ? first
      : completeInputRounds(first, request, ours, (next) => respondOnce(next, signal))
  }

  const respondOnce = async (
    { id, method, params }: Request,
    signal: AbortSignal,
  ): Promise<Record<string, unknown>> => {
    switch (method) {
      case 'initialize':
        return tools.initializeResult(params.protocolVersion)
      case 'ping':
        return {}
      case 'tools/list':
        return tools.list()
      case 'tools/call': {
        const { name, arguments: args = {} } = params
        if (typeof name !== 'string') throw new RpcError(INVALID_PARAMS, 'tools/call: name must be a string')
        if (!isObject(args)) throw new RpcError(INVALID_PARAMS, 'tools/call: arguments must be an object')
        const context = ours.contextOf(id, params, signal, transport.sessionId)
        return callMcpToolHandler(tools.get(name), name, args, context)
      }
      default: {
        const handler = tools.handlerOf(method)
        if (!handler) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
        // In-process these are the very objects of the conversation.
        return handler(structuredClone(params), ours.contextOf(id, params, signal, transport.sessionId))
      }
    }
  }

  const receive = (message: JSONRPCMessage) => {
    const { id, method } = message
    const params = message.params ?? {}
    if (typeof method !== 'string') ours.answered(message)
    else if (isRequestId(id)) void answer({ id, method, params })
    else if (method === 'notifications/cancelled' && isRequestId(params.requestId))
      running.get(params.requestId)?.abort(params.reason)
  }

  const close = () => {
    if (!open) return
    open = false
    for (const controller of running.values()) controller.abort('closed')
    ours.close()
    markClosed()
  }

  transport.onmessage = receive
  transport.onclose = close
  return { transport, close, closed }
}
