/** The spans of tool calls, each with that of the sub-agent it starts: where the spans of others belong is known here. */
import type { TraceSpan } from '../../protocol/tracing.js'
import {
  AGENT_ATTRIBUTE,
  CALL_ATTRIBUTE,
  OPERATION_ATTRIBUTE,
  TOOL_ATTRIBUTE,
  toSafeNameAttribute,
} from './gen-ai-names.js'
import type { SpanList } from './span-list.js'

/** By `agent`, the call that started it; null for the main thread. `inner`: of the agent that it starts itself. */
type Call = { span: TraceSpan | undefined; agent: string | null; inner?: TraceSpan | undefined }

const AGENT_TOOLS = ['Task', 'Agent']

/** `outer`: the span of the turn. */
export function createCallSpans({ start, finish }: SpanList, outer: () => TraceSpan | undefined) {
  const calls = new Map<string, Call>()

  const placeOf = (agent: string | null) => {
    const call = agent === null ? undefined : calls.get(agent)
    return call?.inner ?? call?.span ?? outer()
  }
  return {
    placeOf,
    spanOf: (id: string | undefined) => (id === undefined ? undefined : calls.get(id)?.span),
    /** A call of the main thread runs: until it is over, who asks the model is a sub-agent. */
    mainWaits: () => [...calls.values()].some(({ agent }) => agent === null),
    start({ id, name, input }: { id: string; name: string; input: unknown }, agent: string | null): void {
      const tool = toSafeNameAttribute(name)
      const attributes = { [OPERATION_ATTRIBUTE]: 'execute_tool', [TOOL_ATTRIBUTE]: tool, [CALL_ATTRIBUTE]: id }
      const call: Call = { agent, span: start(`execute_tool ${tool}`, { attributes, parent: placeOf(agent) }) }
      if (AGENT_TOOLS.includes(name)) {
        const { subagent_type } = { ...(input as { subagent_type?: unknown }) } // whatever the model wrote
        const type = toSafeNameAttribute(subagent_type)
        const about = { [OPERATION_ATTRIBUTE]: 'invoke_agent', [AGENT_ATTRIBUTE]: type }
        call.inner = start(`invoke_agent ${type}`, { attributes: about, parent: call.span })
      }
      calls.set(id, call)
    },
    end(id: string, failed: boolean): void {
      const call = calls.get(id)
      const end = { error: failed ? 'tool_error' : undefined }
      finish(call?.inner, end)
      finish(call?.span, end)
      calls.delete(id)
    },
  }
}
