/**
 * The part of awk that computes and prints. Whatever awk does besides takes a word or a sign for it: a function, `getline`, a `|`, a
 * `>` behind `print`, `@`, a variable that holds more than the input does. So a program made of nothing but the tokens below is
 * harmless, as long as every awk (gawk, mawk, the one of BSD, busybox) cuts it into the same tokens. What they could cut in two
 * ways is outside: a `/` where one may see a division and another a pattern, brackets with a `/`, comments, lines that continue.
 */
import { wordList } from '../../../word-list.js'

const FUNCTIONS = new Set(
  wordList(`
    length substr split index match sub gsub gensub tolower toupper sprintf int sqrt log exp sin cos atan2 rand srand strftime systime
  `),
)
/** Set by awk from its input, or saying how to read and print it. */
const OWN_VARIABLES = new Set(
  wordList('NR NF FNR FS OFS ORS RS FILENAME SUBSEP RSTART RLENGTH OFMT CONVFMT IGNORECASE RT'),
)
const KEYWORDS = new Set(wordList('if else for while do in break continue next exit delete print printf BEGIN END'))
/** The only other name that does something without parentheses behind it; with them, none but the functions above is taken. */
const READS_MORE = 'getline'

const NAME = /[A-Za-z_]\w*/y
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?!\w)/y
const STRING = /"(?:[^"\\\n]|\\[^\n])*"/y
/** A bracket holds neither a slash, nor a backslash, nor another bracket, but for the named classes. None begins like `/=`. */
const PATTERN = /\/(?![=/*])(?:[^/\\\n[]|\\[^\n]|\[(?:\^(?!\])|(?!\^))(?:[^\][\\/\n]|\[:[a-z]+:\])+\])+\//y
const SIGN = /\+\+|--|&&|\|\||[-+*/%^=!<>]=|!~|[-+*/%^=!<>~?:,;(){}[\]$\n]/y

/** What the token before says about a `/`: it divides, it opens a pattern, or it is unclear. */
type Slash = 'divides' | 'opens' | 'unclear'

/** The way through a program: what was seen of the statement it is in, and of the parentheses around it. */
type State = { slash: Slash; prints: boolean; before: string; parens: boolean[] }

export function isHarmlessAwkProgram(program: string): boolean {
  const state: State = { slash: 'opens', prints: false, before: '\n', parens: [] }
  let at = skipBlanks(program, 0)
  while (at < program.length) {
    const token = tokenAt(program, at, state.slash)
    if (token === undefined || !take(token, state, program.charAt(skipBlanks(program, at + token.length)))) return false
    at = skipBlanks(program, at + token.length)
  }
  return state.parens.length === 0
}

function skipBlanks(program: string, from: number): number {
  let at = from
  while (program.charAt(at) === ' ' || program.charAt(at) === '\t') at += 1
  return at
}

function tokenAt(program: string, at: number, slash: Slash): string | undefined {
  const isSlash = program.charAt(at) === '/'
  if (isSlash && slash === 'unclear') return undefined
  const kinds = isSlash && slash === 'opens' ? [PATTERN] : [NAME, NUMBER, STRING, SIGN]
  for (const kind of kinds) {
    kind.lastIndex = at
    const found = kind.exec(program)
    if (found) return found[0]
  }
  return undefined
}

/** False where the token leaves what is harmless. */
function take(token: string, state: State, next: string): boolean {
  if (/^[A-Za-z_]/.test(token)) return takeName(token, state, next)
  if (/^["\d.]|^\/./.test(token) && token !== '/=') {
    state.slash = 'divides'
    state.before = 'value'
    return true
  }
  return takeSign(token, state)
}

function takeName(name: string, state: State, next: string): boolean {
  const isFunction = FUNCTIONS.has(name)
  const isKeyword = KEYWORDS.has(name)
  if (!isFunction && !isKeyword && (next === '(' || !isPlainAwkVariable(name))) return false
  // Without parentheses it is that of the line.
  if (isFunction && next !== '(' && name !== 'length') return false
  if (name === 'print' || name === 'printf') state.prints = true
  state.slash = isKeyword
    ? /^(?:print|else|do)$/.test(name)
      ? 'opens'
      : 'unclear'
    : isFunction
      ? 'unclear'
      : 'divides'
  state.before = name
  return true
}

/** Rejects awk's own variables in capitals that can hold the environment or the arguments. */
export function isPlainAwkVariable(name: string): boolean {
  return OWN_VARIABLES.has(name) || (/^(?:[a-z_]\w*|[A-Z])$/.test(name) && name !== READS_MORE)
}

/**
 * May a statement end behind this token? Behind all others a line break changes nothing: awk reads on behind `,`, `&&` and `||`,
 * gawk also behind `?` and `:`, and busybox behind any operator.
 */
function mayEnd(before: string): boolean {
  return /^(?:value|(?!in$)[A-Za-z_]\w*|[)\]}{;\n])$/.test(before)
}

function takeSign(sign: string, state: State): boolean {
  const { parens, before } = state
  state.before = sign
  state.slash = 'opens'
  if (sign === '(') parens.push(/^(?:if|while|for)$/.test(before))
  else if (sign === ')') {
    const control = parens.pop()
    if (control === undefined) return false
    state.slash = control ? 'unclear' : 'divides'
  } else if (sign === ']') state.slash = 'divides'
  else if (/^(?:\+\+|--|\$)$/.test(sign)) state.slash = 'unclear'
  else if (/^[;{}\n]$/.test(sign)) state.prints &&= parens.length > 0 || (sign === '\n' && !mayEnd(before))
  // Behind `print`, outside of parentheses, a file follows. Brackets are none: one awk looks only for these.
  else if (/^>/.test(sign)) return !state.prints || parens.length > 0
  return true
}
