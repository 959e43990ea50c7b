/** Reads a session back: the chain of lines to its latest message, as a conversation the API accepts. */

import type { FileSystem } from '../platform/files.js'
import type { ContentBlockParam, MessageParam } from '../protocol/content.js'

export type LoadedSession = {
  messages: MessageParam[]
  /** The line new ones follow. */
  leaf: string | null
  /** Ids of user messages already seen: a second one with the same id is dropped. */
  uuids: Set<string>
  /** What had to be mended, for people. */
  repairs: string[]
}

type Line = {
  uuid: string
  parentUuid: string | null
  type: 'user' | 'assistant'
  message: MessageParam & { id?: string; model?: string }
  isApiErrorMessage?: boolean
}

/** Undefined when there is no such message to cut at. */
export async function loadSession(files: FileSystem, path: string, cutAt?: string): Promise<LoadedSession | undefined> {
  const text = new TextDecoder().decode(await files.read(path))
  const repairs: string[] = []
  const lines = new Map<string, Line>()
  let leaf: Line | undefined
  text.split('\n').forEach((raw, index) => {
    if (raw.trim() === '') return
    const line = decodeLine(raw)
    if (line === 'damaged') repairs.push(`line ${index + 1} of the session file is damaged and was skipped`)
    else if (line && !lines.has(line.uuid)) {
      lines.set(line.uuid, line)
      leaf = line
    }
  })
  if (cutAt !== undefined) {
    leaf = lines.get(cutAt)
    if (!leaf) return undefined
  }
  const chain = chainTo(leaf, lines)
  return {
    messages: toMessages(chain, repairs),
    leaf: leaf?.uuid ?? null,
    uuids: new Set([...lines.values()].filter(({ type }) => type === 'user').map(({ uuid }) => uuid)),
    repairs,
  }
}

function decodeLine(raw: string): Line | 'damaged' | undefined {
  let value: unknown
  try {
    value = JSON.parse(raw)
  } catch {
    return 'damaged'
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return undefined
  if (value.type !== 'user' && value.type !== 'assistant') return undefined
  if ('isSidechain' in value && value.isSidechain === true) return undefined
  if (!('uuid' in value) || typeof value.uuid !== 'string') return undefined
  const message = 'message' in value ? value.message : undefined
  if (typeof message !== 'object' || message === null || !('content' in message)) return undefined
  if (typeof message.content !== 'string' && !Array.isArray(message.content)) return undefined
  // A line of ours or of the original: its message came from the API or a host and has one of their shapes.
  return value as Line
}

function chainTo(leaf: Line | undefined, lines: Map<string, Line>): Line[] {
  const chain: Line[] = []
  const seen = new Set<string>()
  for (let line = leaf; line && !seen.has(line.uuid); line = line.parentUuid ? lines.get(line.parentUuid) : undefined) {
    seen.add(line.uuid)
    chain.push(line)
  }
  return chain.reverse()
}

function toMessages(chain: readonly Line[], repairs: string[]): MessageParam[] {
  const messages: { role: 'user' | 'assistant'; content: ContentBlockParam[] }[] = []
  for (const line of chain) {
    if (line.isApiErrorMessage || line.message.model === '<synthetic>') continue
    const content = blocksOf(line.message.content).filter(isSendable)
    if (content.length === 0) continue
    const last = messages.at(-1)
    if (last?.role === line.type) last.content.push(...content)
    else messages.push({ role: line.type, content })
  }
  return messages.flatMap((message, index) => [message, ...missingResults(message, messages[index + 1], repairs)])
}

/** A call without a result was cut off by a crash or an abort: say so to the model, and run nothing again. */
function missingResults(
  message: { role: string; content: ContentBlockParam[] },
  next: { role: string; content: ContentBlockParam[] } | undefined,
  repairs: string[],
): MessageParam[] {
  if (message.role !== 'assistant') return []
  const answered = new Set(next?.content.flatMap((block) => (block.type === 'tool_result' ? block.tool_use_id : [])))
  const missing = message.content.flatMap((block) =>
    block.type === 'tool_use' && !answered.has(block.id) ? block : [],
  )
  if (missing.length === 0) return []
  repairs.push(`${missing.length} tool call(s) had no result and were marked as interrupted`)
  const results = missing.map(
    ({ id }): ContentBlockParam => ({
      type: 'tool_result',
      content: 'This call was interrupted before it returned a result. It may or may not have taken effect.',
      is_error: true,
      tool_use_id: id,
    }),
  )
  if (!next) return [{ role: 'user', content: results }]
  next.content.unshift(...results)
  return []
}

function blocksOf(content: string | ContentBlockParam[]): ContentBlockParam[] {
  if (typeof content !== 'string') return [...content]
  return content === '' ? [] : [{ type: 'text', text: content }]
}

/** The API refuses empty texts and thinking without its signature. */
function isSendable(block: ContentBlockParam): boolean {
  if (block.type === 'text') return block.text !== ''
  return block.type !== 'thinking' || Boolean(block.signature)
}
