/** The options of a query that is traced: its callbacks are part of the trace, and the agent tells what the trace needs. */
import type { HookCallback, HookEvent } from '../../protocol/hooks.js'
import type { Options } from '../../protocol/options.js'
import { NOTICES_ONLY_OF_KEDGE, NOTICES_SINCE_SDK_0_3, readMessageTypeOrSubtype } from '../../transport/notice-names.js'
import { errorTypeAttribute, type QueryTrace } from './query-trace.js'
import type { SpanAttributes } from './span-list.js'

/** Messages that are only requested for tracing: What the caller did not ask for, and does not see. */
export type TraceOnlyMessages = { stream: boolean; notices: boolean }

type Around = Pick<QueryTrace, 'around'>
type Environment = Readonly<Record<string, string | undefined>>

/**
 * Returns which messages the caller didn't ask for, and which are requested for tracing only. An agent that runs
 * already can't be asked for more, and one that may be another program doesn't know notices.
 */
export function traceOnlyMessages(options: Options, env: Environment): TraceOnlyMessages {
  const { includePartialMessages, includeNotices, transport, pathToClaudeCodeExecutable: named } = options
  const mayBeOther = transport ?? named ?? (env['CLAUDE_CODE_EXECUTABLE'] || undefined)
  const asked = includeNotices || env['KEDGE_NOTICES'] || env['CLAUDE_AGENT_SDK_VERSION']
  return {
    stream: !includePartialMessages && typeof transport !== 'object',
    notices: !asked && mayBeOther === undefined,
  }
}

/** Returns whether a message is for tracing only. */
export function isTraceOnly(message: object, { stream, notices }: TraceOnlyMessages): boolean {
  const name = readMessageTypeOrSubtype(message)
  return name === 'stream_event'
    ? stream
    : notices && (NOTICES_SINCE_SDK_0_3.has(name) || NOTICES_ONLY_OF_KEDGE.has(name))
}

export function withTracing(options: Options, trace: Around, hidden: TraceOnlyMessages): Options {
  return {
    ...options,
    ...(hidden.stream && { includePartialMessages: true }),
    ...(hidden.notices && { includeNotices: true }),
    ...wrapCallbacksInSpans(options, trace),
  }
}

export function wrapCallbacksInSpans(
  { canUseTool, hooks }: Options,
  trace: Around,
): Pick<Options, 'canUseTool' | 'hooks'> {
  const around = async <T>(
    name: string,
    toolUseId: string | undefined,
    work: () => Promise<T>,
    about: (value: T) => SpanAttributes,
  ): Promise<T> => {
    const end = await trace.around(name, toolUseId)
    try {
      const value = await work()
      end(undefined, about(value))
      return value
    } catch (error) {
      end(errorTypeAttribute(error))
      throw error
    }
  }
  const tracedHook =
    (event: string, hook: HookCallback): HookCallback =>
    (input, toolUseId, about) =>
      around(
        `hook ${event}`,
        toolUseId,
        () => hook(input, toolUseId, about),
        (answer) => decided(hookDecision(answer)),
      )
  const entries = Object.entries(hooks ?? {}).map(([event, matchers = []]) => [
    event,
    matchers.map((matcher) => ({ ...matcher, hooks: matcher.hooks.map((hook) => tracedHook(event, hook)) })),
  ])
  return {
    ...(canUseTool && {
      canUseTool: (name, input, about) =>
        around(
          `permission ${name}`,
          about.toolUseID,
          () => canUseTool(name, input, about),
          (decision) => decided(decision?.behavior),
        ),
    }),
    // The same events as before.
    ...(hooks && { hooks: Object.fromEntries(entries) as Partial<Record<HookEvent, (typeof hooks)[HookEvent]>> }),
  }
}

function hookDecision(answer: unknown): unknown {
  const { hookSpecificOutput, decision } = { ...(answer as { hookSpecificOutput?: unknown; decision?: unknown }) } // anything
  return { ...(hookSpecificOutput as { permissionDecision?: unknown }) }.permissionDecision ?? decision // of the caller
}

/** Only what can be a decision: the rest of an answer is not for others. */
function decided(decision: unknown): SpanAttributes {
  const known = ['allow', 'deny', 'ask', 'approve', 'block'].find((one) => one === decision)
  return known ? { 'kedge.decision': known } : {}
}
