/**
 * Changes single values in the text of a JSON file and leaves every other byte as it is: unknown keys and their order,
 * comments, indentation, line ends.
 */
import {
  isWhitespaceAt,
  type JsonArray,
  type JsonNode,
  type JsonObjectNode,
  type JsonScan,
  scanJson,
  type TextRange,
} from './json-tree.js'

export type EditResult = { ok: true; text: string } | { ok: false; offset: number; reason: string }

export type ListChange = {
  remove: (item: string) => boolean
  /** Put at the end of the list. */
  add: readonly string[]
}

type Edit = TextRange & { text: string }
type Document = { text: string; scan: JsonScan; unit: string; eol: string }
/** The source of a new element; `indent` is undefined when it goes into the same line as others. */
type Element = (indent: string | undefined) => string

/** Returns the JSON text with a string set at `path`; objects on the way are made. */
export function setJsonString(text: string, path: readonly string[], value: string): EditResult {
  return edit(text, path, value, (node) => {
    if (node.kind === 'scalar' && node.value === value) return []
    return [{ start: node.start, end: node.end, text: JSON.stringify(value) }]
  })
}

/** Takes texts out of the list at `path` and adds others; what isn't text stays. */
export function changeJsonList(text: string, path: readonly string[], { remove, add }: ListChange): EditResult {
  const noList = `${path.join('.')} is not a list`
  const removed = edit(text, path, undefined, (node, document) => {
    return node.kind === 'array' ? removeItems(node, remove, document) : noList
  })
  if (!removed.ok || add.length === 0) return removed
  return edit(removed.text, path, add, (node, document) => {
    if (node.kind !== 'array') return noList
    return insert(
      node,
      add.map((item) => () => JSON.stringify(item)),
      document,
    )
  })
}

/** `made` is put at the path when nothing is there; undefined: then there is nothing to do. */
function edit(
  text: string,
  path: readonly string[],
  made: unknown,
  change: (node: JsonNode, document: Document) => Edit[] | string,
): EditResult {
  const scan = scanJson(text)
  if (scan.error) return { ok: false, ...scan.error }
  const document = { text, scan, unit: indentUnit(text), eol: text.includes('\r\n') ? '\r\n' : '\n' }
  if (!scan.root) return { ok: true, text: made === undefined ? text : newFile(path, made, document) }
  const found = follow(scan.root, path)
  if ('reason' in found) return { ok: false, ...found }
  const { node, missing } = found
  if (missing.length > 0 && made === undefined) return { ok: true, text }
  const edits = missing.length > 0 ? insertMember(node, missing, made, document) : change(node, document)
  if (typeof edits === 'string') return { ok: false, offset: node.start, reason: edits }
  return { ok: true, text: applyEdits(text, edits) }
}

/** There is no value yet: only blanks, perhaps comments, which stay. */
function newFile(path: readonly string[], made: unknown, document: Document): string {
  const before = document.text.trimEnd()
  const value = render(nested(path, made), '', document)
  return `${before.trim() === '' ? '' : `${before}${document.eol}`}${value}${document.eol}`
}

type Found = { node: JsonNode; missing: readonly string[] } | { offset: number; reason: string }

/** As far as the path leads: the value at its end, or the object that lacks the rest of it. */
function follow(root: JsonNode, path: readonly string[]): Found {
  let node = root
  for (const [depth, key] of path.entries()) {
    const name = path.slice(0, depth).join('.') || 'the file'
    if (node.kind !== 'object') return { offset: node.start, reason: `${name} is not an object` }
    const [member, second] = node.members.filter((candidate) => candidate.key === key)
    if (second) return { offset: second.start, reason: `${path.slice(0, depth + 1).join('.')} is there more than once` }
    if (!member) return { node, missing: path.slice(depth) }
    node = member.value
  }
  return { node, missing: [] }
}

function insertMember(node: JsonNode, path: readonly string[], made: unknown, document: Document): Edit[] {
  const [key = '', ...rest] = path
  if (node.kind !== 'object') return []
  return insert(node, [(indent) => `${JSON.stringify(key)}: ${render(nested(rest, made), indent, document)}`], document)
}

/** Adds elements after the last one, in lines of their own unless those that are there share one. */
function insert(node: JsonObjectNode | JsonArray, elements: readonly Element[], { text, unit, eol }: Document): Edit[] {
  const edits: Edit[] = []
  const children = node.kind === 'object' ? node.members : node.items
  const last = node.kind === 'object' ? node.members.at(-1)?.value : node.items.at(-1)
  if (last && node.commas.length < children.length) edits.push({ start: last.end, end: last.end, text: ',' })
  const closer = node.end - 1
  // Behind everything that is there, so that a comment stays beside the element it was written for.
  let tail = closer
  while (tail > node.start + 1 && isWhitespaceAt(text, tail - 1)) tail -= 1
  if (last && !/[\n\r]/.test(text.slice(node.start, node.end))) {
    edits.push({ start: tail, end: tail, text: ` ${elements.map((element) => element(undefined)).join(', ')}` })
    return edits
  }
  const outer = lineIndent(text, node.start)
  const indent = ownIndent(text, children.at(-1)?.start) ?? outer + unit
  const lines = elements.map((element) => `${eol}${indent}${element(indent)}`).join(',')
  const closesOnOwnLine = /[\n\r]/.test(text.slice(tail, closer))
  edits.push(
    closesOnOwnLine
      ? { start: tail, end: tail, text: lines }
      : { start: tail, end: closer, text: `${lines}${eol}${outer}` },
  )
  return edits
}

/** With the blanks around them where no comment stands between, else without. */
function removeItems(node: JsonArray, remove: (item: string) => boolean, { text, scan }: Document): Edit[] {
  const { items, commas } = node
  const isGone = (item: JsonNode | undefined) =>
    item?.kind === 'scalar' && typeof item.value === 'string' && remove(item.value)
  const cut = (start: number, end: number): Edit => ({ start, end, text: '' })
  const edits: Edit[] = []
  for (let index = 0; index < items.length; index += 1) {
    const first = items[index]
    if (!first || !isGone(first)) continue
    const from = index
    while (isGone(items[index + 1])) index += 1
    const before = items[from - 1]
    const after = items[index + 1]
    const end = items[index]?.end ?? first.end
    const whole = after
      ? cut(first.start, after.start)
      : before
        ? cut(before.end, end)
        : cut(node.start + 1, node.end - 1)
    if (!scan.comments.some((comment) => comment.start >= whole.start && comment.end <= whole.end)) {
      edits.push(whole)
      continue
    }
    const ownCommas = commas.slice(after ? from : Math.max(0, from - 1), index + 1)
    edits.push(...items.slice(from, index + 1).map((item) => cut(startOfOwnLine(text, item), item.end)))
    edits.push(...ownCommas.map((comma) => cut(comma, comma + 1)))
  }
  return edits
}

/** With the line end before it, when it has its line for itself. */
function startOfOwnLine(text: string, { start, end }: TextRange): number {
  const indent = ownIndent(text, start)
  if (indent === undefined || !/^,?[\n\r]/.test(text.slice(end, end + 2))) return start
  const lineEnd = start - indent.length - 1
  return text.startsWith('\r\n', lineEnd - 1) ? lineEnd - 1 : lineEnd
}

function applyEdits(text: string, edits: readonly Edit[]): string {
  let result = ''
  let done = 0
  for (const { start, end, text: replacement } of [...edits].sort((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + replacement
    done = end
  }
  return result + text.slice(done)
}

function nested(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value)
}

function render(value: unknown, indent: string | undefined, { unit, eol }: Document): string {
  if (indent === undefined) return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', `${eol}${indent}`)
}

/** One step of indentation, as the file has it. */
function indentUnit(text: string): string {
  return /[\n\r]([ \t]+)"/.exec(text)?.[1]?.slice(0, 10) ?? '  '
}

function lineIndent(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? ''
}

/** What stands before this in its line, if that is just blanks and the line is not the first. */
function ownIndent(text: string, offset: number | undefined): string | undefined {
  if (offset === undefined) return undefined
  const start = lineStart(text, offset)
  const before = text.slice(start, offset)
  return start > 0 && /^[ \t]*$/.test(before) ? before : undefined
}

function lineStart(text: string, offset: number): number {
  let start = offset
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start -= 1
  return start
}
