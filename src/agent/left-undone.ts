/** What a session leaves undone when it is ended from outside, for whoever reads the log of the job. */
import type { BackgroundTask } from '../engine/background-port.js'
import type { ContentBlockParam, MessageParam } from '../protocol/content.js'

export type UnfinishedWork = {
  inTurn: boolean
  /** The calls of its last message have no results as long as they run. */
  messages: readonly MessageParam[]
  waiting: number
  tasks: readonly Pick<BackgroundTask, 'id' | 'description'>[]
}

/** Returns a sentence on what a session leaves undone when it ends. Undefined: nothing. */
export function describeUnfinishedWork({ inTurn, messages, waiting, tasks }: UnfinishedWork): string | undefined {
  const last = messages.at(-1)
  const calls = inTurn && last?.role === 'assistant' && Array.isArray(last.content) ? last.content.flatMap(toCall) : []
  const parts = [
    ...(inTurn ? [`the turn${calls.length > 0 ? `, in ${calls.join(', ')}` : ''}`] : []),
    ...(waiting > 0 ? [`${waiting} waiting message${waiting === 1 ? '' : 's'}`] : []),
    ...tasks.map(({ id, description }) => `background task ${id} (${short(description)})`),
  ]
  return parts.length === 0 ? undefined : parts.join('; ')
}

function toCall(block: ContentBlockParam): string[] {
  if (block.type !== 'tool_use') return []
  const input = typeof block.input === 'object' && block.input !== null ? Object.values(block.input) : []
  const first = input.find((value) => typeof value === 'string')
  return [typeof first === 'string' ? `${block.name} (${short(first)})` : block.name]
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}
