/** A command that the terminal itself runs. */
import type { Face } from '../session/face.js'

export type TerminalCommand = {
  name: string
  help: string
  hint?: string
  run(face: Face, args: string): Promise<void> | void
}
