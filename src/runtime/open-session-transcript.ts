/** Decides which session this is: a new one, one to continue with, or a copy of one. Errors are the observed ones. */

import type { TurnBeginning } from '../engine/turn-beginning.js'
import { type LockHolder, type ProcessLock, takeLock, waitForLock } from '../platform/files/process-lock.js'
import type { Platform } from '../platform/platform.js'
import { isVariableOn } from '../platform/switch.js'
import type { MessageParam } from '../protocol/content.js'
import type { SessionChoice } from '../protocol/option-table/start-settings.js'
import type { TranscriptCostLine, TranscriptLine } from '../protocol/transcript.js'
import type { LoadedSession } from '../sessions/load-session.js'
import type { SessionLabels } from '../sessions/marks/labels.js'
import type { ResumeOutcome, ResumePorts } from '../sessions/resume.js'
import { createTranscriptLog, type TranscriptLog } from '../sessions/transcript-log.js'
import { agentTranscriptPath, isSessionId, lockPath, transcriptPath } from '../sessions/transcript-paths.js'
import type { SessionLocation, StartRefusal } from './configuration.js'

export type SessionStartState = {
  sessionId: string
  source: 'startup' | 'resume'
  messages: MessageParam[]
  leaf: string | null
  /** What its last request held. */
  tokens: number
  uuids: Set<string>
  repairs: string[]
  /** Where its last turn continues, where that is wanted. */
  beginning: TurnBeginning | undefined
  /** What people had answered about its calls. */
  decisions: LoadedSession['decisions']
  /** What calls that wait for a user continue from, by the id of the call. */
  waits: LoadedSession['waits']
  /** What its requests cost before. */
  costs: TranscriptCostLine[]
  /** Where its lines go. It holds the session until it is closed. */
  log: TranscriptLog
  /** Where those of a sub-agent go. */
  agentLog(agentId: string): TranscriptLog
}

export type HostSessionStore = {
  /** The host wants every line as well. */
  mirror?: (path: string, line: TranscriptLine) => void
  /** What the host's own store has of the session to continue with. */
  entries?: readonly unknown[]
}

/** A function takes it when the first line is written, or throws why there can be none. */
type LockOrTaker = ProcessLock | (() => ProcessLock)
/** The lock of an agent's transcript: the lock of its session covers it. */
const HELD_ALREADY: ProcessLock = { isHeld: () => true, release() {} }

type StartedSession = { ok: true; start: SessionStartState } | { ok: false; refusal: StartRefusal }

export async function openSessionTranscript(
  settings: SessionLocation & SessionChoice,
  { files, identity, clock }: Platform,
  host: HostSessionStore = {},
): Promise<StartedSession> {
  const ports: ResumePorts = { files, clock, token: identity.uuid }
  const { cwd, env, home, configDir, fork } = settings
  // What stays with the session as long as it lives is its place, not all that was decided about it.
  const place: SessionLocation = { cwd, env, home, configDir }
  // A session that a host keeps is only there.
  const persist = settings.persist && !host.entries
  const logAt = (path: string, sessionId: string, lock: LockOrTaker, isNew: boolean, labels: SessionLabels = {}) =>
    createTranscriptLog({
      files,
      path,
      sessionId,
      lock,
      isNew,
      labels,
      persist,
      sync: isVariableOn(env.KEDGE_SYNC_SESSIONS),
      mirror: host.mirror && ((line) => host.mirror?.(path, line)),
    })
  const logFor = (id: string, lock: LockOrTaker, loaded?: LoadedSession) => ({
    log: logAt(transcriptPath(place, id), id, lock, !loaded, { title: loaded?.title, tag: loaded?.tag }),
    agentLog(agentId: string) {
      const path = agentTranscriptPath(transcriptPath(place, id), agentId)
      return logAt(path, id, () => HELD_ALREADY, !files.existsSync(path))
    },
  })
  const startResumed = (id: string, loaded: LoadedSession, lock: LockOrTaker): StartedSession => {
    const { messages, leaf, tokens, uuids, repairs } = loaded
    // A copy begins with nothing spent: the session it is made of keeps its own account.
    const costs = fork ? [] : loaded.costs
    const { beginning, decisions, waits } = loaded
    const found = { messages, leaf, tokens, uuids, repairs, costs, beginning, decisions, waits }
    return { ok: true, start: { sessionId: id, source: 'resume', ...found, ...logFor(id, lock, loaded) } }
  }
  const ownLock = (id: string) => () => takeLock(lockPath(transcriptPath(place, id)), ports)

  const given = settings.sessionId
  if (given !== undefined && files.existsSync(transcriptPath(settings, given))) return taken(given)
  const wanted = settings.resume ?? (settings.continueLatest ? await latest(settings, files) : undefined)
  if (wanted === undefined) {
    const id = given ?? identity.uuid()
    const lock = given === undefined || !settings.persist ? ownLock(id) : await reserve(id, settings, ports)
    if (!lock) return taken(id)
    const known = { decisions: new Map(), waits: new Map() }
    const lists = { messages: [], uuids: new Set<string>(), repairs: [], costs: [], ...known }
    const nothing = { ...lists, leaf: null, tokens: 0, beginning: undefined }
    return { ok: true, start: { sessionId: id, source: 'startup', ...nothing, ...logFor(id, lock) } }
  }
  if (!isSessionId(wanted))
    return fail(`No conversation found with session ID: ${wanted.slice(0, 100)} (a session ID is a UUID)`)
  const { loadTranscriptEntries, openSessionForReading, openSessionForWriting, forkForWriting } = await import(
    '../sessions/resume.js'
  )
  const cut = {
    sessionId: wanted,
    cutAt: settings.resumeAt,
    dropsTurn: settings.dropsTurn,
    goesOn: settings.continuesTurn,
  }
  const id = settings.fork ? (given ?? identity.uuid()) : wanted
  if (host.entries) {
    const loaded = loadTranscriptEntries(host.entries, cut)
    if (loaded && 'refused' in loaded) return fail(loaded.refused)
    // A copy has the old lines first, there as on disk. The host gets back what it sent.
    if (loaded && settings.fork)
      for (const entry of host.entries) host.mirror?.(transcriptPath(settings, id), entry as TranscriptLine)
    return loaded ? startResumed(id, loaded, ownLock(id)) : fail(noMessage(settings))
  }
  const source = { path: transcriptPath(settings, wanted), ...cut }
  let resumed: ResumeOutcome
  if (settings.fork) {
    resumed = await forkForWriting(source, { path: transcriptPath(settings, id), persist: settings.persist }, ports)
  } else {
    resumed = await (settings.persist ? openSessionForWriting(source, ports) : openSessionForReading(source, files))
  }
  switch (resumed.is) {
    case 'missing':
      return fail(`No conversation found with session ID: ${wanted}`)
    case 'no-such-message':
      return fail(noMessage(settings))
    case 'refused':
      return fail(resumed.why)
    case 'in-use':
      return inUse(id, resumed.holder, identity.pid)
    case 'loaded':
      return startResumed(id, resumed.session, resumed.lock)
  }
}

async function latest(
  settings: SessionLocation & SessionChoice,
  files: Platform['files'],
): Promise<string | undefined> {
  const { findLatestSessionId } = await import('../sessions/resume.js')
  return findLatestSessionId(files, settings)
}

/** For an id that others may choose too. Undefined: somebody has. */
async function reserve(
  id: string,
  settings: SessionLocation & SessionChoice,
  ports: ResumePorts,
): Promise<LockOrTaker | undefined> {
  const path = transcriptPath(settings, id)
  try {
    const lock = await waitForLock(lockPath(path), ports)
    if ('holder' in lock) return undefined
    if (!ports.files.existsSync(path)) return lock
    lock.release()
    return undefined
  } catch (error) {
    return () => {
      throw error
    }
  }
}

function noMessage({ resumeAt }: Pick<SessionChoice, 'resumeAt'>): string {
  return `No message found with message.uuid of: ${resumeAt}`
}

function fail(message: string): StartedSession {
  return { ok: false, refusal: { message, code: 'resume_failed', reason: 'resume_failed' } }
}

function taken(id: string): StartedSession {
  const stderr = `Error: Session ID ${id} is already in use.`
  return { ok: false, refusal: { stderr, code: 'session_in_use', reason: 'invalid_input' } }
}

function inUse(id: string, { pid, host, since }: LockHolder, own: number): StartedSession {
  const who =
    pid === 0 ? 'another process' : `process ${pid} on ${host.replace(/[^\w.-]/g, '?')}, since ${since.slice(0, 24)}`
  const way =
    pid === own
      ? 'Another query of this program has it open: close() that one, or end its input with endInput(); or say it there, with send(); or'
      : 'Wait until it has ended, or'
  const message = `Session ${id} is in use by ${who}. ${way} go on in a copy: forkSession: true (--fork-session).`
  return { ok: false, refusal: { message, code: 'session_in_use', reason: 'resume_failed' } }
}
