/** Decides when the agent's input is over: never while anything could still need the control channel. */

type InputState = {
  /** Streams of messages that have not ended yet; null before the first was given. */
  streams: number | null
  sent: number
  results: number
}

export type InputEndTrackerOptions = {
  /** The agent says when it is idle. */
  reportsState: boolean
  /** canUseTool, hooks or in-process tools exist: the agent may call back. */
  hasCallbacks(): boolean
  /** Control requests of ours without an answer yet. */
  openRequests(): number
  end(): void
  /** Nothing more is asked of the agent, which is idle, but work of its continues in the background. */
  letGo(): void
}

export interface InputEndTracker {
  /** Before a message is written; `single`: by itself, not of a prompt or a stream. */
  sending(single: boolean): void
  /** A prompt or a stream of messages begins; `single`: it is one text. */
  opened(single: boolean): void
  /** It is over. */
  closed(): void
  /** Nothing more will come, whatever is still open. */
  finish(): void
  /** Reported by the agent; `received` counts the user messages it has read, where it says so, `tasks` the work that continues. */
  stateChanged(next: string, received: number | undefined, tasks?: number): void
  /** A control request of ours was answered. */
  answered(): void
  result(): void
  readonly ended: boolean
  /** `letGo` was called: nobody hears what the agent still says. */
  readonly hasLetGo: boolean
  /** No result has come since a message was last sent. */
  readonly awaitsResult: boolean
}

/**
 * An agent that reports its state gets its input closed when it is idle with everything read and no work continues. One that does not
 * (older programs) gets it closed when the original would: a single prompt after the first result; a stream when it
 * ends, or after the first result if the agent may still call back; and never before the answer to a message sent by itself.
 */
export function createInputEndTracker(options: InputEndTrackerOptions): InputEndTracker {
  const state: InputState = { streams: null, sent: 0, results: 0 }
  let singlePrompt = false
  let sentSingly = false
  let reportsState = options.reportsState
  let idle = true
  /** Work that continues although the agent is idle. */
  let working = 0

  const due = () => !input.ended && state.streams === 0 && mayEnd()
  // One tick later, so that a caller who just got an answer can still ask the next thing.
  const check = () => {
    if (!due()) return
    setImmediate(() => {
      if (!due()) return
      if (working > 0) {
        if (!input.hasLetGo) options.letGo()
        input.hasLetGo = true
        return
      }
      input.ended = true
      options.end()
    })
  }
  const mayEnd = () => {
    // Ours answers every request; another may never, and its end is what rejects them then.
    if (reportsState) return idle && options.openRequests() === 0
    if (sentSingly && input.awaitsResult) return false
    if (singlePrompt || options.hasCallbacks()) return state.results > 0 || state.sent === 0
    return true
  }

  const input = {
    ended: false,
    hasLetGo: false,
    awaitsResult: false,
    sending(single: boolean) {
      state.sent += 1
      idle = false
      input.awaitsResult = true
      sentSingly ||= single
    },
    opened(single: boolean) {
      state.streams = (state.streams ?? 0) + 1
      singlePrompt ||= single
    },
    closed() {
      state.streams = Math.max(0, (state.streams ?? 1) - 1)
      check()
    },
    finish() {
      state.streams = 0
      check()
    },
    stateChanged(next: string, received: number | undefined, tasks = 0) {
      reportsState = true
      working = tasks
      idle = next === 'idle' && (received === undefined || received >= state.sent)
      check()
    },
    answered: check,
    result() {
      state.results += 1
      input.awaitsResult = false
      check()
    },
  }
  return input
}
