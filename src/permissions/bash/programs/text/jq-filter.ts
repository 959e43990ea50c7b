/**
 * Filters of jq that compute with their input. jq neither runs programs nor writes files; what it can do besides is to read the
 * environment and other files (`env`, `$ENV`, modules). So every name in a filter has to be one of those below.
 */
import { wordList } from '../../../word-list.js'

const NAMES = new Set(
  wordList(`
    if then elif else end and or not as reduce foreach try catch label break empty error null true false
    length utf8bytelength keys keys_unsorted values has in map map_values path del to_entries from_entries with_entries select
    recurse add any all flatten range floor ceil round sqrt pow log exp abs fabs tostring tonumber toarray type infinite nan isinfinite
    isnan isnormal isvalid sort sort_by group_by min max min_by max_by unique unique_by reverse contains inside startswith endswith
    combinations ltrimstr rtrimstr trimstr trim ltrim rtrim explode implode split splits join ascii ascii_downcase ascii_upcase while
    repeat until first last nth limit skip input inputs input_line_number input_filename debug stderr indices index rindex test match
    capture scan sub gsub getpath setpath delpaths paths leaf_paths tojson fromjson todate fromdate now dateadd datesub
    date strptime strftime strflocaltime mktime gmtime localtime arrays objects iterables booleans numbers normals finites strings
    nulls scalars transpose walk tostream fromstream truncate_stream bsearch pick have_literal_numbers halt
    halt_error isempty IN INDEX
  `),
)

const TOKENS = [
  // Fields, variables (not `$ENV`, nor those that jq makes itself), formats.
  /\.[A-Za-z_]\w*/y,
  /\$[a-z]\w*(?!\w|:)/y,
  /@(?:text|json|csv|tsv|html|uri|sh|base64d?|base32d?)\b/y,
  /(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/y,
  /\?\/\/|\/\/=|\|=|\+=|-=|\*=|\/=|%=|==|!=|<=|>=|\.\.|\/\/|[-+*/%|,.:;?=<>(){}[\]]/y,
  /\s+/y,
]
const NAME = /[A-Za-z_]\w*(?:::\w+)*/y
const TEXT = /(?:[^"\\]|\\[^(])*/y
const CLOSES: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' }

export function isHarmlessJqFilter(filter: string): boolean {
  return new Reader(filter).isHarmless()
}

/** Texts may hold filters, and these texts again: all that is open is on one pile, a filter in a text as a quote. */
class Reader {
  readonly #filter: string
  readonly #open: string[] = []
  #at = 0
  /** The token before, other than spaces. */
  #before = ''

  constructor(filter: string) {
    this.#filter = filter
  }

  isHarmless(): boolean {
    while (this.#at < this.#filter.length) if (!this.#next()) return false
    return this.#open.length === 0
  }

  #skip(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#filter)?.[0] ?? ''
    this.#at += found.length
    return found
  }

  /** False where the filter leaves what is harmless. */
  #next(): boolean {
    const char = this.#filter.charAt(this.#at)
    const inText = char === ')' && this.#open.at(-1) === '"'
    if (char === '"' || inText) {
      if (inText) this.#open.pop()
      this.#at += 1
      this.#before = 'text'
      return this.#leaveText()
    }
    const name = this.#skip(NAME)
    if (name !== '') {
      const harmless = NAMES.has(name) || this.#isKey(name)
      this.#before = name
      return harmless
    }
    const token = TOKENS.reduce((found, pattern) => found || this.#skip(pattern), '')
    if (token.trim() !== '') this.#before = token
    if (/^[([{]$/.test(token)) this.#open.push(token)
    return token !== '' && (!Object.hasOwn(CLOSES, token) || this.#open.pop() === CLOSES[token])
  }

  /** From inside a text to its end, or into the filter it holds. */
  #leaveText(): boolean {
    this.#skip(TEXT)
    const ends = this.#skip(/"|\\\(/y)
    if (ends === '\\(') this.#open.push('"')
    return ends !== ''
  }

  /** `{name}` and `{name: …}` name a field: inside of braces nothing else begins after the brace or a comma. */
  #isKey(name: string): boolean {
    return this.#open.at(-1) === '{' && /^[{,]$/.test(this.#before) && !name.includes('::')
  }
}
