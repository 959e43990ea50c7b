/** When the screen is painted, and what goes to the scrollback with it: not more often than people can see, at once for keys. */

import type { Card } from '../cards/card.js'
import { TypeAheadGuard } from '../cards/type-ahead-guard.js'
import type { TerminalMachine } from '../machine/machine-port.js'
import type { LiveRegion } from '../screen/live-region.js'
import type { Styles } from '../screen/styles.js'
import type { TerminalPort } from '../screen/terminal-port.js'
import type { layOutFrame } from './lay-out-frame.js'
import type { ConversationScreen } from './terminal-ui.js'

export type LiveScreenPorts = {
  terminal: TerminalPort
  region: LiveRegion
  styles: Styles
  machine: Pick<TerminalMachine, 'now' | 'after'>
  /** The live part as it is now. */
  frame(flash: string): ReturnType<typeof layOutFrame>
  /** Returns the lines of a text of ours, with the space before them. */
  words(markdown: string): string[]
  noticeLines(level: 'notice' | 'warning' | 'error', text: string): string[]
  /** A card opened that the user didn't ask for. */
  onAsked(card: Card): void
}

const FRAME_MS = 33
const FLASH_MS = 2500

export class LiveScreen implements ConversationScreen {
  readonly #ports: LiveScreenPorts
  readonly styles: Styles
  card: Card | undefined
  cardGate: TypeAheadGuard | undefined
  #commit: string[] = []
  #flash = ''
  #cancelFlash = () => {}
  #cancelFrame: (() => void) | undefined
  #lastFrame = Number.NEGATIVE_INFINITY
  /** Others have the screen. */
  isAway = false

  constructor(ports: LiveScreenPorts) {
    this.#ports = ports
    this.styles = ports.styles
  }

  get columns(): number {
    return this.#ports.terminal.columns
  }

  show(card: Card | undefined): void {
    this.card = card
    if (!card) this.cardGate = undefined
    this.refresh()
  }

  askUser(card: Card): void {
    const gate = new TypeAheadGuard()
    this.cardGate = gate
    this.card = card
    this.draw()
    gate.shown(this.#ports.machine.now())
    this.#ports.onAsked(card)
  }

  say(markdown: string): void {
    this.print(this.#ports.words(markdown))
  }

  notice(level: 'notice' | 'warning' | 'error', text: string): void {
    this.print(this.#ports.noticeLines(level, text))
  }

  print(lines: readonly string[]): void {
    for (const line of lines) this.#commit.push(line)
    this.refresh()
  }

  flash(text: string): void {
    this.#cancelFlash()
    this.#flash = text
    this.#cancelFlash = this.#ports.machine.after(FLASH_MS, () => {
      this.#flash = ''
      this.refresh()
    })
    this.refresh()
  }

  refresh(): void {
    if (this.#cancelFrame || this.isAway) return
    const { machine } = this.#ports
    const wait = Math.max(0, this.#lastFrame + FRAME_MS - machine.now())
    this.#cancelFrame = machine.after(wait, () => this.draw())
  }

  draw(): void {
    this.#cancelFrame?.()
    this.#cancelFrame = undefined
    if (this.isAway) return
    const { region, machine } = this.#ports
    this.#lastFrame = machine.now()
    const frame = this.#ports.frame(this.#flash)
    region.paint({ ...frame, commit: this.#commit.splice(0) })
  }

  resized(): void {
    if (this.isAway) return
    this.#ports.region.resize(this.columns)
    this.refresh()
  }

  /** Something else has been on the screen. */
  again(): void {
    this.#ports.region.restart(this.columns)
    this.draw()
  }

  redraw(): void {
    this.#ports.region.clear()
    this.#ports.terminal.write('\u001b[2J\u001b[H')
    this.again()
  }

  suspend(): void {
    this.#ports.region.leave()
    this.#ports.terminal.suspend()
  }

  async outside<T>(work: () => Promise<T>): Promise<T> {
    const { region, terminal } = this.#ports
    region.clear()
    this.isAway = true
    terminal.leave()
    try {
      return await work()
    } finally {
      terminal.enter()
      this.isAway = false
      this.again()
    }
  }

  /** The last lines, and nothing below them. */
  leave(): void {
    this.#cancelFrame?.()
    this.#cancelFlash()
    if (!this.isAway)
      this.#ports.region.paint({ commit: this.#commit.splice(0), rows: [], cursor: { row: 0, column: 0 } })
    this.isAway = true
  }
}
