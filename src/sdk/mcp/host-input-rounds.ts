/**
 * A handler that needs answers returns `input_required` (revision 2026-07-28). For a client that doesn't know such results,
 * the server asks for each answer, and runs the handler again with them.
 */
import { isObject } from '../../protocol/json.js'
import type { createMcpRequestSender } from './requests-to-agent.js'
import { INTERNAL_ERROR, type RequestId, RpcError } from './server-link.js'

export type ServedRequest = { id: RequestId; method: string; params: Record<string, unknown> }

/** A handler that asks again and again is broken. */
const MOST_ROUNDS = 8

export async function completeInputRounds(
  first: Record<string, unknown>,
  request: ServedRequest,
  client: Pick<ReturnType<typeof createMcpRequestSender>, 'ask'>,
  run: (request: ServedRequest) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  let result = first
  for (let round = 0; result.resultType === 'input_required'; round++) {
    if (round === MOST_ROUNDS)
      throw new RpcError(INTERNAL_ERROR, `${request.method} asked for input ${MOST_ROUNDS} times without a result`)
    const { inputRequests, requestState } = result
    const inputResponses: Record<string, unknown> = {}
    for (const [key, wanted] of Object.entries(isObject(inputRequests) ? inputRequests : {})) {
      if (!isObject(wanted) || typeof wanted.method !== 'string')
        throw new RpcError(INTERNAL_ERROR, `${request.method}: inputRequests.${key} isn't a request`)
      const params = isObject(wanted.params) ? { params: wanted.params } : {}
      inputResponses[key] = await client.ask({ method: wanted.method, ...params }, request.id)
    }
    const state = requestState === undefined ? {} : { requestState }
    result = await run({ ...request, params: { ...request.params, inputResponses, ...state } })
  }
  return result
}
