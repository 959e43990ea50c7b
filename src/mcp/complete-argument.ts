/** Completes the argument of a prompt, or of a resource template, with what its server suggests. */
import { isObject, type JsonObject } from '../protocol/json.js'
import type { McpCompletion, McpCompletionTarget } from '../protocol/mcp/mcp-completion.js'
import { cleanServerLine } from './clean-text.js'
import type { Connection } from './connection.js'

/** As the specification has it. */
const MAX_VALUES = 100
const MAX_VALUE = 1000
/** A user who types waits no longer. */
const COMPLETE_MS = 5000

/** Rejects with an `McpError`; a server that completes nothing suggests nothing. */
export async function completeMcpArgument(
  connection: Connection,
  { prompt, uriTemplate, argument, value, others }: McpCompletionTarget,
  signal: AbortSignal,
): Promise<McpCompletion> {
  if (!connection.completes()) return { values: [] }
  const params: JsonObject = {
    ref: prompt === undefined ? { type: 'ref/resource', uri: uriTemplate ?? '' } : { type: 'ref/prompt', name: prompt },
    argument: { name: argument, value },
    ...(others ? { context: { arguments: others } } : {}),
  }
  const answer = await connection.request('completion/complete', params, { timeoutMs: COMPLETE_MS, signal })
  const { values, hasMore } = isObject(answer['completion']) ? answer['completion'] : {}
  const texts = (Array.isArray(values) ? values : []).filter((one): one is string => typeof one === 'string')
  // A suggestion with hidden characters would be something else than the user sees.
  const shown = texts.filter((text) => text.length <= MAX_VALUE && cleanServerLine(text, MAX_VALUE) === text)
  return {
    values: shown.slice(0, MAX_VALUES),
    ...(hasMore === true || shown.length > MAX_VALUES ? { hasMore: true } : {}),
  }
}
