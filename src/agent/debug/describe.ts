/** Messages of the protocol as lines of the timeline: `→` to the host, `←` from it. */
import type { Clock } from '../../platform/clock.js'
import type { DebugKind } from '../../protocol/debug-filter.js'
import { brief, seconds, type Words } from './timeline-text.js'

type Write = (kind: DebugKind, text: string) => void
type Direction = '→' | '←'
/** Whatever was sent: every field is looked at before it is used. */
type Loose = Readonly<Record<string, unknown>>

/** Knows the calls and questions that are still open, so that an answer has the name and the time of what it answers. */
export function createDescriber(write: Write, words: Words, clock: Pick<Clock, 'monotonic'>) {
  const { json, quote } = words
  const open = new Map<string, { name: string; started: number }>()
  const begin = (id: unknown, name: string) => open.set(String(id), { name, started: clock.monotonic() })
  const end = (id: unknown): string => {
    const one = open.get(String(id))
    open.delete(String(id))
    return one ? `${one.name} after ${seconds(clock.monotonic() - one.started)} s` : String(id)
  }

  const textOf = (value: unknown): string => {
    if (typeof value === 'string') return quote(value)
    if (Array.isArray(value)) return value.map((part) => textOf(part)).join(' ')
    const { text, thinking, type } = object(value)
    const said = text ?? thinking
    return typeof said === 'string' ? quote(said) : String(type ?? '')
  }

  const block = (direction: Direction, part: Loose, agent: string) => {
    switch (part['type']) {
      case 'tool_use':
        begin(part['id'], String(part['name']))
        return write('tools', `${direction} call       ${agent}${String(part['name'])} ${json(part['input'])}`)
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
    else write('messages', `${direction} ${String(message['type']).padEnd(10)} ${agent}${textOf(content)}`)
    if (message['error'] !== undefined) write('messages', `${direction} error      ${String(message['error'])}`)
  }

  return (direction: Direction, sent: object) => {
    const message = object(sent)
    const type = String(message['type'])
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
        begin(message['request_id'], String(subtype))
        return write('control', `${direction} request    ${String(subtype)} ${json(request)}`)
      }
      case 'control_response': {
        const response = object(message['response'])
        const outcome =
          response['subtype'] === 'error'
            ? `error ${quote(String(response['error']))}`
            : json(response['response'] ?? {})
        return write('control', `${direction} answer     ${end(response['request_id'])}: ${outcome}`)
      }
      case 'control_cancel_request':
        return write('control', `${direction} cancel     ${end(message['request_id'])}`)
      case 'result':
        return write('messages', `${direction} result     ${resultLine(message)}`)
      case 'system':
        return write('messages', `${direction} ${String(message['subtype']).padEnd(10)} ${systemLine(message, json)}`)
      default:
        return write('messages', `${direction} ${type.padEnd(10)} ${json(rest(message))}`)
    }
  }
}

/** What the host says is the user's, also when it comes as blocks. */
function nameOf(direction: Direction, part: Loose): string {
  return direction === '←' && part['type'] === 'text' ? 'user' : String(part['type'])
}

function resultLine(message: Loose): string {
  const usage = object(message['usage'])
  const state =
    message['is_error'] === true
      ? `failed ${String(message['error_code'] ?? message['subtype'])}`
      : String(message['subtype'])
  const cost = Number(message['total_cost_usd'] ?? 0)
  return [
    state,
    `${String(message['num_turns'])} turns`,
    `${seconds(Number(message['duration_ms'] ?? 0))} s`,
    `${brief(Number(usage['input_tokens'] ?? 0))} tokens in`,
    `${brief(Number(usage['output_tokens'] ?? 0))} out`,
    `$${cost.toFixed(4)}`,
  ].join(', ')
}

function systemLine(message: Loose, json: Words['json']): string {
  switch (message['subtype']) {
    case 'init': {
      const tools = Array.isArray(message['tools']) ? message['tools'].length : 0
      const key = String(message['apiKeySource'])
      return `${String(message['model'])}, ${tools} tools, mode ${String(message['permissionMode'])}, key ${key}, session ${String(message['session_id'])}`
    }
    case 'api_retry': {
      const wait = seconds(Number(message['retry_delay_ms'] ?? 0))
      return `${String(message['attempt'])} of ${String(message['max_retries'])} in ${wait} s: ${String(message['error_status'] ?? '')} ${String(message['error'])}`
    }
    default:
      return json(rest(message))
  }
}

/** Without what every message has. */
function rest({ type: _, subtype: __, uuid: ___, session_id: ____, ...fields }: Loose): Loose {
  return fields
}

function object(value: unknown): Loose {
  // Any object has string keys; what they hold stays unknown.
  return typeof value === 'object' && value !== null ? (value as Loose) : {}
}
