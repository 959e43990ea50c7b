/** Starts the agent of a session that people work in, by whatever interface. */
import type { Options } from '../protocol/options.js'
import type { Query } from '../protocol/query.js'
import { query } from '../sdk/start-query.js'

const CODING_PROMPT = { type: 'preset', preset: 'claude_code' } as const

/**
 * Starts the agent of a session. Without a system prompt from the caller, uses the coding prompt. The library's own
 * default, none at all, is for programs with their own.
 */
export function startSessionQuery(options: Options): Query {
  return query({ prompt: null, options: { ...options, systemPrompt: options.systemPrompt ?? CODING_PROMPT } })
}
