/**
 * A small grammar of sed: addresses, printing, substitution, text to add, jumps. A script outside the grammar might run
 * programs or touch files. Anything that GNU and BSD sed could read differently is outside.
 */

/** One place in a script; every function below returns the next one, or undefined where the script leaves the grammar. */
type Place = number | undefined

export function isHarmlessSedScript(script: string): boolean {
  let at: Place = 0
  while (at !== undefined) {
    at = skip(script, at, /[\s;{}]*/y)
    if (at === script.length) return true
    at = afterCommand(script, afterAddresses(script, at))
  }
  return false
}

/** At least nothing: the patterns used here match the empty text as well. */
function skip(script: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at
  return at + (pattern.exec(script)?.[0].length ?? 0)
}

/** Undefined unless it is there. */
function expect(script: string, at: number, pattern: RegExp): Place {
  pattern.lastIndex = at
  const found = pattern.exec(script)
  return found ? at + found[0].length : undefined
}

function afterAddresses(script: string, from: number): Place {
  const first = afterAddress(script, from)
  if (first === undefined) return /[/\\]/.test(script.charAt(from)) ? undefined : skip(script, from, /[ \t!]*/y)
  const comma = expect(script, first, /[ \t]*,[ \t]*/y)
  if (comma === undefined) return skip(script, first, /[ \t!]*/y)
  const second = expect(script, comma, /[+~]\d+/y) ?? afterAddress(script, comma)
  return second === undefined ? undefined : skip(script, second, /[ \t!]*/y)
}

function afterAddress(script: string, at: number): Place {
  const line = expect(script, at, /\d+(?:~\d+)?|\$/y)
  if (line !== undefined) return line
  const delimiter = script.charAt(at) === '\\' ? script.charAt(at + 1) : '/'
  const start = script.charAt(at) === '\\' ? at + 2 : at + 1
  if (script.charAt(start - 1) !== delimiter || !isDelimiter(delimiter)) return undefined
  const end = afterPattern(script, start, delimiter)
  return end === undefined ? undefined : skip(script, end, /[IM]*/y)
}

/** Printing, copying between the two spaces, jumping to labels, and the end of the line or of the command. */
const SIMPLE = /(?:[pPdDnNgGhHxFz=]|[lL][ \t]*\d*|[qQ][ \t]*\d*|[btT][ \t]*\w*|:[ \t]*\w+)[ \t]*(?=[\n;}]|$)/y
/** Text to add runs to the end of the line, longer with a backslash; that form is outside. */
const ADDED = /[aic][ \t]*\\?[^\n\\]*(?=\n|$)/y
const FLAGS = /[gpiIm0-9]*[ \t]*(?=[\n;}]|$)/y

function afterCommand(script: string, at: Place): Place {
  if (at === undefined) return undefined
  const command = script.charAt(at)
  if (command === '{' || command === '}' || at === script.length) return at
  if (command !== 's' && command !== 'y') return expect(script, at, SIMPLE) ?? expect(script, at, ADDED)
  const delimiter = script.charAt(at + 1)
  if (!isDelimiter(delimiter)) return undefined
  const first = command === 's' ? afterPattern(script, at + 2, delimiter) : afterText(script, at + 2, delimiter)
  const second = first === undefined ? undefined : afterText(script, first, delimiter)
  return second === undefined ? undefined : expect(script, second, FLAGS)
}

/** Neither a letter or digit, which may be escapes, nor one that means something in a pattern itself. */
function isDelimiter(char: string): boolean {
  return /^[/|,#:!@%~_=-]$/.test(char)
}

/** Up to its delimiter, and behind it. Escapes of the delimiter count for it; a line does not end in it. */
function afterText(script: string, from: number, delimiter: string): Place {
  for (let at = from; at < script.length; at++) {
    const char = script.charAt(at)
    if (char === '\n') return undefined
    if (char === delimiter) return at + 1
    if (char === '\\') at += 1
    if (script.charAt(at) === '\n') return undefined
  }
  return undefined
}

/**
 * The same for a regular expression. Some read on past the delimiter in a bracket, some do not, and a `]` that comes first does not
 * end it; so a bracket holds neither of these, no backslash and no other bracket, but for the named classes.
 */
const BRACKET = /\[(?:\^(?!\])|(?!\^))(?:[^\][\\\n]|\[:[a-z]+:\])+\]/y

function afterPattern(script: string, from: number, delimiter: string): Place {
  for (let at = from; at < script.length; at++) {
    const char = script.charAt(at)
    if (char === '\n') return undefined
    if (char === delimiter) return at + 1
    if (char === '[') {
      const end = expect(script, at, BRACKET)
      if (end === undefined || script.slice(at, end).includes(delimiter)) return undefined
      at = end - 1
    } else if (char === '\\') {
      at += 1
      if (script.charAt(at) === '\n') return undefined
    }
  }
  return undefined
}
