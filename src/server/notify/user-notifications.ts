/** Turns a log entry into a notice for users, or into none. Pure. */
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'

export const USER_NOTIFICATION_KINDS = ['needs_you', 'done', 'failed', 'closed'] as const
export type UserNotificationKind = (typeof USER_NOTIFICATION_KINDS)[number]

/** A notification for a browser or a webhook. */
export type UserNotification = {
  kind: UserNotificationKind
  session: string
  seq: number
  at: string
  /** For people, in a few words. */
  text: string
  ask?: { id: string; kind: string; tool?: string }
}

const LONGEST = 300

export function userNotificationOf(entry: LogEntry): UserNotification | undefined {
  const { session, seq, at } = entry
  const notice = (kind: UserNotificationKind, text: string): UserNotification => ({
    kind,
    session,
    seq,
    at,
    text: shortened(text),
  })
  switch (entry.kind) {
    case 'ask': {
      const { id, kind, tool, why, elicitation } = entry.data
      // No turn waits for it.
      if (kind === 'sign-in') return undefined
      const text = elicitation?.message ?? (tool ? `${tool.name}: ${about(tool.input) || why.text}` : why.text)
      return { ...notice('needs_you', text), ask: { id, kind, ...(tool ? { tool: tool.name } : {}) } }
    }
    case 'message': {
      if (entry.data.type !== 'result') return undefined
      const { is_error: isError } = entry.data
      const text = 'errors' in entry.data ? entry.data.errors.join('\n') : entry.data.result
      return notice(isError ? 'failed' : 'done', String(text ?? ''))
    }
    case 'prompt':
      return entry.data.change === 'interrupted' ? notice('failed', entry.data.reason) : undefined
    case 'state': {
      const { status, error } = entry.data
      if (status === 'error') return notice('failed', error ?? NOTICE_TEXTS.agentFailed)
      return status === 'done' ? notice('closed', 'The session was closed.') : undefined
    }
    default:
      return undefined
  }
}

/** What a call is about: the field that people look at first. */
function about(input: Record<string, unknown>): string {
  for (const name of ['command', 'file_path', 'url', 'plan', 'query', 'description'])
    if (typeof input[name] === 'string') return String(input[name])
  return ''
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
