/** A model request as a person reads it: the numbers, and of the messages only what is new since an earlier request. */
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { MessagesBody } from '../../testing/observed-request.js'

const MOST_TEXT = 5000

/** Returns what shows requests one after the other. `limit`: longer texts lose their middle. */
export function createRequestDescriber(limit = MOST_TEXT): (number: number, body: MessagesBody) => string {
  const earlier: { number: number; messages: string[]; tools: string }[] = []
  return (number, body) => {
    const messages = body.messages.map((message) => JSON.stringify(withoutMarks(message)))
    const parent = earlier
      .map((one) => ({ ...one, same: sameStart(one.messages, messages) }))
      .filter(({ same }) => same > 0)
      .sort((a, b) => a.same - b.same || a.number - b.number)
      .at(-1)
    const tools = (body.tools ?? []).map(({ name }) => name).join(' ')
    earlier.push({ number, messages, tools })
    const system = (Array.isArray(body.system) ? body.system.map(({ text }) => text) : [body.system ?? '']).join('\n')
    const from = parent ? `continues ${parent.number}` : 'a new conversation'
    const lines = [
      `=== request ${number} (${from}) · ${body.model} · system ${system.length} characters · ${body.tools?.length ?? 0} tools`,
      ...(parent ? [] : [cut(system, limit), '']),
      ...(parent?.tools === tools ? [] : [`tools: ${tools}`]),
    ]
    for (const { role, content } of body.messages.slice(parent?.same ?? 0)) {
      lines.push(`--- ${role}`)
      const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
      for (const block of blocks) lines.push(cut(blockText({ ...block }), limit))
    }
    return `${lines.join('\n')}\n`
  }
}

function sameStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((text, index) => text !== b[index])
  return at < 0 ? a.length : at
}

function withoutMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMarks)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (key === 'cache_control' ? [] : [[key, withoutMarks(one)]])),
  )
}

function blockText(block: JsonObject): string {
  const { type } = block
  if (type === 'text') return String(block['text'])
  if (type === 'thinking') return `(thinking) ${block['thinking']}`
  if (type === 'tool_use') return `> ${block['name']} ${JSON.stringify(block['input'])}`
  if (type !== 'tool_result') return `[${type}]`
  const { content } = block
  const inner = Array.isArray(content) ? content.map((one) => blockText(isObject(one) ? one : {})).join('\n') : content
  return `[result${block['is_error'] === true ? ', an error' : ''}] ${inner ?? ''}`
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = Math.floor(limit / 4)
  return `${text.slice(0, limit - end)}\n… ${text.length - limit} characters left out …\n${text.slice(-end)}`
}
