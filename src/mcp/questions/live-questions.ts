/** Questions that a server of an older revision asks on its connection, tied to the call that it works on. */
import type { JsonObject } from '../../protocol/json.js'
import type { McpRequestOptions, RpcPorts } from '../rpc.js'
import { isParkedAnswer } from '../stateless/input-rounds.js'
import type { CallQuestions } from './call-questions.js'

type RunningCall = { questions: CallQuestions; params: JsonObject; asked: number }

const ELICITATION = 'elicitation/create'

export function createLiveQuestions(onRequest: RpcPorts['onRequest']) {
  const calls = new Set<RunningCall>()
  /** The protocol doesn't name the call of a question: it is known if there is only one. */
  const onlyCall = () => (calls.size === 1 ? [...calls][0] : undefined)

  return {
    /** Notes a call of a tool; the returned function ends it. */
    begin(method: string, params: JsonObject, { questions }: McpRequestOptions): () => void {
      if (method !== 'tools/call' || !questions) return () => {}
      const call = { questions, params, asked: 0 }
      calls.add(call)
      return () => void calls.delete(call)
    },
    answer: (async (method, params, signal, origin) => {
      const call = origin || method !== ELICITATION ? undefined : onlyCall()
      if (!call) return onRequest(method, params, signal, origin)
      const { questions } = call
      // The same call asks the same, in the same order: with other words, it is another question.
      const { message, requestedSchema, url } = params
      const key = `live ${call.asked} ${JSON.stringify([message, requestedSchema, url])}`
      call.asked += 1
      const asked = { question: { method, params } }
      const waiting = { method: 'tools/call', params: call.params, inputRequests: asked, inputResponses: {}, round: 0 }
      await questions.keep(waiting, true)
      const answer = await onRequest(method, params, signal, questions.originOf(key, true))
      if (isParkedAnswer(method, answer)) {
        questions.park()
        return { action: 'cancel' }
      }
      await questions.keep(undefined, true)
      return answer
    }) satisfies RpcPorts['onRequest'],
  }
}
