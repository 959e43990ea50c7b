/** Decides when the agent's input is over: never while anything could still need the control channel. */

export type InputState = {
  /** The prompt, and every stream given later, has been written. */
  done: boolean
  sent: number
  results: number
}

export type InputOptions = {
  /** The agent says when it is idle. */
  reportsState: boolean
  singlePrompt: boolean
  /** canUseTool, hooks or in-process tools exist: the agent may call back. */
  hasCallbacks: boolean
  /** Control requests of ours without an answer yet. */
  openRequests(): number
  end(): void
}

/**
 * An agent that reports its state gets its input closed when it is idle with everything read. One that does not
 * (older programs) gets it closed when the original would: a single prompt after the first result; a stream when it
 * ends, or after the first result if the agent may still call back.
 */
export function createInputEnd(options: InputOptions) {
  const state: InputState = { done: false, sent: 0, results: 0 }
  let reportsState = options.reportsState
  let idle = true
  let ended = false

  const due = () => !ended && state.done && options.openRequests() === 0 && mayEnd()
  // One tick later, so that a caller who just got an answer can still ask the next thing.
  const check = () => {
    if (!due()) return
    setImmediate(() => {
      if (!due()) return
      ended = true
      options.end()
    })
  }
  const mayEnd = () => {
    if (reportsState) return idle
    if (options.singlePrompt || options.hasCallbacks) return state.results > 0 || state.sent === 0
    return true
  }

  return {
    /** Before a message is written. */
    sending() {
      state.sent += 1
      idle = false
    },
    inputDone() {
      state.done = true
      check()
    },
    /** Reported by the agent; `received` counts the user messages it has read, where it says so. */
    stateChanged(next: string, received: number | undefined) {
      reportsState = true
      idle = next === 'idle' && (received === undefined || received >= state.sent)
      check()
    },
    /** A control request of ours was answered. */
    answered: check,
    result() {
      state.results += 1
      check()
    },
  }
}
