/** How long a command may take, how much of its output is passed on, how many processes it may make, and whether it may outlast its call. */
import { isVariableOn } from '../../platform/switch.js'
import type { BashInput } from './bash-shapes.js'

const DEFAULT_TIMEOUT_MS = 120_000
const MAX_TIMEOUT_MS = 600_000
const DEFAULT_OUTPUT_LENGTH = 30_000
const MAX_OUTPUT_LENGTH = 150_000
const DEFAULT_PROCESSES = 2_048

export type CommandLimits = {
  timeoutMs: number
  outputLength: number
  processes: number
  /** Commands may continue in the background. */
  background: boolean
}

/** All of them can be set by environment variables. */
export function commandLimits(input: BashInput, env: Readonly<Record<string, string | undefined>>): CommandLimits {
  const preset = positive(env['BASH_DEFAULT_TIMEOUT_MS']) ?? DEFAULT_TIMEOUT_MS
  // A larger default than maximum means that the maximum was forgotten.
  const longest = Math.max(positive(env['BASH_MAX_TIMEOUT_MS']) ?? MAX_TIMEOUT_MS, preset)
  return {
    // Timers take no more than 31 bits, and end at once when given more.
    timeoutMs: Math.min(input.timeout ?? preset, longest, 2 ** 31 - 1),
    outputLength: Math.min(whole(env['BASH_MAX_OUTPUT_LENGTH']) ?? DEFAULT_OUTPUT_LENGTH, MAX_OUTPUT_LENGTH),
    processes: whole(env['KEDGE_MAX_PROCESSES']) ?? DEFAULT_PROCESSES,
    background: areBackgroundTasksEnabled(env),
  }
}

export function areBackgroundTasksEnabled(env: Readonly<Record<string, string | undefined>>): boolean {
  return !isVariableOn(env['CLAUDE_CODE_DISABLE_BACKGROUND_TASKS'])
}

function positive(text: string | undefined): number | undefined {
  const value = Number(text)
  return text?.trim() && Number.isFinite(value) && value > 0 ? value : undefined
}

function whole(text: string | undefined): number | undefined {
  const value = positive(text)
  return Number.isInteger(value) ? value : undefined
}
