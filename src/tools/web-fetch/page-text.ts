/** The text of a page for a model to read, from its bytes and what the server says they are. */
import { htmlToMarkdown } from '../../platform/documents/html-markdown.js'
import { cutAtCharacter, removeHiddenCharacters } from './plain-text.js'

export type PageText = { text: string; cut: boolean }

type Kind = 'html' | 'text'

/** Undefined for what is not text. Without a type, the bytes will tell. */
export function pageKindOfContentType(contentType: string): Kind | 'unknown' | undefined {
  const type = mediaType(contentType)
  if (type === '') return 'unknown'
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  const isText =
    type.startsWith('text/') ||
    /[/+](?:json|xml|yaml)$/.test(type) ||
    /^application\/(?:x-)?(?:javascript|ecmascript|typescript|ndjson|json-seq|yaml|toml|sh|markdown|sql|graphql|tex|latex)$/.test(
      type,
    )
  return isText ? 'text' : undefined
}

export function mediaType(contentType: string): string {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
}

/** Undefined when the bytes are no text after all. */
export async function decodePageText(
  bytes: Uint8Array,
  contentType: string,
  options: { base: string; limit: number; signal: AbortSignal },
): Promise<PageText | undefined> {
  const text = decode(bytes, contentType)
  if (text === undefined) return undefined
  const declared = pageKindOfContentType(contentType)
  const kind =
    declared === 'unknown' ? (/^\s*<(?:!doctype html|html|head|body)\b/i.test(text) ? 'html' : 'text') : declared
  if (kind !== 'html')
    return { text: removeHiddenCharacters(cutAtCharacter(text, options.limit)), cut: text.length > options.limit }
  const { title, markdown, cut } = await htmlToMarkdown({ html: text, base: options.base }, options.signal)
  const whole = title === '' ? markdown : `Title: ${title}\n\n${markdown}`
  return {
    text: removeHiddenCharacters(cutAtCharacter(whole, options.limit)).trim(),
    cut: cut || whole.length > options.limit,
  }
}

/** By byte order mark, header or declaration, in this order; else UTF-8 or, where that can't be, the old Windows one. */
function decode(bytes: Uint8Array, contentType: string): string | undefined {
  const label = markedCharset(bytes) ?? charsetOf(contentType) ?? declaredCharset(bytes)
  const decoder = label === undefined ? undefined : decoderFor(label)
  if (decoder) return decodeWhole(decoder, bytes)
  if (bytes.subarray(0, 8192).includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return decodeWhole(new TextDecoder('windows-1252'), bytes)
  }
}

/** In one piece, Node 20 takes the old Windows encoding for Latin-1, which has no quotes, dashes and euros. */
function decodeWhole(decoder: InstanceType<typeof TextDecoder>, bytes: Uint8Array): string {
  return decoder.decode(bytes, { stream: true }) + decoder.decode()
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    // No such character set: as good as none named.
    return undefined
  }
}

function markedCharset(bytes: Uint8Array): string | undefined {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined
}

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType)?.[1]
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, 2048))
  const declared =
    /^\s*<\?xml\s[^>]{0,200}?encoding\s*=\s*["']([\w.:-]+)/i.exec(start) ??
    /<meta\s[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(start)
  // If the declaration could be read as bytes, the page isn't in UTF-16, whatever it declares.
  return declared?.[1] && (/^utf-?16/i.test(declared[1]) ? 'utf-8' : declared[1])
}
