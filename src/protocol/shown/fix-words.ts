/**
 * What to do about an error, in the words of the place where it is read. `error_fix` has those of the library; interfaces replace
 * them with their own: a flag in the shell, a slash command in the terminal, a menu in the web app and in editors.
 */

export type FixInterface = 'library' | 'shell' | 'terminal' | 'app'

export const FIX_WORDS = {
  practice: {
    library: "set the option `model: 'practice'`",
    shell: 'use --model practice',
    terminal: 'type /model practice',
    app: 'choose the practice model',
  },
  anotherModel: {
    library: 'set the option `model`',
    shell: 'use --model',
    terminal: 'type /model',
    app: 'choose another model',
  },
  fallback: {
    library: 'set the option `fallbackModel`',
    shell: 'use --fallback-model',
    terminal: 'restart with --fallback-model',
    app: 'set fallbackModel in your settings',
  },
  compact: {
    library: 'send the prompt `/compact`',
    shell: 'run `kedge -c -p /compact`',
    terminal: 'type /compact',
    app: 'send /compact',
  },
  clear: {
    library: 'start a new session',
    shell: 'start a new session without -c or --resume',
    terminal: 'type /clear',
    app: 'start a new session',
  },
  doctor: {
    library: '`npx kedge doctor`',
    shell: '`kedge doctor`',
    terminal: '/doctor',
    app: '`kedge doctor`',
  },
  models: {
    library: '`npx kedge models`',
    shell: '`kedge models`',
    terminal: '/model',
    app: '`kedge models`',
  },
} as const satisfies Record<string, Record<FixInterface, string>>

/** Returns a fix with the words of `place`. */
export function fixForInterface(fix: string, place: FixInterface): string {
  return Object.values(FIX_WORDS).reduce((text, words) => {
    const own = capitalized(words[place])
    return text.replaceAll(words.library, words[place]).replaceAll(capitalized(words.library), own)
  }, fix)
}

export function capitalized(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** Hosts of the Claude Agent SDK look for it at the start of a result's text. Kedge has no login, so users don't see it. */
export const NOT_LOGGED_IN_PREFIX = 'Not logged in · '

/** What the text of such a result advises. Interfaces show `error_fix` instead. */
export const MISSING_KEY_HELP =
  "Set ANTHROPIC_API_KEY to an API key from the Anthropic console, or set the option `model: 'practice'` to try Kedge without a key."

/** Returns the text of a failed result as users see it. */
export function userFailureText(text: string): string {
  if (!text.startsWith(NOT_LOGGED_IN_PREFIX)) return text
  const lines = text.slice(NOT_LOGGED_IN_PREFIX.length).split('\n')
  return lines.filter((line) => line !== MISSING_KEY_HELP).join('\n')
}
