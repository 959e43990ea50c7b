/** Where a file names modules: imports of every kind, mocks of test runners, and types in comments. What is merely text is told apart. */
import { type ScriptToken, scriptTokens } from './script-tokens.js'

export type ModuleImport = {
  name: string
  /** What is between the quotes. */
  start: number
  end: number
  /** Names that are imported or exported one by one, as the module calls them and, where it is another, the file. */
  names: { name: string; start: number; local?: string }[]
}

export type FoundModuleImports = { modules: ModuleImport[]; tokens: ScriptToken[] }

/** Calls whose first argument is a module. */
const CALLS = new Set([
  ...['import', 'require', 'require.resolve', 'import.meta.resolve', 'module.require', 'mock.module', 'mock.mock'],
  ...['mock', 'doMock', 'dontMock', 'unmock', 'deepUnmock', 'setMock'].map((name) => `jest.${name}`),
  ...['requireActual', 'requireMock', 'createMockFromModule', 'unstable_mockModule', 'genMockFromModule'].map(
    (name) => `jest.${name}`,
  ),
  ...['mock', 'doMock', 'unmock', 'doUnmock', 'importActual', 'importMock'].map((name) => `vi.${name}`),
  't.mock.module',
])
/** In comments that have a meaning for compilers. */
const IN_COMMENT = /\bimport\(\s*(['"])([^'"\n]+)\1\s*\)|@import\s[^'"\n]*\bfrom\s+(['"])([^'"\n]+)\3/g
const REFERENCE = /^\/\/\/\s*<reference\s[^>]*\btypes=(['"])([^'"\n]+)\1/

export function findModuleImports(text: string): FoundModuleImports {
  const tokens = scriptTokens(text)
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  const modules: ModuleImport[] = tokens.flatMap((token) => (token.kind === 'comment' ? inComment(text, token) : []))
  code.forEach((token, index) => {
    if (token.kind !== 'string' || token.text === undefined) return
    const found = namesBefore(code, index)
    if (found) modules.push({ name: token.text, start: token.start + 1, end: token.end - 1, names: found })
  })
  return { modules: modules.sort((a, b) => a.start - b.start), tokens }
}

/** What is imported from the module that this string names; undefined: it names none. */
function namesBefore(code: readonly ScriptToken[], index: number): ModuleImport['names'] | undefined {
  const before = code[index - 1]
  if (before?.text === '(') return CALLS.has(callee(code, index - 2)) ? destructured(code, index - 2) : undefined
  if (before?.kind !== 'word' || isMember(code, index - 1)) return undefined
  if (before.text === 'import' || (before.text === 'module' && isWord(code[index - 2], 'declare'))) return []
  return before.text === 'from' ? clauseBefore(code, index - 2) : undefined
}

/** `a.b.c` that ends at this token, as it is written; with arguments of types left out. */
function callee(code: readonly ScriptToken[], end: number): string {
  let at = end
  if (code[at]?.text === '>') {
    // `jest.mock<typeof import('x')>('x')`
    let depth = 0
    for (; at >= 0 && end - at < 60; at -= 1) {
      if (code[at]?.text === '>') depth += 1
      if (code[at]?.text === '<') depth -= 1
      if (depth === 0) break
    }
    at -= 1
  }
  if (code[at]?.kind !== 'word') return ''
  let name = code[at]?.text ?? ''
  while (code[at - 1]?.text === '.' && code[at - 2]?.kind === 'word') {
    at -= 2
    name = `${code[at]?.text}.${name}`
  }
  return code[at - 1]?.text === '.' ? '' : name
}

/** The names between `import` or `export` and `from`; undefined: this `from` belongs to something else. */
function clauseBefore(code: readonly ScriptToken[], end: number): ModuleImport['names'] | undefined {
  let at = end
  const names: ModuleImport['names'] = []
  if (code[at]?.text === '}') {
    at -= 1
    for (; at >= 0 && code[at]?.text !== '{'; at -= 1) {
      const { kind, text, start } = code[at] ?? {}
      if (kind === 'string' || text === ',') continue
      if (kind !== 'word' || start === undefined || text === undefined) return undefined
      // `{ type query as ask, Options }`: the first name of each, and `type` only where nothing follows it.
      const isFirst = ['{', ','].includes(code[at - 1]?.text ?? '')
      const isAfterType = code[at - 1]?.text === 'type' && ['{', ','].includes(code[at - 2]?.text ?? '')
      const next = code[at + 1]?.text ?? ''
      const isPrefix = text === 'type' && code[at + 1]?.kind === 'word' && next !== 'as'
      const local = next === 'as' ? code[at + 2]?.text : undefined
      if ((isFirst && !isPrefix) || (isAfterType && text !== 'as')) {
        names.unshift({ name: text, start, ...(local !== undefined && { local }) })
      }
    }
    at -= 1
  }
  // `import a, { b } from`, `import * as a from`, `export * from`, `import type a from`
  for (let steps = 0; steps < 6 && at >= 0; steps += 1, at -= 1) {
    const { kind, text } = code[at] ?? {}
    if (kind === 'word' && (text === 'import' || text === 'export') && !isMember(code, at)) return names
    if (kind !== 'word' && text !== ',' && text !== '*') return undefined
  }
  return undefined
}

/** Reads the names in `const { query, tool: mine } = await import(…)`. */
function destructured(code: readonly ScriptToken[], end: number): ModuleImport['names'] {
  let at = end
  while (at >= 0 && (code[at]?.kind === 'word' || code[at]?.text === '.') && code[at]?.text !== 'const') at -= 1
  if (code[at]?.text !== '=' || code[at - 1]?.text !== '}') return []
  const names: ModuleImport['names'] = []
  for (at -= 2; at >= 0 && code[at]?.text !== '{'; at -= 1) {
    const { kind, text, start } = code[at] ?? {}
    if (text === '}' || text === '(') return []
    const isFirst = ['{', ','].includes(code[at - 1]?.text ?? '')
    const local = code[at + 1]?.text === ':' ? code[at + 2]?.text : undefined
    if (kind === 'word' && isFirst && text !== undefined && start !== undefined) {
      names.unshift({ name: text, start, ...(local !== undefined && { local }) })
    }
  }
  return names
}

function inComment(text: string, { start, end }: ScriptToken): ModuleImport[] {
  const comment = text.slice(start, end)
  const place = (name: string, at: number) => ({ name, start: start + at, end: start + at + name.length, names: [] })
  const reference = REFERENCE.exec(comment)
  if (reference?.[2] !== undefined) return [place(reference[2], reference[0].length - 1 - reference[2].length)]
  if (!comment.startsWith('/**')) return []
  return [...comment.matchAll(IN_COMMENT)].map((found) => {
    const name = found[2] ?? found[4] ?? ''
    return place(name, found.index + found[0].lastIndexOf(name))
  })
}

function isMember(code: readonly ScriptToken[], index: number): boolean {
  return code[index - 1]?.text === '.' && code[index - 2]?.text !== '.'
}

function isWord(token: ScriptToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text === word
}
