/** What a scripted mind intends to do in a task. How well it says so is its habit (`habits.ts`). */

/** A tool call that a mind intends. Texts can contain `{{name}}`: see `take`, and `{{workspace}}`, `{{home}}`, `{{task}}`. */
export type PlannedCall = {
  /** The tool. */
  tool: string
  /** The input it means. */
  input: Record<string, unknown>
  /** Names, each with a regular expression whose first group is taken from the result for later calls. */
  take?: Record<string, string>
  /** A regular expression; the call is repeated, 40 times at most, until the result matches. */
  until?: string
  /** What to do if the call is refused or can't be repaired. */
  instead?: readonly PlannedCall[]
}

/** One message of a mind: calls, words, or both. Words alone end the turn. */
export type MindStep = {
  /** Calls it makes in one message. */
  calls?: readonly PlannedCall[]
  /** What it says. */
  say?: string
  /** Adds to `say` those of the script's `facts` that it can still read in the request. */
  recall?: boolean
  /** This step answers the notice that a background task has ended. */
  notice?: boolean
}

/** The intentions of a mind in one task. */
export type MindScript = {
  /** What it does in the main conversation, over all turns. */
  steps: readonly MindStep[]
  /** What it does as a sub-agent whose prompt contains the key. */
  agents?: Record<string, readonly MindStep[]>
  /** Texts that it looks for: in a summary it writes, and where a step says `recall`. */
  facts?: readonly string[]
  /** What it says to a notice about a background task that no step expects; default `Noted.` */
  noted?: string
}
