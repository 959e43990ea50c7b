/** How long a command may take and how much of its output is passed on; both can be set by environment variables. */
import type { BashInput } from './input.js'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 600_000
const DEFAULT_OUTPUT_LENGTH = 30_000
const MAX_OUTPUT_LENGTH = 150_000

export function commandLimits(
  input: BashInput,
  env: Readonly<Record<string, string | undefined>>,
): { timeoutMs: number; outputLength: number } {
  const preset = positive(env['BASH_DEFAULT_TIMEOUT_MS']) ?? DEFAULT_TIMEOUT_MS
  // A larger default than maximum means that the maximum was forgotten.
  const longest = Math.max(positive(env['BASH_MAX_TIMEOUT_MS']) ?? MAX_TIMEOUT_MS, preset)
  const outputLength = positive(env['BASH_MAX_OUTPUT_LENGTH']) ?? DEFAULT_OUTPUT_LENGTH
  return {
    // Timers take no more than 31 bits, and end at once when given more.
    timeoutMs: Math.min(input.timeout ?? preset, longest, 2 ** 31 - 1),
    outputLength: Math.min(outputLength, MAX_OUTPUT_LENGTH),
  }
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text)
  return text?.trim() && Number.isFinite(value) && value > 0 ? value : undefined
}
