/** What callers of the client give it. */

import type { LogReadOptions } from '../hub/log/session-log.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import type { AskAnswer } from '../protocol/session-log/ask-types.js'
import type { NewPrompt } from '../protocol/session-log/prompt-types.js'
import type { ClientError } from './client-errors.js'

/** Options of `createClient()`. */
export type ClientOptions = {
  /** The address of the server, such as `http://127.0.0.1:4141`. In a page: where the page came from. */
  url?: string
  /** A token of the server, or a function that returns the current one: it's called again if the server rejects it. */
  token?: string | (() => string | Promise<string>)
  /** For pages that sign in with a cookie instead: the key of the page, which is worthless without the cookie. */
  pageKey?: () => string
  /** How streams come: server-sent events (the default), or WebSockets, which need `pageKey`. */
  stream?: 'sse' | 'websocket'
  /** How long an answer may take, in milliseconds. Default: 30 000. */
  timeoutMs?: number
  /** How often a call is repeated, if that can do no harm. Default: 4. */
  retries?: number
  /** Delays between attempts. Default: 250 ms at first, then twice as long each time, at most 5 s. */
  backoff?: {
    /** The first delay. */
    firstMs: number
    /** The longest delay. */
    longestMs: number
  }
  /** A stream that is silent for this long is dead. Default: 40 000; the server says something every 15 s. */
  silenceMs?: number
  /** Keeps prompts of the outbox that the server doesn't have yet. Default: memory. */
  storage?: ClientStorage
  /** Sends the requests. Default: the `fetch` of the runtime. */
  fetch?: typeof fetch
}

/** Where the outbox keeps its prompts: `localStorage` with a prefix, or a file. */
export type ClientStorage = {
  /** Returns the text under a key. */
  get(key: string): string | undefined
  /** Stores a text, or removes it (`undefined`). */
  set(key: string, text: string | undefined): void
  /** Returns all keys. */
  keys(): readonly string[]
}

/** What any call takes. */
export type CallOptions = {
  /** Ends the call: it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
}

/** Options of `request()`, for operations without a method. */
export type ApiRequestOptions = CallOptions & {
  /** Query parameters; those that are undefined are left out. */
  query?: Record<string, string | number | boolean | readonly string[] | undefined>
  /** Sent as JSON; a text is sent as it is. */
  body?: unknown
  /** Further headers. */
  headers?: Record<string, string>
  /** Whether it can be sent twice without harm. Default: true, except for POST and PATCH. */
  isRepeatable?: boolean
  /** Milliseconds for this one, instead of the client's. */
  timeoutMs?: number
}

/** A session to begin. */
export type NewSession = {
  /** A UUID; made up if left out. */
  id?: string
  /** The folder it works in: an absolute path on the server. */
  cwd: string
  /** What people see in lists. */
  title?: string
  /** The permission mode. */
  mode?: PermissionMode
  /** The model. */
  model?: string
  /** How much the model thinks. */
  effort?: 'low' | 'medium' | 'high' | 'max'
}

/** A file that goes with a prompt: an image, a PDF, or text. */
export type Attachment = {
  /** Its name. */
  name: string
  /** Its media type, such as `image/png`. */
  mediaType: string
  /** The content, base64. */
  data: string
}

/** A prompt to send. */
export type PromptToSend = {
  /** Makes it one prompt, however often it is sent; made up if left out. */
  id?: string
  /** What the agent should do: text, or blocks of text and images. */
  content: NewPrompt['content']
  /** `queue` (the default): after what is running. `steer`: the running turn reads it. */
  when?: NewPrompt['when'] | undefined
  /** Files that go with it. */
  attachments?: readonly Attachment[]
}

/** How a stream is: it connects, entries come, or the connection is lost and another one is tried. */
export type ConnectionState = 'connecting' | 'live' | 'lost'

/** Options of `read()`. */
export type ReadOptions = LogReadOptions & {
  /** Called when the connection is made or lost; `error` is why it was lost. */
  onState?(state: ConnectionState, error?: ClientError | Error): void
  /** Called at each connection: deltas of what is unfinished come again, from their beginning. */
  onConnect?(): void
}

/** An open request, by its id or whole: then the answer is for exactly the input that was shown. */
export type AskReference =
  | string
  | {
      /** The id of the request. */
      id: string
      /** The call that it's about. */
      tool?: {
        /** Hash of the input that was shown. */
        hash: string
      }
    }

/** An answer to a request. */
export type AnswerToSend = AskAnswer
