/** Runs the tool calls of one answer: read-only ones together, the others in order, each through hooks and permission. */
import { messageOf } from '../protocol/thrown.js'
import {
  type CallResult,
  failedCallResult,
  finishedCallResult,
  INTERRUPTED_IN_TOOL,
  refusedCallResult,
  replaceOutputByHook,
  type TurnStopCause,
  withCallNote,
} from './finished-call.js'
import type { PreToolVerdict } from './hook-port.js'
import { type PermitOutcome, permitCall, type RunOrRefuse, recheckChangedInput } from './permit-call.js'
import type { EnginePorts, SaveFailure } from './ports.js'
import { type ParsedCall, prepareInput, toolNameForPermissions } from './read-call.js'
import type { CallWaitPort, EngineCall, EngineTool, ToolOutcome } from './tool-port.js'

/** How often a running tool is reported, in ms. */
const PROGRESS_EVERY = 2000
/** How often what a tool prints is passed on. */
const OUTPUT_EVERY = 200
/** Maximum characters of new tool output in a progress report. The rest is in the result. */
const MAX_PROGRESS_OUTPUT = 65_536

/** Maximum characters of a reason that is repeated from the result. */
const MAX_REPEATED_REASON = 1000

export type CallResults = {
  results: CallResult[]
  stop?: TurnStopCause
  /** Calls without a result, because a question is parked: the call it is about, and those that were to run after it. */
  open?: EngineCall[]
  /** A question is open, and the calls with it. */
  parked?: true
  /** The call that a hook deferred. */
  deferred?: EngineCall
  /** What was told could not be kept: the calls that are open were not run for that reason. */
  notSaved?: SaveFailure
}

/** What becomes of a call that gets no result. */
type LeftOpen = { leave: 'parked' | SaveFailure } | { leave: 'deferred'; call: EngineCall }

/** Results come in the order the calls finished; every call has exactly one, also after an abort, unless it is left open. */
export async function runToolCalls(
  calls: readonly ParsedCall[],
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<CallResults> {
  const results: CallResult[] = []
  const open: EngineCall[] = []
  let stop: TurnStopCause | undefined
  let notSaved: SaveFailure | undefined
  let parked = false
  let deferred: EngineCall | undefined
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
  for (const [index, batch] of inBatches(calls, ports).entries()) {
    await Promise.all(
      batch.map(async (read) => {
        const { call } = read
        // After an abort or a stop nothing starts any more, but every call still needs its result.
        if (notSaved === undefined && (signal.aborted || stop))
          return finish(failedCallResult(call, INTERRUPTED_IN_TOOL))
        if (open.length > 0 || ports.yields?.()) return void open.push(call)
        const controller = new AbortController()
        running.add(controller)
        // A throw outside the tool itself is a bug of ours; the call still gets its one result.
        const result = await runOne(read, index === 0, ports, controller.signal).catch((error) =>
          failedCallResult(call, String(error)),
        )
        running.delete(controller)
        if (!('leave' in result)) return finish(result)
        if (result.leave === 'parked') parked = true
        else if (result.leave === 'deferred') deferred ??= result.call
        else notSaved = result.leave
        return void open.push(call)
      }),
    )
  }
  signal.removeEventListener('abort', abortAll)
  // A turn that is over for another reason has nothing to come back to.
  if (notSaved === undefined && (signal.aborted || stop))
    for (const call of open.splice(0)) await finish(failedCallResult(call, INTERRUPTED_IN_TOOL))
  const isParked = parked && open.length > 0
  const isDeferred = deferred && open.length > 0 ? { deferred } : {}
  const why = { ...(isParked ? { parked: true as const } : {}), ...isDeferred, ...(notSaved ? { notSaved } : {}) }
  const left = { ...(open.length > 0 ? { open } : {}), ...why }
  return { results, ...(stop ? { stop } : {}), ...left }
}

function inBatches(calls: readonly ParsedCall[], ports: EnginePorts): ParsedCall[][] {
  const batches: ParsedCall[][] = []
  let together = false
  for (const given of calls) {
    const tool = ports.tools.find(given.call.name)
    const parsed = given.parsed ?? tool?.parse(given.call.input)
    const read = parsed ? { ...given, parsed } : given
    const readOnly = parsed?.ok === true && tool?.isReadOnly(parsed.input) === true
    const last = batches.at(-1)
    if (readOnly && together && last) last.push(read)
    else batches.push([read])
    together = readOnly
  }
  return batches
}

/** `isFirst`: nothing has run since the call came, so what it was prepared with still holds. */
async function runOne(
  { call: given, parsed: before, prepared }: ParsedCall,
  isFirst: boolean,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<CallResult | LeftOpen> {
  const tool = ports.tools.find(given.name)
  if (!tool) return refusedCallResult(given, await missingTool(given.name, ports))
  const parsed = before ?? tool.parse(given.input)
  if (!parsed.ok) return refusedCallResult(given, parsed.error, parsed.output)
  // The calls before this one may have changed what the session knows.
  const input = isFirst && prepared ? prepared : await prepareInput(tool, parsed.input)
  const call: EngineCall = { ...given, name: toolNameForPermissions(given.name, tool), input }
  const problem = await tool.check(call.input)
  if (problem !== undefined) return refusedCallResult(call, problem)

  const verdict = await ports.hooks.preTool(call, signal)
  const refusal = refusedByHook(call, verdict)
  if (refusal) return refusal
  const changed: RunOrRefuse = verdict.input
    ? await recheckChangedInput(call, verdict.input, tool)
    : { go: 'run', call }
  if (changed.go === 'refuse') return changed.result
  const permit = await permitAll(changed.call, tool, verdict, ports, signal)
  if (permit.go === 'park') return permit.deferred ? { leave: 'deferred', call: changed.call } : { leave: 'parked' }
  if (permit.go === 'leave') return { leave: permit.why }
  if (permit.go === 'refuse') return { ...permit.result, context: [...verdict.context, ...permit.result.context] }
  if (signal.aborted) return failedCallResult(permit.call, INTERRUPTED_IN_TOOL)

  void ports.emit({ type: 'tool-begun', call: permit.call })
  // After a crash, the next process must know of every call that might have had an effect.
  const notSaved = await ports.saved?.()
  if (notSaved) return { leave: notSaved }
  if (signal.aborted) return failedCallResult(permit.call, INTERRUPTED_IN_TOOL)
  const { wait, isParked } = createCallWait(permit.call, ports)
  const began = ports.now?.() ?? 0
  const outcome = await execute(permit.call, tool, ports, signal, wait)
  const took = ports.now && ports.now() - began
  if (isParked() && !signal.aborted) return { leave: 'parked' }
  const after = await ports.hooks.postTool(permit.call, outcome, signal.aborted, signal, took)
  return {
    ...withCallNote(replaceOutputByHook(finishedCallResult(permit.call, outcome, tool), after.output), parsed.note),
    context: [...verdict.context, ...after.context],
    ...(after.stop ? { stop: 'hook' as const } : {}),
  }
}

async function missingTool(name: string, { tools }: EnginePorts): Promise<string> {
  const more = (await tools.explainMissing?.(name)) ?? ''
  return `Error: No such tool available: ${name}${more === '' ? '' : `. ${more}`}`
}

function refusedByHook(call: EngineCall, verdict: PreToolVerdict): CallResult | undefined {
  if (verdict.stop) return { ...failedCallResult(call, verdict.stop.reason ?? 'Stopped by a hook.'), stop: 'hook' }
  if (verdict.decision !== 'deny') return undefined
  const reason = verdict.reason ?? 'Blocked by a hook.'
  const repeated = `PreToolUse:${call.name} hook blocked it: ${reason.slice(0, MAX_REPEATED_REASON)}`
  return {
    ...failedCallResult(call, reason),
    context: [...verdict.context, ...(verdict.repeatReason ? [repeated] : [])],
  }
}

/** By what the call says of itself, and then by what only shows once that was permitted. */
async function permitAll(
  call: EngineCall,
  tool: EngineTool,
  verdict: PreToolVerdict,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<PermitOutcome> {
  const permit = await permitCall(call, tool.facts(call.input), tool, verdict, ports, signal)
  if (permit.go !== 'run') return permit
  const more = await tool.moreFacts(permit.call, signal)
  return more ? permitCall(permit.call, more, tool, verdict, ports, signal) : permit
}

function createCallWait(call: EngineCall, ports: EnginePorts): { wait?: CallWaitPort; isParked(): boolean } {
  let parked = false
  if (!ports.waits) return { isParked: () => parked }
  const { kept, canPark } = ports.waits
  const wait: CallWaitPort = {
    kept: kept.get(call.id),
    canPark,
    async keep(state) {
      await ports.emit({ type: 'tool-wait', call, ...(state ? { state } : {}) })
      const notSaved = await ports.saved?.()
      if (notSaved) throw new Error(`Where the call is could not be kept (${notSaved}).`)
    },
    park() {
      parked = true
    },
  }
  return { wait, isParked: () => parked }
}

async function execute(
  call: EngineCall,
  tool: EngineTool,
  ports: EnginePorts,
  signal: AbortSignal,
  wait: CallWaitPort | undefined,
): Promise<ToolOutcome> {
  let ticks = 0
  let output = ''
  const stopOutput = ports.every(OUTPUT_EVERY, () => {
    if (output !== '') void ports.emit({ type: 'tool-output', call, ticks, output })
    output = ''
  })
  const stopProgress = ports.every(PROGRESS_EVERY, () => {
    ticks += 1
    void ports.emit({ type: 'tool-progress', call, ticks })
  })
  try {
    const progress = (chunk: string) => {
      output = (output + chunk).slice(-MAX_PROGRESS_OUTPUT)
    }
    return await tool.execute(call, signal, progress, wait)
  } catch (error) {
    // A throw is a bug of the tool; the model still gets an answer, and the conversation stays whole.
    return { ok: false, error: messageOf(error) }
  } finally {
    stopOutput()
    stopProgress()
  }
}
