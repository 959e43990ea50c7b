/** Variables that change how a program talks, not what it does: an allow rule sees through their assignment. */

import { wordList } from '../word-list.js'
import type { Word } from './syntax.js'

const SAFE = new Set(
  wordList(`
    NODE_ENV LANG LANGUAGE NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE COLORTERM TZ TERM CI COLUMNS LINES
    RUST_BACKTRACE PYTHONUNBUFFERED PYTHONDONTWRITEBYTECODE
  `),
)

/** Locale and time zone names lead to files when they hold a path, so only plain values count. */
export function isSafeVariable(name: string, value: Word | undefined): boolean {
  if (!SAFE.has(name) && !/^LC_[A-Z]+$/.test(name)) return false
  return (
    value === undefined || (!value.dynamic && /^(?!\/)[\w.:@,+/-]*$/.test(value.value) && !value.value.includes('..'))
  )
}
