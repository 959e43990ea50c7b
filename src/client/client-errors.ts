/** What the client throws: a class for each thing that a program can do about it, with the code and fix of the server. */
import type { Person } from '../protocol/session-log/ask-types.js'
import type { ProblemCode } from '../server/api/problems.js'

/** Codes of the server, and three of the client. A newer server can have others. */
export type ClientErrorCode =
  | ProblemCode
  | 'server_unreachable'
  | 'server_timeout'
  | 'server_incompatible'
  | (string & Record<never, never>)

/** What is known about a call that failed. */
export type ClientErrorFacts = {
  /** What happened, for programs. */
  code: ClientErrorCode
  /** What happened, for people. */
  message: string
  /** What to do about it. */
  fix: string
  /** The HTTP status; 0 if there was no response. */
  status?: number | undefined
  /** The person who answered a request first. */
  by?: Person | undefined
  /** How long the server asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined
  /** What was thrown underneath. */
  cause?: unknown
}

/** Every error of the client is one, except the reason of your own `AbortSignal`. */
export class ClientError extends Error {
  /** What happened, for programs: the codes of the server's errors, and those of the client. */
  readonly code: ClientErrorCode
  /** What to do about it. */
  readonly fix: string
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** The person who answered a request first. */
  readonly by: Person | undefined
  /** How long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined

  /** Made by the client. */
  constructor({ message, code, fix, status = 0, by, retryAfterMs, cause }: ClientErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.fix = fix
    this.status = status
    this.by = by
    this.retryAfterMs = retryAfterMs
  }
}

/** The server can't be reached, or the connection broke: `server_unreachable`. Whether it did the work is unknown. */
export class ServerUnreachableError extends ClientError {}
/** The server didn't answer in time: `server_timeout`. Whether it did the work is unknown. */
export class ServerTimeoutError extends ServerUnreachableError {}
/** What answers isn't a Kedge server, or has another version without this operation: `server_incompatible`. */
export class IncompatibleServerError extends ClientError {}
/** 401: the token is missing, wrong, or no longer valid. Sign in again. */
export class UnauthorizedError extends ClientError {}
/** 403: the token is valid, and doesn't permit this. */
export class ForbiddenError extends ClientError {}
/** 404: the session, request, prompt, task, or file doesn't exist. */
export class NotFoundError extends ClientError {}
/** 409: it changed meanwhile. With `already_answered`, `by` is the person who answered first. */
export class ConflictError extends ClientError {}
/** Another 4xx: the server doesn't accept what was sent. */
export class InvalidRequestError extends ClientError {}
/** 429 or 503: the server takes nothing now. `retryAfterMs` has how long it asks to wait. */
export class ServerBusyError extends ClientError {}
/** Another 5xx: the server failed. */
export class ServerFailedError extends ClientError {}

const CLASSES = {
  401: UnauthorizedError,
  403: ForbiddenError,
  404: NotFoundError,
  409: ConflictError,
  429: ServerBusyError,
  503: ServerBusyError,
}
// Minifiers rename classes; the name that a log shows stays.
for (const [name, made] of Object.entries({
  ClientError,
  ServerUnreachableError,
  ServerTimeoutError,
  IncompatibleServerError,
  UnauthorizedError,
  ForbiddenError,
  NotFoundError,
  ConflictError,
  InvalidRequestError,
  ServerBusyError,
  ServerFailedError,
}))
  Object.defineProperty(made.prototype, 'name', { value: name })

/** The JSON of a problem, as far as it is one. */
export type ProblemFields = { code?: string; detail?: string; fix?: string; by?: Person }

/** Returns the error for a response that isn't 2xx. Without a code it comes from a proxy, or from another program. */
export function errorOfStatus(status: number, problem: ProblemFields, retryAfterMs?: number): ClientError {
  const { code, detail, fix, by } = problem
  const facts = {
    status,
    by,
    retryAfterMs,
    code: code ?? `http_${status}`,
    message: detail || `The server answered ${status}.`,
    fix: fix ?? 'Check the address: a proxy or another program answered.',
  }
  // Every path that the client asks for exists in its own version of the API.
  if (status === 405 || (status === 404 && (code === undefined || code === 'not_found')))
    return new IncompatibleServerError({
      ...facts,
      code: 'server_incompatible',
      message: 'This server has no such operation.',
      fix: 'Check the address; if it is right, update Kedge on the server.',
    })
  const known = CLASSES[status as keyof typeof CLASSES] // undefined for any other
  return new (known ?? (status >= 500 ? ServerFailedError : InvalidRequestError))(facts)
}

/** Statuses of the codes that a WebSocket is closed with, which has room for nothing else. */
const CLOSE_STATUSES: Record<string, number> = { session_not_found: 404, unauthorized: 401, not_found: 404 }

/** Returns the error for the code that a stream was ended with. */
export function errorOfStreamCloseCode(code: string): ClientError {
  const status = CLOSE_STATUSES[code] ?? (code.startsWith('forbidden') ? 403 : 409)
  const fix = code === 'after_unknown' ? 'Read from the beginning (after=0): the log has no such number.' : 'Reload it.'
  return errorOfStatus(status, { code, detail: `The server ended the stream (${code}).`, fix })
}

/** Returns the error for content that no Kedge server sends. */
export function createIncompatibleAnswerError(what: string): IncompatibleServerError {
  return new IncompatibleServerError({
    code: 'server_incompatible',
    message: `The answer isn't ${what}: this isn't a Kedge server, or a proxy changed it.`,
    fix: 'Check the address of the server, and what stands between.',
  })
}

/** True if another attempt can't succeed: a stream ends with such an error, and a prompt isn't sent again. */
export function isFinalError(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false
  if (error instanceof IncompatibleServerError) return true
  return error.status >= 400 && error.status < 500 && error.status !== 408 && error.status !== 429
}
