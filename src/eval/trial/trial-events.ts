/** What was said in a trial, from either place it is kept: the session files of the agent, or the endpoint of a mind. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { costOfUsage, modelPrice } from '../../model/pricing.js'
import type { Usage } from '../../protocol/content.js'
import { isObject, type JsonObject } from '../../protocol/json.js'
import type { MindExchange } from '../minds/model-endpoint.js'

/** A message of a conversation, with the blocks that are new in it. */
export type TrialEvent = {
  /** Empty for the main conversation; otherwise one sub-agent's. */
  conversation: string
  role: 'user' | 'assistant'
  at: string
  blocks: readonly JsonObject[]
  /** For a response: its id, the model, and the usage. */
  id?: string
  model?: string
  usage?: Usage
}

/** One model request, whatever it was for. */
export type RequestSpending = { model: string; usage: Usage; costUsd: number }

export type TrialLog = { events: TrialEvent[]; spendings: RequestSpending[] }

const asBlocks = (content: unknown): JsonObject[] => {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isObject) : []
}

/** From the session files below a configuration folder. */
export function readTrialLog(configFolder: string): TrialLog {
  const projects = join(configFolder, 'projects')
  const events: TrialEvent[] = []
  const spendings: RequestSpending[] = []
  for (const file of listSessions(projects)) {
    const conversation = /agent-([\w-]+)\.jsonl$/.exec(file)?.[1] ?? ''
    for (const text of readFileSync(file, 'utf8').split('\n')) {
      const line = parse(text)
      if (!line) continue
      const spent = spendingOf(line['kedge'])
      if (spent) spendings.push(spent)
      const event = eventOf(line, conversation)
      if (event) events.push(event)
    }
  }
  events.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
  return { events, spendings }
}

function listSessions(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
  } catch {
    // An agent that keeps no sessions.
    return []
  }
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function spendingOf(entry: unknown): RequestSpending | undefined {
  if (!isObject(entry) || entry['type'] !== 'cost-entry' || !isObject(entry['usage'])) return undefined
  // The agent's own line, read field by field.
  const usage = entry['usage'] as unknown as Usage
  return { model: String(entry['model']), usage, costUsd: Number(entry['costUSD']) || 0 }
}

function eventOf(line: JsonObject, conversation: string): TrialEvent | undefined {
  const { type, message, timestamp } = line
  if ((type !== 'user' && type !== 'assistant') || !isObject(message)) return undefined
  return {
    conversation,
    role: type,
    at: String(timestamp ?? ''),
    blocks: asBlocks(message['content']),
    ...(typeof message['id'] === 'string' ? { id: message['id'] } : {}),
    ...(typeof message['model'] === 'string' ? { model: message['model'] } : {}),
  }
}

/** From a mind's endpoint: what is new in each request, and each answer. */
export function eventsOfExchanges(exchanges: readonly MindExchange[]): TrialLog {
  const events: TrialEvent[] = []
  const [first] = exchanges
  for (const [index, { at, request, answer, usage }] of exchanges.entries()) {
    const conversation = request.opening === first?.request.opening ? '' : request.opening.slice(0, 60)
    const last = request.body.messages.at(-1)
    if (last?.role === 'user') events.push({ conversation, role: 'user', at, blocks: asBlocks(last.content) })
    const blocks: JsonObject[] = [
      ...(answer.thinking ? [{ type: 'thinking', thinking: answer.thinking }] : []),
      ...(answer.text ? [{ type: 'text', text: answer.text }] : []),
      ...(answer.tools ?? []).map((call) => ({ type: 'tool_use', ...call })),
      ...asBlocks(answer.content),
    ]
    const { model } = request.body
    events.push({ conversation, role: 'assistant', at, blocks, id: `request-${index + 1}`, model, usage })
  }
  return { events, spendings: exchanges.map(({ request, usage }) => spend(request.body.model, usage)) }
}

function spend(model: string, usage: Usage): RequestSpending {
  const tag = modelPrice(model)
  return { model, usage, costUsd: (tag && costOfUsage(tag, usage)) ?? 0 }
}
