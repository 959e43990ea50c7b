/** What the user sends, in the words of the model's API. Pure. */
import type { ContentBlock } from '@agentclientprotocol/sdk/unstable'
import { KedgeError } from '../../errors.js'
import type { ContentBlockParam } from '../../protocol/content.js'
import { findPromptProblem } from '../../runtime/messages/user-message.js'

export type PromptContent = ContentBlockParam[]

/** Embedded files come after what was said; links are only named, so that reading them is a call like any other. */
export function promptContent(blocks: readonly ContentBlock[]): PromptContent {
  const said: PromptContent = []
  const attached: PromptContent = []
  for (const block of blocks) {
    switch (block.type) {
      case 'text':
        said.push({ type: 'text', text: block.text })
        break
      case 'image':
        said.push(imageBlock(block.data, block.mimeType, block.uri))
        break
      case 'resource_link':
        said.push({ type: 'text', text: link(block.uri, block.name) })
        break
      case 'resource': {
        const { resource } = block
        said.push({ type: 'text', text: link(resource.uri) })
        if ('text' in resource) attached.push({ type: 'text', text: context(resource.uri, resource.text) })
        else attached.push(blobBlock(resource.uri, resource.blob, resource.mimeType ?? ''))
        break
      }
      default:
        throw new KedgeError(
          'invalid_option',
          `A prompt can't have content of type "${block.type}": send text or images.`,
        )
    }
  }
  // Editors send empty text blocks around mentions, which the API rejects.
  const words = said.filter((block) => block.type !== 'text' || block.text.trim() !== '')
  if (words.length === 0)
    throw new KedgeError('invalid_option', 'The prompt is empty: send at least one block that is not blank.')
  const content = [...withCommand(words), ...attached]
  const problem = findPromptProblem(content)
  if (problem !== undefined) throw new KedgeError('invalid_option', `The prompt can't be sent: ${problem}.`)
  return content
}

/** Commands of MCP servers have another name inside: `/mcp:server:prompt`. */
function withCommand([first, ...rest]: PromptContent): PromptContent {
  if (first?.type !== 'text') return first ? [first, ...rest] : rest
  const [, server, name, args = ''] = /^\/mcp:([^\s:]+):(\S+)(\s[\s\S]*)?$/.exec(first.text) ?? []
  const text = server === undefined ? first.text : `/mcp__${server}__${name}${args}`
  return [{ ...first, text }, ...rest]
}

/** The first words, when all of it is text. */
export function textOfPrompt(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
}

function link(uri: string, name = uri.slice(uri.lastIndexOf('/') + 1)): string {
  return `[@${name}](${uri})`
}

function context(uri: string, text: string): string {
  return `\n<context ref="${uri.replaceAll('"', '%22')}">\n${text}\n</context>`
}

const IMAGES: readonly string[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

function imageBlock(data: string, mimeType: string, uri?: string | null): ContentBlockParam {
  if (data === '' && uri?.startsWith('http')) return { type: 'image', source: { type: 'url', url: uri } }
  if (!IMAGES.includes(mimeType))
    throw new KedgeError(
      'invalid_option',
      `The model can't see images of type "${mimeType}": send ${IMAGES.join(', ')}.`,
    )
  return { type: 'image', source: { type: 'base64', media_type: mimeType as 'image/png', data } } // one of IMAGES
}

function blobBlock(uri: string, data: string, mimeType: string): ContentBlockParam {
  if (IMAGES.includes(mimeType)) return imageBlock(data, mimeType)
  if (mimeType === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data } }
  return { type: 'text', text: context(uri, `(A file of type ${mimeType || 'unknown'}, which can't be shown here.)`) }
}
