/** What a tool call shows: what it would do, and what it did. Pure. */
import type { ContentBlock, ToolCallContent } from '@agentclientprotocol/sdk/unstable'
import type { ToolResultBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { AskPreview } from '../../protocol/permission-types.js'
import { foldedLine, withMarks } from '../../protocol/shown/unseen-text.js'
import { absolute } from './tool-facts.js'

/** Longest file text, in characters, shown in full. For a longer one, only the changes are shown. */
const MAX_DIFF = 500_000
/** Longest command output shown, in characters. Longer output is cut at the beginning. */
export const MAX_OUTPUT = 32_000

export function textContent(content: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text: content } }
}

/** What the call is about to do, from its input. */
export function plannedContent(name: string, input: Record<string, unknown>, cwd: string): ToolCallContent[] {
  const { file_path: path, content, old_string: oldText, new_string: newText, description, prompt, plan } = input
  if (name === 'Write' && typeof path === 'string' && typeof content === 'string')
    return [{ type: 'diff', path: absolute(path, cwd), oldText: null, newText: content }]
  if (name === 'Edit' && typeof path === 'string' && typeof oldText === 'string' && typeof newText === 'string')
    return [{ type: 'diff', path: absolute(path, cwd), oldText: oldText === '' ? null : oldText, newText }]
  if (name === 'Bash' && typeof description === 'string') return [textContent(description)]
  if (name === 'Task' && typeof prompt === 'string') return [textContent(prompt)]
  if (name === 'ExitPlanMode' && typeof plan === 'string') return [textContent(plan)]
  return []
}

/** Returns the effect of the call, as computed before the user was asked. */
export function previewContent(preview: AskPreview | undefined, cwd: string): ToolCallContent[] {
  switch (preview?.type) {
    case 'diff': {
      const { path, oldText, newText } = preview
      return [{ type: 'diff', path: absolute(path, cwd), oldText, newText }]
    }
    case 'command': {
      const parts = preview.parts.map(
        ({ command, behavior, reason }) => `- \`${foldedLine(withMarks(command), 200)}\` (${behavior}: ${reason})`,
      )
      return [
        textContent(codeFence(withMarks(preview.command), 'sh')),
        ...(parts.length > 1 ? [textContent(parts.join('\n'))] : []),
      ]
    }
    case 'address':
      return [textContent(withMarks(preview.url))]
    case 'document':
      return [textContent(preview.text)]
    default:
      return []
  }
}

/** The change as it happened: the whole file before and after, where both are known. */
export function changeContent(name: string, output: unknown, cwd: string): ToolCallContent[] | undefined {
  if (!isObject(output) || typeof output['filePath'] !== 'string') return undefined
  const path = absolute(output['filePath'], cwd)
  const { originalFile: before, content, oldString, newString, replaceAll } = output
  if (name === 'Write' && typeof content === 'string')
    return [{ type: 'diff', path, oldText: typeof before === 'string' ? before : null, newText: content }]
  if (name !== 'Edit' || typeof oldString !== 'string' || typeof newString !== 'string') return undefined
  if (typeof before !== 'string' || before.length > MAX_DIFF)
    return [{ type: 'diff', path, oldText: oldString, newText: newString }]
  if (oldString === '') return [{ type: 'diff', path, oldText: before === '' ? null : before, newText: newString }]
  const parts = before.split(oldString)
  const newText = replaceAll === true ? parts.join(newString) : before.replace(oldString, () => newString)
  return [{ type: 'diff', path, oldText: before, newText }]
}

/** What the model reads as the result of its call. */
export function resultContent({ content }: ToolResultBlockParam, language?: string): ToolCallContent[] {
  if (content === undefined) return []
  if (typeof content === 'string') return content === '' ? [] : [textContent(shown(content, language))]
  return content.flatMap((block): ToolCallContent[] => {
    if (block.type === 'text') return [textContent(shown(block.text, language))]
    const image = imageOf(block)
    return image ? [{ type: 'content', content: image }] : [textContent(`[${block.type}]`)]
  })
}

export function contentOfResult({ content }: ToolResultBlockParam): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
}

export function imageOf(block: unknown): ContentBlock | undefined {
  if (!isObject(block) || block['type'] !== 'image' || !isObject(block['source'])) return undefined
  const { data, media_type: mimeType, url } = block['source']
  if (typeof data === 'string' && typeof mimeType === 'string') return { type: 'image', data, mimeType }
  return typeof url === 'string' ? { type: 'resource_link', uri: url, name: url } : undefined
}

function shown(content: string, language: string | undefined): string {
  return language === undefined ? content : codeFence(content.slice(-MAX_OUTPUT), language)
}

/** A fence that the content can't close. */
export function codeFence(content: string, language: string): string {
  let longest = 2
  for (const [run] of content.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}`
}
