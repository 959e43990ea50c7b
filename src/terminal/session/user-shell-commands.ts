/** What the user runs by themselves with `!`: it can be stopped, and the model learns of it with the next prompt. */
export class UserShellCommands {
  #running: AbortController | undefined
  #told: string[] = []

  begin(): AbortController {
    this.#running = new AbortController()
    return this.#running
  }

  end(forModel: string): void {
    this.#running = undefined
    this.#told.push(forModel)
  }

  /** False: nothing runs. */
  stop(): boolean {
    const running = this.#running
    this.#running = undefined
    running?.abort()
    return running !== undefined
  }

  /** What goes with the next prompt. */
  take(): string[] {
    const told = this.#told
    this.#told = []
    return told
  }
}
