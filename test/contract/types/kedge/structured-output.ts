// Answers whose type is that of the schema they were asked for with.
import { type Options, type Query, query, type SDKMessage, type SDKMessageOf, type TypedOptions } from 'kedge'
import { z } from 'zod'

const Review = z.object({
  score: z.number(),
  issues: z.array(z.object({ file: z.string(), line: z.number().optional() })),
  level: z.enum(['low', 'high']).default('low'),
})

declare function same<A, B>(proof: [A] extends [B] ? ([B] extends [A] ? true : false) : false): void

export async function typed(): Promise<z.infer<typeof Review> | undefined> {
  const running = query({
    prompt: 'x',
    options: { outputFormat: { type: 'json_schema', schema: Review }, maxTurns: 3 },
  })
  same<typeof running, Query<z.infer<typeof Review>>>(true)
  for await (const message of running) {
    if (message.type !== 'result' || message.subtype !== 'success') continue
    same<typeof message.structured_output, z.infer<typeof Review> | undefined>(true)
    const file: string | undefined = message.structured_output?.issues[0]?.file
    const level: 'low' | 'high' | undefined = message.structured_output?.level
    // @ts-expect-error there is no such property
    message.structured_output?.points
    console.log(file, level, message.result.length, message.total_cost_usd.toFixed())
    return message.structured_output
  }
  return undefined
}

export async function built(more: Partial<Options>): Promise<void> {
  const options: TypedOptions<z.infer<typeof Review>> = {
    ...more,
    outputFormat: { type: 'json_schema', schema: Review },
  }
  for await (const message of query({ prompt: 'x', options })) {
    if (message.type === 'result' && message.subtype === 'success')
      console.log(message.structured_output?.score.toFixed())
    // The other messages are the same as ever.
    if (message.type === 'assistant') console.log(message.message.content.length)
  }
}

export async function untyped(): Promise<unknown> {
  const schema = { type: 'object', properties: { score: { type: 'number' } } }
  const running: Query = query({ prompt: 'x', options: { outputFormat: { type: 'json_schema', schema } } })
  for await (const message of running) {
    if (message.type !== 'result' || message.subtype !== 'success') continue
    same<unknown, typeof message.structured_output>(true)
    return message.structured_output
  }
  return undefined
}

export function wider(running: Query<{ a: number }>): Query {
  same<SDKMessageOf<unknown>, SDKMessage>(true)
  return running
}

// @ts-expect-error a text is no schema
query({ prompt: 'x', options: { outputFormat: { type: 'json_schema', schema: 'object' } } })
