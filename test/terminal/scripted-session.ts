/** A scripted whose log the test writes, and which notes what the terminal does to it. */

import type { SessionInfo } from '../../src/hub/session-types.js'
import type { SDKMessage, SDKPartialAssistantMessage, SDKToolProgressMessage } from '../../src/protocol/messages.js'
import type { Ask, AskAnswer } from '../../src/protocol/session-log/ask-types.js'
import type { EntryBody, LogItem } from '../../src/protocol/session-log/entries.js'
import type { SessionMessage } from '../../src/protocol/stored-sessions.js'
import type { SessionBackend, SessionClient } from '../../src/terminal/sessions/session-client.js'

export type Done = { what: string; with: unknown }

export type ScriptedSession = {
  client: SessionClient
  backend: SessionBackend
  /** Everything the terminal did, in order. */
  readonly done: Done[]
  readonly answers: { ask: string; answer: AskAnswer }[]
  add(body: EntryBody): void
  message(message: object): void
  delta(message: object): void
  ask(ask: Partial<Ask>): Ask
  /** Words of the model, streamed in pieces, then written down. */
  says(text: string, pieces?: number): void
  stored: SessionMessage[]
}

export const CWD = '/home/ada/project'
const SESSION = '11111111-2222-4333-8444-555555555555'

export function scriptSession(): ScriptedSession {
  const done: Done[] = []
  const answers: ScriptedSession['answers'] = []
  const items: LogItem[] = []
  let wake = () => {}
  let seq = 0
  let said = 0
  const at = '2026-11-16T12:00:00.000Z'
  const note = (what: string, given: unknown = undefined) => void done.push({ what, with: given })
  const push = (item: LogItem) => {
    items.push(item)
    wake()
  }
  const add = (body: EntryBody) => {
    seq += 1
    push({ session: SESSION, seq, at, ...body })
  }
  const info: SessionInfo = {
    id: SESSION,
    cwd: CWD,
    status: 'idle',
    title: 'Mend the tests',
    mode: 'default',
    model: 'claude-sonnet-4-6',
    effort: undefined,
    archived: false,
    costUsd: 0.1234,
    lastActivity: 0,
    isOpen: true,
    seq: 0,
    waiting: 0,
    asks: 0,
  }
  const script: ScriptedSession = {
    done,
    answers,
    add,
    stored: [],
    // Tests write only what the view reads of a message.
    message: (message) => add({ kind: 'message', data: message as SDKMessage }),
    delta: (message) =>
      push({
        session: SESSION,
        seq,
        at,
        kind: 'delta',
        data: message as SDKPartialAssistantMessage | SDKToolProgressMessage,
      }),
    ask(given) {
      const ask: Ask = {
        id: `ask-${seq + 1}`,
        session: SESSION,
        kind: 'permission',
        agent: [],
        since: at,
        suggestions: [],
        why: { layer: 'mode', text: 'No rule allows it.' },
        ...given,
      }
      add({ kind: 'ask', data: ask })
      return ask
    },
    says(text, pieces = 8) {
      const event = (inner: object) => script.delta({ type: 'stream_event', parent_tool_use_id: null, event: inner })
      said += 1
      const id = `msg-${said}`
      event({ type: 'message_start', message: { id } })
      event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } })
      const size = Math.ceil(text.length / pieces)
      for (let from = 0; from < text.length; from += size)
        event({
          type: 'content_block_delta',
          index: 0,
          delta: { type: 'text_delta', text: text.slice(from, from + size) },
        })
      event({ type: 'content_block_stop', index: 0 })
      script.message(assistant([{ type: 'text', text }], id))
    },
    client: {
      id: SESSION,
      cwd: CWD,
      info: async () => info,
      async *read(_after, signal) {
        signal.addEventListener('abort', () => wake())
        for (let n = 0; !signal.aborted; n += 1) {
          while (n >= items.length) {
            await new Promise<void>((resolve) => {
              wake = resolve
            })
            if (signal.aborted) return
          }
          const item = items[n]
          if (item) yield item
        }
      },
      async send(prompt) {
        note('send', { content: prompt.content, when: prompt.when })
        add({ kind: 'prompt', data: { change: 'queued', prompt: { ...prompt, when: prompt.when ?? 'queue' } } })
      },
      async removePrompt(id) {
        note('remove', id)
        add({ kind: 'prompt', data: { change: 'removed', id } })
      },
      interrupt: async (scope) => note('interrupt', scope),
      async answer(ask, answer) {
        note('answer', answer)
        answers.push({ ask, answer })
        add({ kind: 'answered', data: { ask, answer, by: { name: 'terminal' } } })
        return 'accepted'
      },
      async change(change) {
        note('change', change)
        const { mode, model } = change
        add({ kind: 'state', data: { ...(mode ? { mode } : {}), ...(model ? { model } : {}) } })
      },
      async rewind(to) {
        note('rewind', to)
        return { files: ['src/a.ts'], insertions: 3, deletions: 1, messages: 2 }
      },
      stored: async () => ({ messages: script.stored, isWhole: true }),
      commands: async () => [{ name: 'review', description: 'Reviews the changes', argumentHint: '[what]' }],
      models: async () => [
        { value: 'claude-sonnet-4-6', displayName: 'Sonnet 4.6', description: 'for most work' },
        { value: 'claude-opus-4-6', displayName: 'Opus 4.6', description: 'for hard work' },
      ],
      agents: async () => [{ name: 'reviewer', description: 'reviews', model: 'sonnet' }],
      ask: async (question) => ({
        answer: `About “${question}”: no idea.`,
        inputTokens: 1,
        cacheReadTokens: 9,
        outputTokens: 2,
        costUsd: 0.1,
      }),
      reload: async () => ({ changes: ['Hooks have changed.'], problems: ['x.json can not be used.'] }),
      context: async () => ({
        totalTokens: 20_000,
        maxTokens: 200_000,
        percentage: 10,
        model: 'claude-sonnet-4-6',
        categories: [{ name: 'Messages', tokens: 20_000, kind: 'used' }],
      }),
      servers: async () => [{ name: 'files', status: 'connected' }],
      reconnectServer: async (name) => note('reconnect', name),
      toggleServer: async (name, isOn) => note('toggle', { name, isOn }),
      async background(call) {
        note('background', call)
        return true
      },
      taskOutput: async () => 'line 1\nline 2\n',
    },
    backend: {
      isRemote: false,
      list: async () => [
        info,
        { ...info, id: '99999999-2222-4333-8444-555555555555', title: 'Another one', cwd: '/home/ada/other' },
      ],
      create: async () => script.client,
      async open(id) {
        note('open', id)
        return script.client
      },
      async fork(id) {
        note('fork', id)
        return script.client
      },
      async use() {},
      folderTrust: async () => ({ isTrusted: true, brings: [], withheld: [], changed: [] }),
      trustFolder: async () => ({ isRemembered: true }),
      forget: async () => note('forget'),
      leave: async () => {},
      end: async () => {},
    },
  }
  return script
}

export function assistant(content: object[], id = 'msg'): object {
  const usage = { input_tokens: 20_000, output_tokens: 500, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  return { type: 'assistant', parent_tool_use_id: null, message: { id, role: 'assistant', content, usage } }
}

export function result(more: object = {}): object {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: '',
    total_cost_usd: 0.25,
    errors: [],
    uuid: 'r',
    modelUsage: { m: { contextWindow: 200_000 } },
    num_turns: 1,
    terminal_reason: 'completed',
    ...more,
  }
}

export function toolResult(
  id: string,
  content: string | object[],
  more: { isError?: true; output?: unknown } = {},
): object {
  const block = { type: 'tool_result', tool_use_id: id, content, ...(more.isError ? { is_error: true } : {}) }
  return {
    type: 'user',
    parent_tool_use_id: null,
    message: { role: 'user', content: [block] },
    tool_use_result: more.output,
  }
}
