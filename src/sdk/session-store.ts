/**
 * Puts a caller's session store behind a connection: the session to resume is taken from it before the agent begins, and every
 * line the agent writes goes into it, before the result of the turn is given to the caller.
 */
import { ConfigurationError, KedgeError } from '../errors.js'
import type { SDKControlRequest, SDKControlResponse, SDKControlSessionSyncResponse } from '../protocol/control.js'
import type { Options } from '../protocol/options.js'
import type { SessionKey, SessionStore, SessionStoreEntry } from '../protocol/stored-sessions.js'
import type { AgentConnection, HostProcessDefaults } from './agent-connection.js'
import { createSessionLeaseHolder, type SessionLeaseHolder } from './session-lease-holder.js'
import { createStoreWriter, rejectWhenLate } from './store-writer.js'

const LOAD_TIMEOUT_MS = 60_000
/** Entries sent at once. */
const BATCH = 500
const LOST_ID = 'session-lost'

export type StoreConnectionSetup = {
  options: Options
  store: SessionStore
  caller: HostProcessDefaults
  connect(options: Options): AgentConnection
  /** The agent, with this channel in the place of its own. */
  between(agent: AgentConnection, channel: AgentConnection['channel'], ended: AgentConnection['ended']): AgentConnection
}

/** `stop` is aborted when the query is over before the store has answered. */
export async function connectWithStore(plan: StoreConnectionSetup, stop: AbortSignal): Promise<AgentConnection> {
  const { options, store } = plan
  const lease = createSessionLeaseHolder(store)
  const writer = createStoreWriter(store, options.sessionStoreFlush ?? 'batched', lease)
  const agent = await startAgent(plan, lease, stop)
  const answerSync = async (id: string) => {
    const response: SDKControlSessionSyncResponse = { state: await writer.sync() }
    await agent.channel.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: id, response },
    } satisfies SDKControlResponse)
  }
  lease.onLost(() => {
    writer.fence()
    // What runs must not do more than it has done. What becomes of the turn it hears when it asks for the next lines.
    void agent.channel.send({ type: 'control_request', request_id: LOST_ID, request: { subtype: 'interrupt' } })
  })
  const incoming = async function* () {
    for await (const message of agent.channel.incoming) {
      if (writer.takes(message)) continue
      const asked = syncRequest(message)
      if (asked !== undefined) {
        // An agent that is gone by then needs no answer.
        void answerSync(asked).catch(() => {})
        continue
      }
      if ('type' in message && message.type === 'result') yield* await writer.flush()
      yield message
    }
    yield* await writer.flush()
  }
  const ended = agent.ended.finally(async () => {
    await writer.flush()
    await lease.release()
  })
  return plan.between(agent, { ...agent.channel, incoming: incoming() }, ended)
}

/** The id of a question whether all lines are in the store. */
function syncRequest(message: object): string | undefined {
  if (!('type' in message) || message.type !== 'control_request') return undefined
  const { request_id: id, request } = message as Partial<SDKControlRequest> // our own agent's
  return request?.subtype === 'session_sync' ? id : undefined
}

/** With the session it is to continue with. Who does not get that far gives the lease back. */
async function startAgent(
  plan: StoreConnectionSetup,
  lease: SessionLeaseHolder,
  stop: AbortSignal,
): Promise<AgentConnection> {
  try {
    const { entries, options } = await findInStore(plan, lease, stop)
    const agent = plan.connect(options)
    if (entries) await sendEntries(agent, entries)
    return agent
  } catch (error) {
    await lease.release()
    throw error
  }
}

type Found = { options: Options; entries?: SessionStoreEntry[] }

/** Which session is to continue, and what the store has of it. */
async function findInStore(plan: StoreConnectionSetup, lease: SessionLeaseHolder, stop: AbortSignal): Promise<Found> {
  const { options, store, caller } = plan
  if (options.resume === undefined && !options.continue) return { options }
  const { projectKey, isSessionId } = await import('../sessions/transcript-paths.js')
  const { nodeFiles } = await import('../platform/files/files.js')
  const key = projectKey(await nodeFiles.realpath(caller.cwd).catch(() => caller.cwd))
  const limit = options.loadTimeoutMs ?? LOAD_TIMEOUT_MS
  const ask = async <T>(what: string, answer: Promise<T>): Promise<T> => {
    const late = new KedgeError('session_store_failed', `sessionStore.${what}() took longer than ${limit} ms`)
    return rejectWhenLate(limit, answer, late, stop)
  }
  const latest = async () => {
    if (!store.listSessions)
      throw new ConfigurationError('sessionStore', 'continue needs a sessionStore with a listSessions() method.')
    const sessions = await ask('listSessions', store.listSessions(key))
    return sessions.reduce<{ sessionId: string; mtime: number } | undefined>(
      (last, session) => (last && last.mtime >= session.mtime ? last : session),
      undefined,
    )?.sessionId
  }
  const { continue: _, ...rest } = options
  const resume = options.resume ?? (await latest())
  if (resume === undefined) return { options: rest }
  const named = { ...rest, resume }
  // What isn't an id is refused by the agent, as always.
  if (!isSessionId(resume)) return { options: named }
  const place: SessionKey = { projectKey: key, sessionId: resume }
  // Before it is read: what is read then is all there is. A copy is written under another name.
  const token = options.forkSession ? undefined : await ask('leases.acquire', lease.take(place))
  const entries = (await ask('load', store.load(place))) ?? (await takeOver(place, store, caller, token))
  if (!entries) return { options: named }
  return { options: { ...named, extraArgs: { ...rest.extraArgs, 'resume-from-host': null } }, entries }
}

/** A session that so far was only on this disk is put into the store first: half of one would be no session. */
async function takeOver(key: SessionKey, store: SessionStore, { env }: HostProcessDefaults, token?: number) {
  const [{ createJsonlSessionStore }, { configFolder }, { nodeFiles }, { homeFolder }] = await Promise.all([
    import('../sessions/jsonl-store.js'),
    import('../sessions/transcript-paths.js'),
    import('../platform/files/files.js'),
    import('../platform/home.js'),
  ])
  const entries = await createJsonlSessionStore(nodeFiles, configFolder(env, homeFolder(env))).load(key)
  for (let at = 0; entries && at < entries.length; at += BATCH) {
    const batch = entries.slice(at, at + BATCH)
    await (token === undefined ? store.append(key, batch) : store.append(key, batch, token))
  }
  return entries
}

async function sendEntries({ channel }: AgentConnection, entries: readonly SessionStoreEntry[]): Promise<void> {
  let at = 0
  do {
    const batch = entries.slice(at, at + BATCH)
    at += BATCH
    await channel.send({ type: 'session_entries', entries: batch, more: at < entries.length })
  } while (at < entries.length)
}
