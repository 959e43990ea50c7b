/** A conversation as Markdown, for somewhere else. */

import { displayOf } from '../../src/tools/displays.js'
import type { ViewItem } from '../../src/view/view-items.js'
import { waitingPromptText } from '../composer/waiting-prompts.js'
import { openedSession } from '../state/opened-session.js'
import { T } from '../texts.js'
import { resultText } from '../tools/tool-heads.js'

export async function copyConversationAsMarkdown(id: string): Promise<void> {
  const session = openedSession.value
  if (session?.id !== id) return
  await navigator.clipboard.writeText(session.conversation.items.flatMap(toMarkdown).join('\n\n'))
}

function toMarkdown(item: ViewItem): string[] {
  switch (item.kind) {
    case 'prompt':
      return [`## ${T.promptOf(item.by?.name ?? '')}`, waitingPromptText({ content: [...blocksOf(item.content)] })]
    case 'text':
      return [item.text]
    case 'tool': {
      const said = resultText(item.result?.content)
      return [
        `**${displayOf(item.name).label({ input: item.input, cwd: '' })}**`,
        fenced(JSON.stringify(item.input, null, 2), 'json'),
        ...(said === '' ? [] : [fenced(said)]),
      ]
    }
    default:
      return []
  }
}

function blocksOf(content: Extract<ViewItem, { kind: 'prompt' }>['content']) {
  return typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
}

/** With a fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text}\n${fence}`
}
