/** Jupyter notebooks as cells with their outputs, for the model and for hosts. */
import { Buffer } from '../../platform/bytes.js'
import type { ImageBlockParam, ImageMediaType, TextBlockParam } from '../../protocol/content.js'
import { imageSize, imageType } from './image.js'
import { MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from './image-limits.js'

export type NotebookOutput = {
  output_type: string
  text?: string
  image?: { image_data: string; media_type: ImageMediaType }
}
export type NotebookCell = {
  cellType: string
  source: string
  execution_count?: number
  cell_id: string
  language?: string
  outputs?: NotebookOutput[]
}

/** Characters of outputs per cell; a plot's data or a training log would drown the code. */
const MAX_OUTPUT = 10_000
/** Images of one notebook: a request may hold 100, and they stay in the conversation. */
const MAX_IMAGES = 20

/** Undefined when this isn't a notebook we can make sense of. */
export function parseNotebook(text: string): NotebookCell[] | undefined {
  const notebook = parseObject(text)
  if (!notebook || !Array.isArray(notebook['cells'])) return undefined
  const language = notebookLanguage(notebook)
  const cells = notebook['cells'].flatMap((cell, index) => {
    const known = asObject(cell)
    return known ? [readCell(known, index, language)] : []
  })
  return withoutSurplusImages(cells)
}

export function notebookLanguage(notebook: Record<string, unknown>): string {
  const name = asObject(asObject(notebook['metadata'])?.['language_info'])?.['name']
  return typeof name === 'string' ? name : 'python'
}

/** Text of neighboring cells is one block; images stand between. */
export function renderNotebook(cells: NotebookCell[]): (TextBlockParam | ImageBlockParam)[] {
  const blocks: (TextBlockParam | ImageBlockParam)[] = []
  const addText = (text: string) => {
    const last = blocks.at(-1)
    if (last?.type === 'text') last.text += `\n${text}`
    else blocks.push({ type: 'text', text })
  }
  for (const cell of cells) {
    const kind = cell.cellType === 'code' ? '' : `<cell_type>${cell.cellType}</cell_type>`
    const language = cell.language && cell.language !== 'python' ? `<language>${cell.language}</language>` : ''
    addText(`<cell id="${cell.cell_id}">${kind}${language}${harmless(cell.source)}</cell id="${cell.cell_id}">`)
    for (const output of cell.outputs ?? []) {
      if (output.text) addText(`\n${output.text}`)
      if (!output.image) continue
      const { image_data: data, media_type } = output.image
      blocks.push({ type: 'image', source: { type: 'base64', data, media_type } })
    }
  }
  return blocks
}

function readCell(cell: Record<string, unknown>, index: number, language: string): NotebookCell {
  const cellType = typeof cell['cell_type'] === 'string' ? cell['cell_type'] : 'raw'
  const cell_id = typeof cell['id'] === 'string' ? cell['id'] : `cell-${index}`
  const source = joined(cell['source'])
  if (cellType !== 'code') return { cellType, source, cell_id }
  const count = cell['execution_count']
  const found = Array.isArray(cell['outputs']) ? cell['outputs'].flatMap(readOutput) : []
  const size = found.reduce((sum, output) => sum + (output.text?.length ?? 0), 0)
  const outputs = size > MAX_OUTPUT ? [tooLong(index, size)] : found
  return {
    cellType,
    source,
    ...(typeof count === 'number' ? { execution_count: count } : {}),
    cell_id,
    language,
    ...(outputs.length > 0 ? { outputs } : {}),
  }
}

function tooLong(index: number, size: number): NotebookOutput {
  const text = `[${size} characters of output left out; jq '.cells[${index}].outputs' on the notebook shows them]`
  return { output_type: 'stream', text }
}

function readOutput(value: unknown): NotebookOutput[] {
  const output = asObject(value)
  const output_type = output?.['output_type']
  if (!output || typeof output_type !== 'string') return []
  if (output_type === 'stream') return [{ output_type, text: joined(output['text']) }]
  if (output_type === 'error') {
    const head = `${joined(output['ename'])}: ${joined(output['evalue'])}`
    const trace = Array.isArray(output['traceback']) ? output['traceback'].map(joined) : []
    return [{ output_type, text: [head, ...trace].join('\n') }]
  }
  const data = asObject(output['data'])
  const image = readImage(data)
  const text = joined(data?.['text/plain'])
  if (typeof image === 'string') return [{ output_type, text: text ? `${text}\n${image}` : image }]
  return [{ output_type, text, ...(image ? { image } : {}) }]
}

/** A string: why it is left out. An image the API can't take would fail every later request of the session. */
function readImage(data: Record<string, unknown> | undefined): NotebookOutput['image'] | string {
  const named = (['image/png', 'image/jpeg'] as const).find((type) => joined(data?.[type]) !== '')
  if (!named) return undefined
  const image_data = joined(data?.[named]).replace(/\s/g, '')
  const bytes = Buffer.from(image_data, 'base64')
  const media_type = imageType(bytes)
  const size = media_type && imageSize(bytes, media_type)
  if (!size) return `[${named} left out: it is damaged]`
  const isTooLarge = bytes.length > MAX_IMAGE_BYTES || Math.max(size.width, size.height) > MAX_IMAGE_PIXELS
  return isTooLarge
    ? `[${named} left out: ${size.width}×${size.height} pixels are too large]`
    : { image_data, media_type }
}

function withoutSurplusImages(cells: NotebookCell[]): NotebookCell[] {
  let images = 0
  const limit = (output: NotebookOutput): NotebookOutput => {
    if (!output.image) return output
    images += 1
    if (images <= MAX_IMAGES) return output
    const { image: _, text, ...rest } = output
    return { ...rest, text: `${text ? `${text}\n` : ''}[image left out: at most ${MAX_IMAGES} are shown]` }
  }
  return cells.map((cell) => (cell.outputs ? { ...cell, outputs: cell.outputs.map(limit) } : cell))
}

/** Notebooks keep text as a string or as a list of lines. */
function joined(value: unknown): string {
  if (Array.isArray(value)) return value.filter((part) => typeof part === 'string').join('')
  return typeof value === 'string' ? value : ''
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  // Any non-null, non-array object can be read by string keys.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch {
    // Not JSON: shown as the text it is.
    return undefined
  }
}

/** A cell can't end the tag it stands in. */
function harmless(source: string): string {
  return source.replace(/<(?=\/cell\b)/gi, '&lt;')
}
