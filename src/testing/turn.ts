/** What a test says the model does: an answer, a failure of the API, or silence. Data only; `respond.ts` plays it. */
import type { ContentBlock, StopReason, Usage } from '../protocol/content.js'
import type { ModelRequest, RequestMatcher } from './observed-request.js'

/** One tool call of an answer. Without an `id` it gets `toolu_test_<n>`. */
export type ToolCall = {
  /** The id of the call. */
  id?: string
  /** The tool. */
  name: string
  /** What it is called with. */
  input?: unknown
}

/**
 * Checked before the turn is played. A function throws to fail; an object is matched field by field.
 * A failure answers the request with 500 and makes `assertDone()` throw the same error.
 */
export type Expectation = ((request: ModelRequest) => void | Promise<void>) | RequestMatcher

/** How the bytes of a response are sent, and where they stop. Events are counted without pings and `raw` insertions. */
export type Delivery = {
  /** Milliseconds between two events. */
  gapMs?: number
  /** Send the body in pieces of `size` bytes, `everyMs` apart, whatever they cut through. */
  dripBytes?: {
    /** Bytes of a piece. */
    size: number
    /** Milliseconds between two pieces. */
    everyMs?: number
  }
  /** End the connection after so many events, in the middle of the response. */
  cutAfterEvents?: number
  /** End the connection after so many bytes of the body. */
  cutAtByte?: number
  /** Cut with a TCP reset instead of an orderly close. */
  reset?: boolean
  /** Cut by ending the HTTP response properly, as a proxy does that lost its own upstream. */
  cleanEnd?: boolean
  /** Send this number of events, then nothing more; the connection stays open. */
  stallAfterEvents?: number
}

/** How the event stream is written. All of these are legal, or nearly legal, server-sent events. */
export type StreamShape = {
  /** Number of `ping` events after `message_start`. */
  pings?: number
  /** An `error` event after `afterEvents` events (default 1); the stream ends there. */
  sseError?: {
    /** The kind of error, as the API names it. */
    type: string
    /** What it says. */
    message: string
    /** After so many events. */
    afterEvents?: number
  }
  /** Leave out the final `message_stop`. */
  omitMessageStop?: boolean
  /** Text put into the stream as it is (comments, unknown events, garbage), after so many events. */
  raw?: {
    /** After so many events. */
    afterEvents: number
    /** The text. */
    text: string
  }[]
  /** Line ending of the stream; default `\n`. */
  newline?: '\n' | '\r\n' | '\r'
  /** Spread the JSON of each event over several `data:` lines. */
  multilineData?: boolean
}

/**
 * An answer of the model: thinking, then text, then tool calls, each left out when absent.
 * `stopReason` defaults to `tool_use` when there are tool calls and to `end_turn` otherwise.
 */
export type Answer = Delivery &
  StreamShape & {
    /** What it says. */
    text?: string
    /** What it thinks first. */
    thinking?: string
    /** The tools it calls. */
    tools?: ToolCall[]
    /** The exact blocks, in place of `thinking`, `text` and `tools`: for server tools, redacted thinking, odd orders. */
    content?: ContentBlock[]
    /** Why it stops. */
    stopReason?: StopReason
    /** The text that stopped it. */
    stopSequence?: string
    /** Default: 10 input and 5 output tokens. */
    usage?: Partial<Usage>
    /** Default: the model that was asked for. */
    model?: string
    /** Characters per delta; default: each block in two halves. */
    chunk?: number
    /** Headers of the response. */
    headers?: Record<string, string>
    /** The `content-type` of the response. */
    contentType?: string
    /** What the request has to be like. */
    expect?: Expectation
  }

/** An HTTP response that is not an answer. The body defaults to the API's error shape for the status. */
export type HttpFault = Pick<Delivery, 'dripBytes' | 'cutAtByte' | 'reset' | 'cleanEnd'> & {
  /** The HTTP status. */
  status: number
  /** Sets the `retry-after` header: seconds, or an HTTP date. */
  retryAfter?: number | string
  /** Headers of the response. */
  headers?: Record<string, string>
  /** Replaces parts of the default error. */
  error?: {
    /** The kind of error, as the API names it. */
    type?: string
    /** What it says. */
    message?: string
  }
  /** Another JSON body. */
  body?: unknown
  /** A body sent as it is: HTML of a proxy, garbage, nothing. */
  rawBody?: string | Uint8Array
  /** The `content-type` of the response. */
  contentType?: string
  /** What the request has to be like. */
  expect?: Expectation
}

/** No HTTP response at all: the connection is closed, reset, or left hanging. */
export type Silence = {
  /** How the connection ends, if it does. */
  noAnswer: 'close' | 'reset' | 'hang'
  /** What the request has to be like. */
  expect?: Expectation
}

/** What the model does with one request. A string is short for `{ text }`. */
export type Turn = string | Answer | HttpFault | Silence

/** Answers any number of requests. May be asynchronous: a turn can wait for something in the test. */
export type ModelHandler = (request: ModelRequest) => Turn | Promise<Turn>

/** One step of a script: a turn, or a function that makes the turn from the request. */
export type Step = Turn | ModelHandler

/** A few words for failure messages. */
export function describeTurn(step: Step): string {
  if (typeof step === 'function') return step.name ? `function ${step.name}` : 'a function'
  if (typeof step === 'string') return `text ${quote(step)}`
  if ('status' in step) return `status ${step.status}`
  if ('noAnswer' in step) return `no answer (${step.noAnswer})`
  if (step.content) return `content ${step.content.map((block) => block.type).join(', ')}`
  const parts: string[] = []
  if (step.thinking) parts.push('thinking')
  if (step.text) parts.push(`text ${quote(step.text)}`)
  if (step.tools?.length) parts.push(`tools ${step.tools.map((call) => call.name).join(', ')}`)
  return parts.join(', ') || 'an empty answer'
}

function quote(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 39)}…` : text)
}
