/**
 * The errors callers may catch. Each has a string `code` saying what to do about it; messages never carry secrets. Their
 * `name` is `Error`, as programs written for the original find it; Node prints the class all the same.
 */

const marker = Symbol.for('kedge.error')

/** What can go wrong outside of a turn; within one, the `result` says it. */
export type KedgeErrorCode =
  | 'aborted'
  | 'executable_not_found'
  | 'invalid_cwd'
  | 'spawn_failed'
  | 'process_exited'
  | 'process_signaled'
  | 'invalid_output'
  | 'line_too_long'
  | 'transport_closed'
  | 'query_closed'
  | 'session_closed'
  | 'session_id_unknown'
  | 'session_not_found'
  | 'session_fenced'
  | 'session_in_use'
  | 'message_not_found'
  | 'session_store_failed'
  | 'control_error'
  | 'invalid_option'
  | 'unsupported_option'
  | 'invalid_permission_result'
  | 'invalid_answer'
  | 'ask_not_found'
  | 'prompt_not_found'
  | 'log_failed'
  | 'not_supported_yet'
  | 'package_missing'
  | 'database_unreachable'
  | 'database_refused'
  | 'database_full'
  | 'schema_too_old'
  | 'schema_too_new'
  | 'database_disk_full'
  | 'budget_spent'
  | 'tenant_paused'
  | 'app_unknown'
  | 'not_on_cluster'
  | 'clock_off'
  | 'workspace_invalid'
  | 'workspace_elsewhere'
  | 'workspace_unreachable'
  | 'workspace_lost'

/** Every error Kedge throws is one: its `code` says what happened, its message what to do. */
export class KedgeError extends Error {
  /** What happened, for programs; the message is for people, and may change. */
  readonly code: KedgeErrorCode
  /** Tells it from other errors, also across copies of the package. */
  readonly [marker] = true
  constructor(code: KedgeErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }

  /** Also true for errors of another copy of this package. */
  static isInstance(value: unknown): value is KedgeError {
    return typeof value === 'object' && value !== null && marker in value
  }
}

/** The query was ended by its `abortController`. */
export class AbortError extends Error {
  /** Always `aborted`. */
  readonly code = 'aborted'
  /** Tells it from other errors, also across copies of the package. */
  readonly [marker] = true

  constructor(message = 'Operation aborted', options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'AbortError'
  }
}

/** The last result, if it was an error; `reason` is its text. */
type LastResult = { error_code?: string; error_fix?: string; reason?: string }

/** The agent ended with an error, and the message says why; `stderr` holds the last of what it printed. */
export class ProcessExitError extends KedgeError {
  /** What the agent exited with; null when a signal ended it. */
  readonly exitCode: number | null
  /** The signal that ended the agent, if one did. */
  readonly signal: string | null
  /** The last the agent wrote to stderr. */
  readonly stderr: string
  /** `error_code` and `error_fix` of the last result, where it had them. */
  declare readonly errorCode?: string
  /** What to do about it, where that is known. */
  declare readonly fix?: string

  /** A process says first what it has always said. Without one the reason is all there is to say. */
  constructor(exitCode: number | null, signal: string | null, stderr: string, last: LastResult = {}, isProcess = true) {
    const ended = signal
      ? `Claude Code process terminated by signal ${signal}`
      : `Claude Code process exited with code ${exitCode}`
    const reason = last.reason || (isProcess ? '' : stderr.trim())
    const bare = reason || `The agent ended with an error (${exitCode})`
    super(signal ? 'process_signaled' : 'process_exited', isProcess ? [ended, reason].filter(Boolean).join(': ') : bare)
    this.exitCode = exitCode
    this.signal = signal
    this.stderr = stderr
    if (last.error_code !== undefined) this.errorCode = last.error_code
    if (last.error_fix !== undefined) this.fix = last.error_fix
  }
}

/** An option that is wrong or can't be honored; `option` names it. */
export class ConfigurationError extends KedgeError {
  /** The option that can't be. */
  readonly option: string
  constructor(option: string, message: string, code: KedgeErrorCode = 'invalid_option') {
    super(code, message)
    this.option = option
  }
}
