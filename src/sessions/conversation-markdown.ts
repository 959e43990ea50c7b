/** A stored conversation as Markdown, for people. */
import { isObject } from '../protocol/json.js'
import type { SessionMessage } from '../protocol/stored-sessions.js'

export function conversationToMarkdown(messages: readonly SessionMessage[], id: string): string {
  const parts = messages.flatMap(({ type, message }) => {
    const content = isObject(message) ? message['content'] : undefined
    const blocks: unknown[] =
      typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content : []
    return blocks.filter(isObject).flatMap((block): string[] => {
      if (block['type'] === 'text') return type === 'user' ? [quoted(String(block['text']))] : [String(block['text'])]
      if (block['type'] === 'tool_use')
        return [`**${block['name']}**\n\n${fenced(JSON.stringify(block['input'], null, 2), 'json')}`]
      if (block['type'] === 'tool_result') return [fenced(resultOf(block['content']), '')]
      return []
    })
  })
  return `# Session ${id}\n\n${parts.join('\n\n')}\n`
}

function resultOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (Array.isArray(content) ? content : [])
    .map((block) => (isObject(block) ? String(block['text'] ?? `[${block['type']}]`) : ''))
    .join('\n')
}

function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}

/** A fence that the content can't close. */
function fenced(content: string, language: string): string {
  const longest = Math.max(2, ...[...content.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${content}\n${fence}`
}
