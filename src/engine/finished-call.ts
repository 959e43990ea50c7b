/** What a tool call comes to: the block the model reads, the output the host gets, and what either of them adds to the turn. */
import type { ToolResultBlockParam, ToolResultContent } from '../protocol/content.js'
import { escapeOwnTags } from '../protocol/shown/own-tags.js'
import type { EngineCall, EngineTool, ToolOutcome } from './tool-port.js'

export const INTERRUPTED_IN_TOOL = '[Request interrupted by user for tool use]'

export type CallResult = {
  call: EngineCall
  block: ToolResultBlockParam
  output: unknown
  /** What hooks want the model to read beside the result. */
  context: string[]
  /** A text of the tool that comes after all results. */
  follow?: string
  stop?: TurnStopCause
}

/** What ends the turn with a call: whoever was asked, a hook, or that nobody could be asked. */
export type TurnStopCause = 'permission' | 'hook' | 'nobody-to-ask'

/** An error result for a call that was never run. */
export function failedCallResult(call: EngineCall, text: string, output: unknown = `Error: ${text}`): CallResult {
  return {
    call,
    block: { type: 'tool_result', content: escapeOwnTags(text), is_error: true, tool_use_id: call.id },
    output,
    context: [],
  }
}

/** An error found before the tool ran. */
export function refusedCallResult(call: EngineCall, text: string, output?: unknown): CallResult {
  const { block, ...rest } = failedCallResult(call, text)
  return {
    ...rest,
    block: { ...block, content: `<tool_use_error>${block.content}</tool_use_error>` },
    output: output ?? (text.startsWith('Error: ') ? text : `Error: ${text}`),
  }
}

export function finishedCallResult(call: EngineCall, outcome: ToolOutcome, tool: EngineTool): CallResult {
  if (!outcome.ok)
    return outcome.refused
      ? refusedCallResult(call, outcome.error, outcome.output)
      : failedCallResult(call, outcome.error, outcome.output)
  const block: ToolResultBlockParam = {
    tool_use_id: call.id,
    type: 'tool_result',
    content: harmless(outcome.content),
    ...(tool.marksSuccess && typeof outcome.content === 'string' ? { is_error: false } : {}),
  }
  const follow = outcome.follow === undefined ? {} : { follow: outcome.follow }
  return { call, block, output: outcome.output, context: [], ...follow }
}

/** Returns the result with a remark about the call behind what came of it. */
export function withCallNote(result: CallResult, note: string | undefined): CallResult {
  if (note === undefined) return result
  const { content = '' } = result.block
  const noted = typeof content === 'string' ? `${content}${content && '\n\n'}${note}` : [...content, text(note)]
  return { ...result, block: { ...result.block, content: noted } }
}

const text = (content: string): ToolResultContent => ({ type: 'text', text: content })

/** What a hook put in the place of the tool's own result. */
export function replaceOutputByHook(result: CallResult, output: unknown): CallResult {
  if (output === undefined) return result
  const content = typeof output === 'string' || isContent(output) ? output : JSON.stringify(output)
  return { ...result, block: { ...result.block, content: harmless(content) }, output }
}

/** What a tool returns is the words of others: it can hold nothing that looks like ours. */
function harmless(content: string | ToolResultContent[]): string | ToolResultContent[] {
  if (typeof content === 'string') return escapeOwnTags(content)
  return content.map((block) => (block.type === 'text' ? { ...block, text: escapeOwnTags(block.text) } : block))
}

function isContent(value: unknown): value is ToolResultContent[] {
  const isBlock = (block: unknown) =>
    typeof block === 'object' && block !== null && 'type' in block && (block.type === 'text' || block.type === 'image')
  return Array.isArray(value) && value.every(isBlock)
}
