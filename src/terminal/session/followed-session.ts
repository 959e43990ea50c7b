/** Base of the full and the plain conversation: the session they follow, its view, and its end. */

import type { SessionInfo } from '../../hub/session-types.js'
import type { Options } from '../../protocol/options.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import type { SessionMessage } from '../../protocol/stored-sessions.js'
import { messageOf } from '../../protocol/thrown.js'
import { addTranscriptToView, applyToView } from '../../view/session-view.js'
import { createSessionView, type SessionView } from '../../view/view-state.js'
import { isTurnUnderWay } from '../../view/view-turns.js'
import type { CallLines } from '../blocks/call-lines.js'
import type { ViewLines } from '../blocks/view-lines.js'
import type { TerminalMachine } from '../machine/machine-port.js'
import type { SessionBackend, SessionClient } from '../sessions/session-client.js'
import type { OpenAskCards } from './open-asks.js'
import type { ConversationScreen } from './terminal-ui.js'
import { UserShellCommands } from './user-shell-commands.js'

export type FollowedSessionPorts = {
  backend: SessionBackend
  machine: TerminalMachine
  settings: Options
  /** Puts the session on a page; undefined where there is none. */
  serve?: ((client: SessionClient) => Promise<string>) | undefined
}

export abstract class FollowedSession {
  view: SessionView = createSessionView('open')
  /** When the running turn began, by the clock of this terminal. */
  turnBegan = 0
  readonly shell = new UserShellCommands()
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

  constructor({ backend, machine, settings, serve }: FollowedSessionPorts) {
    this.backend = backend
    this.machine = machine
    this.settings = settings
    this.serve =
      serve && (() => (this.client ? serve(this.client) : Promise.reject(new Error('No session has started yet.'))))
  }

  abstract readonly screen: ConversationScreen
  abstract readonly asks: OpenAskCards
  protected abstract readonly lines: ViewLines
  /** An entry or a delta was applied. */
  protected abstract applied(item: LogItem, wasBusy: boolean): void

  get isBusy(): boolean {
    return isTurnUnderWay(this.view.facts)
  }

  get calls(): CallLines {
    return this.lines.calls
  }

  /** Nothing more of the session that was followed until now. */
  protected unfollow(): void {
    this.#following.abort()
    this.#following = new AbortController()
    this.screen.print(this.lines.end())
    this.view = createSessionView('open')
    this.asks.clear()
  }

  /** Shows what was said before: the last `most` messages of it. */
  protected begin(
    { cwd, status, title, mode, model, effort, archived, costUsd }: SessionInfo,
    messages: readonly SessionMessage[],
    most = messages.length,
  ): void {
    this.view.facts = { ...this.view.facts, cwd, status, title, mode, model, effort, archived, costUsd }
    this.turnBegan = this.machine.now()
    const shown = messages.slice(-most)
    const changes = addTranscriptToView(this.view, { messages: shown, earlier: messages.length - shown.length })
    this.screen.print(this.lines.take(changes))
  }

  protected async follow(client: SessionClient, after: number): Promise<void> {
    const { signal } = this.#following
    try {
      for await (const item of client.read(after, signal)) {
        if (signal.aborted) return
        this.#take(item)
      }
    } catch (error) {
      if (!signal.aborted) this.screen.notice('error', messageOf(error))
    }
  }

  #take(item: LogItem): void {
    const { isBusy: wasBusy, view, lines } = this
    const { tasks } = view
    const changes = applyToView(view, item)
    if (this.isBusy && !wasBusy) this.turnBegan = this.machine.now()
    this.screen.print([...lines.take(changes), ...lines.endedTasks(tasks)])
    this.asks.show(view.openRequests)
    this.applied(item, wasBusy)
  }

  protected over(code: number): void {
    this.#following.abort()
    this.shell.stop()
    this.#left(code)
  }
}
