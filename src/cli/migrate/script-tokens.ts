/**
 * The tokens of a JavaScript or TypeScript file (or of JSON with comments): enough to tell code from comments, strings, regular
 * expressions and the texts of templates. It never fails: what can't be read is signs, and text of JSX is read as if it were code.
 */

export type ScriptToken = {
  kind: 'word' | 'string' | 'comment' | 'sign' | 'other'
  start: number
  end: number
  /**
   * For a string, the text between its quotes, or undefined for a template part with `${}`. Otherwise the source text.
   */
  text: string | undefined
}

/** A bracket; what follows the end of one `beforeStatement` is no operator. */
type Open = { sign: string; beforeStatement: boolean }

/** After these words comes an expression, so that a slash begins a regular expression. */
const BEFORE_EXPRESSION = new Set([
  ...['await', 'case', 'delete', 'do', 'else', 'extends', 'in', 'instanceof', 'new', 'of', 'return', 'throw'],
  ...['typeof', 'void', 'yield'],
])
/** What follows the parentheses of these is a statement. */
const BEFORE_PARENTHESES = new Set(['if', 'while', 'for', 'with'])

const SPACE = /[\s\ufeff]+/y
const LINE_COMMENT = /\/\/[^\n\r\u2028\u2029]*/y
const BLOCK_COMMENT = /\/\*[\s\S]*?(?:\*\/|$)/y
const FIRST_LINE = /#![^\n\r\u2028\u2029]*/y
const WORD = /[\p{ID_Start}$_#\\][\p{ID_Continue}$\\]*/uy
const NUMBER = /\.?\d(?:[eE][+-]|[\w.])*/y
/** Not over the end of a line; a slash in brackets does not end it. */
const REGEX = /\/(?:[^\\/[\n\r\u2028\u2029]|\\.|\[(?:[^\]\\\n\r\u2028\u2029]|\\.)*\])+\/[\w$]*/y
const SINGLE = /'((?:[^'\\\n\r]|\\(?:\r\n|[\s\S]))*)'/y
const DOUBLE = /"((?:[^"\\\n\r]|\\(?:\r\n|[\s\S]))*)"/y
/** Up to the next `${`, the closing backtick or the end of the file. */
const TEMPLATE = /[`}]((?:[^`\\$]|\\(?:[\s\S]|$)|\$(?!\{))*)(`|\$\{|$)/y

export function scriptTokens(text: string): ScriptToken[] {
  const tokens: ScriptToken[] = []
  const open: Open[] = []
  let at = 0
  /** The last one that is code. */
  let last: ScriptToken | undefined
  /** May an expression begin here? */
  let expression = true

  const match = (pattern: RegExp) => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  const add = (kind: ScriptToken['kind'], length: number) => {
    const token: ScriptToken = { kind, start: at, end: at + length, text: text.slice(at, at + length) }
    tokens.push(token)
    if (kind !== 'comment') last = token
    at += length
  }
  const addString = ([all, inside]: RegExpExecArray, isWhole: boolean) => {
    add('string', all.length)
    if (last) last.text = isWhole ? inside : undefined
    expression = false
  }
  const addTemplate = (found: RegExpExecArray) => {
    const isStart = found[0].startsWith('`')
    addString(found, isStart && found[2] === '`')
    expression = found[2] === '${'
    if (expression) open.push({ sign: '${', beforeStatement: false })
  }

  at = match(FIRST_LINE)?.[0].length ?? 0
  while (at < text.length) {
    const sign = text[at] ?? ''
    const space = match(SPACE)
    if (space) {
      at += space[0].length
      continue
    }
    const comment = sign === '/' && (match(LINE_COMMENT) ?? match(BLOCK_COMMENT))
    const isTemplate = sign === '`' || (sign === '}' && open.at(-1)?.sign === '${')
    const string = isTemplate ? match(TEMPLATE) : sign === "'" ? match(SINGLE) : sign === '"' ? match(DOUBLE) : null
    const number = match(NUMBER)
    const word = match(WORD)
    const regex = sign === '/' && expression && !isTag(text, at) ? match(REGEX) : null
    if (comment) add('comment', comment[0].length)
    else if (string && isTemplate) {
      if (sign === '}') open.pop()
      addTemplate(string)
    } else if (string) addString(string, true)
    else if (number || regex) {
      add('other', (number ?? regex)?.[0].length ?? 1)
      expression = false
    } else if (word) {
      const isMember = last?.text === '.'
      add('word', word[0].length)
      expression = !isMember && BEFORE_EXPRESSION.has(word[0])
    } else {
      expression = afterSign(sign, open, last, at)
      add('sign', 1)
    }
  }
  return tokens
}

/** `</p>` and `/>` of JSX. */
function isTag(text: string, at: number): boolean {
  return text[at - 1] === '<' || text[at + 1] === '>'
}

/** Keeps count of what is open, and says whether an expression may follow. */
function afterSign(sign: string, open: Open[], last: ScriptToken | undefined, at: number): boolean {
  if ('([{'.includes(sign)) {
    const beforeStatement = sign === '(' && last?.kind === 'word' && BEFORE_PARENTHESES.has(last.text ?? '')
    open.push({ sign, beforeStatement })
    return true
  }
  if (sign === ')' || sign === ']') return open.pop()?.beforeStatement ?? false
  if (sign === '}') open.pop()
  const isBehind = last?.end === at
  // `i++ / 2`: what was counted is a value.
  if ((sign === '+' || sign === '-') && isBehind && last?.text === sign) return false
  // An apostrophe in the text of JSX.
  if (sign === "'" || sign === '"') return false
  // `value! / 2` of TypeScript is not `!/re/`.
  return !(sign === '!' && isBehind && (last?.kind === 'word' || last?.text === ')' || last?.text === ']'))
}
