/** What a server's tool gave back, as the model reads it: text, images, notes for what a model can't take, and a bound on all of it. */
import type { ToolOutcome } from '../engine/ports.js'
import type { ToolResultContent } from '../protocol/content.js'
import { isObject, type JsonObject } from '../protocol/json.js'
import { cleanServerLine } from './clean-text.js'

export type ResultPorts = {
  maxTokens: number
  /** Keeps something that does not fit into the conversation; resolves with its path, undefined when it can't. */
  keep(content: string | Uint8Array, extension: string): Promise<string | undefined>
  /** What is wrong with a value, by the schema of the tool; empty when nothing is. */
  checkOutput(schema: JsonObject, value: unknown): Promise<readonly string[]>
}

/** Rough, and on the safe side for prose. */
const CHARACTERS_PER_TOKEN = 4
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']
/** The API takes 5 MB; base64 is a third longer. */
const MAX_IMAGE_BASE64 = 6_900_000
const MAX_BLOCKS = 200

export async function toToolOutcome(
  result: JsonObject,
  outputSchema: JsonObject | undefined,
  ports: ResultPorts,
): Promise<ToolOutcome> {
  const given = Array.isArray(result['content']) ? result['content'] : []
  const blocks: ToolResultContent[] = []
  for (const block of given.slice(0, MAX_BLOCKS)) blocks.push(...(await toResultBlocks(block, ports)))
  if (given.length > MAX_BLOCKS) blocks.push(await keepRest(given.slice(MAX_BLOCKS), ports))
  if (result['isError'] === true) {
    const text = textOf(blocks) || 'The tool reported an error and gave no reason.'
    const [bounded] = await boundResultText([{ type: 'text', text }], ports)
    return { ok: false, error: bounded?.type === 'text' ? bounded.text : text }
  }
  const structured = result['structuredContent']
  if (isObject(structured)) {
    const problems = outputSchema ? await ports.checkOutput(outputSchema, structured) : []
    if (problems.length > 0) {
      // It ran: an error would make the model call it again.
      const why = cleanServerLine(problems.join('; '), 500)
      const shown = await boundResultText([...blocks, note(`structured result left out: ${why}`)], ports)
      return { ok: true, content: shown, output: shown }
    }
    const text = JSON.stringify(structured)
    const others = blocks.filter(({ type }) => type !== 'text')
    const shown = await boundResultText([{ type: 'text', text }, ...others], ports)
    const [only] = shown
    const content = shown.length === 1 && only?.type === 'text' ? only.text : shown
    return { ok: true, content, output: { content, structuredContent: structured } }
  }
  const shown = await boundResultText(blocks, ports)
  return { ok: true, content: shown, output: shown }
}

/** Resources are shown the same way, wherever they come from. */
export async function toResultBlocks(block: unknown, ports: Pick<ResultPorts, 'keep'>): Promise<ToolResultContent[]> {
  if (!isObject(block)) return [note('a part of the result that is no object is left out')]
  const { type, text, data, mimeType } = block
  switch (type) {
    case 'text':
      return typeof text === 'string' ? [{ type: 'text', text }] : [note('a text without text is left out')]
    case 'image':
      return [await toImage(data, mimeType, ports)]
    case 'audio':
      return [await keepBytesInFile('audio', data, mimeType, ports)]
    case 'resource_link': {
      const name = cleanServerLine(block['title']) || cleanServerLine(block['name'])
      const about = cleanServerLine(block['description'], 500)
      return [note(`resource ${name}: ${cleanServerLine(block['uri'], 2000)}${about === '' ? '' : ` (${about})`}`)]
    }
    case 'resource': {
      const resource = block['resource']
      if (!isObject(resource)) return [note('a resource without content is left out')]
      const from = note(`resource ${cleanServerLine(resource['uri'], 2000)}`)
      if (typeof resource['text'] === 'string') return [from, { type: 'text', text: resource['text'] }]
      const isImage = IMAGE_TYPES.some((known) => known === resource['mimeType'])
      const show = isImage ? toImage : (blob: unknown, mime: unknown) => keepBytesInFile('file', blob, mime, ports)
      return [from, await show(resource['blob'], resource['mimeType'], ports)]
    }
    default:
      return [note(`a part of type ${cleanServerLine(String(type), 60)} is left out: it is not known here`)]
  }
}

/** More parts than anybody looks at: in a file, texts as they are, a line of JSON for anything else. */
async function keepRest(rest: readonly unknown[], { keep }: Pick<ResultPorts, 'keep'>): Promise<ToolResultContent> {
  const lines = rest.map((block) => {
    const isText = isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string'
    return isText ? block['text'] : JSON.stringify(block)
  })
  const path = await keep(lines.join('\n'), 'txt')
  return note(`${rest.length} further parts are ${path === undefined ? 'left out' : `in ${path}`}`)
}

function note(text: string): { type: 'text'; text: string } {
  return { type: 'text', text: `[${text}]` }
}

async function toImage(data: unknown, mimeType: unknown, ports: Pick<ResultPorts, 'keep'>): Promise<ToolResultContent> {
  const media = IMAGE_TYPES.find((known) => known === mimeType)
  if (!isBase64(data)) return note('an image is left out: its data is not base64')
  if (!media || data.length > MAX_IMAGE_BASE64) return keepBytesInFile('image', data, mimeType, ports)
  // One of the four just above.
  return { type: 'image', source: { data, media_type: media as 'image/png', type: 'base64' } }
}

/** What a model can't take is kept in a file, and named. */
export async function keepBytesInFile(
  what: string,
  data: unknown,
  mimeType: unknown,
  ports: Pick<ResultPorts, 'keep'>,
): Promise<ToolResultContent> {
  if (!isBase64(data)) return note(`${what} left out: its data is not base64`)
  const bytes = Uint8Array.from(atob(data.replace(/[\r\n]+/g, '')), (character) => character.charCodeAt(0))
  const mime = cleanServerLine(mimeType, 60)
  const path = await ports.keep(bytes, extensionOf(mime))
  const about = `${what}${mime === '' ? '' : ` of type ${mime}`}, ${bytes.length} bytes`
  return note(path === undefined ? `${about}: it can't be shown or kept` : `${about}, kept in ${path}`)
}

function extensionOf(mimeType: string): string {
  const [, kind = 'bin'] = /^[a-z]+\/(?:x-)?([a-z0-9]{1,10})(?:[;+].*)?$/i.exec(mimeType) ?? []
  return kind.toLowerCase()
}

function isBase64(data: unknown): data is string {
  if (typeof data !== 'string' || data === '' || /[^A-Za-z0-9+/=\r\n]/.test(data)) return false
  const digits = data.replace(/[\r\n]+/g, '')
  const padding = digits.indexOf('=')
  const used = padding < 0 ? digits.length : padding
  return used > 0 && digits.length % 4 === 0 && digits.length - used <= 2 && /^=*$/.test(digits.slice(used))
}

function textOf(blocks: readonly ToolResultContent[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
}

/** Text beyond the limit goes into a file, and the model is told where; images count for nothing here. */
export async function boundResultText(
  blocks: readonly ToolResultContent[],
  { maxTokens, keep }: Pick<ResultPorts, 'maxTokens' | 'keep'>,
): Promise<ToolResultContent[]> {
  const limit = maxTokens * CHARACTERS_PER_TOKEN
  const text = textOf(blocks)
  if (text.length <= limit) return [...blocks]
  const path = await keep(text, 'txt')
  const rest = path === undefined ? 'the rest could not be kept' : `the whole is in ${path}: read parts of it as needed`
  const shown = `${text.slice(0, limit)}\n[${text.length - limit} more characters are left out here (MAX_MCP_OUTPUT_TOKENS); ${rest}]`
  return [{ type: 'text', text: shown }, ...blocks.filter(({ type }) => type !== 'text')]
}
