/** A terminal as the interface sees it; tests have their own. */

export type TerminalPort = {
  readonly columns: number
  readonly rows: number
  write(text: string): void
  /** Listens for keys, resizing, and the end: a closed window, or a lost connection. */
  listen(listener: TerminalListener): void
  /** Takes keys one by one; and gives the terminal back as it was. Both may be called again. */
  enter(): void
  leave(): void
  /** Stops the process as the shell's user expects, and returns when it continues. */
  suspend(): void
}

export type TerminalListener = {
  onInput(data: string): void
  onResize(): void
  onGone(): void
  /** The process continues after it was stopped. */
  onContinue(): void
}
