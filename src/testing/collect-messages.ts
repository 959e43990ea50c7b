/** Drains a query into one value, so that a test can look at the whole run. */
import type { SDKMessage } from '../protocol/messages.js'

type ResultOf<M> = Extract<M, { type: 'result' }>

/** What a query said, with its result at hand. */
export type Run<M> = {
  /** Everything the query yielded, in order. */
  messages: M[]
  /** The last result; undefined when the run ended without one. */
  result: ResultOf<M> | undefined
  /** Every result: one per user turn. */
  results: ResultOf<M>[]
  /** What the iteration threw, if it did. */
  error: unknown
}

/**
 * Runs a query to its end. Never rejects: what the query throws is in `error`.
 *
 * ```ts
 * const run = await collect(query({ prompt: 'Hi', options }))
 * assert.equal(run.error, undefined)
 * assert.equal(run.result?.subtype, 'success')
 * ```
 */
export async function collect<M extends { type: string } = SDKMessage>(query: AsyncIterable<M>): Promise<Run<M>> {
  const messages: M[] = []
  let error: unknown
  try {
    for await (const message of query) messages.push(message)
  } catch (thrown) {
    error = thrown
  }
  const results = messages.filter((message): message is ResultOf<M> => message.type === 'result')
  return { messages, result: results.at(-1), results, error }
}
