/** Decides which session this is: a new one, one to go on with, or a copy of one. Errors are the observed ones. */

import type { Platform } from '../platform/platform.js'
import type { MessageParam } from '../protocol/content.js'
import { latestSession } from '../sessions/latest.js'
import { loadSession } from '../sessions/load.js'
import { isSessionId, transcriptPath } from '../sessions/location.js'
import type { Refusal, SessionSettings } from './settings.js'

export type SessionStart = {
  sessionId: string
  path: string
  source: 'startup' | 'resume'
  messages: MessageParam[]
  leaf: string | null
  uuids: Set<string>
  repairs: string[]
}

export async function startSession(
  settings: SessionSettings,
  { files, identity }: Platform,
): Promise<{ ok: true; start: SessionStart } | { ok: false; refusal: Refusal }> {
  const fail = (message: string) => ({
    ok: false as const,
    refusal: { message, code: 'resume_failed', reason: 'resume_failed' as const },
  })
  const fresh = (): SessionStart => {
    const sessionId = settings.sessionId ?? identity.uuid()
    const path = transcriptPath(settings, sessionId)
    return { sessionId, path, source: 'startup', messages: [], leaf: null, uuids: new Set(), repairs: [] }
  }
  const wanted = settings.resume ?? (settings.continueLatest ? await latestSession(files, settings) : undefined)
  const { sessionId } = settings
  if (sessionId !== undefined && isSessionId(sessionId) && files.existsSync(transcriptPath(settings, sessionId))) {
    const stderr = `Error: Session ID ${sessionId} is already in use.`
    return { ok: false, refusal: { stderr, code: 'session_in_use', reason: 'invalid_input' } }
  }
  if (wanted === undefined) return { ok: true, start: fresh() }
  if (!isSessionId(wanted))
    return fail(`No conversation found with session ID: ${wanted.slice(0, 100)} (a session ID is a UUID)`)
  const path = transcriptPath(settings, wanted)
  if (!files.existsSync(path)) return fail(`No conversation found with session ID: ${wanted}`)
  const loaded = await loadSession(files, path, settings.resumeAt)
  if (!loaded) return fail(`No message found with message.uuid of: ${settings.resumeAt}`)
  if (!settings.fork) return { ok: true, start: { sessionId: wanted, path, source: 'resume', ...loaded } }
  const copy = fresh()
  // The old lines come first in the new file, as they were; the copy stands by itself.
  if (settings.persist) await files.replace(copy.path, await files.read(path), 0o600)
  return { ok: true, start: { ...copy, source: 'resume', ...loaded } }
}
