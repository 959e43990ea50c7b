/** A command that the terminal itself runs. */
import type { TerminalUi } from '../session/terminal-ui.js'

export type TerminalCommand = {
  name: string
  help: string
  hint?: string
  run(ui: TerminalUi, args: string): Promise<void> | void
}
