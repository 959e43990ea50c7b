/** Decides with rules, hooks and whoever can be asked whether a call runs, with which input, or why not. */
import { messageOf } from '../protocol/thrown.js'
import type { ParkAnswer, PermissionAnswer, PermissionDecision, PermissionRequest } from './approval-port.js'
import type { EngineEvent } from './events.js'
import { type CallResult, failedCallResult, refusedCallResult } from './finished-call.js'
import type { PreToolVerdict } from './hook-port.js'
import type { EnginePorts, SaveFailure } from './ports.js'
import type { EngineCall, EngineTool, PermissionFacts } from './tool-port.js'

/** `refuse`: the result says why it does not run. */
export type RunOrRefuse = { go: 'run'; call: EngineCall } | { go: 'refuse'; result: CallResult }
/** Whether a call runs. `park`: the question stays open, or with `deferred` a hook wants to decide later. `leave`: nobody may be asked, and nothing run. */
export type PermitOutcome = RunOrRefuse | { go: 'park'; deferred?: true } | { go: 'leave'; why: SaveFailure }

type Settled = Extract<EngineEvent, { type: 'settled' }>
type Question = Extract<PermissionDecision, { behavior: 'ask' }> &
  Pick<PermissionRequest, 'details'> & { explain(): Promise<string> }

const run = (call: EngineCall): RunOrRefuse => ({ go: 'run', call })
const refuse = (result: CallResult): RunOrRefuse => ({ go: 'refuse', result })

export async function permitCall(
  call: EngineCall,
  facts: PermissionFacts,
  tool: EngineTool,
  verdict: PreToolVerdict,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<PermitOutcome> {
  const context = { approvedByHook: verdict.decision === 'allow', askedByHook: verdict.decision === 'ask' }
  const decision = await ports.permissions.decide(call, facts, context)
  const explain = async () => (await ports.permissions.explainRefusal?.(call, facts, context)) ?? ''
  // A rule that denies needs no decision of anybody later.
  if (verdict.decision === 'defer' && decision.behavior !== 'deny') return { go: 'park', deferred: true }
  if (decision.behavior === 'allow') return run(call)
  if (decision.behavior === 'ask') {
    const details = await ports.permissions.describe?.(call, facts, tool, context)
    return askAbout(call, { ...decision, details, explain }, tool, verdict, ports, signal)
  }
  // As observed: what a path rule denies counts as a call that could not be made, not as a denial.
  const message = withMore(decision.message, await explain())
  if (decision.reasonType === 'denied_path') return refuse(refusedCallResult(call, message))
  return refuse(await deny(call, ports, { ...denialOf(decision), message }))
}

function withMore(message: string, more: string): string {
  return more === '' ? message : `${message}${/[.?!]$/.test(message) ? '' : '.'} ${more}`
}

/** The call with another input, which a hook or the host gave: read by the tool like the model's own. */
export async function recheckChangedInput(
  call: EngineCall,
  input: Record<string, unknown>,
  tool: EngineTool,
): Promise<RunOrRefuse> {
  const parsed = tool.parse(input)
  if (!parsed.ok) return refuse(refusedCallResult(call, parsed.error, parsed.output))
  const problem = await tool.check(parsed.input)
  return problem === undefined ? run({ ...call, input: parsed.input }) : refuse(refusedCallResult(call, problem))
}

async function askAbout(
  call: EngineCall,
  decision: Question,
  tool: EngineTool,
  verdict: PreToolVerdict,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<PermitOutcome> {
  const { suggestions, blockedPath, onlyAPerson, details } = decision
  const decisionReason = verdict.decision === 'ask' ? verdict.reason : decision.decisionReason
  const { warning } = tool
  const question = {
    call,
    suggestions,
    blockedPath,
    decisionReason,
    warning,
    onlyAPerson,
    ...(details ? { details } : {}),
  }
  const settle = (answer: Settled['answer'], more: Partial<Settled> = {}) =>
    ports.emit({ type: 'settled', call, answer, ...more })

  await ports.emit({ type: 'asked', question })
  const notSaved = await ports.saved?.()
  if (notSaved) return { go: 'leave', why: notSaved }
  const answer = await ask(question, ports, signal)
  if (answer && 'failure' in answer) {
    await settle('failed')
    return refuse(await deny(call, ports, answer.failure))
  }
  if (!answer) {
    await settle('unanswered')
    // Only the hook asked: what it says is the reason.
    const byHook = decision.reasonType === 'hook' ? verdict.reason : undefined
    const message = withMore(byHook ?? decision.message, await decision.explain())
    const denied = await deny(call, ports, { message, automatic: true, reasonType: decision.reasonType })
    return refuse(ports.permissions.failOnAsk ? { ...denied, stop: 'nobody-to-ask' } : denied)
  }
  if (answer.behavior === 'park') {
    await settle('parked')
    return { go: 'park' }
  }
  if (answer.behavior === 'deny') {
    await settle('denied', { message: answer.message, ...(answer.interrupt ? { interrupt: true } : {}) })
    const denied = await deny(call, ports, { message: answer.message, automatic: false })
    return refuse(answer.interrupt ? { ...denied, stop: 'permission' } : denied)
  }
  await settle('allowed', answer.input === call.input ? {} : { input: answer.input })
  await ports.permissions.apply(answer.updates)
  return answer.input === call.input ? run(call) : withAnsweredInput(call, answer.input, tool, ports)
}

async function ask(
  question: PermissionRequest,
  ports: EnginePorts,
  signal: AbortSignal,
): Promise<PermissionAnswer | ParkAnswer | undefined | { failure: Denial }> {
  try {
    return await ports.permissions.ask(question, signal)
  } catch (error) {
    const why = signal.aborted ? 'AbortError' : `Error: ${messageOf(error)}`
    // For an invalid answer, programs receive the kind of the problem. The text is for the model.
    const isInvalid = !signal.aborted && /\binvalid\b.*\bresult\b/i.test(why)
    const about = isInvalid ? { reasonType: 'invalid_permission_result', reason: why } : {}
    return { failure: { message: `Tool permission request failed: ${why}`, automatic: false, ...about } }
  }
}

/** The host may change the input, but not past a deny rule. */
async function withAnsweredInput(
  call: EngineCall,
  input: Record<string, unknown>,
  tool: EngineTool,
  ports: EnginePorts,
): Promise<RunOrRefuse> {
  const changed = await recheckChangedInput(call, input, tool)
  if (changed.go === 'refuse') return changed
  const again = await ports.permissions.decide(changed.call, tool.facts(changed.call.input))
  // The denial reports the original call, which is the one the host knows.
  return again.behavior === 'deny' ? refuse(await deny(call, ports, denialOf(again))) : changed
}

type Denial = Omit<Extract<EngineEvent, { type: 'denied' }>, 'type' | 'call'>

function denialOf({ message, reasonType, reason }: Extract<PermissionDecision, { behavior: 'deny' }>): Denial {
  return { message, automatic: true, reasonType, ...(reason === undefined ? {} : { reason }) }
}

async function deny(call: EngineCall, ports: EnginePorts, denial: Denial): Promise<CallResult> {
  await ports.emit({ type: 'denied', call, ...denial })
  return failedCallResult(call, denial.message)
}
