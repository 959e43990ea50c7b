/** The trace of a query, as the query sees it before and after telemetry is loaded. */
import type { SDKMessage } from '../../protocol/messages.js'
import type { AccountInfo } from '../../protocol/options.js'
import type { SpanAttributes } from './span-list.js'

/** Call it when what it is about is over. */
export type EndSpan = (error?: string, attributes?: SpanAttributes) => void

export interface QueryTrace {
  /** For what is started by this query: the span it belongs to, as W3C writes it. */
  readonly parent: string | undefined
  /** Messages are told from then on. Never rejects. */
  readonly ready: Promise<void>
  message(message: SDKMessage): void
  /** Sets the provider of the models, once it is known. */
  served(by: AccountInfo['apiProvider']): void
  /** Around a callback of the host. */
  around(name: string, toolUseId: string | undefined): Promise<EndSpan>
  end(error?: Error): void
}

export type QueryTraceRecorder = Pick<QueryTrace, 'message' | 'served' | 'end'> & {
  around(name: string, toolUseId: string | undefined): EndSpan
}

/** Returns the kind of an error, never its text. */
export function errorTypeAttribute(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
