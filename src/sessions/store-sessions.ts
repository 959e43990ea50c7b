/** The sessions in a store of the caller's own, for the functions of the library. */
import { KedgeError } from '../errors.js'
import { foldSessionSummary, type SessionSummaryData, toSessionInfo } from '../protocol/session-summary.js'
import type { SDKSessionInfo, SessionKey, SessionStore, SessionStoreEntry } from '../protocol/stored-sessions.js'
import { createSessionNotFoundError, projectKeyOfFolder } from './find-session.js'
import { forkEntries } from './fork-session.js'
import type { SessionFilesPorts } from './local-sessions.js'
import { pageOfMessages } from './message-pages.js'
import { type StoredSessions, SUBAGENT_KEY_PATTERN } from './stored-sessions-port.js'

/** Entries of one `append()`. */
const BATCH = 500

export function createStoredSessionsInStore(
  store: SessionStore,
  dir: string | undefined,
  ports: SessionFilesPorts,
): StoredSessions {
  const keyOf = async (sessionId: string): Promise<SessionKey> => ({
    projectKey: await projectKeyOfFolder(ports, dir),
    sessionId,
  })
  const load = async (sessionId: string) => (await store.load(await keyOf(sessionId))) ?? undefined
  const infoOf = async (sessionId: string, mtime: number) => {
    const entries = await load(sessionId)
    return entries && describe(await keyOf(sessionId), entries, mtime)
  }
  return {
    async list({ limit, offset = 0 }) {
      const projectKey = await projectKeyOfFolder(ports, dir)
      const infos = store.listSessionSummaries
        ? (await store.listSessionSummaries(projectKey)).flatMap(({ sessionId, mtime, data }) => {
            // Made by `foldSessionSummary`, whose fields are looked at one by one.
            return toSessionInfo(sessionId, mtime, data as SessionSummaryData) ?? []
          })
        : await describeAll(store, projectKey, infoOf)
      const sorted = infos.sort((a, b) => b.lastModified - a.lastModified)
      const from = Math.max(0, offset)
      return sorted.slice(from, limit === undefined || limit <= 0 ? undefined : from + limit)
    },
    async info(sessionId) {
      const { projectKey } = await keyOf(sessionId)
      const known = await store.listSessions?.(projectKey)
      return infoOf(sessionId, known?.find((session) => session.sessionId === sessionId)?.mtime ?? 0)
    },
    async messages(sessionId, options) {
      return pageOfMessages((await load(sessionId)) ?? [], { ...options, sessionId })
    },
    async annotate(sessionId, line) {
      if (!(await load(sessionId))) throw createSessionNotFoundError(sessionId, 'in the session store')
      await store.append(await keyOf(sessionId), [line])
    },
    async archive() {
      throw new KedgeError(
        'invalid_option',
        'A session in a sessionStore can’t be archived: the mark is a file beside it.',
      )
    },
    async fork(sessionId, { upToMessageId, title }) {
      const entries = await load(sessionId)
      if (!entries) throw createSessionNotFoundError(sessionId, 'in the session store')
      const to = ports.newId()
      const shown = title ?? `${describe(await keyOf(sessionId), entries, 0)?.summary ?? 'Session'} (fork)`
      const plan = { from: sessionId, to, upTo: upToMessageId, title: shown, newId: ports.newId, now: ports.clock.now }
      // What a store gave has a type, and so has its copy.
      const copies = forkEntries(entries, plan) as SessionStoreEntry[]
      for (let at = 0; at < copies.length; at += BATCH)
        await store.append(await keyOf(to), copies.slice(at, at + BATCH))
      return { sessionId: to }
    },
    async remove(sessionId) {
      // A store that can't, keeps everything: its own decision.
      await store.delete?.(await keyOf(sessionId))
    },
    async subagents(sessionId) {
      if (!store.listSubkeys) throw notImplemented('listSubkeys', 'list subagents')
      const keys = await store.listSubkeys(await keyOf(sessionId))
      return keys.flatMap((key) => SUBAGENT_KEY_PATTERN.exec(key)?.[1] ?? [])
    },
    async subagentMessages(sessionId, agentId, options) {
      const entries = await store.load({ ...(await keyOf(sessionId)), subpath: `subagents/agent-${agentId}` })
      return pageOfMessages(entries ?? [], { ...options, sessionId, isSubagent: true })
    },
  }
}

async function describeAll(
  store: SessionStore,
  projectKey: string,
  infoOf: (sessionId: string, mtime: number) => Promise<SDKSessionInfo | undefined>,
): Promise<SDKSessionInfo[]> {
  if (!store.listSessions) throw notImplemented('listSessions', 'list sessions')
  const infos: SDKSessionInfo[] = []
  for (const { sessionId, mtime } of await store.listSessions(projectKey)) {
    const info = await infoOf(sessionId, mtime)
    if (info) infos.push(info)
  }
  return infos
}

function describe(key: SessionKey, entries: readonly SessionStoreEntry[], mtime: number): SDKSessionInfo | undefined {
  const { data } = foldSessionSummary(undefined, key, entries)
  // Made just above.
  return toSessionInfo(key.sessionId, mtime, data as SessionSummaryData)
}

function notImplemented(method: string, what: string): KedgeError {
  return new KedgeError(
    'invalid_option',
    `sessionStore.${method} is not implemented -- cannot ${what}. Provide a store with a ${method}() method.`,
  )
}
