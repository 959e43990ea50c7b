/** Base of the full and the plain conversation: the session they follow, what is known of it, and its end. */
import type { LogItem } from '../../hub/log/entries.js'
import type { Options } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import { TerminalSessionFacts } from '../blocks/session-facts.js'
import type { TerminalMachine } from '../machine/machine-port.js'
import type { SessionBackend, SessionClient } from '../sessions/session-client.js'
import { OwnShell } from './own-shell.js'
import type { ConversationScreen } from './terminal-ui.js'
import { WaitingPrompts } from './waiting-prompts.js'

export type FollowedPorts = {
  backend: SessionBackend
  machine: TerminalMachine
  settings: Options
  /** Puts the session on a page; undefined where there is none. */
  serve?: ((client: SessionClient) => Promise<string>) | undefined
}

export abstract class FollowedSession {
  readonly facts = new TerminalSessionFacts()
  readonly waiting = new WaitingPrompts()
  readonly shell = new OwnShell()
  readonly backend: SessionBackend
  readonly machine: TerminalMachine
  readonly serve: (() => Promise<string>) | undefined
  settings: Options
  client: SessionClient | undefined
  /** Something was said in it. */
  hasSent = false
  #following = new AbortController()
  #left: (code: number) => void = () => {}
  /** With the exit code. */
  readonly left = new Promise<number>((resolve) => {
    this.#left = resolve
  })

  constructor({ backend, machine, settings, serve }: FollowedPorts) {
    this.backend = backend
    this.machine = machine
    this.settings = settings
    this.serve =
      serve && (() => (this.client ? serve(this.client) : Promise.reject(new Error('There is no session yet.'))))
  }

  abstract readonly screen: ConversationScreen
  /** Something happened in the session. */
  protected abstract take(item: LogItem): void

  /** Nothing more of the session that was followed until now. */
  protected unfollow(): void {
    this.#following.abort()
    this.#following = new AbortController()
    this.waiting.clear()
  }

  protected async follow(client: SessionClient, after: number): Promise<void> {
    const { signal } = this.#following
    try {
      for await (const item of client.read(after, signal)) {
        if (signal.aborted) return
        this.take(item)
      }
    } catch (error) {
      if (!signal.aborted) this.screen.notice('error', messageOf(error))
    }
  }

  protected over(code: number): void {
    this.#following.abort()
    this.shell.stop()
    this.#left(code)
  }
}
