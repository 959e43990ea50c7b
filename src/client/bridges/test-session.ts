/** A session for tests: a live view over log entries that the test writes, without a server. */

import type { SessionInfo } from '../../hub/session-types.js'
import type { ContentBlock, RawStreamEvent } from '../../protocol/content.js'
import type { SDKMessage, SDKResultMessage } from '../../protocol/messages.js'
import type { EntryBody, LogEntry } from '../../protocol/session-log/entries.js'
import type { FollowedItem } from '../event-source.js'
import { createLiveView } from '../live-view.js'
import { type Ask, type LiveView, ServerUnreachableError } from '../public-client.js'
import type { TurnSource } from './follow-turn.js'

/** Its log, which a reader gets at once, and what comes while it reads. */
export type TestSession = {
  session: TurnSource
  view: LiveView
  /** Writes entries. */
  log(...bodies: EntryBody[]): void
  /** Pieces of a message of the model that has no entry yet. */
  stream(...events: object[]): void
  /** The connection is lost; `connect()` makes another one. */
  lose(): void
  connect(): void
  /** Whether somebody reads the view. */
  isFollowed(): boolean
  /** The server ends the view. */
  end(error: Error): void
}

export const BRIDGE_TEST_SESSION_ID = '5e1f0000-0000-4000-8000-000000000000'
const at = (seq: number) => new Date(1_700_000_000_000 + seq * 1000).toISOString()

type Step = (ports: {
  onState?: (state: 'live' | 'lost', error?: Error) => void
  onConnect?: () => void
}) => FollowedItem[]

export function createTestSession(): TestSession {
  const entries: LogEntry[] = []
  const steps: Step[] = []
  let wake = () => {}
  let followers = 0
  const step = (next: Step) => {
    steps.push(next)
    wake()
  }
  const view = createLiveView({
    backoff: { firstMs: 1, longestMs: 1 },
    earlier: async () => ({ messages: [], earlier: 0 }),
    log: async (after) => ({ entries: entries.filter(({ seq }) => seq > after), last: entries.length }),
    async *follow({ after = 0, signal, onState, onConnect }) {
      followers += 1
      signal?.addEventListener('abort', () => (followers -= 1), { once: true })
      onState?.('live')
      onConnect?.()
      signal?.addEventListener('abort', () => wake(), { once: true })
      yield entries.filter(({ seq }) => seq > after)
      while (!signal?.aborted) {
        const ports = { ...(onState ? { onState } : {}), ...(onConnect ? { onConnect } : {}) }
        for (const next of steps.splice(0)) yield next(ports)
        await new Promise<void>((resolve) => {
          wake = resolve
          if (steps.length > 0 || signal?.aborted) resolve()
        })
      }
    },
  })
  return {
    view,
    isFollowed: () => followers > 0,
    // A turn needs the number of the last entry.
    session: {
      id: BRIDGE_TEST_SESSION_ID,
      view: () => view,
      info: async () => ({ seq: entries.length }) as SessionInfo,
    },
    log(...bodies) {
      const made = bodies.map((body, n): LogEntry => {
        const seq = entries.length + n + 1
        return { session: BRIDGE_TEST_SESSION_ID, seq, at: at(seq), ...body }
      })
      entries.push(...made)
      step(() => made)
    },
    stream(...events) {
      const seq = entries.length
      const items = events.map((event): FollowedItem => {
        // As the model's API has it; the test names what it needs.
        const data = {
          type: 'stream_event',
          event: event as RawStreamEvent,
          parent_tool_use_id: null,
          uuid: '',
          session_id: '',
        }
        return {
          session: BRIDGE_TEST_SESSION_ID,
          seq,
          at: at(seq),
          kind: 'delta',
          data: data as Extract<FollowedItem, { kind: 'delta' }>['data'],
        }
      })
      step(() => items)
    },
    lose: () => step(({ onState }) => (onState?.('lost', UNREACHABLE_SERVER_ERROR), [])),
    connect: () => step(({ onState, onConnect }) => (onState?.('live'), onConnect?.(), [])),
    end: (error) =>
      step(() => {
        throw error
      }),
  }
}

export const UNREACHABLE_SERVER_ERROR = new ServerUnreachableError({
  code: 'server_unreachable',
  message: 'Can’t reach http://127.0.0.1:4141.',
  fix: 'Start the server.',
})

const message = (fields: object): EntryBody => {
  // Messages have more fields, which the view doesn't read.
  const data = {
    uuid: `u-${JSON.stringify(fields).length}`,
    session_id: BRIDGE_TEST_SESSION_ID,
    ...fields,
  } as unknown as SDKMessage
  return { kind: 'message', data }
}

/** A prompt that is queued and started at once. */
export const queuedAndStartedPromptEntries = (id: string, content = 'go'): EntryBody[] => [
  { kind: 'prompt', data: { change: 'queued', prompt: { id, content, when: 'queue' } } },
  ...startedPromptEntries(id),
]
export const startedPromptEntries = (id: string): EntryBody[] => [
  { kind: 'state', data: { status: 'running' } },
  { kind: 'prompt', data: { change: 'started', id, message: `m-${id}` } },
]

/** What the model said, block by block, in one message; `parent` is the call of a sub-agent. */
export const assistantMessageEntry = (
  id: string,
  content: readonly object[],
  parent: string | null = null,
): EntryBody =>
  message({
    type: 'assistant',
    parent_tool_use_id: parent,
    message: {
      id,
      role: 'assistant',
      content: content as ContentBlock[],
      usage: { input_tokens: 1, output_tokens: 1 },
    },
  })

export const modelTextBlock = (words: string) => ({ type: 'text', text: words })
export const modelThinkingBlock = (words: string) => ({ type: 'thinking', thinking: words, signature: '' })
export const modelToolUseBlock = (id: string, name: string, input: object = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
})

/** The result of a call. */
export const callResultEntry = (
  id: string,
  content: string | readonly object[],
  isError = false,
  parent: string | null = null,
) =>
  message({
    type: 'user',
    parent_tool_use_id: parent,
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content, is_error: isError }] },
  })

export const openRequestEntries = (id: string, useId: string, name: string, more: Partial<Ask> = {}): EntryBody[] => [
  { kind: 'state', data: { status: 'needs-you' } },
  {
    kind: 'ask',
    data: {
      id,
      session: BRIDGE_TEST_SESSION_ID,
      kind: 'permission',
      agent: [],
      tool: { name, input: { command: 'ls' }, hash: 'h', useId },
      why: { layer: 'mode', text: 'The mode asks.' },
      suggestions: [],
      since: at(0),
      ...more,
    },
  },
]

/** The form of an MCP server, which is about no call. */
export const openFormEntries = (id: string, elicitation: NonNullable<Ask['elicitation']>): EntryBody[] =>
  openRequestEntries(id, '', '', { kind: 'elicitation', elicitation }).map((body) => {
    if (body.kind !== 'ask') return body
    const { tool: _, ...data } = body.data
    return { kind: 'ask', data }
  })

export const answeredRequestEntries = (
  id: string,
  answer: Extract<EntryBody, { kind: 'answered' }>['data']['answer'],
): EntryBody[] => [
  { kind: 'answered', data: { ask: id, answer, by: { name: 'Ada' } } },
  { kind: 'state', data: { status: 'running' } },
]

export const warningNoticeEntry = (content: string): EntryBody =>
  message({ type: 'system', subtype: 'informational', level: 'warning', content })

/** The turn's result, and the end of its prompt. */
export const turnEndEntries = (id: string, fields: Partial<SDKResultMessage> = {}): EntryBody[] => [
  message({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'ok',
    duration_ms: 5,
    total_cost_usd: 0.5,
    usage: { input_tokens: 3, output_tokens: 4 },
    modelUsage: {},
    ...fields,
  }),
  { kind: 'prompt', data: { change: 'done', id, result: 'r' } },
  { kind: 'state', data: { status: 'idle' } },
]

/** All that a stream brings. */
export async function collectStream<C>(stream: ReadableStream<C>): Promise<C[]> {
  const all: C[] = []
  const reader = stream.getReader()
  for (;;) {
    const { value, done: isDone } = await reader.read()
    if (isDone) return all
    all.push(value)
  }
}

/** What a stream brings until it has this. */
export async function readUntil<C>(reader: ReadableStreamDefaultReader<C>, isIt: (chunk: C) => boolean): Promise<C[]> {
  const all: C[] = []
  for (;;) {
    const { value, done: isDone } = await reader.read()
    if (isDone) throw new Error(`The stream ended: ${JSON.stringify(all)}`)
    all.push(value)
    if (isIt(value)) return all
  }
}
