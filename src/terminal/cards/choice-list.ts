/** A list to choose from, by arrows, numbers or by typing part of it; one or several. */
import { rankByQuery } from '../editor/completion-menu.js'
import type { Key } from '../editor/key-decoder.js'
import { cutText, padText, wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { CardViewOptions } from './card.js'

export type Choice<T> = {
  value: T
  label: string
  detail?: string
  /** A letter that chooses it. */
  letter?: string
}

export type ChoiceListOptions<T> = {
  choices: readonly Choice<T>[]
  isMultiple?: boolean
  /** Typing filters. */
  canSearch?: boolean
}

export type ChoiceOutcome<T> = { chosen: T[] } | 'canceled' | 'taken' | 'ignored'

export class ChoiceList<T> {
  readonly #options: ChoiceListOptions<T>
  #at = 0
  #query = ''
  readonly #marked = new Set<Choice<T>>()

  constructor(options: ChoiceListOptions<T>) {
    this.#options = options
  }

  /** What the arrow points at. */
  get current(): Choice<T> | undefined {
    return this.#shown()[this.#at]
  }

  rows({ columns, height, styles, isReadOut = false }: CardViewOptions): string[] {
    const { isMultiple = false } = this.#options
    const canSearch = this.#options.canSearch === true && !isReadOut
    const shown = this.#shown()
    const head = canSearch ? [`  ${styles.dim('search:')} ${toTerminalSafeLine(this.#query)}`] : []
    const room = Math.max(1, height - head.length)
    const blocks = shown.map((choice, n) => {
      const isAt = n === this.#at
      const mark = isMultiple ? `${this.#marked.has(choice) ? styles.sign.boxed : styles.sign.box} ` : ''
      const number = canSearch ? '' : `${n + 1} `
      const label = `${isAt ? styles.sign.arrow : ' '} ${number}${mark}${toTerminalSafeLine(choice.label)}`
      const letter = choice.letter === undefined ? '' : styles.dim(` (${choice.letter})`)
      const main = wrapText(isAt ? styles.cyan(label) : label, columns - 8, { indent: '    ' })
      const last = main.length - 1
      if (main[last] !== undefined) main[last] += letter
      const detail =
        choice.detail === undefined
          ? []
          : wrapText(styles.dim(`    ${toTerminalSafeLine(choice.detail)}`), columns - 2, { indent: '    ' }).slice(
              0,
              2,
            )
      return canSearch
        ? [cutText(`${main[0] ?? ''}  ${styles.dim(toTerminalSafeLine(choice.detail ?? ''))}`, columns - 1)]
        : [...main, ...detail]
    })
    if (blocks.length === 0) return [...head, styles.dim('  nothing fits')]
    return [...head, ...windowed(blocks, this.#at, room)]
  }

  /** Where the cursor of the search stands. */
  cursorColumn(): number | undefined {
    return this.#options.canSearch ? padText('  search: ', 10).length + this.#query.length : undefined
  }

  key(key: Key): ChoiceOutcome<T> {
    const { isMultiple = false, canSearch = false } = this.#options
    const shown = this.#shown()
    switch (key.id) {
      case 'up':
      case 'ctrl-p':
      case 'shift-tab':
        this.#at = (this.#at + shown.length - 1) % Math.max(1, shown.length)
        return 'taken'
      case 'down':
      case 'ctrl-n':
      case 'tab':
        this.#at = (this.#at + 1) % Math.max(1, shown.length)
        return 'taken'
      case 'pagedown':
        this.#at = Math.min(shown.length - 1, this.#at + 10)
        return 'taken'
      case 'pageup':
        this.#at = Math.max(0, this.#at - 10)
        return 'taken'
      case 'enter': {
        const current = shown[this.#at]
        if (isMultiple) return { chosen: [...this.#marked].map(({ value }) => value) }
        return current ? { chosen: [current.value] } : 'taken'
      }
      case 'escape':
      case 'ctrl-c':
        return 'canceled'
      case 'backspace':
        if (canSearch) this.#search(this.#query.slice(0, -1))
        return canSearch ? 'taken' : 'ignored'
      case 'choose':
        return this.#choose(key.text)
      case 'text':
        return canSearch ? this.#search(this.#query + key.text) : this.#typed(key.text, shown)
      default:
        return 'ignored'
    }
  }

  #typed(text: string, shown: readonly Choice<T>[]): ChoiceOutcome<T> {
    // Several keys in one go were typed for something else.
    if ([...text].length !== 1) return 'ignored'
    const { isMultiple = false } = this.#options
    if (text === ' ' && isMultiple) return this.#mark(shown[this.#at])
    const found = /[1-9]/.test(text) ? shown[Number(text) - 1] : shown.find(({ letter }) => letter === text)
    if (!found) return 'ignored'
    this.#at = shown.indexOf(found)
    return isMultiple ? this.#mark(found) : { chosen: [found.value] }
  }

  /** Chooses by a typed line: the numbers shown, or a letter. */
  #choose(line: string): ChoiceOutcome<T> {
    const { choices, isMultiple = false } = this.#options
    const words = line.split(/[\s,]+/).filter((word) => word !== '')
    const found = words.flatMap((word) => {
      const one = /^\d+$/.test(word) ? choices[Number(word) - 1] : choices.find(({ letter }) => letter === word)
      return one ? [one.value] : []
    })
    const isAnswer = found.length === words.length && (isMultiple ? found.length > 0 : found.length === 1)
    return isAnswer ? { chosen: [...new Set(found)] } : 'ignored'
  }

  #mark(choice: Choice<T> | undefined): ChoiceOutcome<T> {
    if (choice && !this.#marked.delete(choice)) this.#marked.add(choice)
    return 'taken'
  }

  #search(query: string): 'taken' {
    this.#query = query
    this.#at = 0
    return 'taken'
  }

  #shown(): readonly Choice<T>[] {
    const { choices, canSearch = false } = this.#options
    if (!canSearch || this.#query === '') return choices
    return rankByQuery(choices, this.#query, ({ label, detail = '' }) => `${label} ${detail}`)
  }
}

/** Those around the chosen one that have room. */
function windowed(blocks: readonly string[][], at: number, room: number): string[] {
  let first = at
  let last = at
  let used = blocks[at]?.length ?? 0
  for (;;) {
    const before = blocks[first - 1]
    const after = blocks[last + 1]
    if (before && used + before.length <= room) {
      first -= 1
      used += before.length
    } else if (after && used + after.length <= room) {
      last += 1
      used += after.length
    } else break
  }
  return blocks
    .slice(first, last + 1)
    .flat()
    .slice(0, room)
}
