/** A terminal as the face sees it; tests have one of their own. */

export type TerminalPort = {
  readonly columns: number
  readonly rows: number
  write(text: string): void
  /** Keys, resizing, and the end of it: somebody closed the window, or the line broke. */
  listen(listener: TerminalListener): void
  /** Takes keys one by one; and gives the terminal back as it was. Both may be called again. */
  enter(): void
  leave(): void
  /** Stops the process as the shell's user expects, and returns when it goes on. */
  suspend(): void
}

export type TerminalListener = {
  onInput(data: string): void
  onResize(): void
  onGone(): void
  /** It goes on after it was stopped. */
  onContinue(): void
}
