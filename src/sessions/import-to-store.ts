/** Copies a session of this disk into a store of the caller's own, with what its sub-agents said. */
import { basename, dirname } from '../platform/paths.js'
import type { ImportSessionToStoreOptions, SessionKey, SessionStore } from '../protocol/stored-sessions.js'
import { findSessionOrThrow } from './find-session.js'
import { createJsonlSessionStore } from './jsonl-store.js'
import type { SessionFilesPorts } from './local-sessions.js'

export async function importToStore(
  sessionId: string,
  store: SessionStore,
  { dir, includeSubagents = true, batchSize = 500 }: ImportSessionToStoreOptions,
  ports: SessionFilesPorts,
): Promise<void> {
  const { path } = await findSessionOrThrow(ports, sessionId, dir)
  const disk = createJsonlSessionStore(ports.files, ports.configDir)
  const session = { projectKey: basename(dirname(path)), sessionId }
  const subpaths = includeSubagents ? await disk.listSubkeys(session) : []
  const keys: SessionKey[] = [session, ...subpaths.map((subpath) => ({ ...session, subpath }))]
  for (const key of keys) {
    const entries = (await disk.load(key)) ?? []
    for (let at = 0; at < entries.length; at += batchSize) await store.append(key, entries.slice(at, at + batchSize))
  }
}
