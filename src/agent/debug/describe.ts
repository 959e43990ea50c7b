/** Messages of the protocol as lines of the timeline: `→` to the host, `←` from it. */
import type { Clock } from '../../platform/clock.js'
import type { DebugKind } from '../../protocol/debug-filter.js'
import { abbreviateCount, formatSeconds, type MaskedExcerpts } from './timeline-text.js'

type Write = (kind: DebugKind, text: string) => void
type Direction = '→' | '←'
/** Whatever was sent: every field is looked at before it is used. */
type Loose = Readonly<Record<string, unknown>>

/** Knows the calls and questions that are still open, so that an answer has the name and the time of what it answers. */
export function createTimelineDescriber(write: Write, words: MaskedExcerpts, clock: Pick<Clock, 'monotonic'>) {
  const { json, quote } = words
  const open = new Map<string, { name: string; started: number }>()
  const begin = (id: unknown, name: string) => open.set(word(id), { name, started: clock.monotonic() })
  const end = (id: unknown): string => {
    const one = open.get(word(id))
    open.delete(word(id))
    return one ? `${one.name} after ${formatSeconds(clock.monotonic() - one.started)} s` : word(id)
  }

  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return quote(value)
    if (Array.isArray(value)) return value.map((part) => textOf(part)).join(' ')
    const { text, thinking, type } = object(value)
    const said = text ?? thinking
    return typeof said === 'string' ? quote(said) : word(type ?? '')
  }

  const block = (direction: Direction, part: Loose, agent: string) => {
    switch (part['type']) {
      case 'tool_use':
        begin(part['id'], word(part['name']))
        return write('tools', `${direction} call       ${agent}${word(part['name'])} ${json(part['input'])}`)
      case 'tool_result': {
        const state = part['is_error'] === true ? 'failed' : 'ok'
        return write(
          'tools',
          `${direction} done       ${agent}${end(part['tool_use_id'])}: ${state} ${textOf(part['content'])}`,
        )
      }
      default:
        return write('messages', `${direction} ${nameOf(direction, part).padEnd(10)} ${agent}${textOf(part)}`)
    }
  }

  const said = (direction: Direction, message: Loose) => {
    const inner = object(message['message'])
    const agent = typeof message['parent_tool_use_id'] === 'string' ? '(agent) ' : ''
    const content = inner['content']
    if (Array.isArray(content)) for (const part of content) block(direction, object(part), agent)
    else write('messages', `${direction} ${word(message['type']).padEnd(10)} ${agent}${textOf(content)}`)
    if (message['error'] !== undefined) write('messages', `${direction} error      ${word(message['error'])}`)
  }

  return (direction: Direction, sent: object) => {
    const message = object(sent)
    const type = word(message['type'])
    switch (type) {
      case 'keep_alive':
        return
      case 'stream_event':
        return write('stream', `${direction} stream     ${json(message['event'])}`)
      case 'user':
      case 'assistant':
        return said(direction, message)
      case 'control_request': {
        const { subtype, ...request } = object(message['request'])
        begin(message['request_id'], word(subtype))
        return write('control', `${direction} request    ${word(subtype)} ${json(request)}`)
      }
      case 'control_response': {
        const response = object(message['response'])
        const outcome =
          response['subtype'] === 'error' ? `error ${quote(word(response['error']))}` : json(response['response'] ?? {})
        return write('control', `${direction} answer     ${end(response['request_id'])}: ${outcome}`)
      }
      case 'control_cancel_request':
        return write('control', `${direction} cancel     ${end(message['request_id'])}`)
      case 'result':
        return write('messages', `${direction} result     ${resultLine(message)}`)
      case 'system':
        return write('messages', `${direction} ${word(message['subtype']).padEnd(10)} ${systemLine(message, json)}`)
      default:
        return write('messages', `${direction} ${type.padEnd(10)} ${json(rest(message))}`)
    }
  }
}

/** What the host says is the user's, also when it comes as blocks. */
function nameOf(direction: Direction, part: Loose): string {
  return direction === '←' && part['type'] === 'text' ? 'user' : word(part['type'])
}

function resultLine(message: Loose): string {
  const usage = object(message['usage'])
  const state =
    message['is_error'] === true
      ? `failed ${word(message['error_code'] ?? message['subtype'])}`
      : word(message['subtype'])
  const cost = number(message['total_cost_usd'])
  return [
    state,
    `${word(message['num_turns'])} turns`,
    `${formatSeconds(number(message['duration_ms']))} s`,
    `${abbreviateCount(number(usage['input_tokens']))} tokens in`,
    `${abbreviateCount(number(usage['output_tokens']))} out`,
    `$${cost.toFixed(4)}`,
  ].join(', ')
}

function systemLine(message: Loose, json: MaskedExcerpts['json']): string {
  switch (message['subtype']) {
    case 'init': {
      const tools = Array.isArray(message['tools']) ? message['tools'].length : 0
      const key = word(message['apiKeySource'])
      return `${word(message['model'])}, ${tools} tools, mode ${word(message['permissionMode'])}, key ${key}, session ${word(message['session_id'])}`
    }
    case 'api_retry': {
      const wait = formatSeconds(number(message['retry_delay_ms']))
      return `${word(message['attempt'])} of ${word(message['max_retries'])} in ${wait} s: ${word(message['error_status'] ?? '')} ${word(message['error'])}`
    }
    default:
      return json(rest(message))
  }
}

/** Without what every message has. */
function rest({ type: _, subtype: __, uuid: ___, session_id: ____, ...fields }: Loose): Loose {
  return fields
}

/** Anything can be in there; a text of an object could throw. */
function word(value: unknown): string {
  return typeof value === 'object' && value !== null ? '(object)' : String(value)
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0
}

function object(value: unknown): Loose {
  // Any object has string keys; what they hold stays unknown.
  return typeof value === 'object' && value !== null ? (value as Loose) : {}
}
