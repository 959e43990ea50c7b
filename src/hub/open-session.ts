/** A session that is open in the hub: its log with what it adds up to, the asks, and the agent when one runs. */
import type { Clock } from '../platform/clock.js'
import type { UUID } from '../protocol/content.js'
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import type { Ask } from '../protocol/session-log/ask-types.js'
import type { SessionStatus } from '../protocol/session-log/entries.js'
import type { Prompt } from '../protocol/session-log/prompt-types.js'
import type { SDKSessionInfo } from '../protocol/stored-sessions.js'
import { toConversationOptions, toSessionChangeOptions } from './driver/agent-options.js'
import { LiveSession } from './live-session.js'
import type { AllSessionsFeed } from './log/feed.js'
import type { HubStore, LogWriter } from './log/log-store.js'
import { SessionLog } from './log/session-log.js'
import { PendingAsks } from './pending-asks.js'
import type { SessionLibrary } from './session-library.js'
import { applyEntry, emptySessionState, isWaitingForUser, type SessionState } from './session-state.js'
import type { SessionInfo, SessionSpec } from './session-types.js'

export type OpenSessionPorts = {
  store: HubStore
  clock: Pick<Clock, 'now' | 'after'>
  newId(): UUID
  hash(text: string): Promise<string>
  startQuery(options: Options): Query
  /** What is stored of the conversation; undefined when nothing was said in it. With `cwd` one folder is looked through. */
  storedInfo(session: string, cwd?: string): Promise<SDKSessionInfo | undefined>
  folderTrust: SessionLibrary['folderTrust']
  /** For every agent. */
  options: Options
  askTimeoutMs: number | undefined
  /** The stream over all sessions, if there is one. */
  feed(): AllSessionsFeed | undefined
  /** Asks outlast the process. */
  keepAsks: boolean
}

export type OpenedAgentSession = Awaited<ReturnType<typeof openAgentSession>>

/**
 * Project configuration is used if its user trusts the folder, unless the caller that opened the session has decided.
 */
async function trustOf(
  { untrusted, settingSources = [], env }: Options,
  cwd: string,
  { folderTrust }: Pick<OpenSessionPorts, 'folderTrust'>,
): Promise<Pick<Options, 'untrusted'>> {
  if (untrusted !== undefined || !settingSources.some((source) => source !== 'user')) return {}
  const { isTrusted, brings } = await folderTrust(cwd, env ? { env } : {})
  return isTrusted || brings.length === 0 ? {} : { untrusted: true }
}

/** A session that has no log yet needs a `spec`, or a stored conversation. */
export async function openAgentSession(session: string, ports: OpenSessionPorts, spec?: SessionSpec) {
  const { store, clock, newId, hash, feed, keepAsks, askTimeoutMs: timeoutMs } = ports
  const stored = spec?.id === undefined && spec ? undefined : await ports.storedInfo(session)
  const writer = await store.open({ session, cwd: spec?.cwd ?? stored?.cwd })
  await feed()?.catchUp(session)
  const state = await replay(store, session)
  let options = spec?.options ?? {}
  /** Where the agent's next start takes up the conversation, if not at its end. */
  let resumeAt: string | undefined
  const log = new SessionLog({
    session,
    store,
    writer,
    state,
    now: clock.now,
    onStored: (entries) => feed()?.note(entries),
    onBroken: (error) => void live.fail(error),
  })
  const pending: PendingAsks = new PendingAsks({
    session,
    log,
    state,
    clock,
    timeoutMs,
    onChange: () => live.updateStatus(),
    sendPrompt: (prompt) => live.send(prompt),
    continueTurn: () => live.continueTurn(),
  })
  const live = new LiveSession({
    session,
    log,
    state,
    asks: pending,
    newId,
    hash,
    now: clock.now,
    after: clock.after,
    async start(own) {
      const isStored = (await ports.storedInfo(session, state.cwd)) !== undefined
      const at = resumeAt
      resumeAt = undefined
      const given = { ...ports.options, ...options }
      return ports.startQuery({
        ...given,
        ...(await trustOf(given, state.cwd, ports)),
        ...own,
        cwd: state.cwd,
        ...toConversationOptions(session, isStored, at),
        ...toSessionChangeOptions(state),
      })
    },
  })
  begin(log, state, spec, stored, keepAsks)
  pending.keep()
  await log.flushed()
  await writer.summarize(summaryOf(state))

  const close = async (status: SessionStatus) => {
    await live.close(status)
    await log.end()
    await writer.summarize({ ...summaryOf(state), final: true }).catch(() => {})
    await writer.release()
  }

  return {
    log,
    state,
    pending,
    live,
    isBusy: () => live.driver.agent !== undefined || state.waiting.length > 0 || state.asks.size > 0 || log.isRead,
    /** Options for the next agent; the running one keeps its own. */
    use(given: Options) {
      options = given
    },
    /** Continues the conversation after this message: the agent ends, and the next one starts there. */
    async takeUpAt(message: string) {
      await live.driver.end()
      resumeAt = message
    },
    async info(): Promise<SessionInfo> {
      await log.flushed()
      const known = await ports.storedInfo(session, state.cwd)
      return infoOf(session, state, known?.customTitle ?? known?.summary)
    },
    async queue(): Promise<Prompt[]> {
      await log.flushed()
      return [...state.waiting]
    },
    async asks(): Promise<Ask[]> {
      await log.flushed()
      return [...state.asks.values()]
    },
    async summarize() {
      await writer.summarize(summaryOf(state))
    },
    close,
    /** The hub ends: what waits stays. */
    async leave() {
      if (keepAsks && pending.leave()) await live.turnEnded()
      await close('idle')
    },
  }
}

async function replay(store: HubStore, session: string): Promise<SessionState> {
  const state = emptySessionState()
  for await (const entries of store.read(session, 0)) for (const entry of entries) applyEntry(state, entry)
  return state
}

/** The first entry of a new log; in an old one, what a process left that was killed. */
function begin(
  log: SessionLog,
  state: SessionState,
  spec: SessionSpec | undefined,
  stored: SDKSessionInfo | undefined,
  keepAsks: boolean,
) {
  if (state.seq === 0) {
    const { title, mode, model, effort } = spec ?? {}
    const given = Object.fromEntries(
      Object.entries({ title, mode, model, effort }).filter(([, value]) => value !== undefined),
    )
    log.add({ kind: 'state', data: { cwd: spec?.cwd ?? stored?.cwd ?? '', status: 'idle', ...given } })
    return
  }
  const reason = 'The process that ran it has ended.'
  // An MCP server that asked outside of a call went with the process.
  const lost = [...state.asks.values()].filter(({ tool, origin }) => !keepAsks || !(tool || origin))
  for (const { id: ask } of lost) log.add({ kind: 'withdrawn', data: { ask, reason } })
  for (const { id } of [...state.started]) log.add({ kind: 'prompt', data: { change: 'interrupted', id, reason } })
  const isOver = state.status === 'running' || (state.status === 'needs-you' && !isWaitingForUser(state))
  if (isOver) log.add({ kind: 'state', data: { status: isWaitingForUser(state) ? 'needs-you' : 'idle' } })
}

function summaryOf(state: SessionState): Parameters<LogWriter['summarize']>[0] {
  const { cwd, status, title, archived, costUsd, waiting, asks, seq, lastTurn } = state
  return { cwd, status, title, archived, costUsd, waiting: waiting.length, asks: asks.size, seq, lastTurn }
}

function infoOf(id: string, state: SessionState, title: string | undefined): SessionInfo {
  const { cwd, status, mode, model, effort, archived, costUsd, seq, waiting, asks, error, lastTurn } = state
  return {
    id,
    cwd,
    status,
    title: state.title ?? title,
    mode,
    model,
    effort,
    archived,
    costUsd,
    seq,
    lastActivity: Date.parse(state.changedAt),
    isOpen: true,
    waiting: waiting.length,
    asks: asks.size,
    ...(error === undefined ? {} : { error }),
    ...(lastTurn && { lastTurn }),
  }
}
