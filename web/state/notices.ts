/** Messages of the agent that are worth a line in the conversation, as that line. */
import { noticesOf } from '../../src/hub/view/view-notices.js'
import { T } from '../texts.js'
import type { SDKMessage, SDKResultMessage } from '../wire/wire-types.js'
import type { NoticeItem } from './items.js'

type Notice = Pick<NoticeItem, 'tone' | 'text' | 'detail' | 'until' | 'raw'>

export function shownNoticeOf(message: SDKMessage, at: string): Notice | undefined {
  // The panel beside the conversation shows the state of servers.
  if (message.type === 'system' && message.subtype === 'init') return undefined
  const [notice] = noticesOf(message)
  if (!notice) return undefined
  const { level, text, detail, retryMs } = notice
  const isMark =
    message.type === 'conversation_reset' || (message.type === 'system' && message.subtype === 'compact_boundary')
  return {
    tone: isMark ? 'mark' : level === 'info' ? 'plain' : level,
    text,
    ...(detail === undefined ? {} : { detail }),
    ...(retryMs === undefined ? {} : { until: Date.parse(at) + retryMs }),
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
