/** `query()`: one agent, its messages as an async generator, and the methods that steer it. */
import { AbortError } from '../errors.js'
import { resolve } from '../platform/paths.js'
import { readSwitch } from '../platform/switch.js'
import { checkOptions } from '../protocol/option-table/check-options.js'
import { normalizeOptions } from '../protocol/option-table/normalize-options.js'
import type { Options } from '../protocol/options.js'
import type { ContinueParams, Query, QueryParams, TypedOptions } from '../protocol/query.js'
import { toError } from '../protocol/thrown.js'
import { checkQueryArguments } from './check-query-arguments.js'
import { connectAgent } from './connect-agent.js'
import { withDebugLines } from './debug.js'
import { withServerDelivery } from './mcp/server-delivery.js'
import { withOutputJsonSchema } from './output-format.js'
import type { QueryPrompt } from './query/query-input.js'
import { createQuery, type PromptableQuery } from './query/running-query.js'
import { createLazyQueryTrace } from './telemetry/lazy-query-trace.js'
import { isTraceOnly, traceOnlyMessages, withTracing } from './telemetry/traced-options.js'
import { reportUnknownOptions } from './unknown-options.js'

/**
 * Starts an agent with a prompt. Iterate over what it returns to receive its messages, the result last. With a schema of zod or
 * another library as `outputFormat`, `structured_output` has its type.
 */
export function query<Output>(call: {
  /** A text is one turn, a stream as many as it has messages. */
  prompt: QueryPrompt | null
  /** What the query is to be like. */
  options: TypedOptions<Output>
}): Query<Output>
/** Starts an agent with a prompt. Iterate over what it returns to receive its messages, the result last. */
export function query(call: QueryParams | ContinueParams): Query
export function query(call: { prompt?: QueryPrompt | null; options?: Options | TypedOptions }): Query {
  checkQueryArguments(call)
  return startAgentForQuery(call.options ?? {}, call.prompt === undefined ? nothingMore() : call.prompt)
}

/** The turn that continues is all there is to be. */
async function* nothingMore(): AsyncGenerator<never> {}

/** Without a prompt the agent only gets ready. */
export function startAgentForQuery(given: Options | TypedOptions, prompt: QueryPrompt | null): PromptableQuery {
  const plain = withOutputJsonSchema(normalizeOptions(given))
  const stderr = plain.stderr ? guarded(plain.stderr) : ownStderr(plain)
  const checked = stderr ? { ...plain, stderr } : plain
  checkOptions(checked)
  reportUnknownOptions(plain)
  if (checked.abortController?.signal.aborted) throw new AbortError('Operation aborted')
  // The only place that reads this process: once per query, as defaults.
  const env = checked.env ?? process.env
  const trace = createLazyQueryTrace(checked, env)
  const hidden = trace && traceOnlyMessages(checked, env)
  const traced = trace && hidden ? withTracing(checked, trace, hidden) : checked
  const caller = {
    env: trace?.parent ? { ...env, TRACEPARENT: trace.parent } : env,
    cwd: resolve(process.cwd(), traced.cwd ?? '.'),
  }
  const options = withServerDelivery(traced, caller)
  try {
    const connection = withDebugLines(connectAgent(options, caller), options, caller)
    const hides = hidden && ((message: object) => isTraceOnly(message, hidden))
    return createQuery({ connection, options, prompt, trace, hides })
  } catch (error) {
    trace?.end(toError(error))
    throw error
  }
}

/** A timeline that the environment asks for is for the person at the terminal. */
function ownStderr({ env = process.env }: Options): ((text: string) => void) | undefined {
  return readSwitch(env.KEDGE_DEBUG) === false ? undefined : (text) => void process.stderr.write(text)
}

/** A callback of the caller that throws must not take the query down. */
function guarded(stderr: (text: string) => void): (text: string) => void {
  return (text) => {
    try {
      stderr(text)
    } catch {
      // The query continues without it.
    }
  }
}
