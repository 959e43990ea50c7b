/** What became of a tool call, by the text of its result: the one place that knows how refusals and invalid calls read. */

/** `refused`: permissions, a hook or a user said no. `invalid`: the call itself was wrong. `failed`: the tool reported an error. */
export type CallOutcome = 'ok' | 'refused' | 'invalid' | 'failed'

/** A command's output is arbitrary, so the rest of the text proves nothing. */
const COMMAND_FAILED = /^Exit code \d/

const INVALID = [
  /^(?:<tool_use_error>)?InputValidationError/,
  /^(?:<tool_use_error>)?Error: No such tool available/,
  /^(?:<tool_use_error>)?There is no MultiEdit here/,
  /^(?:<tool_use_error>)?(?:No task found with ID|Unknown skill): /,
  /^Agent type .* not found/,
]

const REFUSED = [
  /Nobody can (?:approve|answer)\b.{0,10} in this session/,
  / forbids it\. Don't try to reach it in another way/,
  /^This command requires approval/,
  /, but you haven't granted it yet/,
  /needs approval first/,
  /^Permission (?:denied|to .* has been denied)/,
  /denied by your permission settings/,
  /^Tool permission request failed/,
  /^(?:Answer questions|Exit plan mode)\?/,
  /^The user (?:refused|did not approve|doesn't want)/,
  /^The question was withdrawn/,
  /^(?:Stopped|Blocked) by a hook|^A hook denied this call/,
  /^PreToolUse:\S+ hook error/,
]

export function callOutcome(result: string, isError: boolean): CallOutcome {
  if (!isError) return 'ok'
  if (COMMAND_FAILED.test(result)) return 'failed'
  if (INVALID.some((pattern) => pattern.test(result))) return 'invalid'
  return REFUSED.some((pattern) => pattern.test(result)) ? 'refused' : 'failed'
}
