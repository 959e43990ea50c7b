/** What became of one hook: its answer, or why there is none. */
import type { AsyncHookJSONOutput, HookJSONOutput, SyncHookJSONOutput } from '../protocol/hooks.js'

export type HookOutcome = { name: string } & (
  | {
      output: HookJSONOutput
      /** What a command printed that was no JSON. */
      printed?: string
      /** It isn't an answer in words of its own: exit code 2 stands for it. */
      byExitCode?: true
      /** Fields of the answer that have no effect. */
      ignored?: readonly string[]
    }
  | {
      failure: string
      /** By its exit code it says itself that it did not work; the call is not held up by that. */
      open?: true
    }
)

/** Returns what a hook decided. Undefined for a failure and for `{async: true}`: that hook does not decide anything. */
export function syncHookOutputOf(outcome: HookOutcome): SyncHookJSONOutput | undefined {
  return 'failure' in outcome || isAsync(outcome.output) ? undefined : outcome.output
}

export function syncHookOutputsOf(outcomes: readonly HookOutcome[]): SyncHookJSONOutput[] {
  return outcomes.flatMap((outcome) => syncHookOutputOf(outcome) ?? [])
}

function isAsync(output: HookJSONOutput): output is AsyncHookJSONOutput {
  return 'async' in output && output.async === true
}

/** A guard that crashed, timed out or answered garbage has not approved anything. */
export function hookCrashed(outcome: HookOutcome): boolean {
  return 'failure' in outcome && !outcome.open
}
