/** One side of the control protocol: matches requests with answers, both ways, and survives every kind of bad timing. */
import { AbortError, KedgeError } from '../errors.js'
import type {
  ControlErrorResponse,
  SDKControlCancelRequest,
  SDKControlRequest,
  SDKControlResponse,
} from '../protocol/control.js'
import { messageOf } from '../protocol/thrown.js'

export type ControlMessage = SDKControlRequest<object> | SDKControlResponse | SDKControlCancelRequest

/** Thrown by a request handler to answer with an error. */
export class ControlError extends Error {
  readonly errorCode: string | undefined
  /** Further fields of the answer. */
  readonly fields: object

  constructor(message: string, errorCode?: string, fields: object = {}) {
    super(message)
    this.errorCode = errorCode
    this.fields = fields
  }
}

/** Thrown by a request handler when nobody waits for an answer any more: none is sent. */
export class NoAnswerWantedError extends Error {}

export type PeerOptions = {
  send(message: ControlMessage): void
  newId(): string
  /** Answers a request of the other side: the body of a success, or a throw for an error. */
  handle(
    request: Record<string, unknown>,
    signal: AbortSignal,
    id: string,
  ): Promise<Record<string, unknown> | undefined>
  /** Something the other side did wrong that has no answer. */
  report(problem: string): void
}

export interface Peer {
  /** Sends a request and waits for its answer. An abort cancels it on the other side too. */
  request(request: object, signal?: AbortSignal): Promise<Record<string, unknown>>
  /** Takes every control message that comes in. For a request: a promise that settles when it has been answered. */
  receive(message: ControlMessage): void | Promise<void>
  /** The other side reads no more requests: fails ours, now and later. What it asked is still answered. */
  stopAsking(error: Error): void
  /** Resolves when everything the other side asked has been answered. */
  answered(): Promise<void>
  /** Fails everything still open and all that comes later, and aborts what is being answered. */
  close(open: Error, later?: Error): void
  /** Requests without an answer yet. */
  openRequests(): number
  /** The same in their envelopes, of one kind. */
  openBodies(subtype: string): SDKControlRequest<object>[]
}

export function createPeer(options: PeerOptions): Peer {
  const asking = createAsking(options)
  const answering = createAnswering(options)
  let closed = false
  return {
    request: asking.request,
    receive(message) {
      switch (message.type) {
        case 'control_request':
          return answering.take(message.request_id, message.request)
        case 'control_cancel_request':
          return answering.cancel(message.request_id)
        default:
          return asking.settle(message.response)
      }
    },
    stopAsking: (error) => asking.stop(error, error),
    answered: answering.done,
    close(error, later = error) {
      if (closed) return
      closed = true
      asking.stop(error, later)
      answering.close()
    },
    openRequests: () => asking.pending.size,
    openBodies: (subtype) =>
      [...asking.pending].flatMap(([id, { request }]) =>
        'subtype' in request && request.subtype === subtype
          ? [{ type: 'control_request' as const, request_id: id, request }]
          : [],
      ),
  }
}

type Pending = {
  request: object
  resolve(body: Record<string, unknown>): void
  reject(error: Error): void
  settle(): void
}

/** Our requests, until each has its answer. */
function createAsking({ send, newId }: PeerOptions) {
  const pending = new Map<string, Pending>()
  /** Why requests of ours fail at once. */
  let mute: Error | undefined

  return {
    pending,
    request(request: object, signal?: AbortSignal): Promise<Record<string, unknown>> {
      if (mute) return Promise.reject(mute)
      if (signal?.aborted) return Promise.reject(new AbortError())
      const id = newId()
      return new Promise((resolve, reject) => {
        const cancel = () => {
          pending.delete(id)
          send({ type: 'control_cancel_request', request_id: id })
          reject(new AbortError())
        }
        const settle = () => signal?.removeEventListener('abort', cancel)
        signal?.addEventListener('abort', cancel, { once: true })
        pending.set(id, { request, resolve, reject, settle })
        try {
          send({ type: 'control_request', request_id: id, request })
        } catch (error) {
          pending.delete(id)
          settle()
          reject(error)
        }
      })
    },
    settle(response: SDKControlResponse['response']): void {
      const waiting = typeof response === 'object' && response !== null ? pending.get(response.request_id) : undefined
      // Late, double and unasked answers have nobody waiting.
      if (!waiting) return
      pending.delete(response.request_id)
      waiting.settle()
      if (response.subtype === 'success') waiting.resolve(response.response ?? {})
      // Anything can be in there; a text of an object could throw.
      else
        waiting.reject(new KedgeError('control_error', typeof response.error === 'string' ? response.error : 'unknown'))
    },
    stop(open: Error, later: Error): void {
      mute = later
      for (const waiting of pending.values()) {
        waiting.settle()
        waiting.reject(open)
      }
      pending.clear()
    },
  }
}

/** Requests of the other side, until each is answered. */
function createAnswering({ send, handle, report }: PeerOptions) {
  const answering = new Map<string, { controller: AbortController; done: Promise<void> }>()
  let closed = false

  const answer = async (id: string, request: Record<string, unknown>, controller: AbortController) => {
    let response: SDKControlResponse['response'] | undefined
    try {
      const body = await handle(request, controller.signal, id)
      response = { subtype: 'success', request_id: id, ...(body === undefined ? {} : { response: body }) }
    } catch (error) {
      if (!(error instanceof NoAnswerWantedError)) response = errorResponse(id, error)
    }
    answering.delete(id)
    if (closed || !response) return
    try {
      send({ type: 'control_response', response })
    } catch (error) {
      // What a callback returned can't be written as JSON; the other side must not wait for it for ever.
      const text = `The answer can't be sent: ${messageOf(error)}`
      send({ type: 'control_response', response: { subtype: 'error', request_id: id, error: text } })
    }
  }

  return {
    take(id: unknown, request: unknown): void | Promise<void> {
      if (typeof id !== 'string' || id === '') return report('control_request without a request_id')
      if (answering.has(id)) {
        const error = new ControlError(`request_id ${id} is still open`, 'duplicate_request_id')
        return send({ type: 'control_response', response: errorResponse(id, error) })
      }
      const body = typeof request === 'object' && request !== null ? { ...request } : {}
      const controller = new AbortController()
      const entry = { controller, done: Promise.resolve() }
      answering.set(id, entry)
      entry.done = answer(id, body, controller)
      return entry.done
    },
    cancel: (id: string): void => answering.get(id)?.controller.abort(),
    async done(): Promise<void> {
      await Promise.all([...answering.values()].map(({ done }) => done))
    },
    close(): void {
      closed = true
      for (const { controller } of answering.values()) controller.abort()
    },
  }
}

function errorResponse(id: string, error: unknown): ControlErrorResponse {
  const text = messageOf(error)
  const code = error instanceof ControlError ? error.errorCode : undefined
  const fields = error instanceof ControlError ? error.fields : {}
  return { subtype: 'error', request_id: id, error: text, ...fields, ...(code ? { error_code: code } : {}) }
}
