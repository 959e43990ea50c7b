/** What a tool call shows: what it would do, and what it did. Pure. */
import type { ContentBlock, ToolCallContent } from '@agentclientprotocol/sdk/unstable'
import { isObject } from '../../protocol/json.js'
import type { AskPreview } from '../../protocol/permission-types.js'
import { cutLineMiddle, showUnseen } from '../../protocol/shown/unseen-text.js'
import { displayOf } from '../../tools/displays.js'
import type { DisplayedContent } from '../../tools/tool-display.js'
import type { ViewCallResult } from '../../view/view-items.js'
import { toAbsoluteLocation } from './tool-call-fields.js'

/** Longest command output shown, in characters. Longer output is cut at the beginning. */
export const MAX_SHOWN_OUTPUT_CHARS = 32_000

export function textContent(content: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: content } }
}

/** What the call is about to do, from its input. */
export function plannedContent(name: string, input: Record<string, unknown>, cwd: string): ToolCallContent[] {
  return shownContent(displayOf(name).planned({ input, cwd }), cwd)
}

/** The change as it happened: the whole file before and after, where both are known. */
export function changedFileContent(name: string, output: unknown, cwd: string): ToolCallContent[] {
  return shownContent(displayOf(name).changed(output), cwd)
}

function shownContent(content: DisplayedContent | undefined, cwd: string): ToolCallContent[] {
  if (content === undefined) return []
  if (content.type === 'text') return [textContent(content.text)]
  return [
    { type: 'diff', path: toAbsoluteLocation(content.path, cwd), oldText: content.before, newText: content.after },
  ]
}

/** Returns the effect of the call, as computed before the user was asked. */
export function previewContent(preview: AskPreview | undefined, cwd: string): ToolCallContent[] {
  switch (preview?.type) {
    case 'diff': {
      const { path, oldText, newText } = preview
      return [{ type: 'diff', path: toAbsoluteLocation(path, cwd), oldText, newText }]
    }
    case 'command': {
      const parts = preview.parts.map(
        ({ command, behavior, reason }) => `- \`${cutLineMiddle(showUnseen(command), 200)}\` (${behavior}: ${reason})`,
      )
      return [
        textContent(codeFence(showUnseen(preview.command), 'sh')),
        ...(parts.length > 1 ? [textContent(parts.join('\n'))] : []),
      ]
    }
    case 'address':
      return [textContent(showUnseen(preview.url))]
    case 'document':
      return [textContent(preview.text)]
    default:
      return []
  }
}

/** What the model reads as the result of its call. */
export function resultContent(content: ViewCallResult['content'], language?: string): ToolCallContent[] {
  if (typeof content === 'string') return content === '' ? [] : [textContent(shown(content, language))]
  return content.flatMap((block): ToolCallContent[] => {
    if (block.type === 'text') return [textContent(shown(block.text, language))]
    const image = toAcpImage(block)
    return image ? [{ type: 'content', content: image }] : [textContent(`[${block.type}]`)]
  })
}

export function textOfResult(content: ViewCallResult['content']): string {
  if (typeof content === 'string') return content
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
}

export function toAcpImage(block: unknown): ContentBlock | undefined {
  if (!isObject(block) || block['type'] !== 'image' || !isObject(block['source'])) return undefined
  const { data, media_type: mimeType, url } = block['source']
  if (typeof data === 'string' && typeof mimeType === 'string') return { type: 'image', data, mimeType }
  return typeof url === 'string' ? { type: 'resource_link', uri: url, name: url } : undefined
}

function shown(content: string, language: string | undefined): string {
  return language === undefined ? content : codeFence(content.slice(-MAX_SHOWN_OUTPUT_CHARS), language)
}

/** A fence that the content can't close. */
export function codeFence(content: string, language: string): string {
  let longest = 2
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}`
}
