/** What the end of a hook means: its exit code and what it printed, as an answer, a block, or a failure. Pure. */
import { truncateHookText } from './bounded.js'
import { checkOutput } from './check-output.js'
import { blocksOnFailure, hookEventTraits } from './event-traits.js'
import type { HookOutcome } from './hook-outcome.js'
import type { HookEventOccurrence } from './occurrence.js'
import { type SettingsHook, settingsHookName } from './settings-hook.js'

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

/** The end of a hook that isn't a program. */
export type ServiceHookEnd = {
  /** What it answered, as a command would print it. */
  service: string
  /** Why there is no answer. */
  failed?: string
}

export type SettingsHookResult = {
  outcome: HookOutcome
  /** For people; undefined when all is well. */
  note?: string
  /** It can't be run at all, now or later. */
  missing?: true
}

const NOT_EXECUTABLE = 126
const NOT_FOUND = 127

export function readHookEnd(
  hook: SettingsHook,
  occurrence: HookEventOccurrence,
  end: HookCommandEnd | ServiceHookEnd,
): SettingsHookResult {
  if ('service' in end) {
    if (end.failed !== undefined) return failed(hook, truncateHookText(end.failed))
    return readPrinted(hook, occurrence, { stdout: end.service })
  }
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
export function createUnstartedHookResult(hook: SettingsHook, problem: string): SettingsHookResult {
  return { ...failed(hook, `it could not be started: ${truncateHookText(problem)}`), missing: true }
}

/** A kind of a later release: before a tool it may be a guard, so the user decides; elsewhere it is left out. */
export function unknownHookResult(hook: SettingsHook): SettingsHookResult {
  const name = settingsHookName(hook)
  const note = 'this version of Kedge does not know this type of hook, so it did not run'
  if (hook.event !== 'PreToolUse') return { outcome: { name, output: {} }, note, missing: true }
  const permissionDecisionReason = `The ${name.slice(1, -1)} of ${hook.source} can't be run by this version of Kedge, so its decision isn't known.`
  const hookSpecificOutput = {
    hookEventName: 'PreToolUse' as const,
    permissionDecision: 'ask' as const,
    permissionDecisionReason,
  }
  return { outcome: { name, output: { hookSpecificOutput } }, note, missing: true }
}

function failed(hook: SettingsHook, failure: string, open = false): SettingsHookResult {
  const name = settingsHookName(hook)
  if (blocksOnFailure(hook.onFailure, hook.event)) {
    return { outcome: { name, output: { decision: 'block', reason: `${name}: ${failure}` } }, note: failure }
  }
  return { outcome: { name, failure, ...(open ? { open } : {}) }, note: failure }
}

function blocked(hook: SettingsHook, { name: occurrence }: HookEventOccurrence, stderr: string): SettingsHookResult {
  const name = settingsHookName(hook)
  const reason = stderr.trim() === '' ? 'No stderr output' : truncateHookText(stderr)
  if (!hookEventTraits(hook.event).blocks) return { outcome: { name, output: {} }, note: reason }
  const where = hook.event === 'PreToolUse' ? `${occurrence} hook error: ` : ''
  // Behind a call the model is told what is objected to; which command said it is for people.
  const isAfter = hook.event === 'PostToolUse' || hook.event === 'PostToolUseFailure'
  const output = { decision: 'block' as const, reason: isAfter ? reason : `${where}${name}: ${reason}` }
  return { outcome: { name, output, byExitCode: true } }
}

function readPrinted(
  hook: SettingsHook,
  { input }: HookEventOccurrence,
  { stdout, isCut }: Pick<HookCommandEnd, 'stdout' | 'isCut'>,
): SettingsHookResult {
  const name = settingsHookName(hook)
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
