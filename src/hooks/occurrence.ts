/** One time that an event happens: what hooks are told, what their matchers are compared with, who may end them. */
import type { HookInput } from '../protocol/hooks.js'
import { subjectsOf } from './events.js'

export type Occurrence = {
  input: HookInput
  /** `PreToolUse:Bash`, `SessionStart:startup`, `Stop`. */
  name: string
  /** Undefined: every hook of the event is meant. */
  subjects: readonly string[] | undefined
  /** The tool's id for tool events, otherwise a fresh one. */
  toolUseId: string
  signal: AbortSignal
}

/** Seconds a hook may take that has no limit of its own: as observed, more than a minute; as documented, ten. */
const DEFAULT_TIMEOUT = 600
/** After an abort a hook may still be told, but not hold the end up. */
const TIMEOUT_AFTER_ABORT = 1

export function createOccurrence(input: HookInput, toolUseId: string, signal: AbortSignal): Occurrence {
  const subjects = subjectsOf(input)
  const name = subjects ? `${input.hook_event_name}:${subjects[0]}` : input.hook_event_name
  return { input, name, subjects, toolUseId, signal }
}

export function secondsFor(timeout: number | undefined, { signal }: Occurrence): number {
  return signal.aborted ? Math.min(timeout ?? TIMEOUT_AFTER_ABORT, TIMEOUT_AFTER_ABORT) : (timeout ?? DEFAULT_TIMEOUT)
}
