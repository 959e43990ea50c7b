/** What is there before the rest is loaded: a terminal, a prompt that takes keys, and what was typed meanwhile. */
import type { KeyDecoder } from '../editor/key-decoder.js'
import type { EditorSubmission, LineEditor } from '../editor/line-editor.js'
import type { LiveRegion } from '../screen/live-region.js'
import type { Styles } from '../screen/styles.js'
import type { TerminalPort } from '../screen/terminal-port.js'
import type { TerminalArguments } from './session-arguments.js'

export type EarlyTerminalParts = {
  terminal: TerminalPort & { end(): void }
  region: LiveRegion
  editor: LineEditor
  decoder: KeyDecoder
  styles: Styles
  /** Enter was pressed for these. */
  submitted: EditorSubmission[]
  /**
   * Called by signals that end the program. Code with more to clean up replaces it: a signal during an exchange of
   * listeners would get lost.
   */
  leave(code: number): void
}

/** Loads a part of the program by its name. */
export type LoadTerminalPart = (name: string) => Promise<unknown>

/** What the part does that is loaded after the prompt is there. Both give the exit code. */
export type LoadedTerminal = {
  runTerminalConversation(front: EarlyTerminalParts, args: TerminalArguments, load: LoadTerminalPart): Promise<number>
  runPlainTerminal(args: TerminalArguments, load: LoadTerminalPart): Promise<number>
}
