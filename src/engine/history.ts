/** The conversation as the API sees it: it grows, or is replaced as a whole; roles alternate, and message objects never change once handed out. */
import type { AssistantMessage, ContentBlockParam, MessageParam } from '../protocol/content.js'

export interface History {
  readonly messages: readonly MessageParam[]
  /** Joins the last user message if there is one: the API wants alternating roles. */
  addUser(content: string | ContentBlockParam[]): void
  addAssistant(message: Pick<AssistantMessage, 'content'>): void
  /** After a compaction: what was before is gone. */
  replace(messages: readonly MessageParam[]): void
}

export function createHistory(initial: readonly MessageParam[] = []): History {
  const add = (role: MessageParam['role'], content: ContentBlockParam[]) => {
    if (content.length === 0) return
    const { messages } = history
    const last = messages.at(-1)
    if (last?.role === role && Array.isArray(last.content)) {
      // A new object: the old one may already be part of a request, or cached by identity.
      messages[messages.length - 1] = { role, content: [...last.content, ...content] }
    } else {
      messages.push({ role, content })
    }
  }
  const history: History & { messages: MessageParam[] } = {
    messages: [],
    addUser: (content) => add('user', toBlocks(content)),
    addAssistant: (message) => add('assistant', toBlocks(message.content)),
    replace(next) {
      history.messages = []
      for (const message of next) add(message.role, toBlocks(message.content))
    },
  }
  history.replace(initial)
  return history
}

function toBlocks(content: string | readonly ContentBlockParam[]): ContentBlockParam[] {
  if (typeof content !== 'string') return [...content]
  return content === '' ? [] : [{ type: 'text', text: content }]
}
