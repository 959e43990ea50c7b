/** A message taken apart into what these APIs keep apart: what was said, what was called, what came of it. */
import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  SearchResultBlockParam,
  TextBlockParam,
  ToolResultBlockParam,
} from '../../protocol/content.js'
import { escapeLoneSurrogates } from '../client/well-formed.js'

export type MessagePart =
  | { type: 'text'; text: string }
  | { type: 'image'; url: string }
  | { type: 'file'; data: string }

/** What can't be sent is said in its place, so that nobody believes it was seen. */
const NO_SIGHT = '[An image was left out: this model can not see.]'
const NO_FILE = '[A document was left out: this model can not read it.]'

/** `canCall`: false tells of calls in words, for a model that has none. */
export function messageBlocks({ content }: MessageParam, canCall = true): readonly ContentBlockParam[] {
  const blocks: readonly ContentBlockParam[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return canCall ? blocks : blocks.map(inWords)
}

function inWords(block: ContentBlockParam): ContentBlockParam {
  if (block.type === 'tool_use') return { type: 'text', text: `[Called ${block.name}: ${inputAsJson(block.input)}]` }
  if (block.type !== 'tool_result') return block
  return { type: 'text', text: `[Its result: ${textOfParts(toolResultParts(block, false))}]` }
}

/** The input of a call, as these APIs carry it: JSON in a text. */
export function inputAsJson(input: unknown): string {
  return escapeLoneSurrogates(JSON.stringify(input ?? {}))
}

/**
 * Converts a content block for the API of another service. Undefined: a block that has no meaning here. Blank text is
 * left out, as everywhere.
 */
export function toMessagePart(block: ContentBlockParam, canSee: boolean): MessagePart | undefined {
  switch (block.type) {
    case 'text':
      return /\S/.test(block.text) ? { type: 'text', text: block.text } : undefined
    case 'image':
      return imagePart(block, canSee)
    case 'document':
      return documentPart(block)
    case 'search_result':
      return { type: 'text', text: searchText(block) }
    case 'tool_reference':
      return { type: 'text', text: `Found: ${block.tool_name}` }
    default:
      return undefined
  }
}

/** A result that says nothing is still one. */
export function toolResultParts({ content = '', is_error }: ToolResultBlockParam, canSee: boolean): MessagePart[] {
  const blocks: readonly ContentBlockParam[] = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const parts = blocks.flatMap((block) => toMessagePart(block, canSee) ?? [])
  // There is no flag for it: the word has to do.
  const opening: MessagePart[] = is_error && !startsAsError(parts[0]) ? [{ type: 'text', text: 'Error:' }] : []
  const all = [...opening, ...parts]
  return all.length > 0 ? all : [{ type: 'text', text: '(no output)' }]
}

export function textOfParts(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function startsAsError(part: MessagePart | undefined): boolean {
  return part?.type === 'text' && /^\s*(?:<tool_use_error>|error\b)/i.test(part.text)
}

function imagePart({ source }: ImageBlockParam, canSee: boolean): MessagePart {
  if (!canSee) return { type: 'text', text: NO_SIGHT }
  if (source.type === 'base64') return { type: 'image', url: `data:${source.media_type};base64,${source.data}` }
  return source.type === 'url' ? { type: 'image', url: source.url } : { type: 'text', text: NO_SIGHT }
}

function documentPart({ source }: DocumentBlockParam): MessagePart {
  switch (source.type) {
    case 'base64':
      return { type: 'file', data: `data:${source.media_type};base64,${source.data}` }
    case 'text':
      return { type: 'text', text: source.data }
    case 'content':
      return { type: 'text', text: typeof source.content === 'string' ? source.content : textsOf(source.content) }
    default:
      return { type: 'text', text: NO_FILE }
  }
}

function textsOf(blocks: readonly (TextBlockParam | ImageBlockParam)[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
}

function searchText({ title, source, content }: SearchResultBlockParam): string {
  return `${title} (${source})\n${content.map(({ text }) => text).join('\n')}`
}
