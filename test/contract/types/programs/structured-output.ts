// Answers that fit a schema.
import {
  type JsonSchemaOutputFormat,
  type OutputFormat,
  query,
  type SDKResultMessage,
} from '@anthropic-ai/claude-agent-sdk'
import { z } from 'zod'

const Review = z.object({ score: z.number(), issues: z.array(z.object({ file: z.string(), text: z.string() })) })
type Review = z.infer<typeof Review>

export function formatOf(schema: z.ZodType): OutputFormat {
  const format: JsonSchemaOutputFormat = {
    type: 'json_schema',
    schema: z.toJSONSchema(schema) as Record<string, unknown>,
  }
  return format
}

function read(result: SDKResultMessage): Review {
  if (result.subtype === 'error_max_structured_output_retries') throw new Error(result.errors[0] ?? 'no answer')
  if (result.subtype !== 'success') throw new Error(result.subtype)
  return Review.parse(result.structured_output)
}

export async function review(prompt: string, signal: AbortSignal): Promise<Review | undefined> {
  const abortController = new AbortController()
  signal.addEventListener('abort', () => abortController.abort(), { once: true })
  for await (const message of query({
    prompt,
    options: { outputFormat: formatOf(Review), abortController, maxBudgetUsd: 1 },
  })) {
    if (message.type === 'result') return read(message)
  }
  return undefined
}
