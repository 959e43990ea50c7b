/** What the terminal needs from its machine, apart from the session. Tests have their own. */
import type { PromptImage } from '../editor/pasted-parts.js'

export type ShellResult = { output: string; code: number | null; isCut: boolean }

export type TerminalMachine = {
  now(): number
  /** Calls `work` once after `ms` milliseconds. Returns a function that cancels it. */
  after(ms: number, work: () => void): () => void
  newId(): string
  readonly canBypass: boolean
  /** Lets the user change a text in the editor of their choice; undefined: it was not saved, or there is none. */
  edit(text: string, name: string): Promise<string | undefined>
  runShell(command: string, cwd: string, onOutput: (text: string) => void, signal: AbortSignal): Promise<ShellResult>
  /** Files below a folder that are worth naming, as paths relative to it. */
  files(cwd: string): Promise<string[]>
  /** Returns the image in a file; undefined if it isn't one. */
  image(path: string, cwd: string): PromptImage | undefined
  clipboardImage(): Promise<PromptImage | undefined>
  branch(cwd: string): string | undefined
  history(cwd: string): { entries: string[]; add(text: string): void }
  /** The end of a file; undefined: it can't be read. */
  tailOf(path: string): string | undefined
  readText(path: string): string | undefined
  /** Says why it could not be written. */
  writeText(path: string, text: string, mode?: number): string | undefined
  readonly memoryPlaces: (cwd: string) => { label: string; path: string }[]
  /** Runs another Kedge command and returns what it printed. */
  ownCommand(args: readonly string[], cwd: string): Promise<string>
  /** Notifies a user who looks elsewhere: the user's own program, if set. */
  notifyCommand: ((title: string, text: string) => void) | undefined
  /** Opens a page in the user's browser, if there is one on this machine. */
  openPage(address: string): Promise<boolean>
  /** The command of the status line, if settings that count have one. */
  statusCommand(cwd: string): Promise<string | undefined>
  runStatus(command: string, cwd: string, json: string): Promise<string | undefined>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly configDir: string
}
