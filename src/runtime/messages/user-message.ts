/** Checks a user message from a host before it can reach the model: what the API would refuse is refused here, by name. */
import type { BackgroundTask } from '../../engine/background-port.js'
import type { ContentBlockParam, UUID } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import type { SDKMessageOrigin } from '../../protocol/messages.js'

/** Work that was canceled, for the result that says so. */
export type CanceledBackgroundWork = {
  reason: string
  tasks: readonly BackgroundTask[]
  /** Resolves when nothing of it runs any more. */
  over: Promise<void>
}

export type UserTurnMessage = {
  uuid: UUID | undefined
  /** As the host sent it: goes into the transcript and into replays. */
  content: string | ContentBlockParam[]
  /** The same as blocks, for the API. */
  blocks: ContentBlockParam[]
  /** All text in it. */
  text: string
  /** The host's stamp, for the result. */
  origin?: SDKMessageOrigin
  /** It is not the user's: it tells the model that this task is over. */
  task?: BackgroundTask
  /** It is not the user's: the session itself has something to say. */
  own?: true
  /** It stands for the messages of teammates that are unread when its turn comes. */
  isMail?: true
  /** It is not the user's either: its turn only has a result, which says that this work was canceled. */
  canceled?: CanceledBackgroundWork
  /** Nobody said anything: the turn that was left continues. */
  continues?: true
}

/** Somebody outside said it: hooks may judge it, and the host may want it back. */
export function isFromUser({ task, own, isMail, canceled, continues }: UserTurnMessage): boolean {
  return !task && !own && !isMail && !canceled && !continues
}

export type CheckedUserMessage = { ok: true; message: UserTurnMessage } | { ok: false; problem: string; uuid?: UUID }

/** `/name arguments`; undefined for any other text. */
export function parseSlashCommand(text: string): { name: string; args: string } | undefined {
  const [, name, args = ''] = /^\/([a-z][\w:.-]*)(?:\s+([\s\S]*))?$/i.exec(text) ?? []
  return name === undefined ? undefined : { name, args: args.trim() }
}

/** The API takes images up to 5 MB; base64 is a third longer. */
const MAX_IMAGE_BASE64 = 7_000_000
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

export function checkUserMessage(line: object): CheckedUserMessage {
  const uuid = 'uuid' in line && typeof line.uuid === 'string' && line.uuid !== '' ? asUuid(line.uuid) : undefined
  const fail = (problem: string): CheckedUserMessage => ({
    ok: false,
    problem,
    ...(uuid === undefined ? {} : { uuid }),
  })
  const message = 'message' in line ? line.message : undefined
  if (typeof message !== 'object' || message === null) return fail('user message: `message` must be an object')
  if (!('role' in message) || message.role !== 'user') return fail("user message: `message.role` must be 'user'")
  const content = 'content' in message ? message.content : undefined
  if (typeof content === 'string') {
    if (content.trim() === '') return fail('user message: `content` is empty')
    return {
      ok: true,
      message: {
        uuid,
        content,
        blocks: [{ type: 'text', text: content }],
        text: content,
        ...stampOf(line),
      },
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
  if (blocks.every(({ type }) => type === 'text') && text.trim() === '') return fail('user message: `content` is empty')
  return { ok: true, message: { uuid, content: blocks, blocks, text, ...stampOf(line) } }
}

/** Returns why the agent would reject this prompt, or `undefined`. Interfaces call it before they queue a prompt. */
export function findPromptProblem(content: unknown): string | undefined {
  const checked = checkUserMessage({ message: { role: 'user', content } })
  return checked.ok ? undefined : checked.problem.replace('user message: ', '')
}

function stampOf(line: object): Pick<UserTurnMessage, 'origin'> {
  const origin: unknown = Reflect.get(line, 'origin')
  return isObject(origin) && typeof origin.kind === 'string' ? { origin: { ...origin, kind: origin.kind } } : {}
}

/** Hosts may use any string as an id; on the wire it is typed as a UUID. */
function asUuid(id: string): UUID {
  return id as UUID
}

/** The keys the API knows; it refuses a request with any other, and every later one with the same history. */
const BLOCK_KEYS: Record<string, readonly string[]> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'title', 'context', 'cache_control', 'citations'],
  search_result: ['type', 'source', 'title', 'content', 'cache_control', 'citations'],
}
const MAX_DEPTH = 20

function checkBlock(block: unknown): string | undefined {
  if (typeof block !== 'object' || block === null || Array.isArray(block)) return 'must be an object'
  const type = 'type' in block ? block.type : undefined
  if (type === 'tool_result') return 'a tool_result answers a call of the model; hosts cannot send one'
  if (typeof type !== 'string' || !Object.hasOwn(BLOCK_KEYS, type)) {
    return `blocks of type ${typeof type === 'string' ? JSON.stringify(type.slice(0, 100)) : typeof type} cannot be sent`
  }
  const unknown = Object.keys(block).find((key) => !BLOCK_KEYS[type]?.includes(key))
  if (unknown !== undefined) return `a block of type ${type} has no ${JSON.stringify(unknown.slice(0, 100))}`
  if (isDeeperThan(block, MAX_DEPTH)) return `nested more than ${MAX_DEPTH} deep`
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
    default:
      return undefined
  }
}

function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return limit === 0 || Object.values(value).some((item) => isDeeperThan(item, limit - 1))
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
  return isBase64(source.data) ? undefined : 'the image data is not base64'
}

/** One pass without going back: a single pattern for all of it takes minutes on hostile data. */
function isBase64(data: string): boolean {
  if (/[^A-Za-z0-9+/=\r\n]/.test(data)) return false
  const digits = data.replace(/[\r\n]+/g, '')
  const padding = digits.indexOf('=')
  const used = padding < 0 ? digits.length : padding
  return used > 0 && digits.length % 4 === 0 && digits.length - used <= 2 && /^=*$/.test(digits.slice(used))
}
