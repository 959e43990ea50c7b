/** Plays a turn onto an HTTP response: the bytes in the pieces, at the pace and up to the point the turn asks for. */
import type { ServerResponse } from 'node:http'
import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises'
import { apiError } from './api-error.js'
import type { Outcome } from './observed-request.js'
import { type AnswerIds, scriptedMessage, toStreamEvents } from './scripted-answer.js'
import type { Answer, Delivery, HttpFault, Turn } from './turn.js'
import { planEventStreamText, type StreamEnding, streamEndingOfFault } from './write-sse.js'

export type ResponsePlan = {
  status: number
  headers: Record<string, string>
  pieces: readonly (string | Uint8Array)[]
  gapMs?: number
  ending: StreamEnding
}

export async function respond(
  response: ServerResponse,
  turn: Turn,
  context: AnswerIds & { requestId: string; stream: boolean },
): Promise<Outcome> {
  if (typeof turn === 'string') return sendResponse(response, planAnswer({ text: turn }, context))
  if ('noAnswer' in turn) return stayAway(response, turn.noAnswer)
  return sendResponse(response, 'status' in turn ? planFault(turn, context.requestId) : planAnswer(turn, context))
}

function planAnswer(answer: Answer, context: AnswerIds & { requestId: string; stream: boolean }): ResponsePlan {
  const message = scriptedMessage(answer, context)
  const body: { pieces: string[]; ending: StreamEnding } = context.stream
    ? planEventStreamText(toStreamEvents(message, answer.chunk), answer, context.requestId)
    : { pieces: [JSON.stringify(message)], ending: 'end' }
  const type = context.stream ? 'text/event-stream; charset=utf-8' : 'application/json'
  return deliver(answer, {
    status: 200,
    headers: { 'content-type': answer.contentType ?? type, 'request-id': context.requestId, ...answer.headers },
    ...body,
  })
}

function planFault(fault: HttpFault, requestId: string): ResponsePlan {
  const headers: Record<string, string> = {
    'content-type': fault.contentType ?? 'application/json',
    'request-id': requestId,
  }
  if (fault.retryAfter !== undefined) headers['retry-after'] = String(fault.retryAfter)
  const body = fault.rawBody ?? JSON.stringify(fault.body ?? apiError(fault.status, requestId, fault.error))
  return deliver(fault, {
    status: fault.status,
    headers: { ...headers, ...fault.headers },
    pieces: [body],
    ending: 'end',
  })
}

/** Applies what works on bytes: the cut at a byte, then the drip. */
function deliver(delivery: Delivery, plan: ResponsePlan): ResponsePlan {
  const { cutAtByte, dripBytes } = delivery
  if (cutAtByte === undefined && !dripBytes) return { ...plan, gapMs: delivery.gapMs }
  const whole = Buffer.concat(plan.pieces.map((piece) => Buffer.from(piece)))
  const cut = cutAtByte !== undefined && cutAtByte < whole.length
  const body = cut ? whole.subarray(0, cutAtByte) : whole
  const ending = cut ? streamEndingOfFault(delivery) : plan.ending
  if (!dripBytes) return { ...plan, pieces: [body], ending }
  const size = Math.max(1, dripBytes.size)
  const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, i) =>
    body.subarray(i * size, (i + 1) * size),
  )
  return { ...plan, pieces, gapMs: dripBytes.everyMs ?? 0, ending }
}

/** Sends a planned response. Never rejects: a client that goes away is an outcome. */
export async function sendResponse(response: ServerResponse, plan: ResponsePlan): Promise<Outcome> {
  const gone = new AbortController()
  const closed = new Promise<void>((resolve) => {
    response.once('close', () => {
      gone.abort()
      resolve()
    })
  })
  // A broken socket also reports 'close', which is enough; without a listener its 'error' would end the process.
  response.on('error', () => {})
  response.writeHead(plan.status, plan.headers)
  response.flushHeaders()
  for (const [i, piece] of plan.pieces.entries()) {
    if (i > 0 && plan.gapMs !== undefined) await pause(plan.gapMs, gone.signal)
    if (gone.signal.aborted) return 'aborted'
    // Each piece reaches the socket before the next: a cut after it loses nothing, and pieces stay apart.
    await Promise.race([written(response, piece), closed])
  }
  switch (plan.ending) {
    case 'end':
      response.end()
      await closed
      return response.writableFinished ? 'complete' : 'aborted'
    case 'stall':
      await closed
      return 'aborted'
    default:
      if (gone.signal.aborted) return 'aborted'
      breakOff(response, plan.ending)
      return 'cut'
  }
}

async function stayAway(response: ServerResponse, how: 'close' | 'reset' | 'hang'): Promise<Outcome> {
  if (how === 'hang') {
    await new Promise<void>((resolve) => response.once('close', () => resolve()))
    return 'aborted'
  }
  breakOff(response, how)
  return 'cut'
}

/** Ends the connection under an unfinished response. */
function breakOff(response: ServerResponse, how: 'close' | 'reset'): void {
  const { socket } = response
  if (how === 'reset') socket?.resetAndDestroy()
  // end() first sends what is still buffered; the client then sees an end it was not promised.
  else socket?.end(() => socket.destroy())
}

function written(response: ServerResponse, piece: string | Uint8Array): Promise<void> {
  if (piece.length === 0) return Promise.resolve()
  return new Promise((resolve) => response.write(piece, () => resolve()))
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0) return nextTick()
  // Rejects only when the client is gone, which the caller looks at next.
  await sleep(ms, undefined, { signal }).catch(() => {})
}
