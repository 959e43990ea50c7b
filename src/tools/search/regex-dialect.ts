/** Regular expressions written for ripgrep, as JavaScript reads them, as far as there is a counterpart. */

/** Throws a `SyntaxError` for what has none. `flags`: those besides `u` and `s`. */
export function compilePattern(pattern: string, flags: string): RegExp {
  const [, inline = '', rest = pattern] = /^\(\?([ims]+)\)(.*)$/s.exec(pattern) ?? []
  const all = [...new Set(`${flags}${inline}s`)].join('')
  try {
    return new RegExp(translate(rest), `${all}u`)
  } catch {
    // Without `u` JavaScript takes a lone bracket or brace for itself, as ripgrep does.
    return new RegExp(rest, all)
  }
}

/** Word characters of all scripts; ours know only ASCII. */
const WORD = '\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}'
const BEFORE = `(?<=[${WORD}])`
const NOT_BEFORE = `(?<![${WORD}])`
const AFTER = `(?=[${WORD}])`
const NOT_AFTER = `(?![${WORD}])`

const OUTSIDE: Record<string, string> = {
  '\\w': `[${WORD}]`,
  '\\W': `[^${WORD}]`,
  '\\d': '\\p{Nd}',
  '\\D': '\\P{Nd}',
  '\\b': `(?:${BEFORE}${NOT_AFTER}|${NOT_BEFORE}${AFTER})`,
  '\\B': `(?:${BEFORE}${AFTER}|${NOT_BEFORE}${NOT_AFTER})`,
  '\\<': `(?:${NOT_BEFORE}${AFTER})`,
  '\\>': `(?:${BEFORE}${NOT_AFTER})`,
  '\\A': '(?<![^])',
  '\\z': '(?![^])',
  '(?P<': '(?<',
  ']': '\\]',
}

const INSIDE: Record<string, string> = {
  '\\w': WORD,
  '\\d': '\\p{Nd}',
  '[:alpha:]': 'A-Za-z',
  '[:digit:]': '0-9',
  '[:alnum:]': '0-9A-Za-z',
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:space:]': '\\s',
  '[:punct:]': '!-\\/:-@\\[-`\\{-~',
  '[:xdigit:]': '0-9A-Fa-f',
  '[:word:]': '0-9A-Za-z_',
  '[:blank:]': ' \\t',
}

function translate(pattern: string): string {
  let inClass = false
  let out = ''
  for (const [token] of pattern.matchAll(/\[:\w+:\]|\(\?P<|\\.|\[\^?\]?|./gsu)) {
    if (!inClass && token.startsWith('[')) {
      inClass = true
      // A bracket right after the opening one is a member.
      out += token.replace(']', '\\]')
    } else if (inClass && token === ']') {
      inClass = false
      out += token
    } else out += (inClass ? INSIDE : OUTSIDE)[token] ?? plainEscape(token, inClass)
  }
  return out
}

/** ripgrep lets any punctuation be escaped; JavaScript only what has a meaning. */
function plainEscape(token: string, inClass: boolean): string {
  if (!/^\\[^\w\s]$|^\\ $/.test(token) || /^\\[\^$\\.*+?()[\]{}|/]$/.test(token)) return token
  return inClass && token === '\\-' ? token : token.slice(1)
}
