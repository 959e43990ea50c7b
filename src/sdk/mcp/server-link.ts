/** How a server object is reached: the connection every MCP library hands its messages to. */
import type { JSONRPCMessage } from '../../protocol/mcp-servers.js'
import { messageOf } from '../../protocol/thrown.js'

export type RequestId = string | number

export type SendOptions = { relatedRequestId?: RequestId }

/** What servers of the MCP library v1 and v2 expect of a transport, and ours too. */
export interface HostTransport {
  start(): Promise<void>
  send(message: JSONRPCMessage, options?: SendOptions): Promise<void>
  close(): Promise<void>
  onmessage?: ((message: JSONRPCMessage, extra?: object) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  readonly sessionId?: string | undefined
  /** The client takes `input_required` as a result, and sends the request again with the answers (2026-07-28). */
  readonly takesInputRequests?: boolean
}

/** One query's end of the connection to a server. */
export interface McpLink {
  /** To the server. */
  deliver(message: JSONRPCMessage): void
  /** The query is over; what the server still does for it is canceled. */
  close(): void
}

/** What a link tells the query it belongs to. */
export type LinkEvents = {
  /** From the server: answers, notifications, requests of its own. */
  message(message: JSONRPCMessage): void
  /** The server ended the connection itself. */
  closed(): void
  readonly sessionId: string | undefined
}

export const INVALID_REQUEST = -32600
export const METHOD_NOT_FOUND = -32601
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
export const CONNECTION_CLOSED = -32000

/** A JSON-RPC error instead of a result. */
export class RpcError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** Anything can be thrown, also what has no text. */
export function textOfThrownValue(error: unknown): string {
  try {
    return messageOf(error)
  } catch {
    return 'unknown error'
  }
}

export function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || typeof id === 'number'
}

export function errorResponse(id: RequestId, code: number, message: string, data?: unknown): JSONRPCMessage {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** The error of JSON-RPC for what a handler threw: it can set `code` and `data`. */
export function errorOfThrownValue(id: RequestId, error: unknown): JSONRPCMessage {
  const { code, data } = error instanceof Error ? { code: undefined, data: undefined, ...error } : {}
  const known = typeof code === 'number' && Number.isSafeInteger(code) ? code : INTERNAL_ERROR
  return errorResponse(id, known, textOfThrownValue(error), data)
}

export function createCancelNotification(requestId: RequestId, reason: string): JSONRPCMessage {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId, reason } }
}
