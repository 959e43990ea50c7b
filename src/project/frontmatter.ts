/** A Markdown file with settings on top, between two lines of dashes. */
import type { ProblemCollector } from './file-problems.js'
import { parseYaml, type YamlField, type YamlFields, type YamlProblem, type YamlValue } from './yaml.js'

export type MarkdownFile = { fields: YamlFields; body: string }

/** Never throws. A file that only begins with dashes is all body. */
export function parseMarkdown(text: string): MarkdownFile | YamlProblem {
  const lines = text.split('\n')
  const isRule = (line: string | undefined) => line !== undefined && /^---\s*$/.test(line)
  const end = isRule(lines[0]) ? lines.findIndex((line, index) => index > 0 && isRule(line)) : -1
  if (end === -1) return { fields: new Map(), body: text }
  const fields = parseYaml(lines.slice(1, end), 2)
  if (!(fields instanceof Map)) return fields
  const body = lines
    .slice(end + 1)
    .join('\n')
    .replace(/^(?:[ \t]*\r?\n)+/, '')
  return { fields, body }
}

/** Hooks as they stand in the file, to be checked like those of settings. */
export type FrontMatterHooks = { readonly [event: string]: YamlValue }

export function readFrontMatterHooks(fields: FieldReader): FrontMatterHooks | undefined {
  const toHooks = (value: YamlValue) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  return fields.checked('hooks', toHooks, 'a map of events')
}

/** Reads the fields of one file. A field that is there but wrong is told, and makes the file one not to be used: a limit
 *  that is not understood must not be left out. */
export type FieldReader = {
  text(key: string): string | undefined
  flag(key: string): boolean | undefined
  count(key: string): number | undefined
  oneOf<T extends string>(key: string, choices: readonly T[]): T | undefined
  /** A list, or a text with its parts divided by commas or spaces outside of brackets. */
  list(key: string): string[] | undefined
  /** Whatever `check` makes of it; undefined of `check` means that it is wrong. */
  checked<T>(key: string, check: (value: YamlValue) => T | undefined, what: string): T | undefined
  /** What this version can't honor and must not ignore silently. The file is used without it. */
  leaveOut(key: string, why: string): void
  /** Was every field that was asked for right? */
  isRight(): boolean
}

const SWITCHES = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['false', false],
  ['no', false],
  ['off', false],
])

export function createFieldReader(fields: YamlFields, path: string, problems: ProblemCollector): FieldReader {
  let right = true
  function checked<T>(key: string, check: (field: YamlField) => T | undefined, what: string): T | undefined {
    const field = fields.get(key)
    if (field === undefined || field.value === null) return undefined
    const value = check(field)
    if (value !== undefined) return value
    right = false
    problems.add(path, `'${key}' must be ${what}. The file is not used.`, field.line)
    return undefined
  }
  return {
    text: (key) =>
      checked(key, ({ value, text }) => (text === '' && typeof value === 'object' ? undefined : text), 'text'),
    flag: (key) => checked(key, ({ value }) => SWITCHES.get(String(value).toLowerCase()), 'true or false'),
    count: (key) => checked(key, ({ value }) => (isCount(value) ? value : undefined), 'a whole number above 0'),
    oneOf: (key, choices) =>
      checked(key, ({ value }) => choices.find((choice) => choice === value), `one of ${choices.join(', ')}`),
    list: (key) => checked(key, ({ value }) => toStringList(value), 'a list, or names divided by commas'),
    checked: (key, check, what) => checked(key, ({ value }) => check(value), what),
    leaveOut(key, why) {
      const field = fields.get(key)
      if (field !== undefined && field.value !== null) problems.add(path, `'${key}' ${why}`, field.line)
    },
    isRight: () => right,
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

/** Returns a YAML value as a list of texts. Undefined when it is none. */
export function toStringList(value: YamlValue): string[] | undefined {
  const items = typeof value === 'string' ? splitToolList(value) : value
  return isTextList(items) ? items.map((item) => item.trim()).filter((item) => item !== '') : undefined
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** `Bash(git add:*), Read Grep`. Undefined when brackets are not closed. */
export function splitToolList(text: string): string[] | undefined {
  if (text.startsWith('[')) return undefined
  const items: string[] = []
  let item = ''
  let depth = 0
  for (const character of text) {
    if (depth === 0 && /[,\s]/.test(character)) {
      items.push(item)
      item = ''
      continue
    }
    if (character === '(' || character === '{') depth += 1
    if (character === ')' || character === '}') depth = Math.max(0, depth - 1)
    item += character
  }
  return depth > 0 ? undefined : [...items, item].filter((one) => one !== '')
}
