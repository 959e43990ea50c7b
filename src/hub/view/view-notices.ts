/** Messages that a user should notice, in the words that every interface shows. */
import type { SDKCompactBoundaryMessage, SDKMessage } from '../../protocol/messages.js'
import { NOTICES } from '../../protocol/shown/vocabulary.js'

export type ViewNotice = {
  level: 'info' | 'warning' | 'error'
  text: string
  /** The reason, in the words of whoever gave it. */
  detail?: string
  /** Milliseconds until the next attempt. */
  retryMs?: number
}

/** Returns the notice as one sentence. */
export function noticeText({ text, detail }: { level?: string; text: string; detail?: string }): string {
  return detail === undefined ? text : `${text.replace(/\.$/, '')}: ${detail}`
}

/** Returns nothing for messages that show as something else, or not at all. */
export function noticesOf(message: SDKMessage): ViewNotice[] {
  switch (message.type) {
    case 'system':
      return systemNotices(message)
    case 'conversation_reset':
      return [{ level: 'info', text: NOTICES.cleared }]
    case 'auth_status': {
      const isFailure = message.error !== undefined
      const text = message.error ?? message.output.join('\n')
      return text === '' ? [] : [{ level: isFailure ? 'error' : 'info', text }]
    }
    case 'rate_limit_event': {
      const { status, resetsAt } = message.rate_limit_info
      if (typeof status !== 'string' || status === 'allowed') return []
      const text = status === 'rejected' ? NOTICES.rateLimited : NOTICES.rateLimitNear
      const until = typeof resetsAt === 'number' ? NOTICES.rateLimitUntil(new Date(resetsAt * 1000).toISOString()) : ''
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
        if (status === 'failed') return warning(NOTICES.serverFailed(name))
        return status === 'needs-auth' ? warning(NOTICES.serverNeedsSignIn(name)) : []
      })
    case 'compact_boundary':
      return [{ level: 'info', text: NOTICES.compacted, detail: compactedFrom(message) }]
    case 'api_retry': {
      const { attempt, max_retries: most, retry_delay_ms: retryMs, error } = message
      return [{ level: 'warning', text: NOTICES.retry(attempt, most), detail: error, retryMs }]
    }
    case 'model_fallback':
      return warning(message.content)
    case 'permission_denied':
      return warning(NOTICES.deniedByRule(message.tool_name), message.decision_reason ?? message.content)
    case 'informational':
      return [{ level: message.level === 'notice' ? 'info' : message.level, text: message.content }]
    case 'hook_response': {
      const { hook_name: hook, outcome, exit_code: code, stderr, output } = message
      if (outcome !== 'error' && code !== 2) return []
      const said = stderr.trim() || output.trim() || (code === undefined ? '' : `exit code ${code}`)
      return warning(code === 2 ? NOTICES.hookObjected(hook) : NOTICES.hookFailed(hook), said)
    }
    case 'mirror_error':
      return warning(NOTICES.notMirrored, message.error)
    case 'files_persisted':
      return message.failed.flatMap(({ filename, error }) => warning(NOTICES.fileNotKept(filename), error))
    default:
      return []
  }
}

function compactedFrom({ compact_metadata: { pre_tokens: tokens, trigger } }: SDKCompactBoundaryMessage): string {
  return NOTICES.compactedFrom(tokens, trigger === 'auto')
}
