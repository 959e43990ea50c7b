/** Which options, hook events, modes, methods and variables of the original a file uses, by its tokens. */
import type { SdkNameKind } from './compatibility-rows.js'
import type { ScriptToken } from './script-tokens.js'

export type UsedName = {
  kind: SdkNameKind
  name: string
  start: number
  /** It stands where the SDK takes it, so that a name nobody knows is one it does not take. */
  certain: boolean
}

const OPENING = new Map([
  ['{', '}'],
  ['(', ')'],
  ['[', ']'],
])
/** Take the options as an argument of their own. */
const OPTION_CALLS = new Set(['unstable_v2_createSession', 'unstable_v2_resumeSession', 'unstable_v2_prompt'])

/** Returns the names of the SDK that a script uses. `queries`: what `query` is called in the file. */
export function findUsedSdkNames(tokens: readonly ScriptToken[], queries: ReadonlySet<string>): UsedName[] {
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  const pairs = brackets(code)
  const { ends } = pairs
  const found: UsedName[] = []
  code.forEach((token, index) => {
    if (token.text === '{' && token.kind === 'sign') {
      const certain = isOptions(code, pairs, index, queries)
      if (certain !== undefined) found.push(...optionsIn(code, ends, index, certain))
    }
    const isCall = code[index + 1]?.text === '(' && code[index - 1]?.text === '.'
    if (token.kind === 'word' && isCall) found.push(use('method', token, false))
    const isVariable = /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(token.text ?? '')
    if (isVariable && token.kind !== 'other') found.push(use('variable', token, false))
  })
  return found
}

/** Does the object that begins here hold options? Undefined: no. False: it looks like it. */
function isOptions(
  code: readonly ScriptToken[],
  { ends, outer }: Pairs,
  index: number,
  queries: ReadonlySet<string>,
): boolean | undefined {
  const before = (steps: number) => code[index - steps]?.text
  const end = ends.get(index)
  if (end !== undefined && code[end + 1]?.text === 'satisfies' && code[end + 2]?.text === 'Options') return true
  if (before(1) === '=' && before(2) === 'Options' && before(3) === ':') return true
  if (before(1) === ':' && before(2) === 'options') {
    // `query({ prompt, options: {` and `startup({ options: {`
    const object = outer.get(index)
    const callee = object !== undefined && code[object - 1]?.text === '(' ? code[object - 2]?.text : undefined
    return callee !== undefined && queries.has(callee)
  }
  const call = outer.get(index)
  if (call === undefined || code[call]?.text !== '(') {
    return before(1) === '=' && /options$/i.test(before(2) ?? '') ? false : undefined
  }
  return OPTION_CALLS.has(code[call - 1]?.text ?? '') ? true : undefined
}

function optionsIn(
  code: readonly ScriptToken[],
  ends: ReadonlyMap<number, number>,
  index: number,
  certain: boolean,
): UsedName[] {
  return keysOf(code, ends, index).flatMap(({ key, value }) => {
    const option = use('option', key, certain)
    const inner = code[value]
    if (key.text === 'hooks' && inner?.text === '{') {
      return [option, ...keysOf(code, ends, value).map((hook) => use('hook', hook.key, certain))]
    }
    const isMode = key.text === 'permissionMode' && inner?.kind === 'string'
    return isMode ? [option, use('mode', inner, certain)] : [option]
  })
}

/** The keys of an object, each with where its value begins. */
function keysOf(code: readonly ScriptToken[], ends: ReadonlyMap<number, number>, index: number) {
  const keys: { key: ScriptToken; value: number }[] = []
  const last = ends.get(index) ?? index
  let isStart = true
  for (let at = index + 1; at < last; at += 1) {
    const token = code[at]
    if (!token) break
    const next = code[at + 1]?.text ?? ''
    const isKey = token.kind === 'word' || (token.kind === 'string' && token.text !== undefined)
    if (isStart && isKey && [':', ',', '}', '('].includes(next)) keys.push({ key: token, value: at + 2 })
    // `async canUseTool() {`
    isStart = token.text === ',' || (isStart && (token.text === 'async' || token.text === '*'))
    at = ends.get(at) ?? at
  }
  return keys
}

/** By the place of an opening bracket: that of its end, and that of the one around it. */
type Pairs = { ends: ReadonlyMap<number, number>; outer: ReadonlyMap<number, number> }

function brackets(code: readonly ScriptToken[]): Pairs {
  const ends = new Map<number, number>()
  const outer = new Map<number, number>()
  const open: number[] = []
  code.forEach(({ kind, text }, index) => {
    if (kind !== 'sign' || text === undefined) return
    const around = open.at(-1)
    if (OPENING.has(text)) {
      if (around !== undefined) outer.set(index, around)
      open.push(index)
    } else if (around !== undefined && OPENING.get(code[around]?.text ?? '') === text) {
      ends.set(around, index)
      open.pop()
    }
  })
  return { ends, outer }
}

function use(kind: SdkNameKind, { text = '', start }: ScriptToken, certain: boolean): UsedName {
  return { kind, name: text, start, certain }
}
