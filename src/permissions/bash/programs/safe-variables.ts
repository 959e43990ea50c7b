/** Variables that change how a program talks, not what it does: an allow rule sees through their assignment. */

import { wordList } from '../../word-list.js'
import type { ShellWord } from '../syntax/syntax.js'

const SAFE = new Set(
  wordList(`
    NODE_ENV LANG LANGUAGE NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TZ TERM CI COLUMNS LINES
    RUST_BACKTRACE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE
  `),
)

/** Locale and time zone names lead to files when they hold a path, so only plain values count. */
export function isSafeVariable(name: string, value: ShellWord | undefined): boolean {
  if (!SAFE.has(name) && !/^LC_[A-Z]+$/.test(name)) return false
  return value !== undefined && !value.dynamic && /^(?![:/]|.*\.\.)[\w.@,+:-]*(?:\/[\w+-]+)*$/.test(value.value)
}

/** No shell and no program that only looks obeys these; others may, so for a command that a rule allows they are not safe. */
const IDLE = new Set(wordList('DEBUG VERBOSE LOG_LEVEL APP_ENV BUILD_ENV DEPLOY_ENV FOO BAR BAZ PORT VERSION RUST_LOG'))

export function isVariableHarmlessForReaders(name: string, value: ShellWord | undefined): boolean {
  return isSafeVariable(name, value) || (IDLE.has(name) && value !== undefined && !value.dynamic && !value.glob)
}

/** A variable no program takes orders from: lower case, and none of the few that are. */
export function isVariableWithoutEffect(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name) && !/proxy|^npm_|^histchars$|^auto_resume$/.test(name)
}
