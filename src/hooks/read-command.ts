/** What a finished command hook means: its exit code and what it printed, as an answer, a block or a failure. Pure. */
import type { HookEvent } from '../protocol/hooks.js'
import { truncateHookText } from './bounded.js'
import { checkOutput } from './check-output.js'
import { type CommandHook, commandHookName } from './command-hook.js'
import { hookEventTraits } from './event-traits.js'
import type { HookOutcome } from './hook-outcome.js'
import type { HookEventOccurrence } from './occurrence.js'

export type HookCommandEnd = {
  /** Null when a signal ended it. */
  exitCode: number | null
  signal: string | null
  stdout: string
  stderr: string
  /** True if only the beginning and the end of stdout were kept. */
  isCut?: boolean
  /** It was ended because it took longer than this many seconds. */
  timedOutAfter?: number
}

export type CommandHookResult = {
  outcome: HookOutcome
  /** For people; undefined when all is well. */
  note?: string
  /** It can't be run at all, now or later. */
  missing?: true
}

/** A hook of these that failed must not keep anybody going. */
const GOES_ON: readonly HookEvent[] = ['Stop', 'SubagentStop', 'TaskCompleted', 'TeammateIdle']
const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

export function readCommandResult(
  hook: CommandHook,
  occurrence: HookEventOccurrence,
  end: HookCommandEnd,
): CommandHookResult {
  const { exitCode, stderr } = end
  const said = stderr.trim() === '' ? '' : `: ${truncateHookText(stderr.trim())}`
  if (end.timedOutAfter !== undefined) return failed(hook, `it took longer than ${end.timedOutAfter} s`)
  if (exitCode === null) return failed(hook, `it was ended by ${end.signal ?? 'a signal'}${said}`)
  if (exitCode === 0) return readPrinted(hook, occurrence, end)
  if (exitCode === 2) return blocked(hook, occurrence, stderr)
  if (exitCode === NOT_FOUND) return { ...failed(hook, `command not found (exit code 127)${said}`), missing: true }
  if (exitCode === NOT_EXECUTABLE) {
    return { ...failed(hook, `command can't be executed (exit code 126)${said}`), missing: true }
  }
  // Codes above stand for signals. A small one is the hook's own word that it could not do its work.
  return failed(hook, `exit code ${exitCode}${said}`, exitCode < NOT_EXECUTABLE)
}

/** It could not be started at all. */
export function createUnstartedHookResult(hook: CommandHook, problem: string): CommandHookResult {
  return { ...failed(hook, `it could not be started: ${truncateHookText(problem)}`), missing: true }
}

function failed(hook: CommandHook, failure: string, open = false): CommandHookResult {
  const name = commandHookName(hook)
  if (hook.onFailure === 'block' && hookEventTraits(hook.event).blocks && !GOES_ON.includes(hook.event)) {
    return { outcome: { name, output: { decision: 'block', reason: `${name}: ${failure}` } }, note: failure }
  }
  return { outcome: { name, failure, ...(open ? { open } : {}) }, note: failure }
}

function blocked(hook: CommandHook, { name: occurrence }: HookEventOccurrence, stderr: string): CommandHookResult {
  const name = commandHookName(hook)
  const reason = stderr.trim() === '' ? 'No stderr output' : truncateHookText(stderr)
  if (!hookEventTraits(hook.event).blocks) return { outcome: { name, output: {} }, note: reason }
  const where = hook.event === 'PreToolUse' ? `${occurrence} hook error: ` : ''
  // Behind a call the model is told what is objected to; which command said it is for people.
  const isAfter = hook.event === 'PostToolUse' || hook.event === 'PostToolUseFailure'
  const output = { decision: 'block' as const, reason: isAfter ? reason : `${where}${name}: ${reason}` }
  return { outcome: { name, output, byExitCode: true } }
}

function readPrinted(
  hook: CommandHook,
  { input }: HookEventOccurrence,
  { stdout, isCut }: HookCommandEnd,
): CommandHookResult {
  const name = commandHookName(hook)
  const printed = stdout.replace(/^\ufeff/, '').trim()
  if (!printed.startsWith('{')) {
    if (hidesAnswer(printed)) return failed(hook, 'it printed other text before its JSON answer')
    return { outcome: { name, output: {}, ...(printed === '' ? {} : { printed: truncateHookText(printed) }) } }
  }
  let answer: unknown
  try {
    answer = JSON.parse(printed)
  } catch {
    return failed(hook, isCut ? 'its answer is too long' : 'it printed something that begins like JSON but is none')
  }
  const checked = checkOutput(answer, input)
  if (!checked.ok) return failed(hook, checked.problem)
  return { outcome: { name, output: checked.output, ignored: checked.ignored } }
}

/** A decision behind a line of log would go unheard, as if there was none. */
function hidesAnswer(printed: string): boolean {
  const start = printed.search(/^[ \t]*\{/m)
  if (start < 0) return false
  try {
    const answer: unknown = JSON.parse(printed.slice(start))
    return ANSWER_KEYS.some((key) => Object.hasOwn(Object(answer), key))
  } catch {
    return false
  }
}

const ANSWER_KEYS = ['hookSpecificOutput', 'decision', 'permissionDecision', 'continue']
