/** Messages of the agent that are worth a line in the conversation, as that line. */
import { T } from '../texts.js'
import type { SDKMessage, SDKResultMessage } from '../wire/wire-types.js'
import type { NoticeItem } from './items.js'

type Notice = Pick<NoticeItem, 'tone' | 'text' | 'detail' | 'until' | 'raw'>

export function shownNoticeOf(message: SDKMessage, at: string): Notice | undefined {
  if (message.type === 'conversation_reset') return { tone: 'mark', text: T.cleared }
  if (message.type !== 'system') return undefined
  switch (message.subtype) {
    case 'compact_boundary':
      return { tone: 'mark', text: T.compacted(message.compact_metadata.pre_tokens, message.compact_metadata.trigger) }
    case 'api_retry':
      return {
        tone: 'warning',
        text: T.retry(message.attempt, message.max_retries),
        detail: message.error,
        until: Date.parse(at) + message.retry_delay_ms,
      }
    case 'model_fallback':
      return { tone: 'warning', text: message.content }
    case 'permission_denied':
      return {
        tone: 'warning',
        text: T.deniedUnasked(message.tool_name),
        detail: message.decision_reason ?? message.content,
      }
    case 'informational':
      return { tone: message.level === 'notice' ? 'plain' : message.level, text: message.content }
    case 'hook_response':
      if (message.outcome === 'success') return undefined
      return {
        tone: 'warning',
        text: T.hookFailed(message.hook_name, message.hook_event),
        detail: message.stderr || message.output,
      }
    case 'mirror_error':
      return { tone: 'error', text: message.error }
    default:
      return undefined
  }
}

/** Excludes turns that a user stopped. */
export function isFailure({ is_error, terminal_reason }: SDKResultMessage): boolean {
  return is_error && !/^(aborted|interrupted)/.test(terminal_reason ?? '')
}

/** Splits an error response of the model's API into its sentence and the full text. */
export function errorNotice(text: string): Notice {
  const [json = ''] = /\{[\s\S]*\}/.exec(text) ?? []
  const words = messageIn(json)
  return words === undefined ? { tone: 'error', text } : { tone: 'error', text: T.modelFailed(words), raw: text }
}

function messageIn(json: string): string | undefined {
  try {
    const { error, message = error?.message } = JSON.parse(json)
    return typeof message === 'string' && message !== '' ? message : undefined
  } catch {
    return undefined
  }
}
