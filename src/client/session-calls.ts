/** What can be done with one session, over the API. */
import type { SessionMessage } from '../protocol/stored-sessions.js'
import type { LoggedTask } from '../server/api/logged-tasks-and-changes.js'
import { ConflictError, IncompatibleServerError, ServerFailedError } from './client-errors.js'
import type { ApiRequestOptions, CallOptions } from './client-types.js'
import { type EventStreamSettings, followEvents, readLogPage } from './follow-events.js'
import { newId } from './new-id.js'
import type { SessionHistory, SessionOperations } from './session-api.js'

const PAGE = 2000
const HOUR_MS = 60 * 60 * 1000

/** `total`: how many messages the whole conversation has. */
type MessagePage = { messages: SessionMessage[]; total: number }

/** Sent again if no answer came: doing it twice is the same as once. */
const SAFE = { isRepeatable: true }

export function createSessionOperations(settings: EventStreamSettings): SessionOperations {
  const { requests } = settings
  const part = encodeURIComponent
  const call = <R>(method: string, session: string, rest: string, options?: ApiRequestOptions) =>
    requests.call<R>(method, `/sessions/${part(session)}${rest}`, options)
  const post = <R>(session: string, rest: string, options: ApiRequestOptions = {}) =>
    call<R>('POST', session, rest, { body: {}, ...options })
  /** Returns the one field of an answer that has what was asked for. */
  const field = async <R>(name: string, session: string, rest: string, options?: ApiRequestOptions): Promise<R> =>
    (await call<Record<string, R>>('GET', session, rest, options))[name] as R // as the API document has it
  const tasks = (session: string, options?: CallOptions) => field<LoggedTask[]>('tasks', session, '/tasks', options)

  return {
    info: (session, options) => call('GET', session, '', options),
    change: (session, { by: _, ...body }, options) => call('PATCH', session, '', { ...SAFE, ...options, body }),
    fork: (session, at, options) => post(session, '/fork', { ...options, body: at ?? {} }),
    rewind: (session, body, options) => post(session, '/rewind', { ...options, body }),
    rewindConversation: (session, to, options) =>
      post(session, '/rewind', { ...options, body: { ...to, what: 'conversation' } }),
    close: (session, options) => post(session, '/close', { ...SAFE, ...options }),
    delete: (session, options) => call('DELETE', session, '', options),

    send(session, prompt, options) {
      const body = { id: newId(), ...(typeof prompt === 'string' ? { content: prompt } : prompt) }
      return post(session, '/prompts', { ...SAFE, ...options, body })
    },
    queue: (session, options) => field('prompts', session, '/prompts', options),
    removePrompt: (session, id, options) => call('DELETE', session, `/prompts/${part(id)}`, options),
    reorder: (session, order, options) => call('PUT', session, '/prompts/order', { ...options, body: { order } }),
    // Sent again, it could stop the turn after the one that was meant.
    interrupt: (session, scope = 'turn', options = {}) =>
      typeof scope === 'string'
        ? post(session, '/interrupt', { ...options, body: { scope } })
        : post(session, `/tasks/${part(scope.task)}/stop`, { ...SAFE, ...options }),
    resumeTurn: (session, options) => post(session, '/resume', { ...SAFE, ...options }),

    ask: (session, id, options) => call('GET', session, `/asks/${part(id)}`, options),
    async answer(session, ask, answer, options) {
      const { id, tool } = typeof ask === 'string' ? { id: ask } : ask
      const body = { ...(tool ? { hash: tool.hash } : {}), ...answer }
      try {
        await post(session, `/asks/${part(id)}/answer`, { ...SAFE, ...options, body })
        return 'accepted'
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error
        if (error.code === 'ask_withdrawn') return { already: 'withdrawn' }
        if (error.code === 'already_answered' && error.by) return { already: error.by }
        throw error
      }
    },

    async *read(session, options) {
      for await (const some of followEvents(settings, session, options)) yield* some
    },
    readSome: (session, options) => followEvents(settings, session, options),
    log: (session, { after = 0, limit = PAGE, signal } = {}) =>
      readLogPage(requests, session, { after, limit, signal }),
    async *stored(session, after = 0, options = {}) {
      for (let from = after; ; ) {
        const { entries, last } = await readLogPage(requests, session, { after: from, limit: PAGE, ...options })
        yield entries
        from = entries.at(-1)?.seq ?? last
        if (from >= last) return
      }
    },
    async messages(session, options = {}) {
      const messages: SessionMessage[] = []
      for (;;) {
        const query = { offset: messages.length, limit: PAGE }
        const page = await call<MessagePage>('GET', session, '/messages', { query, ...options })
        messages.push(...page.messages)
        if (page.messages.length === 0 || messages.length >= page.total) return messages
      }
    },
    earlier: (session, { signal, ...query } = {}) =>
      call<SessionHistory>('GET', session, '/history', { query, signal }).catch((error: unknown) => {
        // Older servers can't tell; what is in the log is shown in any case.
        if (error instanceof IncompatibleServerError || error instanceof ServerFailedError)
          return { messages: [], earlier: 0 }
        throw error
      }),
    export: async (session, options) =>
      (await requests.open('GET', `/sessions/${part(session)}/export`, options)).blob(),
    files: (session, text, { limit, signal } = {}) =>
      field('files', session, '/files', { query: { text: text || undefined, limit }, signal }),
    file: (session, path, { signal, ...query } = {}) =>
      call('GET', session, '/file', { query: { path, ...query }, signal }),
    changes: (session, { signal, ...query } = {}) => field('changes', session, '/changes', { query, signal }),
    tasks,
    runningTasks: async (session, options) =>
      (await tasks(session, options)).flatMap(({ id, status }) => (status === 'running' ? [id] : [])),
    taskOutput: (session, task, options) => field('text', session, `/tasks/${part(task)}/output`, options),

    commands: (session, options) => field('commands', session, '/commands', options),
    models: (session, options) => field('models', session, '/models', options),
    agents: (session, options) => field('agents', session, '/agents', options),
    context: (session, options) => field('context', session, '/context', options),
    ...asideOperations(post),
    mcpServers: (session, options) => field('servers', session, '/mcp', options),
    reconnectMcpServer: (session, name, options) =>
      post(session, `/mcp/${part(name)}/reconnect`, { ...SAFE, ...options }),
    toggleMcpServer: (session, name, enabled, options) =>
      post(session, `/mcp/${part(name)}/toggle`, { ...SAFE, ...options, body: { enabled } }),
    mcpApps: (session, options) => field('apps', session, '/apps', options),
    openMcpApp: async (session, { server, uri }, options) => {
      const { path } = await post<{ path: string }>(session, '/apps/open', {
        ...SAFE,
        ...options,
        body: { server, uri },
      })
      return requests.address(path)
    },
    // A user decides meanwhile.
    callMcpApp: (session, body, options) => post(session, '/apps/call', { timeoutMs: HOUR_MS, ...options, body }),
    moveToBackground: async (session, useId, options) => {
      const body = useId === undefined ? {} : { call: useId }
      return (await post<{ moved: boolean }>(session, '/background', { ...options, body })).moved
    },
  }
}

type Post = <R>(session: string, rest: string, options?: ApiRequestOptions) => Promise<R>

/** What happens beside the conversation. */
function asideOperations(post: Post): Pick<SessionOperations, 'askAside' | 'reload'> {
  return {
    // The model thinks about it meanwhile.
    askAside: (session, question, options) =>
      post(session, '/ask', { timeoutMs: HOUR_MS, ...options, body: { question } }),
    reload: (session, options) => post(session, '/reload', { ...SAFE, ...options }),
  }
}
