/** What a prompt cache that follows the Messages API's rules would have read and written, with four characters to a token. */
import { createHash } from 'node:crypto'
import type { Usage } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { MessagesBody } from '../../testing/observed-request.js'

/** How many blocks before a mark are looked at for something that is kept. */
const LOOK_BACK = 20
const CHARACTERS_PER_TOKEN = 4

export const approximateTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

/** Counts the tokens of requests as they come. Each cache starts empty. */
export type PromptCacheSimulator = { take(body: MessagesBody, answer: unknown): Usage }

export function createPromptCacheSimulator(): PromptCacheSimulator {
  const kept = new Set<string>()
  return {
    take(body, answer) {
      const { blocks, marks } = blocksOf(body)
      const hashes: string[] = []
      const ends: number[] = []
      for (const text of blocks) {
        const before = hashes.at(-1) ?? body.model
        hashes.push(createHash('sha1').update(before).update(text).digest('base64'))
        ends.push((ends.at(-1) ?? 0) + text.length)
      }
      const hit = lastHit(hashes, marks, kept)
      const upTo = (at: number | undefined) => (at === undefined ? 0 : (ends[at] ?? 0))
      const read = upTo(hit)
      const written = Math.max(0, upTo(marks.at(-1)) - read)
      for (const mark of marks) kept.add(hashes[mark] ?? '')
      return {
        input_tokens: approximateTokens(upTo(blocks.length - 1) - read - written),
        cache_creation_input_tokens: approximateTokens(written),
        cache_read_input_tokens: approximateTokens(read),
        output_tokens: approximateTokens(JSON.stringify(answer).length),
      }
    },
  }
}

/** The last block up to which something is kept. */
function lastHit(hashes: readonly string[], marks: readonly number[], kept: ReadonlySet<string>): number | undefined {
  for (const mark of [...marks].reverse()) {
    for (let at = mark; at >= 0 && at > mark - LOOK_BACK; at -= 1) if (kept.has(hashes[at] ?? '')) return at
  }
  return undefined
}

/** Everything the model reads, in the order in which it is cached, and which blocks are marked. */
function blocksOf(body: MessagesBody): { blocks: string[]; marks: number[] } {
  const blocks: string[] = []
  const marks: number[] = []
  const add = (block: unknown, prefix = '') => {
    if (isObject(block)) {
      const { cache_control: mark, ...rest } = block
      blocks.push(`${prefix}${JSON.stringify(rest)}`)
      if (mark) marks.push(blocks.length - 1)
    } else blocks.push(`${prefix}${JSON.stringify({ type: 'text', text: block })}`)
  }
  // The API inserts deferred tools where a reference names them.
  for (const tool of body.tools ?? []) if (!(isObject(tool) && tool['defer_loading'])) add(tool)
  for (const block of Array.isArray(body.system) ? body.system : body.system ? [body.system] : []) add(block)
  for (const { role, content } of body.messages) {
    for (const block of Array.isArray(content) ? content : [content]) add(block, `${role}:`)
  }
  if (body['cache_control']) marks.push(blocks.length - 1)
  return { blocks, marks }
}
