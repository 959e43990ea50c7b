/**
 * Messages of the protocol as lines of the timeline: `→` to the host, `←` from it. What the agent's messages show has the words of
 * the view; what only crosses the channel is shown as it is.
 */
import type { Clock } from '../../platform/clock.js'
import type { DebugKind } from '../../protocol/debug-filter.js'
import type { SDKMessage } from '../../protocol/messages.js'
import { requestTitle } from '../../view/request-title.js'
import { type ShownLine, ShownLines, textIn } from './shown-lines.js'
import { formatSeconds, type MaskedExcerpts } from './timeline-text.js'

type Write = (kind: DebugKind, text: string) => void
type Direction = '→' | '←'
/** Whatever was sent: every field is looked at before it is used. */
type Loose = Readonly<Record<string, unknown>>

/** Knows the requests that are still open, so that an answer has the name and the time of what it answers. */
export function createTimelineDescriber(write: Write, words: MaskedExcerpts, clock: Pick<Clock, 'monotonic'>) {
  const { json, quote } = words
  const open = new Map<string, { name: string; started: number }>()
  const begin = (id: unknown, name: string) => open.set(word(id), { name, started: clock.monotonic() })
  const end = (id: unknown): string => {
    const one = open.get(word(id))
    open.delete(word(id))
    return one ? `${one.name} after ${formatSeconds(clock.monotonic() - one.started)} s` : word(id)
  }

  const shown = new ShownLines(words, () => clock.monotonic())

  /** What a host sends, and messages in which something is missing: as they are. */
  const asSent = (direction: Direction, message: Loose) => {
    const content = object(message['message'])['content']
    const agent = typeof message['parent_tool_use_id'] === 'string' ? '(agent) ' : ''
    for (const part of Array.isArray(content) ? content : [content]) {
      const type = word(object(part)['type'] ?? 'text')
      // What the host says is the user's, also when it comes as blocks.
      const name = type !== 'text' ? type : word(message['type'])
      write('messages', `${direction} ${name.padEnd(10)} ${agent}${textIn(part, words)}`)
    }
  }

  /** Returns the lines of what the agent's message shows, none if it isn't whole. */
  const linesOf = (message: Loose): ShownLine[] => {
    try {
      // The view throws for a message that isn't one.
      return shown.take(message as SDKMessage)
    } catch {
      return []
    }
  }

  const fromAgent = (message: Loose) => {
    const type = word(message['type'])
    const notices: string[] = []
    const lines = linesOf(message)
    for (const { kind, head, text } of lines) {
      if (head === undefined) notices.push(text)
      else write(kind, `→ ${head.padEnd(10)} ${text}`)
    }
    const isSpeech = type === 'user' || type === 'assistant'
    if (!isSpeech && (type !== 'result' || lines.length === 0)) {
      const head = type === 'system' ? word(message['subtype']) : type
      write('messages', `→ ${head.padEnd(10)} ${[...notices, rawText(message, json)].join(' · ')}`)
      return
    }
    if (lines.length === 0) asSent('→', message)
    for (const notice of notices) write('messages', `→ notice     ${notice}`)
    if (type === 'assistant' && message['error'] !== undefined)
      write('messages', `→ error      ${word(message['error'])}`)
  }

  return (direction: Direction, sent: object) => {
    const message = object(sent)
    const type = word(message['type'])
    switch (type) {
      case 'keep_alive':
        return
      case 'stream_event':
        return write('stream', `${direction} stream     ${json(message['event'])}`)
      case 'control_request': {
        const { subtype, ...request } = object(message['request'])
        begin(message['request_id'], word(subtype))
        const title = subtype === 'can_use_tool' ? `${words.shorten(permissionTitle(request))} ` : ''
        return write('control', `${direction} request    ${word(subtype)} ${title}${json(request)}`)
      }
      case 'control_response': {
        const response = object(message['response'])
        const outcome =
          response['subtype'] === 'error' ? `error ${quote(word(response['error']))}` : json(response['response'] ?? {})
        return write('control', `${direction} answer     ${end(response['request_id'])}: ${outcome}`)
      }
      case 'control_cancel_request':
        return write('control', `${direction} cancel     ${end(message['request_id'])}`)
      default:
        if (direction === '→') return fromAgent(message)
        if (type === 'user' || type === 'assistant') return asSent(direction, message)
        return write('messages', `${direction} ${type.padEnd(10)} ${json(rest(message))}`)
    }
  }
}

/** What people are asked, as every interface asks it. */
function permissionTitle(request: Loose): string {
  const name = word(request['tool_name'])
  const kind = name === 'AskUserQuestion' ? 'question' : 'permission'
  try {
    return requestTitle({ kind, tool: { name, input: { ...object(request['input']) } } }, '')
  } catch {
    // The input of a damaged request: it follows as it is.
    return ''
  }
}

/** What a message about the session says besides the notices that are made of it. */
function rawText(message: Loose, json: MaskedExcerpts['json']): string {
  if (message['type'] !== 'system' || message['subtype'] !== 'init') return json(rest(message))
  const tools = Array.isArray(message['tools']) ? message['tools'].length : 0
  const key = word(message['apiKeySource'])
  return `${word(message['model'])}, ${tools} tools, mode ${word(message['permissionMode'])}, key ${key}, session ${word(message['session_id'])}`
}

/** Without what every message has. */
function rest({ type: _, subtype: __, uuid: ___, session_id: ____, ...fields }: Loose): Loose {
  return fields
}

/** Anything can be in there; a text of an object could throw. */
function word(value: unknown): string {
  return typeof value === 'object' && value !== null ? '(object)' : String(value)
}

function object(value: unknown): Loose {
  // Any object has string keys; what they hold stays unknown.
  return typeof value === 'object' && value !== null ? (value as Loose) : {}
}
