/** Writes text so that bash reads exactly that text. */

/** Shell code. Undefined: it can't be printed, because bash might read another end or another meaning into it. */
export type ShellCode = string | undefined

/** Characters that mean nothing to bash wherever they stand in an argument. */
const BARE = /^[A-Za-z0-9_./:,@%+=-]+$/

/** Words that bash takes for its own grammar where a command begins. */
const RESERVED = new Set(
  'if then elif else fi for in do done while until case esac select function coproc time'.split(' '),
)

export function quoteWord(text: string): string {
  return BARE.test(text) ? text : quoteWordAlways(text)
}

/** Where a command begins, an assignment or a reserved word needs quotes to be a name. */
export function quoteCommandName(text: string): string {
  return BARE.test(text) && !text.includes('=') && !RESERVED.has(text) ? text : quoteWordAlways(text)
}

/** Where quotes are what keeps a part of a word from meaning something together with the next. */
export function quoteWordAlways(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** The same between double quotes, where only these four characters mean something. */
export function escapeInDoubleQuotes(text: string): string {
  return text.replace(/[$`"\\]/g, '\\$&')
}

/** An unquoted `~`, `~name` or `~+` at the start of a word, with the characters that end it left out. */
const TILDE = /^~[\w.+-]*(?=\/|$)/

type Written = { readonly text: string; readonly value: string }

/** Text that begins with an unquoted tilde, and its value; undefined where bash might not take that for a home folder. */
export function quoteAfterTilde({ text, value }: Written, isWholeWord: boolean): string | undefined {
  const tilde = TILDE.exec(text)?.[0]
  if (tilde === undefined || (tilde === text && !isWholeWord)) return undefined
  // A slash in quotes would be part of the name behind the tilde.
  const rest = value.slice(tilde.length + 1)
  return tilde === text ? tilde : `${tilde}/${rest === '' ? '' : quoteWord(rest)}`
}

/** `PATH=~/a:~/b`: in the value of a variable a tilde counts behind each colon as well. */
export function quoteTildeList(text: string): string | undefined {
  if (text.includes('\\')) return undefined
  const codes = text
    .split(':')
    .map((part) => (part.startsWith('~') ? quoteAfterTilde({ text: part, value: part }, true) : quoteOrNothing(part)))
  return codes.includes(undefined) ? undefined : codes.join(':')
}

function quoteOrNothing(text: string): string {
  return text === '' ? '' : quoteWord(text)
}
