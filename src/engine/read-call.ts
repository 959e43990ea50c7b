/** Reads a call of the model once: checked by its tool and made ready, so that what is shown, judged and run is the same. */
import type { ToolUseBlock } from '../protocol/content.js'
import { isObject } from '../protocol/json.js'
import { toCanonicalToolName } from '../protocol/tool-names.js'
import type { EngineCall, EngineTool, ParsedInput, ToolPort } from './tool-port.js'
import { takeUnreadableReason } from './unreadable-input.js'

export type ParsedCall = {
  /** With the input as it stands in the conversation. */
  call: EngineCall
  /** Absent: nobody has read it yet, or there was no such tool. */
  parsed?: ParsedInput
  /** The parsed input with what only the session knows, at the time the call came. */
  prepared?: Record<string, unknown>
}

/** `kept` is ours; `shown` is for the host, which may change its messages, but not what runs or what the model said. */
export type ParsedCallBlock = { kept: ToolUseBlock; shown: ToolUseBlock; read: ParsedCall }

/**
 * Calls are reported, kept and sent back as the model gave them, with the defaults it left out. One that had to be mended is
 * reported as it was read: hosts need not know what models make of a schema.
 */
export async function parseCallBlock(given: ToolUseBlock, tools: ToolPort): Promise<ParsedCallBlock> {
  const { block, why } = takeUnreadableReason(given)
  const own: ToolUseBlock = { ...block, input: structuredClone(block.input) }
  if (why !== undefined) {
    const error = `InputValidationError: The input of this call ${why}, so it was not run. Make the call again.`
    return { kept: own, shown: block, read: { call: toEngineCall(own), parsed: { ok: false, error, output: error } } }
  }
  const { parsed, prepared } = await readInput(toEngineCall(own), tools)
  if (parsed?.ok && (parsed.mended || parsed.name !== undefined)) {
    const kept = { ...own, name: parsed.name ?? own.name, input: structuredClone(prepared ?? parsed.input) }
    const shown = { ...kept, input: structuredClone(kept.input) }
    return { kept, shown, read: { call: toEngineCall(kept), parsed, ...(prepared ? { prepared } : {}) } }
  }
  const added = prepared && isObject(block.input) ? notIn(block.input, prepared) : {}
  const kept = withAdded(own, added)
  return {
    kept,
    shown: withAdded(block, structuredClone(added)),
    read: { call: toEngineCall(kept), ...(parsed ? { parsed } : {}), ...(prepared ? { prepared } : {}) },
  }
}

export function toEngineCall(use: ToolUseBlock): EngineCall {
  // An input that isn't an object counts as an empty one; the tool says what is missing.
  const input = typeof use.input === 'object' && use.input !== null ? { ...use.input } : {}
  return { id: use.id, name: use.name, input }
}

/**
 * Returns the name by which permissions judge a call. Where a host has put another tool in the place of the one that
 * was called, it is that one's name which is judged.
 */
export function toolNameForPermissions(called: string, { name }: EngineTool): string {
  return toCanonicalToolName(called) === name ? called : name
}

export async function prepareInput(tool: EngineTool, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  return tool.prepare ? tool.prepare(input) : input
}

async function readInput(call: EngineCall, tools: ToolPort): Promise<Pick<ParsedCall, 'parsed' | 'prepared'>> {
  const tool = tools.find(call.name)
  if (!tool) return {}
  const parsed = tool.parse(call.input)
  return parsed.ok ? { parsed, prepared: await prepareInput(tool, parsed.input) } : { parsed }
}

function notIn(given: Record<string, unknown>, complete: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(complete).filter(([name]) => !Object.hasOwn(given, name)))
}

function withAdded(block: ToolUseBlock, added: Record<string, unknown>): ToolUseBlock {
  const given = isObject(block.input) ? block.input : {}
  return Object.keys(added).length === 0 ? block : { ...block, input: { ...added, ...given } }
}
