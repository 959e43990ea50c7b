/** Messages in a few words, for people who watch. */
import { oneLine } from '../platform/visible-text.js'
import type { SDKAPIRetryMessage, SDKAssistantMessage } from '../protocol/messages.js'

const LONGEST = 60

/** Each call with what says most about it. */
export function toolCallTexts({ message }: SDKAssistantMessage): string[] {
  return message.content.flatMap((block) => {
    if (block.type !== 'tool_use') return []
    // The model's own words, whatever they are.
    const input = (block.input ?? {}) as Record<string, unknown>
    const about = input['command'] ?? input['file_path'] ?? input['pattern'] ?? input['url'] ?? input['description']
    return [typeof about === 'string' ? `${block.name} ${oneLine(about, LONGEST)}` : block.name]
  })
}

export function describeRetry(message: SDKAPIRetryMessage): string {
  const { attempt, max_retries: most, retry_delay_ms: delay, error_status: status, error, cause } = message
  const why = status === null ? error : `${status} ${error}`
  const next = `try ${attempt} of ${most} in ${Math.ceil(delay / 1000)} s`
  if (cause === undefined) return `the API did not answer (${why}), ${next}`
  return `${oneLine(cause, 200)}, ${next}`
}

/** Returns what to try meanwhile, once: the retries take minutes. Empty: nothing is known. */
export function retryHint({ attempt, cause }: SDKAPIRetryMessage): string {
  return cause !== undefined && attempt === 1 ? ' `kedge doctor` checks the connection.' : ''
}
