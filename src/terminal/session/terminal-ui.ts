/** What keys and commands can do with the conversation on the screen. */

import type { Options } from '../../protocol/options.js'
import { messageOf } from '../../protocol/thrown.js'
import type { SessionView } from '../../view/view-state.js'
import type { CallLines } from '../blocks/call-lines.js'
import type { Card } from '../cards/card.js'
import type { TypeAheadGuard } from '../cards/type-ahead-guard.js'
import type { LineEditor } from '../editor/line-editor.js'
import type { TerminalMachine } from '../machine/machine-port.js'
import type { Styles } from '../screen/styles.js'
import type { SessionBackend, SessionClient } from '../sessions/session-client.js'
import type { OpenAskCards } from './open-asks.js'
import type { UserShellCommands } from './user-shell-commands.js'

export type TerminalUi = {
  readonly screen: ConversationScreen
  readonly editor: LineEditor
  readonly backend: SessionBackend
  readonly machine: TerminalMachine
  /** The session that is followed now. */
  readonly view: SessionView
  /** A turn is under way. */
  readonly isBusy: boolean
  readonly asks: OpenAskCards
  readonly calls: CallLines
  readonly shell: UserShellCommands
  /** For the agents it starts. */
  settings: Options
  /** Undefined: there is no session yet. */
  readonly client: SessionClient | undefined
  /** Sends what was typed, or runs the command it is. */
  submit(when: 'queue' | 'steer'): void
  /** Goes over to another session; what was said in it is shown. */
  open(client: SessionClient): Promise<void>
  /** Puts this session on a page. */
  readonly serve: (() => Promise<string>) | undefined
  leave(code?: number): void
}

export type ConversationScreen = {
  readonly styles: Styles
  readonly columns: number
  readonly card: Card | undefined
  /** Gate of a card that opened without a keypress by the user. */
  readonly cardGate: TypeAheadGuard | undefined
  /** A card of our own, above the prompt; undefined takes it away. */
  show(card: Card | undefined): void
  /** Shows a card that the user didn't open: keys typed ahead don't answer it. */
  askUser(card: Card): void
  /** Writes to the scrollback: markdown, a notice, or lines as they are. */
  say(markdown: string): void
  notice(level: 'notice' | 'warning' | 'error', text: string): void
  print(lines: readonly string[]): void
  /** In one row for a moment. */
  flash(text: string): void
  refresh(): void
  redraw(): void
  suspend(): void
  /** Lets others have the screen for a while. */
  outside<T>(work: () => Promise<T>): Promise<T>
}

/** Runs it, and says what went wrong with it. */
export function runReportingFailure(ui: TerminalUi, work: () => Promise<unknown>): void {
  void work().catch((error: unknown) => ui.screen.notice('error', messageOf(error)))
}
