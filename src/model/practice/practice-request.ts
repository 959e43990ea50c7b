/** A request that the practice model understands, as data. `unknown`: it does not. */

export type PracticeIntent =
  /** Without a path: the working directory. */
  | { kind: 'list'; pattern: string; path?: string }
  | { kind: 'read'; path: string }
  | { kind: 'search'; text: string; path?: string }
  /** Only where nothing is yet. */
  | { kind: 'create'; path: string; content: string }
  /** Also over an existing file. */
  | { kind: 'write'; path: string; content: string }
  | { kind: 'edit'; path: string; from: string; to: string; all: boolean }
  | { kind: 'append'; path: string; content: string }
  | { kind: 'run'; command: string }
  | { kind: 'plan'; steps: PracticePlanStep[] }
  /** A plan for the user to approve; nothing of it is done. */
  | { kind: 'propose'; steps: string[] }
  | { kind: 'ask'; question: string; options: string[] }
  | { kind: 'help' }
  | { kind: 'unknown' }

/** `request` is unknown where a step means nothing to the practice model. */
export type PracticePlanStep = { text: string; request: PracticeIntent }

/** A request with the words it was made in. */
export type PracticeRequest = { words: string; request: PracticeIntent }
