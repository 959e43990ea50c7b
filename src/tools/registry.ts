/** Binds the tools of a session to the loop: input is checked on the way in, output bounded on the way out. */
import type { EngineCall, EngineTool, ToolDefinition, ToolPort } from '../engine/ports.js'
import { cutToolOutcome } from './bound-output.js'
import { createInputParser } from './input-parser.js'
import { schemaForModel } from './schema-for-model.js'
import type { CallContext, Tool, ToolContext } from './tool.js'

export type RegistryOptions = {
  /** Characters of text one result may have. */
  maxOutput?: number
}

export interface BoundTools {
  readonly port: ToolPort
  /** For the model, in the order the tools were given; the same objects each time. */
  definitions(): ToolDefinition[]
}

/** The last word, for tools that set themselves no limit; theirs are all lower. */
const MAX_OUTPUT = 400_000

export function createRegistry(tools: Tool[], context: ToolContext, options: RegistryOptions = {}): BoundTools {
  const bound = new Map<string, EngineTool>()
  for (const tool of tools) {
    if (bound.has(tool.name)) throw new Error(`Two tools are called ${tool.name}`)
    bound.set(tool.name, bindTool(tool, context, options.maxOutput ?? MAX_OUTPUT))
  }
  const definitions = tools.map((tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: schemaForModel(tool),
  }))
  return { port: { find: (name) => bound.get(name) }, definitions: () => definitions }
}

function bindTool(tool: Tool, context: ToolContext, maxOutput: number): EngineTool {
  const callContext = (call: EngineCall, signal: AbortSignal, progress: CallContext['progress']): CallContext => ({
    ...context,
    toolUseId: call.id,
    signal,
    progress,
  })
  return {
    name: tool.name,
    ...(tool.marksSuccess === undefined ? {} : { marksSuccess: tool.marksSuccess }),
    isReadOnly: (input) => tool.isReadOnly(input),
    ...(tool.runsOnce === undefined ? {} : { runsOnce: tool.runsOnce }),
    parse: createInputParser(tool),
    ...(tool.prepare ? { prepare: async (input) => ({ ...(await tool.prepare?.(input, context)) }) } : {}),
    check: async (input) => tool.check?.(input, context),
    facts: (input) => tool.facts(input, context),
    ...(tool.preview ? { preview: async (input) => tool.preview?.(input, context) } : {}),
    moreFacts: async (call, signal) =>
      tool.moreFacts?.(
        call.input,
        callContext(call, signal, () => {}),
      ),
    execute: async (call, signal, progress) =>
      cutToolOutcome(await tool.execute(call.input, callContext(call, signal, progress)), maxOutput),
  }
}
