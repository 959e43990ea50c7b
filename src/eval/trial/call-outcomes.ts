/** What became of a tool call, by the text of its result: the one place that knows how refusals and invalid calls read. */

/** `refused`: permissions, a hook or a user said no. `invalid`: the call itself was wrong. `failed`: the tool reported an error. */
export type CallOutcome = 'ok' | 'refused' | 'invalid' | 'failed'

const INVALID = [
  /InputValidationError/,
  /No such tool available/,
  /There is no tool /,
  /<tool_use_error>.*not valid JSON/s,
  /agent type .* not found/i,
]

const REFUSED = [
  /\bapproval\b/,
  /haven't granted/,
  /^Not run:/,
  /The user (?:refused|did not approve|doesn't want)/,
  /permission to use .* (?:has been )?denied/i,
  /\bdenied by\b|is denied|was denied|blocked by/i,
  /Nobody can answer in this session/,
  /^(?:Answer questions|Exit plan mode)\?$/,
  /\bhook (?:error|denied|blocked|objects)/i,
]

export function outcomeOf(result: string, isError: boolean): CallOutcome {
  if (!isError) return 'ok'
  if (INVALID.some((pattern) => pattern.test(result))) return 'invalid'
  return REFUSED.some((pattern) => pattern.test(result)) ? 'refused' : 'failed'
}
