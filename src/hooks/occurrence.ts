/** One time that an event happens: what hooks are told, what their matchers are compared with, who may end them. */
import type { HookInput } from '../protocol/hooks.js'
import { matcherSubjects } from './event-traits.js'
import type { Subscribe } from './listeners.js'
import type { MatcherSubjects } from './match.js'

export type HookEventOccurrence = {
  input: HookInput
  /** `PreToolUse:Bash`, `SessionStart:startup`, `Stop`. */
  name: string
  /** Undefined: every hook of the event is meant. */
  subjects: MatcherSubjects | undefined
  /** The tool's id for tool events, otherwise a fresh one. */
  toolUseId: string
  /** Whatever it belongs to was already over. */
  isLast: boolean
  onAbort: Subscribe
}

/** Seconds a hook may take that has no limit of its own: as observed, more than a minute; as documented, ten. */
const DEFAULT_TIMEOUT = 600
/** After an abort a hook may still be told, but not hold the end up. */
const TIMEOUT_AFTER_ABORT = 1

export function createOccurrence(about: Omit<HookEventOccurrence, 'name' | 'subjects'>): HookEventOccurrence {
  const subjects = matcherSubjects(about.input)
  const event = about.input.hook_event_name
  return { ...about, subjects, name: subjects ? `${event}:${subjects.names[0]}` : event }
}

export function timeoutSeconds(timeout: number | undefined, { isLast }: HookEventOccurrence): number {
  const seconds = timeout || DEFAULT_TIMEOUT
  return isLast ? Math.min(seconds, TIMEOUT_AFTER_ABORT) : seconds
}
