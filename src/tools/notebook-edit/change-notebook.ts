/** The heart of NotebookEdit, as a pure function: changes one cell and leaves every other byte of the file as it was. */
import { isObject } from '../../protocol/json.js'
import { notebookLanguage } from '../read/notebook.js'
import { elementSpans, type JsonSpan, memberSpans, skipBlanks } from './json-spans.js'
import type { NotebookEditInput } from './notebook-edit-shapes.js'

export type ChangedNotebook = { text: string; cellId: string; isCode: boolean; language: string }

type Json = Record<string, unknown>
type Layout = { unit: string; newline: string }
type Notebook = { text: string; root: Json; cells: unknown[]; spans: JsonSpan[]; array: JsonSpan; layout: Layout }

/** `newId` makes ids for new cells. A string is the reason why nothing was changed. */
export function changeNotebook(text: string, input: NotebookEditInput, newId: () => string): ChangedNotebook | string {
  const notebook = parse(text)
  if (typeof notebook === 'string') return notebook
  const { cell_id: cellId, edit_mode: mode = 'replace' } = input
  if (cellId === undefined && mode !== 'insert') return `cell_id is missing: it says which cell to ${mode}.`
  const index = cellId === undefined ? -1 : findCell(notebook, cellId)
  if (typeof index === 'string') return index
  if (mode === 'insert') return insert(notebook, index + 1, input, newId)
  const cell = notebook.cells[index]
  if (!isObject(cell)) return `Cell ${index} of the notebook is damaged: it is no object.`
  return mode === 'delete' ? remove(notebook, index, cell) : replace(notebook, index, cell, input)
}

function parse(text: string): Notebook | string {
  let root: unknown
  try {
    root = JSON.parse(text)
  } catch {
    return 'The notebook is not valid JSON, so that no cell of it can be found. Repair it with Edit or Write first.'
  }
  if (!isObject(root) || !Array.isArray(root['cells'])) {
    return 'The file is no notebook of format 4: it has no list of cells.'
  }
  const array = memberSpans(text, skipBlanks(text, 0)).get('cells')
  if (!array) return 'The file is no notebook of format 4: it has no list of cells.'
  return { text, root, cells: root['cells'], array, spans: elementSpans(text, array.start), layout: layoutOf(text) }
}

/** A notebook on one line stays on one line. */
function layoutOf(text: string): Layout {
  const [, newline = '', unit = ''] = /^\s*\{(\r?\n)([ \t]+)"/.exec(text) ?? []
  return { newline, unit }
}

/** By id, or by place (`cell-3`), as Read names cells that have none. */
function findCell({ cells }: Notebook, wanted: string): number | string {
  const found = cells.flatMap((cell, index) => (isObject(cell) && cell['id'] === wanted ? [index] : []))
  const [first, second] = found
  if (second !== undefined)
    return `${found.length} cells have the id "${wanted}": name one by its place, such as cell-${first}.`
  if (first !== undefined) return first
  const place = /^cell-(\d{1,9})$/.exec(wanted)?.[1]
  if (place === undefined) return `No cell has the id "${shorten(wanted)}". ${listCells(cells)}`
  return Number(place) < cells.length ? Number(place) : `There is no cell ${place}, counted from 0. ${listCells(cells)}`
}

const MAX_LISTED = 30
const MAX_ID = 80

const shorten = (id: string) => (id.length > MAX_ID ? `${id.slice(0, MAX_ID)}…` : id)

/** Lists the cell ids that a call can use. */
function listCells(cells: readonly unknown[]): string {
  if (cells.length === 0) return 'The notebook has no cells: insert one without a cell_id.'
  const names = cells.slice(0, MAX_LISTED).map((cell, index) => shorten(nameOf(isObject(cell) ? cell : {}, index)))
  const more = cells.length > MAX_LISTED ? ` and ${cells.length - MAX_LISTED} more, which Read shows` : ''
  return `The notebook has ${cells.length} cell${cells.length === 1 ? '' : 's'}: ${names.join(', ')}${more}.`
}

function replace(notebook: Notebook, index: number, cell: Json, input: NotebookEditInput): ChangedNotebook {
  const { text, layout } = notebook
  const type = input.cell_type ?? cell['cell_type']
  const isCode = type === 'code'
  const source = toSource(input.new_source, Array.isArray(cell['source']))
  const values = { source, ...(isCode ? { outputs: [], execution_count: null } : {}) }
  const span = spanOf(notebook, index)
  const members = memberSpans(text, span.start)
  const changes = Object.entries(values).map(([key, value]): [JsonSpan | undefined, string] => [
    members.get(key),
    stringify(value, 3, layout),
  ])
  const { outputs: _, execution_count: __, ...rest } = cell
  const edited =
    type === cell['cell_type'] && changes.every(isPlaced)
      ? splice(text, changes.filter(isPlaced))
      : // Another kind of cell has other members, so that it is written anew.
        splice(text, [[span, stringify({ ...(isCode ? cell : rest), cell_type: type, ...values }, 2, layout)]])
  return { text: edited, cellId: nameOf(cell, index), isCode, language: notebookLanguage(notebook.root) }
}

function isPlaced(change: [JsonSpan | undefined, string]): change is [JsonSpan, string] {
  return change[0] !== undefined
}

function insert(
  notebook: Notebook,
  index: number,
  input: NotebookEditInput,
  newId: () => string,
): ChangedNotebook | string {
  const { text, root, cells, spans, array, layout } = notebook
  const { cell_type: type } = input
  if (!type) return 'cell_type is missing: it says what kind of cell to insert, code or markdown.'
  const isCode = type === 'code'
  const id = hasIds(root) ? unusedId(cells, newId) : undefined
  const asList = !cells.some((cell) => isObject(cell) && typeof cell['source'] === 'string')
  // In the order Jupyter writes them.
  const cell: Json = {
    cell_type: type,
    ...(isCode ? { execution_count: null } : {}),
    ...(id === undefined ? {} : { id }),
    metadata: {},
    ...(isCode ? { outputs: [] } : {}),
    source: toSource(input.new_source, asList),
  }
  const cellText = stringify(cell, 2, layout)
  const line = layout.newline + layout.unit.repeat(2)
  const [before, after] = [spans[index - 1], spans[index]]
  let edited: string
  if (before) edited = splice(text, [[{ start: before.end, end: before.end }, `,${line}${cellText}`]])
  else if (after) edited = splice(text, [[{ start: after.start, end: after.start }, `${cellText},${line}`]])
  else edited = splice(text, [[array, `[${line}${cellText}${layout.newline}${layout.unit}]`]])
  return { text: edited, cellId: id ?? `cell-${index}`, isCode, language: notebookLanguage(root) }
}

function remove(notebook: Notebook, index: number, cell: Json): ChangedNotebook {
  const { text, root, spans, array } = notebook
  const { start, end } = spanOf(notebook, index)
  const [before, after] = [spans[index - 1], spans[index + 1]]
  let edited: string
  if (after) edited = splice(text, [[{ start, end: after.start }, '']])
  else if (before) edited = splice(text, [[{ start: before.end, end }, '']])
  else edited = splice(text, [[array, '[]']])
  return {
    text: edited,
    cellId: nameOf(cell, index),
    isCode: cell['cell_type'] === 'code',
    language: notebookLanguage(root),
  }
}

function splice(text: string, changes: [JsonSpan, string][]): string {
  let result = text
  for (const [{ start, end }, replacement] of [...changes].sort((a, b) => b[0].start - a[0].start)) {
    result = result.slice(0, start) + replacement + result.slice(end)
  }
  return result
}

/** `depth` is how far the line that the value starts on is indented. */
function stringify(value: unknown, depth: number, { unit, newline }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + unit.repeat(depth))
}

/** Jupyter writes a list of lines, each with its newline; other programs write one string. */
function toSource(source: string, asList: boolean): string | string[] {
  return asList ? (source.match(/[^\n]*\n|[^\n]+$/g) ?? []) : source
}

/** Cells have ids since format 4.5; a reader of an older one may refuse them. */
function hasIds({ nbformat, nbformat_minor: minor }: Json): boolean {
  return typeof nbformat === 'number' && (nbformat > 4 || (nbformat === 4 && typeof minor === 'number' && minor >= 5))
}

function unusedId(cells: unknown[], newId: () => string): string {
  const used = new Set(cells.map((cell) => (isObject(cell) ? cell['id'] : undefined)))
  let id = newId()
  while (used.has(id)) id = newId()
  return id
}

function nameOf(cell: Json, index: number): string {
  return typeof cell['id'] === 'string' ? cell['id'] : `cell-${index}`
}

function spanOf({ spans }: Notebook, index: number): JsonSpan {
  const span = spans[index]
  if (!span) throw new Error(`the notebook has no cell ${index}`)
  return span
}
