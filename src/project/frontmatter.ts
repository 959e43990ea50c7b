/** A Markdown file with settings on top, between two lines of dashes. */
import type { Problems } from './problems.js'
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

/** Reads the fields of one file. A field that is there but wrong is told, and makes the file one not to be used: a limit
 *  that is not understood must not be left out. */
export type FieldReader = {
  text(key: string): string | undefined
  flag(key: string): boolean | undefined
  count(key: string): number | undefined
  oneOf<T extends string>(key: string, choices: readonly T[]): T | undefined
  /** A list, or a text with its parts divided by commas or spaces outside of parentheses. */
  list(key: string): string[] | undefined
  value(key: string): YamlValue | undefined
  /** Was every field that was asked for right? */
  isRight(): boolean
}

const SWITCHES: Record<string, boolean> = { true: true, yes: true, on: true, false: false, no: false, off: false }

export function fieldReader(fields: YamlFields, path: string, problems: Problems): FieldReader {
  let right = true
  const present = (key: string): YamlField | undefined => {
    const field = fields.get(key)
    return field === undefined || field.value === null ? undefined : field
  }
  const wrong = (key: string, field: YamlField, what: string): undefined => {
    right = false
    problems.add(path, `'${key}' must be ${what}. The file is not used.`, field.line)
    return undefined
  }
  return {
    text(key) {
      const field = present(key)
      if (!field) return undefined
      return field.text === '' && typeof field.value === 'object' ? wrong(key, field, 'text') : field.text
    },
    flag(key) {
      const field = present(key)
      if (!field) return undefined
      const word = String(field.value).toLowerCase()
      return Object.hasOwn(SWITCHES, word) ? SWITCHES[word] : wrong(key, field, 'true or false')
    },
    count(key) {
      const field = present(key)
      if (!field) return undefined
      const { value } = field
      const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
      return isCount ? value : wrong(key, field, 'a whole number above 0')
    },
    oneOf(key, choices) {
      const field = present(key)
      if (!field) return undefined
      return choices.find((choice) => choice === field.value) ?? wrong(key, field, `one of ${choices.join(', ')}`)
    },
    list(key) {
      const field = present(key)
      if (!field) return undefined
      const { value } = field
      const items = typeof value === 'string' ? splitList(value) : value
      if (!isTextList(items)) return wrong(key, field, 'a list, or names divided by commas')
      return items.map((item) => item.trim()).filter((item) => item !== '')
    },
    value: (key) => present(key)?.value,
    isRight: () => right,
  }
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/** `Bash(git add:*), Read Grep`. Undefined when it looks like brackets that are not closed. */
export function splitList(text: string): string[] | undefined {
  if (/^[[{]/.test(text)) return undefined
  const items: string[] = []
  let item = ''
  let depth = 0
  for (const character of text) {
    if (depth === 0 && /[,\s]/.test(character)) {
      items.push(item)
      item = ''
      continue
    }
    if (character === '(') depth += 1
    if (character === ')') depth = Math.max(0, depth - 1)
    item += character
  }
  return depth > 0 ? undefined : [...items, item].filter((one) => one !== '')
}
