/** Messages that a user should notice, in the words that every interface shows. */
import type { SDKCompactBoundaryMessage, SDKMessage } from '../protocol/messages.js'
import { NOTICE_TEXTS } from '../protocol/shown/vocabulary.js'
import type { NoticeItem } from './view-items.js'

export type ViewNotice = {
  level: 'info' | 'warning' | 'error'
  text: string
  /** The reason, in the words of whoever gave it. */
  detail?: string
  /** Milliseconds until the next attempt. */
  retryMs?: number
}

/** Returns the notice as one sentence. */
export function noticeText({ text, detail }: ViewNotice | NoticeItem): string {
  return detail === undefined ? text : `${text.replace(/\.$/, '')}: ${detail}`
}

/** Returns nothing for messages that show as something else, or not at all. */
export function noticesOf(message: SDKMessage): ViewNotice[] {
  switch (message.type) {
    case 'system':
      return systemNotices(message)
    case 'conversation_reset':
      return [{ level: 'info', text: NOTICE_TEXTS.cleared }]
    case 'auth_status': {
      const isFailure = message.error !== undefined
      const text = message.error ?? message.output.join('\n')
      return text === '' ? [] : [{ level: isFailure ? 'error' : 'info', text }]
    }
    case 'rate_limit_event': {
      const { status, resetsAt } = message.rate_limit_info
      if (typeof status !== 'string' || status === 'allowed') return []
      const text = status === 'rejected' ? NOTICE_TEXTS.rateLimited : NOTICE_TEXTS.rateLimitNear
      const until =
        typeof resetsAt === 'number' ? NOTICE_TEXTS.rateLimitUntil(new Date(resetsAt * 1000).toISOString()) : ''
      return [{ level: 'warning', text, ...(until === '' ? {} : { detail: until }) }]
    }
    default:
      return []
  }
}

function systemNotices(message: Extract<SDKMessage, { type: 'system' }>): ViewNotice[] {
  const warning = (text: string, detail?: string): ViewNotice[] => [
    { level: 'warning', text, ...(detail ? { detail } : {}) },
  ]
  switch (message.subtype) {
    case 'init':
      return message.mcp_servers.flatMap(({ name, status }) => {
        if (status === 'failed') return warning(NOTICE_TEXTS.serverFailed(name))
        return status === 'needs-auth' ? warning(NOTICE_TEXTS.serverNeedsSignIn(name)) : []
      })
    case 'compact_boundary':
      return [{ level: 'info', text: NOTICE_TEXTS.compacted, detail: compactedFrom(message) }]
    case 'api_retry': {
      const { attempt, max_retries: most, retry_delay_ms: retryMs, error, cause } = message
      return [{ level: 'warning', text: NOTICE_TEXTS.retry(attempt, most), detail: cause ?? error, retryMs }]
    }
    case 'model_fallback':
      return warning(message.content)
    case 'permission_denied':
      return warning(NOTICE_TEXTS.deniedByRule(message.tool_name), message.decision_reason ?? message.content)
    case 'informational':
      return [{ level: message.level === 'notice' ? 'info' : message.level, text: message.content }]
    case 'hook_response': {
      const { hook_name: hook, outcome, exit_code: code, stderr, output } = message
      if (outcome !== 'error' && code !== 2) return []
      const said = stderr.trim() || output.trim() || (code === undefined ? '' : `exit code ${code}`)
      return warning(code === 2 ? NOTICE_TEXTS.hookObjected(hook) : NOTICE_TEXTS.hookFailed(hook), said)
    }
    case 'mirror_error':
      return warning(NOTICE_TEXTS.notMirrored, message.error)
    case 'files_persisted':
      return message.failed.flatMap(({ filename, error }) => warning(NOTICE_TEXTS.fileNotKept(filename), error))
    default:
      return []
  }
}

function compactedFrom({ compact_metadata: { pre_tokens: tokens, trigger } }: SDKCompactBoundaryMessage): string {
  return NOTICE_TEXTS.compactedFrom(tokens, trigger === 'auto')
}
