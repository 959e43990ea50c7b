/** The batches of the model server: each request of one is answered by the script, as if it had been asked directly. */
import { apiError } from './api-error.js'
import { type ApiRefusal, checkMessagesRequest } from './api-rules.js'
import type { IncomingCall } from './http-listener.js'
import { type MessagesBody, type ModelRequest, toObservedRequest } from './observed-request.js'
import type { Script } from './script.js'
import { scriptedMessage } from './scripted-answer.js'
import type { Turn } from './turn.js'

type Result = { custom_id: string; result: object }
type Batch = { id: string; results: Result[]; isEnded: boolean; isCanceled: boolean }

/** What the API answers, with its status; undefined: this is not about batches. What is asked joins `requests`. */
export function createMessageBatchResponder(
  source: Pick<Script, 'answer'>,
  requests: ModelRequest[],
  ids: (model: string) => Parameters<typeof scriptedMessage>[1],
) {
  const batches = new Map<string, Batch>()

  async function answer(body: MessagesBody): Promise<Turn> {
    const about = { index: requests.length, path: '/v1/messages/batches', headers: {} }
    const request = toObservedRequest(body, { ...about, ended: Promise.resolve('complete') })
    requests.push(request)
    return source.answer(request)
  }

  async function work(batch: Batch, requests: readonly { custom_id: string; params: MessagesBody }[]): Promise<void> {
    for (const { custom_id, params } of requests) {
      const turn = await answer(params).catch((error): Turn => {
        // What the script did not expect fails the test, and the request at once.
        return { status: 400, error: { message: `kedge/testing: ${error.message}` } }
      })
      if (batch.isCanceled) return
      batch.results.push({ custom_id, result: resultOf(turn, params.model) })
    }
    batch.isEnded = true
  }

  function resultOf(turn: Turn, model: string): object {
    if (typeof turn === 'string') return { type: 'succeeded', message: scriptedMessage({ text: turn }, ids(model)) }
    if ('noAnswer' in turn) return { type: 'expired' }
    if ('status' in turn) return { type: 'errored', error: turn.body ?? apiError(turn.status, 'req_batch', turn.error) }
    return { type: 'succeeded', message: scriptedMessage(turn, ids(model)) }
  }

  return async ({ method, body }: Pick<IncomingCall, 'method' | 'body'>, path: string) => {
    const [, id, action] = /^\/v1\/messages\/batches(?:\/([\w-]+))?(?:\/(results|cancel))?$/.exec(path) ?? []
    if (!path.startsWith('/v1/messages/batches')) return undefined
    if (method === 'POST' && id === undefined) {
      const { requests } = JSON.parse(body)
      const batch: Batch = { id: `msgbatch_test_${batches.size + 1}`, results: [], isEnded: false, isCanceled: false }
      batches.set(batch.id, batch)
      void work(batch, requests)
      return { status: 200, text: JSON.stringify(describe(batch)) }
    }
    const batch = batches.get(id ?? '')
    if (!batch) return { status: 404, text: JSON.stringify(apiError(404, 'req_batch')) }
    if (method === 'POST' && action === 'cancel') {
      batch.isCanceled = true
      batch.isEnded = true
    }
    if (action !== 'results') return { status: 200, text: JSON.stringify(describe(batch)) }
    return { status: 200, text: batch.results.map((line) => `${JSON.stringify(line)}\n`).join('') }
  }
}

function describe({ id, isEnded }: Batch): object {
  const counts = { processing: isEnded ? 0 : 1, succeeded: isEnded ? 1 : 0, errored: 0, canceled: 0, expired: 0 }
  return {
    id,
    type: 'message_batch',
    processing_status: isEnded ? 'ended' : 'in_progress',
    request_counts: counts,
    created_at: '2025-01-01T00:00:00Z',
    expires_at: '2025-01-02T00:00:00Z',
    ended_at: null,
    archived_at: null,
    cancel_initiated_at: null,
    results_url: isEnded ? `/v1/messages/batches/${id}/results` : null,
  }
}

export function checkBatchBody(body: Record<string, unknown> | undefined, isStrict: boolean): ApiRefusal | undefined {
  const requests = body?.['requests']
  if (!Array.isArray(requests) || requests.length === 0) return { status: 400, message: 'requests: Field required' }
  for (const one of requests) {
    const { custom_id: id, params } = Object(one)
    if (!/^[\w-]{1,64}$/.test(String(id))) return { status: 400, message: 'requests.0.custom_id: invalid' }
    if (Object(params)['stream']) return { status: 400, message: 'requests.0.params.stream: not in a batch' }
    const refusal = isStrict ? checkMessagesRequest(Object(params)) : undefined
    if (refusal) return refusal
  }
  return undefined
}
