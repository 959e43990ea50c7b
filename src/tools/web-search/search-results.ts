/** What the API's own search answered, taken apart: hits, notes and failures, in the order they came. */
import { parseUrl } from '../../platform/web/parse-url.js'
import type { ContentBlock } from '../../protocol/content.js'
import { cutAtCharacter, removeHiddenCharacters } from '../web-fetch/plain-text.js'

export type WebHit = { title: string; url: string; age: string }

export type SearchResponsePart =
  | { type: 'hits'; id: string; hits: WebHit[] }
  | { type: 'notes'; text: string }
  | { type: 'error'; text: string }

/** Content of web pages may be anything; what is not a hit as documented is left out. */
export function readSearchParts(content: readonly ContentBlock[]): SearchResponsePart[] {
  const parts: SearchResponsePart[] = []
  for (const block of content) {
    const last = parts.at(-1)
    if (block.type === 'text') {
      // Citations cut one sentence into many blocks.
      if (last?.type === 'notes') last.text += block.text
      else if (block.text.trim() !== '') parts.push({ type: 'notes', text: block.text })
    } else if (block.type === 'web_search_tool_result') {
      parts.push(readResult(block.tool_use_id, block.content))
    }
  }
  return parts.map((part) =>
    part.type === 'notes' ? { ...part, text: removeHiddenCharacters(part.text).trim() } : part,
  )
}

function readResult(id: unknown, content: unknown): SearchResponsePart {
  if (Array.isArray(content)) {
    return { type: 'hits', id: String(id), hits: content.flatMap((item) => readHit(item) ?? []) }
  }
  const code = isObject(content) && typeof content['error_code'] === 'string' ? content['error_code'] : 'unknown'
  return {
    type: 'error',
    text: `A search failed: ${REASONS.get(code) ?? 'no reason is known'} (${removeHiddenCharacters(code).slice(0, 50)}).`,
  }
}

function readHit(item: unknown): WebHit | undefined {
  if (!isObject(item) || typeof item['url'] !== 'string') return undefined
  const { protocol, href } = parseUrl(item['url']) ?? { protocol: '', href: '' }
  if ((protocol !== 'http:' && protocol !== 'https:') || href.length > 2000) return undefined
  return { title: oneLine(item['title'], 300) || href, url: href, age: oneLine(item['page_age'], 50) }
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['too_many_requests', 'too many searches at once; try again later'],
  ['invalid_tool_input', 'the query or a domain is not valid'],
  ['invalid_input', 'the query or a domain is not valid'],
  ['max_uses_exceeded', 'the limit of searches for one call was reached'],
  ['query_too_long', 'the query is too long'],
  ['request_too_large', 'the request is too large'],
  ['unavailable', 'the search service is not available right now'],
])

function oneLine(value: unknown, limit: number): string {
  if (typeof value !== 'string') return ''
  return cutAtCharacter(removeHiddenCharacters(value).replace(/\s+/g, ' ').trim(), limit)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
