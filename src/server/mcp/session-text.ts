/** A session as an MCP client reads it: lines of text, with what waits for an answer. */

import type { Ask } from '../../protocol/session-log/ask-types.js'
import { userFailureText } from '../../protocol/shown/fix-words.js'
import { showUnseen } from '../../protocol/shown/unseen-text.js'
import { requestTitle } from '../../view/request-title.js'
import { userTextIn } from '../../view/typed-text.js'
import type { ViewItem } from '../../view/view-items.js'
import { noticeText } from '../../view/view-notices.js'

/** Characters of one item, and of an answer: a client puts them into the context of its own model. */
const MOST_OF_ITEM = 4000

/** An open request, with all that its answer needs. */
export type OpenRequestSummary = {
  request: string
  session: string
  kind: Ask['kind']
  title: string
  tool?: string
  input?: Record<string, unknown>
  /** The questions of a request of that kind. */
  questions?: unknown
  form?: Ask['elicitation']
  rules: readonly Ask['suggestions'][number][]
}

export function summarizeRequest(ask: Ask, cwd: string): OpenRequestSummary {
  const { id, session, kind, tool, elicitation, suggestions } = ask
  return {
    request: id,
    session,
    kind,
    title: showUnseen(requestTitle(ask, cwd)),
    ...(tool ? { tool: tool.name, input: tool.input } : {}),
    ...(elicitation ? { form: elicitation } : {}),
    rules: suggestions,
  }
}

/** Undefined: nothing of it is for readers. */
export function itemText(item: ViewItem): string | undefined {
  switch (item.kind) {
    case 'prompt':
      return `User: ${short(userTextIn(item.content))}`
    case 'text':
      return `Agent: ${short(item.text)}`
    case 'thinking':
      return undefined
    case 'tool':
      return `Tool ${item.name} (${item.state}): ${short(JSON.stringify(item.input))}${outputOf(item)}`
    case 'request':
      return item.closed ? undefined : `Request ${item.ask.id} waits for an answer`
    case 'notice':
      return `Notice: ${short(noticeText(item))}`
    case 'turn':
      if (item.outcome === 'done') return `Turn ended${item.answer ? `: ${short(item.answer)}` : ''}`
      return `Turn ${item.outcome}${item.problem ? `: ${short(userFailureText(item.problem))}` : ''}`
  }
}

function outputOf({ result }: Extract<ViewItem, { kind: 'tool' }>): string {
  if (!result) return ''
  const { content } = result
  const text = typeof content === 'string' ? content : userTextIn(content)
  return text === '' ? '' : `\n${short(text)}`
}

function short(text: string): string {
  return text.length > MOST_OF_ITEM ? `${text.slice(0, MOST_OF_ITEM)}… (${text.length} characters)` : text
}
