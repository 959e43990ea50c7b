/** Why a server could not be used, in a form that callers can act on. */

export type McpErrorCode =
  | 'mcp_timeout'
  | 'mcp_closed'
  | 'mcp_cancelled'
  /** The server answered with an error of its own. */
  | 'mcp_refused'
  | 'mcp_invalid_answer'
  | 'mcp_unsupported_version'
  | 'mcp_needs_auth'
  /** Signed in, and not allowed to do this. */
  | 'mcp_needs_scope'
  /** The server forgot us: the request was not looked at. */
  | 'mcp_session_lost'
  /** No user answers its question now: the call stays open. */
  | 'mcp_parked'
  | 'mcp_invalid_configuration'

export class McpError extends Error {
  readonly code: McpErrorCode
  /** What a host needs to sign in. */
  readonly auth: object | undefined
  /** What the server said, where it answered with an error of its own. */
  readonly refusal: { code: number; data: unknown } | undefined

  constructor(code: McpErrorCode, message: string, more: { auth?: object; refusal?: McpError['refusal'] } = {}) {
    super(message)
    this.code = code
    this.auth = more.auth
    this.refusal = more.refusal
  }
}
