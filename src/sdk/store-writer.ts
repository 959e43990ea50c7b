/** Writes what the agent mirrors into a caller's store: in order, several entries at a time, and never silently less. */
import { KedgeError } from '../errors.js'
import { withFirstAbort } from '../platform/first-abort.js'
import { raceWithAbort } from '../platform/until-aborted.js'
import type { UUID } from '../protocol/content.js'
import type { SDKControlSessionSyncResponse } from '../protocol/control.js'
import type { SDKMirrorErrorMessage } from '../protocol/messages.js'
import type { SessionKey, SessionStore, SessionStoreEntry, SessionStoreFlush } from '../protocol/stored-sessions.js'
import { toError } from '../protocol/thrown.js'
import type { SessionLeaseHolder } from './session-lease-holder.js'

/** Waits before the second and the third try. */
const RETRY_MS = [200, 800]
const APPEND_TIMEOUT_MS = 60_000
const BATCH_MS = 100

type Batch = { key: SessionKey; entries: SessionStoreEntry[] }

export function createStoreWriter(store: SessionStore, mode: SessionStoreFlush, lease: SessionLeaseHolder) {
  /** By file. What could not be written stays, and is tried again with what comes next. */
  const waiting = new Map<string, Batch>()
  let problems: SDKMirrorErrorMessage[] = []
  let writing: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isDown = false
  /** Another program writes to the session: nothing of ours may get between its lines. */
  let isFenced = false
  /** Something of the last round is still here. */
  let isBehind = false

  const appendUnderLease = async (key: SessionKey, entries: SessionStoreEntry[]) => {
    const token = await lease.take(key)
    await (token === undefined ? store.append(key, entries) : store.append(key, entries, token))
  }

  /** Resolves with what went wrong. */
  const append = async ({ key, entries }: Batch): Promise<Error | undefined> => {
    const late = new KedgeError('session_store_failed', `append() took longer than ${APPEND_TIMEOUT_MS} ms`)
    for (let attempt = 0; ; attempt += 1) {
      try {
        await rejectWhenLate(APPEND_TIMEOUT_MS, appendUnderLease(key, entries), late)
        return undefined
      } catch (error) {
        const pause = RETRY_MS[attempt]
        // One that is late may still arrive; and a store that was down is not waited for again and again.
        if (pause === undefined || isDown || error === late || isTakenOver(error)) return toError(error)
        await new Promise((resolve) => setTimeout(resolve, pause))
      }
    }
  }
  const writeAll = async () => {
    isBehind = false
    for (const [path, batch] of [...waiting]) {
      waiting.delete(path)
      const error = await append(batch)
      isDown = error !== undefined
      if (!error) continue
      if (isTakenOver(error)) {
        isFenced = true
        waiting.clear()
        problems.push(fenced(batch.key, error))
        return
      }
      isBehind = true
      const since = waiting.get(path)?.entries ?? []
      waiting.set(path, { key: batch.key, entries: [...batch.entries, ...since] })
      problems.push(problem(batch.key, error))
    }
  }
  /** The next entry arms the timer again. */
  const write = () => {
    clearTimeout(timer)
    timer = undefined
    writing = writing.then(writeAll)
    return writing
  }
  const flush = async (): Promise<SDKMirrorErrorMessage[]> => {
    await write()
    const due = problems
    problems = []
    return due
  }

  return {
    /** True for a message that is meant for the store and not for the caller. */
    takes(message: object): boolean {
      if (!('type' in message) || message.type !== 'transcript_mirror') return false
      const path = 'filePath' in message ? String(message.filePath) : ''
      const entries = 'entries' in message && Array.isArray(message.entries) ? message.entries : []
      const key = keyOf(path)
      if (!key || isFenced) return true
      const batch = waiting.get(path) ?? { key, entries: [] }
      batch.entries.push(...entries)
      waiting.set(path, batch)
      if (mode === 'eager') writing = writing.then(writeAll)
      else timer ??= setTimeout(write, BATCH_MS).unref()
      return true
    },
    /** All that came so far. Resolves with what could not be written, to be told before anything else. */
    flush,
    /** Where all that came so far is. A store without leases may be behind: it is told of, and the session continues. */
    async sync(): Promise<SDKControlSessionSyncResponse['state']> {
      await write()
      if (isFenced) return 'taken_over'
      return isBehind && store.leases ? 'failed' : 'saved'
    },
    /** Somebody else has the session: nothing of ours is written any more. */
    fence() {
      isFenced = true
      waiting.clear()
    },
  }
}

/** `<config>/projects/<project>/<session>.jsonl`, or what belongs to a session in a folder of its name. */
function keyOf(path: string): SessionKey | undefined {
  const parts = /[\\/]projects[\\/]([^\\/]+)[\\/]([0-9a-f-]{36})(?:[\\/](.+))?\.jsonl$/i.exec(path)
  if (!parts?.[1] || !parts[2]) return undefined
  const subpath = parts[3]?.replaceAll('\\', '/')
  return { projectKey: parts[1], sessionId: parts[2], ...(subpath === undefined ? {} : { subpath }) }
}

function problem(key: SessionKey, error: Error): SDKMirrorErrorMessage {
  return {
    type: 'system',
    subtype: 'mirror_error',
    error: error.message,
    key,
    // The platform's own ids have this shape.
    uuid: globalThis.crypto.randomUUID() as UUID,
    session_id: key.sessionId,
  }
}

function fenced(key: SessionKey, error: Error): SDKMirrorErrorMessage {
  const text = `This session can't be saved here any more: ${error.message}`
  return { ...problem(key, new Error(text)), code: 'session_fenced' }
}

function isTakenOver(error: unknown): boolean {
  return (
    error instanceof Error && 'code' in error && (error.code === 'session_fenced' || error.code === 'session_in_use')
  )
}

/** Resolves with `work`; rejects with `late` after `ms`, or when `stop` aborts. */
export function rejectWhenLate<T>(ms: number, work: Promise<T>, late: Error, stop?: AbortSignal): Promise<T> {
  const giveUp = () => {
    throw late
  }
  return withFirstAbort([stop], ms, (signal) => raceWithAbort(signal, giveUp, work))
}
