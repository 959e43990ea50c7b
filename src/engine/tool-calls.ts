/** Runs the tool calls of one answer: read-only ones together, the others in order, each through hooks and permission. */
import type { ToolResultBlockParam, ToolResultContent, ToolUseBlock } from '../protocol/content.js'
import type { EnginePorts, EngineTool, PermissionFacts, PreToolVerdict, ToolCall, ToolOutcome } from './ports.js'

export const INTERRUPTED_IN_TOOL = '[Request interrupted by user for tool use]'

/** How often a running tool is reported, in ms. */
const PROGRESS_EVERY = 2000
/** Of what a tool printed since the last report; the rest is in its result. */
const MAX_PROGRESS_OUTPUT = 65_536

/** Of a reason that stands in the result already. */
const MAX_TOLD = 1000

export type CallResult = {
  call: ToolCall
  block: ToolResultBlockParam
  output: unknown
  /** What hooks want the model to read beside the result. */
  context: string[]
  /** A text of the tool that comes after all results. */
  follow?: string
  stop?: Stop
}

/** What ends the turn with a call: who was asked, a hook, or that nobody could be asked. */
export type Stop = 'permission' | 'hook' | 'unasked'

export type CallResults = { results: CallResult[]; stop?: Stop }

/** Results come in the order the calls finished; every call has exactly one, also after an abort. */
export async function runToolCalls(
  uses: readonly ToolUseBlock[],
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<CallResults> {
  const results: CallResult[] = []
  let stop: CallResults['stop']
  const finish = async (result: CallResult) => {
    results.push(result)
    stop ??= result.stop
    await ports.emit({ type: 'tool-result', call: result.call, block: { ...result.block }, output: result.output })
    if (result.follow !== undefined) await ports.emit({ type: 'user-text', text: result.follow, kind: 'feedback' })
  }
  // Each call has a signal of its own, so that many at once don't pile up listeners on one.
  const running = new Set<AbortController>()
  const abortAll = () => {
    for (const controller of running) controller.abort(signal.reason)
  }
  signal.addEventListener('abort', abortAll, { once: true })
  for (const batch of inBatches(uses.map(toCall), ports)) {
    await Promise.all(
      batch.map(async (call) => {
        // After an abort or a stop nothing starts any more, but every call still needs its result.
        if (signal.aborted || stop) return finish(failed(call, INTERRUPTED_IN_TOOL))
        const controller = new AbortController()
        running.add(controller)
        // A throw outside the tool itself is a bug of ours; the call still gets its one result.
        const result = await runOne(call, ports, controller.signal).catch((error) => failed(call, String(error)))
        running.delete(controller)
        return finish(result)
      }),
    )
  }
  signal.removeEventListener('abort', abortAll)
  return { results, ...(stop ? { stop } : {}) }
}

/** An error result for a call that was never run. */
export function failed(call: ToolCall, text: string, output: unknown = `Error: ${text}`): CallResult {
  return {
    call,
    block: { type: 'tool_result', content: text, is_error: true, tool_use_id: call.id },
    output,
    context: [],
  }
}

export function toCall(use: ToolUseBlock): ToolCall {
  // Inputs that are no object (broken JSON became {}) never reach a tool: `parse` refuses them.
  const input = typeof use.input === 'object' && use.input !== null ? { ...use.input } : {}
  return { id: use.id, name: use.name, input }
}

function inBatches(calls: ToolCall[], ports: EnginePorts): ToolCall[][] {
  const batches: ToolCall[][] = []
  let together = false
  for (const call of calls) {
    const readOnly = isReadOnly(call, ports)
    const last = batches.at(-1)
    if (readOnly && together && last) last.push(call)
    else batches.push([call])
    together = readOnly
  }
  return batches
}

function isReadOnly(call: ToolCall, ports: EnginePorts): boolean {
  const tool = ports.tools.find(call.name)
  const parsed = tool?.parse(call.input)
  return parsed?.ok === true && tool?.isReadOnly(parsed.input) === true
}

async function runOne(original: ToolCall, ports: EnginePorts, signal: AbortSignal): Promise<CallResult> {
  const tool = ports.tools.find(original.name)
  if (!tool) return refused(original, `Error: No such tool available: ${original.name}`)
  const parsed = tool.parse(original.input)
  if (!parsed.ok) return refused(original, parsed.error, parsed.output)
  // Again, as the calls before this one may have changed what the session knows.
  let call: ToolCall = { ...original, input: (await tool.prepare?.(parsed.input)) ?? parsed.input }
  const problem = await tool.check(call.input)
  if (problem !== undefined) return refused(call, problem)

  const verdict = await ports.hooks.preTool(call, signal)
  if (verdict.stop) return { ...failed(call, verdict.stop.reason ?? 'Stopped by a hook.'), stop: 'hook' }
  if (verdict.decision === 'deny') {
    const reason = verdict.reason ?? 'Blocked by a hook.'
    const told = verdict.tells ? [`PreToolUse:${call.name} hook blocked it: ${reason.slice(0, MAX_TOLD)}`] : []
    return { ...failed(call, reason), context: [...verdict.context, ...told] }
  }
  if (verdict.input) {
    const changed = await withInput(call, verdict.input, tool)
    if ('block' in changed) return changed
    call = changed
  }

  let permitted = await permit(call, tool.facts(call.input), tool, verdict, ports, signal)
  const more = 'block' in permitted ? undefined : await tool.moreFacts(permitted, signal)
  if (more && !('block' in permitted)) permitted = await permit(permitted, more, tool, verdict, ports, signal)
  if ('block' in permitted) return { ...permitted, context: [...verdict.context, ...permitted.context] }
  if (signal.aborted) return failed(permitted, INTERRUPTED_IN_TOOL)

  const outcome = await execute(permitted, tool, ports, signal)
  const after = await ports.hooks.postTool(permitted, outcome, signal.aborted, signal)
  return {
    ...withOutput(toResult(permitted, outcome, tool), after.output),
    context: [...verdict.context, ...after.context],
    ...(after.stop ? { stop: 'hook' as const } : {}),
  }
}

/** The call that may run (its input may have been changed by the host), or the result that says why not. */
async function permit(
  call: ToolCall,
  facts: PermissionFacts,
  tool: EngineTool,
  verdict: PreToolVerdict,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<ToolCall | CallResult> {
  const decision = await ports.permissions.decide(call, facts, {
    approvedByHook: verdict.decision === 'allow',
    askedByHook: verdict.decision === 'ask',
  })
  const deny = async (message: string, automatic: boolean, reasonType?: string, reason?: string) => {
    await ports.emit({ type: 'denied', call, message, automatic, reasonType, reason })
    return failed(call, message)
  }
  // As observed: what a path rule denies counts as a call that could not be made, not as a denial.
  if (decision.behavior === 'deny' && decision.reasonType === 'denied_path') return refused(call, decision.message)
  if (decision.behavior === 'deny') return deny(decision.message, true, decision.reasonType, decision.reason)
  if (decision.behavior === 'allow') return call

  const { suggestions, blockedPath, decisionReason, onlyAPerson } = decision
  let answer: Awaited<ReturnType<typeof ports.permissions.ask>>
  try {
    const reason = verdict.decision === 'ask' ? verdict.reason : decisionReason
    const { warning } = tool
    const question = { call, suggestions, blockedPath, decisionReason: reason, warning, onlyAPerson }
    answer = await ports.permissions.ask(question, signal)
  } catch (error) {
    const why = signal.aborted ? 'AbortError' : `Error: ${error instanceof Error ? error.message : String(error)}`
    // Of an answer that meant nothing, programs hear the kind: the text is for the model.
    const kind = !signal.aborted && /\binvalid\b.*\bresult\b/i.test(why) ? 'invalid_permission_result' : undefined
    return deny(`Tool permission request failed: ${why}`, false, kind, kind && why)
  }
  if (!answer) {
    // Only the hook asked: what it says is the reason.
    const byHook = decision.reasonType === 'hook' ? verdict.reason : undefined
    const denied = await deny(byHook ?? decision.message, true, decision.reasonType)
    return ports.permissions.failsUnasked ? { ...denied, stop: 'unasked' } : denied
  }
  if (answer.behavior === 'deny') {
    const denied = await deny(answer.message, false)
    return answer.interrupt ? { ...denied, stop: 'permission' } : denied
  }
  await ports.permissions.apply(answer.updates)
  if (answer.input === call.input) return call
  const changed = await withInput(call, answer.input, tool)
  if ('block' in changed) return changed
  // The host may change the input, but not past a deny rule.
  const again = await ports.permissions.decide(changed, tool.facts(changed.input))
  return again.behavior === 'deny' ? deny(again.message, true, again.reasonType, again.reason) : changed
}

async function withInput(
  call: ToolCall,
  input: Record<string, unknown>,
  tool: EngineTool,
): Promise<ToolCall | CallResult> {
  const parsed = tool.parse(input)
  if (!parsed.ok) return refused(call, parsed.error, parsed.output)
  const problem = await tool.check(parsed.input)
  return problem === undefined ? { ...call, input: parsed.input } : refused(call, problem)
}

async function execute(
  call: ToolCall,
  tool: EngineTool,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  let ticks = 0
  let output = ''
  const stop = ports.every(PROGRESS_EVERY, () => {
    ticks += 1
    void ports.emit({ type: 'tool-progress', call, ticks, output })
    output = ''
  })
  try {
    return await tool.execute(call, signal, (chunk) => {
      output = (output + chunk).slice(-MAX_PROGRESS_OUTPUT)
    })
  } catch (error) {
    // A throw is a bug of the tool; the model still gets an answer, and the conversation stays whole.
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  } finally {
    stop()
  }
}

function toResult(call: ToolCall, outcome: ToolOutcome, tool: EngineTool): CallResult {
  if (!outcome.ok)
    return outcome.refused ? refused(call, outcome.error, outcome.output) : failed(call, outcome.error, outcome.output)
  const block: ToolResultBlockParam = {
    tool_use_id: call.id,
    type: 'tool_result',
    content: outcome.content,
    ...(tool.marksSuccess && typeof outcome.content === 'string' ? { is_error: false } : {}),
  }
  const follow = outcome.follow === undefined ? {} : { follow: outcome.follow }
  return { call, block, output: outcome.output, context: [], ...follow }
}

/** What a hook put in the place of the tool's own result. */
function withOutput(result: CallResult, output: unknown): CallResult {
  if (output === undefined) return result
  const content = typeof output === 'string' || isContent(output) ? output : JSON.stringify(output)
  return { ...result, block: { ...result.block, content }, output }
}

function isContent(value: unknown): value is ToolResultContent[] {
  const isBlock = (block: unknown) =>
    typeof block === 'object' && block !== null && 'type' in block && (block.type === 'text' || block.type === 'image')
  return Array.isArray(value) && value.every(isBlock)
}

/** An error found before the tool ran. */
function refused(call: ToolCall, text: string, output?: unknown): CallResult {
  return {
    ...failed(call, `<tool_use_error>${text}</tool_use_error>`),
    output: output ?? (text.startsWith('Error: ') ? text : `Error: ${text}`),
  }
}
