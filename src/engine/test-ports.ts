/** Ports for tests of the loop: a scripted model, tools and hooks that do as they are told, and a record of all that happened. */
import type { AssistantMessage, ContentBlock, ToolUseBlock } from '../protocol/content.js'
import type { EngineEvent } from './events.js'
import type { EngineRequest, ModelEvent, ModelFailure } from './model-port.js'
import type { EnginePorts } from './ports.js'
import type { ParsedCall } from './read-call.js'
import { syntheticMessage } from './synthetic-message.js'
import type { EngineTool } from './tool-port.js'

/** What the model does at one request: events, or a function that may look at the request and change the world. */
export type ModelScript = ModelEvent[] | ((request: EngineRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>)

export type TestPorts = {
  ports: EnginePorts
  /** What the loop told, in order; texts of `used` and of stream events included. */
  events: EngineEvent[]
  /** Calls that began to run. */
  begun: EngineEvent[]
  /** Which functions of tools, hooks and permissions were called, in order. */
  log: string[]
  requests: EngineRequest[]
  /** Lets the clock of `every` tick once. */
  tick(): void
}

export type TestPortOptions = {
  tools?: (Partial<EngineTool> & { name: string })[]
  model?: ModelScript[]
  hooks?: Partial<EnginePorts['hooks']>
  permissions?: Partial<EnginePorts['permissions']>
  more?: Partial<EnginePorts>
}

export function createTestPorts({ tools = [], model = [], hooks, permissions, more }: TestPortOptions = {}): TestPorts {
  const events: EngineEvent[] = []
  const begun: EngineEvent[] = []
  const log: string[] = []
  const requests: EngineRequest[] = []
  const clocks = new Set<() => void>()
  const scripts = [...model]
  const bound = new Map(tools.map((tool) => [tool.name, testTool(tool, log)]))
  const ports: EnginePorts = {
    model: {
      async *stream(request, signal) {
        requests.push({ ...request, messages: structuredClone(request.messages) })
        const script = scripts.shift()
        if (!script) throw new Error('the model has no more answers')
        yield* typeof script === 'function' ? script(request, signal) : script
      },
    },
    tools: { find: (name) => bound.get(name) },
    permissions: {
      decide: async () => ({ behavior: 'allow' }),
      ask: async () => undefined,
      apply: async () => [],
      ...permissions,
    },
    hooks: {
      preTool: async () => ({ context: [] }),
      postTool: async () => ({ context: [] }),
      postBatch: async () => ({ context: [] }),
      stop: async () => ({}),
      ...hooks,
    },
    // Every call that runs begins: only one test is about that.
    emit: (event) => void (event.type === 'tool-begun' ? begun : events).push(event),
    takeFolded: async () => [],
    overBudget: () => false,
    gaveUp: () => false,
    every(_, callback) {
      clocks.add(callback)
      return () => clocks.delete(callback)
    },
    uuid: () => '00000000-0000-4000-8000-000000000000',
    ...more,
  }
  const tick = () => {
    for (const callback of clocks) callback()
  }
  return { ports, events, begun, log, requests, tick }
}

/** Takes any input, adds nothing, and answers with its own name. */
function testTool(tool: Partial<EngineTool> & { name: string }, log: string[]): EngineTool {
  const { name, prepare } = tool
  const noted = <Args extends unknown[], Result>(what: string, work: (...args: Args) => Result) => {
    return (...args: Args): Result => {
      log.push(`${what} ${name}`)
      return work(...args)
    }
  }
  const succeed: EngineTool['execute'] = async () => ({ ok: true, content: `did ${name}`, output: { name } })
  return {
    ...tool,
    isReadOnly: tool.isReadOnly ?? (() => false),
    // Tests give objects, except where they bring a `parse` of their own.
    parse: noted('parse', tool.parse ?? ((input) => ({ ok: true, input: { ...(input as object) } }))),
    ...(prepare ? { prepare: noted('prepare', prepare) } : {}),
    check: noted('check', tool.check ?? (async () => undefined)),
    facts: tool.facts ?? (() => ({ kind: 'none' })),
    moreFacts: tool.moreFacts ?? (async () => undefined),
    execute: noted('run', tool.execute ?? succeed),
  }
}

export function toolUse(id: string, name: string, input: unknown = {}): ToolUseBlock {
  return { type: 'tool_use', id, name, input }
}

export function unparsedCall(id: string, name: string, input: Record<string, unknown> = {}): ParsedCall {
  return { call: { id, name, input } }
}

export function textBlock(content: string): ContentBlock {
  return { type: 'text', text: content, citations: null }
}

export function testAssistantMessage(
  content: ContentBlock[],
  stopReason: AssistantMessage['stop_reason'],
): AssistantMessage {
  return { ...syntheticMessage('msg_1', ''), model: 'test-model', content, stop_reason: stopReason }
}

/** An answer as it is streamed: each block by itself, then the whole. */
export function streamedModelEvents(
  content: ContentBlock[],
  stopReason?: AssistantMessage['stop_reason'],
): ModelEvent[] {
  const reason = stopReason ?? (content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn')
  const whole = testAssistantMessage(content, reason)
  const header = { ...whole, content: [] }
  return [
    ...content.map((block): ModelEvent => ({ type: 'block', block, header, requestId: 'req_1' })),
    { type: 'end', outcome: { ok: true, message: whole, streamed: true, requestId: 'req_1' } },
  ]
}

export function failureEvents(code: string): ModelEvent[] {
  const about: ModelFailure = { kind: 'server_error', code, text: `It failed: ${code}.`, status: 500 }
  return [{ type: 'end', outcome: { ok: false, failure: about } }]
}

/** A result as the model reads it. */
export function errorBlock(id: string, content: string) {
  return { type: 'tool_result' as const, content, is_error: true, tool_use_id: id }
}

/** Lets everything that can continue without outside help continue. */
export function settlePendingWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
