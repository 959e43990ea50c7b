/** How a turn begins that another process began: with the calls its last answer left, or with the next request. */
import type { ToolUseBlock } from '../protocol/content.js'
import { type CallResult, failedCallResult } from './finished-call.js'
import type { EnginePorts } from './ports.js'
import { type ParsedCall, toEngineCall } from './read-call.js'

/** `lost`: it may have run, and nobody knows what became of it: what the model reads of it. */
export type OpenCall = { use: ToolUseBlock; lost?: string | undefined }

export type TurnBeginning =
  /** A prompt or results wait for an answer. */
  | { at: 'request' }
  /** The last answer is whole, and nothing of it was done yet. */
  | { at: 'answer'; stopReason: string | null; text: string; calls: readonly OpenCall[] }
  /** Some of its calls are done or had begun; these have no result. */
  | { at: 'calls'; text: string; calls: readonly OpenCall[] }

/** What is run, and what had begun: only what reads is run again. */
export async function separateRerunnableCalls(
  calls: readonly OpenCall[],
  ports: EnginePorts,
): Promise<{ run: ParsedCall[]; lost: CallResult[] }> {
  const run: ParsedCall[] = []
  const lost: CallResult[] = []
  for (const { use, lost: why } of calls) {
    const call = toEngineCall(use)
    if (why === undefined || onlyReads(call, ports)) {
      if (why !== undefined) await ports.emit({ type: 'repeated', call })
      run.push({ call })
      continue
    }
    const result = failedCallResult(call, why)
    lost.push(result)
    await ports.emit({ type: 'tool-result', call, block: { ...result.block }, output: result.output })
  }
  return { run, lost }
}

function onlyReads(call: ParsedCall['call'], { tools }: EnginePorts): boolean {
  const tool = tools.find(call.name)
  if (tool?.runsOnce) return false
  const parsed = tool?.parse(call.input)
  return parsed?.ok === true && tool?.isReadOnly(parsed.input) === true
}
