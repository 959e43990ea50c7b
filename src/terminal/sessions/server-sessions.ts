/** Sessions of a server, over its API: `kedge attach`. */
import { createParser } from 'eventsource-parser'
import type { AnswerOutcome, Ask, Person } from '../../hub/ask-types.js'
import type { LogItem } from '../../hub/log/entries.js'
import type { RewindChanges, SessionInfo } from '../../hub/session-types.js'
import { isObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'
import type { SessionBackend, SessionClient } from './session-client.js'

export type ServerAddress = { url: string; token: string }

/** What a server says about a request it does not take. */
export class RemoteProblem extends Error {
  readonly code: string
  readonly more: Record<string, unknown>

  constructor(message: string, code: string, more: Record<string, unknown>) {
    super(message)
    this.code = code
    this.more = more
  }
}

const AGAIN_MS = 1000
const MAX_AGAIN_MS = 15_000

export function remoteSessions({ url, token }: ServerAddress): SessionBackend {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new RemoteProblem(`${url} can't be reached: ${reasonOf(error)}`, 'unreachable', {})
    })
    const text = await response.text()
    const value = parsed(text)
    if (response.ok) return value
    const said = typeof value['detail'] === 'string' ? value['detail'] : `the server answered ${response.status}`
    throw new RemoteProblem(said, String(value['code'] ?? response.status), value)
  }
  const get = (path: string) => call('GET', path)
  const post = (path: string, body: unknown = {}) => call('POST', path, body)
  let asked: Promise<boolean> | undefined
  const isAdmin = () => {
    asked ??= get('/v1/me').then(
      (me) => listOf<string>(me, 'scopes').includes('admin'),
      () => {
        asked = undefined
        return true
      },
    )
    return asked
  }

  const client = (info: SessionInfo): SessionClient => {
    const at = `/v1/sessions/${info.id}`
    const part = encodeURIComponent
    return {
      id: info.id,
      cwd: info.cwd,
      info: async () => asInfo(await get(at)),
      async *read(after, signal) {
        for await (const item of follow(`${url}${at}/events`, headers, after, signal))
          yield item.kind === 'ask' && !(await isAdmin()) ? { ...item, data: forSession(item.data) } : item
      },
      send: async ({ id, content, when }) =>
        void (await post(`${at}/prompts`, { id, content, ...(when ? { when } : {}) })),
      removePrompt: async (id) => void (await call('DELETE', `${at}/prompts/${part(id)}`)),
      interrupt: async (scope) =>
        void (typeof scope === 'string'
          ? await post(`${at}/interrupt`, { scope })
          : await post(`${at}/tasks/${part(scope.task)}/stop`)),
      async answer(ask, answer): Promise<AnswerOutcome> {
        try {
          await post(`${at}/asks/${part(ask)}/answer`, answer)
          return 'accepted'
        } catch (error) {
          if (!(error instanceof RemoteProblem)) throw error
          if (error.code === 'ask_withdrawn') return { already: 'withdrawn' }
          if (error.code === 'already_answered') return { already: error.more['by'] as Person } // as the API has it
          throw error
        }
      },
      change: async ({ by: _, ...change }) => void (await call('PATCH', at, change)),
      rewind: async (to) => (await post(`${at}/rewind`, to)) as RewindChanges, // as the API has it
      // Older servers can't say; what is in the log is shown in any case.
      stored: async () => {
        const before = await get(`${at}/history`).catch(() => ({}))
        return { messages: listOf(before, 'messages'), isWhole: false }
      },
      commands: async () => listOf(await get(`${at}/commands`), 'commands'),
      models: async () => listOf(await get(`${at}/models`), 'models'),
      agents: async () => listOf(await get(`${at}/agents`), 'agents'),
      context: async () => (await get(`${at}/context`))['context'] as Awaited<ReturnType<SessionClient['context']>>, // as the API has it
      servers: async () => listOf(await get(`${at}/mcp`), 'servers'),
      reconnectServer: async (name) => void (await post(`${at}/mcp/${part(name)}/reconnect`)),
      toggleServer: async (name, enabled) => void (await post(`${at}/mcp/${part(name)}/toggle`, { enabled })),
      background: async (call) =>
        (await post(`${at}/background`, call === undefined ? {} : { call }))['moved'] === true,
      taskOutput: async (task) => String((await get(`${at}/tasks/${part(task)}/output`))['text'] ?? ''),
    }
  }
  return {
    isRemote: true,
    list: async () => listOf(await get('/v1/sessions?limit=500'), 'sessions'),
    create: async ({ cwd, settings }) => {
      const { permissionMode: mode, model } = settings
      return client(asInfo(await post('/v1/sessions', { cwd, ...(mode ? { mode } : {}), ...(model ? { model } : {}) })))
    },
    open: async (id) => client(asInfo(await get(`/v1/sessions/${encodeURIComponent(id)}`))),
    fork: async (id) => client(asInfo(await post(`/v1/sessions/${encodeURIComponent(id)}/fork`))),
    // The server says what its agents are like, and whom it trusts.
    async use() {},
    folderTrust: async () => ({ isTrusted: true, brings: [], withheld: [], changed: [] }),
    trustFolder: async () => ({ isRemembered: true }),
    async forget() {},
    async leave() {},
    async end() {},
  }
}

/** Takes up where it was when the connection breaks. */
async function* follow(
  address: string,
  headers: Record<string, string>,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<LogItem, void> {
  let last = after
  let wait = AGAIN_MS
  while (!signal.aborted) {
    try {
      const response = await fetch(`${address}?after=${last}`, { headers, signal })
      if (!response.ok || !response.body) {
        const value = parsed(await response.text())
        throw new RemoteProblem(String(value['detail'] ?? response.status), String(value['code'] ?? ''), value)
      }
      wait = AGAIN_MS
      for await (const item of itemsIn(response.body)) {
        if (item.kind !== 'delta') last = item.seq
        yield item
      }
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof RemoteProblem && error.code !== '') throw error
    }
    await new Promise((resolve) => setTimeout(resolve, wait))
    wait = Math.min(wait * 2, MAX_AGAIN_MS)
  }
}

async function* itemsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<LogItem, void> {
  const decoder = new TextDecoder()
  const found: LogItem[] = []
  const parser = createParser({ onEvent: ({ data }) => found.push(JSON.parse(data) as LogItem) }) // as the API has it
  const reader = body.getReader()
  try {
    for (;;) {
      const { value, done } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
      yield* found.splice(0)
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

/** The server takes rules from a lesser token for the session only, so that is what the card offers. */
function forSession(ask: Ask): Ask {
  const suggestions = ask.suggestions.map(({ update, rule }) => ({
    update: { ...update, destination: 'session' as const },
    rule,
    scope: 'session' as const,
  }))
  return { ...ask, suggestions }
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}

function listOf<T>(value: Record<string, unknown>, name: string): T[] {
  const list = value[name]
  return Array.isArray(list) ? (list as T[]) : [] // as the API has it
}

function asInfo(value: Record<string, unknown>): SessionInfo {
  return value as SessionInfo // as the API has it
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  return messageOf(cause)
}
