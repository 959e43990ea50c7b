/** The screen as nothing but lines: for screen readers, dumb terminals and pipes. A card is read out, and answered with a line. */

import type { Card } from '../cards/card.js'
import { TypeAheadGuard } from '../cards/type-ahead-guard.js'
import { withoutStyles } from '../screen/styled-text.js'
import { plainStyles } from '../screen/styles.js'
import type { ConversationScreen } from '../session/terminal-ui.js'

export type PlainScreenPorts = {
  columns: number
  write(text: string): void
  now(): number
  words(markdown: string): string[]
  noticeLines(level: 'notice' | 'warning' | 'error', text: string): string[]
}

const HOW: Readonly<Record<Card['kind'], string>> = {
  choice: '(type the number of your answer)',
  multiple: '(type the numbers of your answers, such as: 1 3)',
  text: '(type your answer; "back" goes back)',
}

export class PlainScreen implements ConversationScreen {
  readonly #ports: PlainScreenPorts
  readonly styles = plainStyles()
  readonly columns: number
  card: Card | undefined
  cardGate: TypeAheadGuard | undefined

  constructor(ports: PlainScreenPorts) {
    this.#ports = ports
    this.columns = ports.columns
  }

  show(card: Card | undefined): void {
    this.card = card
    this.cardGate = undefined
    if (card) this.#readOut(card)
  }

  askUser(card: Card): void {
    this.card = card
    this.cardGate = new TypeAheadGuard()
    this.#readOut(card)
    this.cardGate.shown(this.#ports.now())
  }

  #readOut(card: Card): void {
    const { columns, styles } = this
    const { rows } = card.view({ columns, styles, height: 100_000, isReadOut: true })
    this.print(['', ...rows, HOW[card.kind]])
  }

  say(markdown: string): void {
    this.print(this.#ports.words(markdown))
  }

  notice(level: 'notice' | 'warning' | 'error', text: string): void {
    this.print(this.#ports.noticeLines(level, text))
  }

  print(lines: readonly string[]): void {
    for (const line of lines) this.#ports.write(`${withoutStyles(line).trimEnd()}\n`)
  }

  flash(text: string): void {
    this.print([text])
  }

  refresh(): void {}
  redraw(): void {}
  suspend(): void {}

  outside<T>(work: () => Promise<T>): Promise<T> {
    return work()
  }
}

/** A typed line as the keys that mean it. */
export function cardKeysOfTypedLine(card: Card, line: string): { id: string; text: string }[] {
  const key = (id: string, text = '') => ({ id, text })
  const word = line.trim()
  if (word === 'back') return [key('escape')]
  if (card.kind === 'text') return [key('paste', line), key('enter')]
  const [, letter] = /^(y|n|e|s)(?:es|o|dit|top)?$/i.exec(word) ?? []
  return [key('choose', letter?.toLowerCase() ?? word)]
}
