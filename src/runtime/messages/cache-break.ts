/**
 * Which part of a request is not what it was in the one before it, in the order in which the API caches: what it had of all that
 * follows is of no use any more. Costs what changed, and a look at each tool and text before the messages; of the messages only the
 * last one, unless the whole conversation was replaced.
 */
import type { EngineRequest } from '../../engine/ports.js'
import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import type { SentRequest } from '../conversation.js'

/** What of the session's settings the cache goes by. */
export type CacheRelevantSettings = Pick<SentRequest, 'thinking' | 'fast'>

/** `words`: for people. `details`: for programs, beside `reason`. */
export type CacheBreak = { reason: string; words: string; details: Record<string, string> }

export function toSentRequest(
  { model, system, tools, messages }: EngineRequest,
  by: CacheRelevantSettings,
): SentRequest {
  return { model, system, tools, messages, count: messages.length, last: messages.at(-1), ...by, cached: false }
}

export function findCacheBreak(before: SentRequest, now: SentRequest): CacheBreak | undefined {
  if (before.model !== now.model)
    return changed('model', `from ${before.model} to ${now.model}`, { before: before.model, now: now.model })
  return (
    toolBreak(before.tools, now.tools) ??
    (before.fast === now.fast ? undefined : changed('speed', `fast mode is ${now.fast ? 'on' : 'off'}`, {})) ??
    systemBreak(before.system, now.system) ??
    (before.thinking === now.thinking ? undefined : changed('thinking', 'how much the model may think', {})) ??
    historyBreak(before, now.messages)
  )
}

function changed(reason: string, words: string, details: Record<string, string>): CacheBreak {
  return { reason, words, details }
}

function toolBreak(before: SentRequest['tools'], now: SentRequest['tools']): CacheBreak | undefined {
  if (before.length === now.length && before.every((tool, index) => isSame(tool, now[index]))) return undefined
  const earlier = new Map(before.map((tool) => [tool.name, tool]))
  const later = new Map(now.map((tool) => [tool.name, tool]))
  const names = {
    added: [...later.keys()].filter((name) => !earlier.has(name)),
    removed: [...earlier.keys()].filter((name) => !later.has(name)),
    changed: [...later].flatMap(([name, tool]) => (earlier.has(name) && !isSame(earlier.get(name), tool) ? name : [])),
  }
  const found = Object.entries(names).filter(([, list]) => list.length > 0)
  // The same tools, but the API goes by their order.
  if (found.length === 0) return changed('tools', 'in another order', { order: [...later.keys()].join(', ') })
  return changed(
    'tools',
    found.map(([what, list]) => `${what}: ${list.join(', ')}`).join('; '),
    Object.fromEntries(found.map(([what, list]) => [what, list.join(', ')])),
  )
}

function systemBreak(before: readonly string[], now: readonly string[]): CacheBreak | undefined {
  const block = firstDifference(before, now)
  if (block === undefined) return undefined
  return changed('system prompt', `in block ${block}`, { block: String(block) })
}

/** A conversation grows in place; so one in the same list is the same up to its last message. */
function historyBreak(before: SentRequest, now: readonly MessageParam[]): CacheBreak | undefined {
  const from = before.messages === now ? before.count - 1 : 0
  for (let index = Math.max(0, from); index < before.count; index++) {
    const one = index === before.count - 1 ? before.last : before.messages[index]
    const block = contentDifference(one, now[index])
    if (block === undefined) continue
    const words = block === null ? `from message ${index} on` : `from message ${index} on, in its block ${block}`
    return changed('history', words, { message: String(index), ...(block === null ? {} : { block: String(block) }) })
  }
  return undefined
}

/** The first block that is not the same; null where there is no such message. One that continues where it ended is the same. */
function contentDifference(before: MessageParam | undefined, now: MessageParam | undefined): number | null | undefined {
  if (before === now) return undefined
  if (!before || !now || before.role !== now.role) return null
  const blocks = blocksOf(before)
  const found = blocksOf(now)
  const at = blocks.findIndex((block, index) => !isSame(block, found[index]))
  return at < 0 ? undefined : at
}

function blocksOf({ content }: MessageParam): readonly ContentBlockParam[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function firstDifference(before: readonly string[], now: readonly string[]): number | undefined {
  const length = Math.max(before.length, now.length)
  for (let index = 0; index < length; index++) if (before[index] !== now[index]) return index
  return undefined
}

/** To the API, which sees text: an object that was made again with the same content is the same. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (other !== undefined && JSON.stringify(one) === JSON.stringify(other))
}
