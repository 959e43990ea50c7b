/** Checks a user message from a host before it can reach the model: what the API would refuse is refused here, by name. */
import type { ContentBlockParam, UUID } from '../protocol/content.js'

export type UserTurnMessage = {
  uuid: UUID | undefined
  /** As the host sent it: goes into the transcript and into replays. */
  content: string | ContentBlockParam[]
  /** The same as blocks, for the API. */
  blocks: ContentBlockParam[]
  /** All text in it. */
  text: string
}

export type CheckedMessage = { ok: true; message: UserTurnMessage } | { ok: false; problem: string }

/** The API takes images up to 5 MB; base64 is a third longer. */
const MAX_IMAGE_BASE64 = 7_000_000
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

export function checkUserMessage(line: object): CheckedMessage {
  const fail = (problem: string): CheckedMessage => ({ ok: false, problem })
  const message = 'message' in line ? line.message : undefined
  if (typeof message !== 'object' || message === null) return fail('user message: `message` must be an object')
  const content = 'content' in message ? message.content : undefined
  const uuid = 'uuid' in line && typeof line.uuid === 'string' && line.uuid !== '' ? line.uuid : undefined
  if (typeof content === 'string') {
    if (content.trim() === '') return fail('user message: `content` is empty')
    return {
      ok: true,
      message: { uuid: asUuid(uuid), content, blocks: [{ type: 'text', text: content }], text: content },
    }
  }
  if (!Array.isArray(content)) return fail('user message: `content` must be a string or an array of blocks')
  if (content.length === 0) return fail('user message: `content` is empty')
  const blocks: ContentBlockParam[] = []
  for (const [index, block] of content.entries()) {
    const problem = checkBlock(block)
    if (problem) return fail(`user message: content[${index}]: ${problem}`)
    // Checked just above.
    blocks.push(block as ContentBlockParam)
  }
  const text = blocks.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
  return { ok: true, message: { uuid: asUuid(uuid), content: blocks, blocks, text } }
}

/** Hosts may use any string as an id; on the wire it is typed as a UUID. */
function asUuid(id: string | undefined): UUID | undefined {
  return id as UUID | undefined
}

function checkBlock(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return 'must be an object'
  const type = 'type' in block ? block.type : undefined
  switch (type) {
    case 'text':
      if (!('text' in block) || typeof block.text !== 'string') return 'a text block needs `text`'
      return block.text === '' ? 'the text is empty' : undefined
    case 'image':
      return checkImage('source' in block ? block.source : undefined)
    case 'document':
      return 'source' in block && typeof block.source === 'object' && block.source !== null
        ? undefined
        : 'a document block needs `source`'
    case 'search_result':
      return undefined
    case 'tool_result':
      return 'a tool_result answers a call of the model; hosts cannot send one'
    default:
      return `blocks of type ${JSON.stringify(type) ?? 'undefined'} cannot be sent`
  }
}

function checkImage(source: unknown): string | undefined {
  if (typeof source !== 'object' || source === null || !('type' in source)) return 'an image block needs `source`'
  if (source.type === 'url')
    return 'url' in source && typeof source.url === 'string' ? undefined : 'the image needs `url`'
  if (source.type === 'file') return undefined
  if (source.type !== 'base64') return 'the image source must be base64, url or file'
  if (!('media_type' in source) || typeof source.media_type !== 'string' || !IMAGE_TYPES.includes(source.media_type)) {
    return `the image needs a media_type: ${IMAGE_TYPES.join(', ')}`
  }
  if (!('data' in source) || typeof source.data !== 'string' || source.data === '') return 'the image has no data'
  if (source.data.length > MAX_IMAGE_BASE64) return 'the image is larger than 5 MB'
  return /^[A-Za-z0-9+/\r\n]+={0,2}\s*$/.test(source.data) ? undefined : 'the image data is not base64'
}
