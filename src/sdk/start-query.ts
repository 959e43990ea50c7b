/** `query()`: one agent, its messages as an async generator, and the methods that steer it. */
import { AbortError, ConfigurationError } from '../errors.js'
import { resolve } from '../platform/paths.js'
import { readSwitch } from '../platform/switch.js'
import type { SDKUserMessage } from '../protocol/messages.js'
import type { Options } from '../protocol/options.js'
import type { Query, TypedOptions } from '../protocol/query.js'
import { checkOptions } from '../protocol/to-argv.js'
import { connectInProcess, connectProcess } from './agent-connection.js'
import { withDebugLines } from './debug.js'
import { withJsonSchema } from './output-format.js'
import { createQuery } from './running-query.js'
import { connectWithStore } from './session-store.js'
import { planProcess } from './start-process.js'
import { createTrace, tracedCallbacks } from './trace-query.js'

type Prompt = string | AsyncIterable<SDKUserMessage>

/** With a schema of zod or another library as `outputFormat`, `structured_output` has its type. */
export function query<Output>(call: { prompt: Prompt; options: TypedOptions<Output> }): Query<Output>
export function query(call: { prompt: Prompt; options?: Options }): Query
export function query({ prompt, options = {} }: { prompt: Prompt; options?: Options | TypedOptions }): Query {
  return startQuery(options, prompt)
}

/** Without a prompt the agent only gets ready. `v2`: sessions say nothing about the system prompt. */
export function startQuery(
  given: Options | TypedOptions,
  prompt: Prompt | undefined,
  v2 = false,
): Query & { give(prompt: Prompt): void } {
  const plain = withJsonSchema(given)
  const stderr = plain.stderr ? guarded(plain.stderr) : ownStderr(plain)
  const checked = stderr ? { ...plain, stderr } : plain
  checkOptions(checked)
  const trace = checked.tracer && createTrace(checked.tracer)
  const options = trace ? tracedCallbacks(checked, trace) : checked
  if (options.abortController?.signal.aborted) throw new AbortError('Operation aborted')
  // The only place that reads this process: once per query, as defaults.
  const env = options.env ?? process.env
  const world = {
    env: trace?.parent ? { ...env, TRACEPARENT: trace.parent } : env,
    cwd: resolve(process.cwd(), options.cwd ?? '.'),
  }
  const plan = planProcess(options, world)
  if (plan && options.isolation === 'in-process') {
    throw new ConfigurationError(
      'isolation',
      "isolation 'in-process' can't be combined with an executable or a spawn function.",
    )
  }
  checkWorkspace(options.workspace, plan !== undefined)
  const connect = (chosen: Options) => {
    const process = planProcess(chosen, world)
    return process ? connectProcess(process) : connectInProcess(chosen, world)
  }
  const { sessionStore: store } = options
  if (store && plan && !plan.own) {
    throw new ConfigurationError(
      'sessionStore',
      "sessionStore needs Kedge's own agent: other programs can't be given a session.",
      'unsupported_option',
    )
  }
  const kind = { own: plan?.own ?? true, inProcess: !plan }
  const connection = store ? connectWithStore({ options, store, world, kind, connect }) : connect(options)
  return createQuery({ connection: withDebugLines(connection, options, world), options, prompt, v2, trace })
}

function checkWorkspace(workspace: unknown, isProcess: boolean): void {
  if (workspace === undefined) return
  if (typeof workspace !== 'function') {
    throw new ConfigurationError('workspace', 'workspace must be a function that returns a workspace.')
  }
  if (!isProcess) return
  throw new ConfigurationError(
    'workspace',
    "workspace needs an agent in this process: it can't be combined with isolation 'process', an executable or a spawn function.",
    'unsupported_option',
  )
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
      // Its own affair.
    }
  }
}
