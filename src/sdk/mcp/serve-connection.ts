/** One connection of our own server: answers JSON-RPC, runs handlers, lets them be cancelled. */

import { KedgeError } from '../../errors.js'
import { isObject } from '../../protocol/json.js'
import type { CallToolResult, JSONRPCMessage } from '../../protocol/mcp-servers.js'
import type { SdkMcpCallContext } from '../../protocol/sdk-mcp.js'
import { checkCallResult } from './call-result.js'
import type { ServedTool, ServedTools } from './own-server.js'
import {
  errorAnswer,
  INTERNAL_ERROR,
  INVALID_PARAMS,
  isRequestId,
  type McpTransport,
  METHOD_NOT_FOUND,
  type RequestId,
} from './server-link.js'

type Request = { id: RequestId; method: string; params: Record<string, unknown> }
type Waiting = { resolve(result: Record<string, unknown>): void; reject(error: Error): void }

/** A JSON-RPC error instead of a result. */
class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export function serveConnection(transport: McpTransport, tools: ServedTools) {
  const running = new Map<RequestId, AbortController>()
  /** Requests of ours, by id. */
  const asked = new Map<RequestId, Waiting>()
  let nextId = 0
  let open = true
  let markClosed = () => {}
  const closed = new Promise<void>((resolve) => (markClosed = resolve))

  /** Nobody may be there to hear it any more; that is no concern of a handler. */
  const send = async (message: JSONRPCMessage, relatedRequestId?: RequestId) => {
    if (!open) return
    await transport.send(message, relatedRequestId === undefined ? {} : { relatedRequestId }).catch(() => {})
  }

  const ask = (request: { method: string; params?: Record<string, unknown> }, related: RequestId) =>
    new Promise<Record<string, unknown>>((resolve, reject) => {
      if (!open) return reject(new KedgeError('transport_closed', 'The connection to the agent is closed.'))
      const id = nextId
      nextId += 1
      asked.set(id, { resolve, reject })
      void send({ jsonrpc: '2.0', id, ...request }, related)
    })

  const answer = async (request: Request) => {
    const controller = new AbortController()
    running.set(request.id, controller)
    let message: JSONRPCMessage
    try {
      message = { jsonrpc: '2.0', id: request.id, result: await respond(request, controller.signal) }
    } catch (error) {
      const code = error instanceof RpcError ? error.code : INTERNAL_ERROR
      message = errorAnswer(request.id, code, textOf(error))
    }
    running.delete(request.id)
    // A cancelled request gets no answer.
    if (!controller.signal.aborted) await send(message)
  }

  const respond = async ({ id, method, params }: Request, signal: AbortSignal): Promise<Record<string, unknown>> => {
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
        return call(tools.get(name), name, args, contextOf(id, params._meta, signal))
      }
      default:
        throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
    }
  }

  const contextOf = (id: RequestId, meta: unknown, signal: AbortSignal): SdkMcpCallContext => {
    const _meta = isObject(meta) ? meta : undefined
    const token = _meta?.progressToken
    const toolUseId = _meta?.['claudecode/toolUseId']
    const notify: SdkMcpCallContext['sendNotification'] = async (notification) => {
      // What comes after the call was cancelled is about nothing.
      if (!signal.aborted) await send({ jsonrpc: '2.0', ...notification }, id)
    }
    return {
      signal,
      requestId: id,
      ...(transport.sessionId === undefined ? {} : { sessionId: transport.sessionId }),
      ...(typeof toolUseId === 'string' ? { toolUseId } : {}),
      ...(_meta ? { _meta } : {}),
      async reportProgress(progress, total, message) {
        if (!isRequestId(token)) return
        const params = { progressToken: token, progress, ...(total === undefined ? {} : { total }) }
        const text = message === undefined ? {} : { message }
        await notify({ method: 'notifications/progress', params: { ...params, ...text } })
      },
      sendNotification: notify,
      sendRequest: (request) => ask(request, id),
    }
  }

  const receive = (message: JSONRPCMessage) => {
    const { id, method } = message
    const params = message.params ?? {}
    if (typeof method !== 'string') {
      const waiting = isRequestId(id) ? asked.get(id) : undefined
      if (!waiting || id === undefined) return
      asked.delete(id)
      if (message.error) waiting.reject(new KedgeError('control_error', String(message.error.message)))
      else waiting.resolve(message.result ?? {})
    } else if (isRequestId(id)) {
      void answer({ id, method, params })
    } else if (method === 'notifications/cancelled' && isRequestId(params.requestId)) {
      running.get(params.requestId)?.abort(params.reason)
    }
  }

  const close = () => {
    if (!open) return
    open = false
    for (const controller of running.values()) controller.abort('closed')
    for (const { reject } of asked.values())
      reject(new KedgeError('transport_closed', 'The connection to the agent was closed.'))
    asked.clear()
    markClosed()
  }

  transport.onmessage = receive
  transport.onclose = close
  return { transport, close, closed }
}

async function call(
  served: ServedTool | undefined,
  name: string,
  args: Record<string, unknown>,
  context: SdkMcpCallContext,
): Promise<CallToolResult> {
  if (!served) return failed(`MCP error ${INVALID_PARAMS}: Tool ${name} not found`)
  let returned: unknown
  try {
    // In-process these are the very objects of the conversation: a handler may change its own copy only.
    const parsed = await served.input.parse(structuredClone(args))
    if (!parsed.ok)
      return failed(
        `MCP error ${INVALID_PARAMS}: Input validation error: Invalid arguments for tool ${name}: ${parsed.problem}`,
      )
    // What `parse` let through has the type its schema promises.
    returned = await served.tool.handler(parsed.value as never, context)
  } catch (error) {
    return failed(textOf(error))
  }
  const checked = checkCallResult(returned)
  if (!checked.ok)
    throw new RpcError(INVALID_PARAMS, `MCP error ${INVALID_PARAMS}: Invalid tools/call result: ${checked.problem}`)
  return checked.result
}

function failed(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

/** Anything can be thrown, also what has no text. */
function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'unknown error'
  }
}
