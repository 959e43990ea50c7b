/** Answers what a server asks of us, a few requests at a time; a question to the model only while one of our calls is under way. */
import type { JsonObject } from '../protocol/json.js'
import type { JSONRPCMessage } from '../protocol/mcp-servers.js'
import { messageOf } from '../protocol/thrown.js'

export type ServerAnswerPorts = {
  /** Answers a request of the server; what it throws is the error the server gets. */
  onRequest(method: string, params: JsonObject, signal: AbortSignal): Promise<JsonObject>
  tell(message: JSONRPCMessage): void
  /** Is a call of one of its tools under way? */
  hasCalls(): boolean
}

/** Requests of one server that are answered at the same time. */
const MAX_SERVER_REQUESTS = 16
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

/** By its field: the class that was thrown can be the copy of another bundle. */
function rpcCodeOf(error: unknown): number | undefined {
  return error instanceof Error && 'rpcCode' in error && typeof error.rpcCode === 'number' ? error.rpcCode : undefined
}

export function createServerRequestResponder({ onRequest, tell, hasCalls }: ServerAnswerPorts) {
  const answering = new Map<string | number, AbortController>()
  /** Questions to the model, which are only asked for a call and end with the last of them. */
  const samples = new Set<AbortController>()

  return {
    async answer(id: string | number, method: string, params: JsonObject): Promise<void> {
      if (answering.size >= MAX_SERVER_REQUESTS) {
        return tell({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Too many requests at once.' } })
      }
      // Two of one id could not be told apart, nor counted.
      if (answering.has(id)) {
        return tell({ jsonrpc: '2.0', id, error: { code: -32_600, message: 'A request of this id is under way.' } })
      }
      const controller = new AbortController()
      answering.set(id, controller)
      if (method === SAMPLING) samples.add(controller)
      try {
        if (method === SAMPLING && !hasCalls())
          throw new RpcRefusal(-32_600, 'No call is under way that it could be for.')
        const result = await onRequest(method, params, controller.signal)
        if (!controller.signal.aborted) tell({ jsonrpc: '2.0', id, result })
      } catch (error) {
        const code = rpcCodeOf(error) ?? -32_603
        const { aborted, reason } = controller.signal
        if (!aborted || reason === CALL_OVER) tell({ jsonrpc: '2.0', id, error: { code, message: messageOf(error) } })
      } finally {
        answering.delete(id)
        samples.delete(controller)
      }
    },
    /** The server no longer wants to know. */
    abort: (id: string | number): void => answering.get(id)?.abort(),
    abortAll(): void {
      for (const controller of answering.values()) controller.abort()
    },
    /** The last of our calls is over, and with it what was asked for its sake. */
    endSamples(): void {
      for (const controller of samples) controller.abort(CALL_OVER)
    },
  }
}
