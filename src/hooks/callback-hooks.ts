/** Hooks that are callbacks of the host. */
import type { SDKHookCallbackMatcher } from '../protocol/control.js'
import type { HookEvent, HookInput, HookJSONOutput } from '../protocol/hooks.js'
import { truncateHookText } from './bounded.js'
import { checkOutput } from './check-output.js'
import { blocksOnFailure } from './event-traits.js'
import type { HookOutcome } from './hook-outcome.js'
import { matcherApplies } from './match.js'
import { createObserver, type HookObservation } from './observation.js'
import { type HookEventOccurrence, timeoutSeconds } from './occurrence.js'
import { type CallbackEnd, runCallback } from './run-callback.js'

export type HookMatchers = Partial<Record<HookEvent, SDKHookCallbackMatcher[]>>

export type CallbackHookPorts = {
  /** Calls the host; rejects when the callback threw, the connection is gone or `signal` aborted. */
  invoke(callbackId: string, input: HookInput, toolUseId: string, signal: AbortSignal): Promise<unknown>
  after(ms: number, callback: () => void): () => void
  uuid(): string
  /** For people: a hook failed. */
  report(text: string): void
  observe(observation: HookObservation): void
}

export function createCallbackHooks(matchers: () => HookMatchers, ports: CallbackHookPorts) {
  const runOne = async (
    id: string,
    { timeout, onFailure }: Pick<SDKHookCallbackMatcher, 'timeout' | 'onFailure'>,
    occurrence: HookEventOccurrence,
  ): Promise<HookOutcome> => {
    const { input, name, toolUseId, onAbort } = occurrence
    const event = input.hook_event_name
    const observer = createObserver({ from: 'callback', id: ports.uuid(), name, event }, ports.observe)
    // A copy: in the same process a hook could change what others are told, or what is run, without saying so.
    const invoke = async (cancel: AbortSignal) => ports.invoke(id, structuredClone(input), toolUseId, cancel)
    const end = await runCallback(timeoutSeconds(timeout, occurrence), { invoke, after: ports.after }, onAbort)
    // Canceled from outside: nothing went wrong with the hook.
    if ('canceled' in end) {
      observer.response('cancelled', {})
      return { name: id, failure: 'cancelled' }
    }
    const { outcome, failure } = read(id, end, input, onFailure)
    if (failure !== undefined) {
      ports.report(`Error in hook callback ${id}: ${'threw' in end ? 'Error: ' : ''}${failure}`)
      observer.response('error', { stderr: failure })
    } else if ('output' in outcome) {
      observer.response('success', { output: toText(outcome.output) })
    }
    return outcome
  }

  return {
    has: (event: HookEvent) => (matchers()[event]?.length ?? 0) > 0,
    run(occurrence: HookEventOccurrence): Promise<HookOutcome>[] {
      const wanted = (matchers()[occurrence.input.hook_event_name] ?? []).filter(({ matcher }) =>
        matcherApplies(matcher, occurrence.subjects),
      )
      return wanted.flatMap(({ hookCallbackIds, ...matcher }) =>
        hookCallbackIds.map((id) => runOne(id, matcher, occurrence)),
      )
    },
  }
}

type CallbackReading = { outcome: HookOutcome; failure?: string }

function read(
  name: string,
  end: Exclude<CallbackEnd, { canceled: true }>,
  input: HookInput,
  onFailure: SDKHookCallbackMatcher['onFailure'],
): CallbackReading {
  const failed = (failure: string): CallbackReading => {
    const block = blocksOnFailure(onFailure, input.hook_event_name)
    return { failure, outcome: block ? { name, output: { decision: 'block', reason: failure } } : { name, failure } }
  }
  if ('timedOutAfter' in end) return failed(`it took longer than ${end.timedOutAfter} s`)
  if ('threw' in end) return failed(truncateHookText(end.threw))
  const checked = checkOutput(end.answer, input)
  if (!checked.ok) return failed(truncateHookText(checked.problem))
  return { outcome: { name, output: checked.output, ignored: checked.ignored } }
}

function toText(output: HookJSONOutput): string {
  try {
    return JSON.stringify(output)
  } catch {
    // In the same process an answer may hold what JSON can't say.
    return ''
  }
}
