/**
 * How often the library polls its tables. It can't be notified of a run, so its loop is woken here; no second loop
 * exists, so all of its limits apply. These parts aren't public: only this file knows them, their version is pinned,
 * and a release without them only polls more often.
 */

/** The parts of its queue loop that are used here. */
type Runner = {
  states?: Map<string, { nextPollAt: number }>
  /** It ends the loop, which sleeps until then or until a queue is due. */
  abortController?: AbortController
}
type Internals = {
  runner: Runner
  /** Makes a queue of one process, unless it is there. */
  registerInternalQueue(name: string, limits: { minPollingIntervalMs: number }): unknown
  /** Our runs have no deadline. */
  timeouts: { pollingIntervalMs?: number }
}

/** For runs that a restarted process had before: no two of our processes share a name. */
const RECOVERED = '_dbos_internal_queue'
const SELDOM_MS = 60_000

/** Call before launch. Returns a function that looks for runs now; undefined if the library can't be woken. */
export async function makeQueuePollingWakeable(): Promise<(() => void) | undefined> {
  const found = await loadInternals()
  if (!found) return undefined
  const { runner, registerInternalQueue, timeouts } = found
  registerInternalQueue(RECOVERED, { minPollingIntervalMs: SELDOM_MS })
  timeouts.pollingIntervalMs = SELDOM_MS
  return () => {
    for (const [name, state] of runner.states ?? []) if (name !== RECOVERED) state.nextPollAt = 0
    // Nothing is aborted: its sleep ends, and it finds that queues are due.
    runner.abortController?.signal.dispatchEvent(new Event('abort'))
  }
}

async function loadInternals(): Promise<Internals | undefined> {
  try {
    const { wfQueueRunner, registerInternalQueue } = await import('@dbos-inc/dbos-sdk/internal/wfqueue')
    const { workflowTimeoutConfig } = await import('@dbos-inc/dbos-sdk/internal/workflow_management')
    const runner = wfQueueRunner as unknown as Runner // its parts are private
    if (!(runner.states instanceof Map) || typeof workflowTimeoutConfig.pollingIntervalMs !== 'number') return undefined
    return { runner, registerInternalQueue, timeouts: workflowTimeoutConfig }
  } catch {
    return undefined
  }
}
