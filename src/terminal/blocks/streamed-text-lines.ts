/** What the model says and thinks: streamed line by line, thinking folded to one line that can be unfolded. */
import type { TextItem, ViewChange } from '../../view/view-items.js'
import { cutText, wrapText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { toTerminalSafeLines } from '../screen/terminal-safe-text.js'
import { MarkdownStream, markdownLines } from './markdown-stream.js'
import type { SpacedLineBlock, Unfoldable } from './unfoldable.js'

export type StreamedTextLinesPorts = {
  styles: Styles
  columns(): number
  now(): number
  /** What was folded can be shown whole. */
  keep(block: Unfoldable): void
}

/** Enough for the last rows of a thought. */
const SHOWN_THINKING = 4000

export class StreamedTextLines {
  readonly #ports: StreamedTextLinesPorts
  readonly #stream: MarkdownStream
  /** The text whose last line isn't complete. */
  #writing: TextItem | undefined
  #thinking: TextItem | undefined
  #thinkingSince = 0
  readonly #told = new WeakSet<TextItem>()
  #isContinued = false

  constructor(ports: StreamedTextLinesPorts) {
    this.#ports = ports
    this.#stream = new MarkdownStream(ports.styles)
  }

  /** `piece` is what was added to its text. */
  take(item: TextItem, what: ViewChange['what'], piece: string): SpacedLineBlock[] {
    return item.kind === 'thinking' ? this.#think(item, what) : this.#say(item, what, piece)
  }

  /** What was under way when everything ended. */
  end(): SpacedLineBlock[] {
    return [...(this.#thinking ? this.#thought(this.#thinking) : []), ...this.#close()]
  }

  /** Something else comes between. */
  breakHere(): void {
    this.#isContinued = false
  }

  live(): string[] {
    const { styles } = this.#ports
    const columns = this.#ports.columns()
    const tail = this.#stream.tail(columns)
    const thinking = this.#thinking?.text ?? ''
    if (thinking === '') return tail.length > 0 && !this.#isContinued ? ['', ...tail] : tail
    const lines = toTerminalSafeLines(thinking.slice(-SHOWN_THINKING)).filter((line) => line.trim() !== '')
    const last = (lines.at(-1) ?? '').trim()
    const rows = wrapText(last, columns - 2).slice(-2)
    return [
      '',
      styles.dim(`${styles.sign.ring} thinking`),
      ...rows.map((row) => styles.dim(cutText(`  ${row}`, columns))),
    ]
  }

  #say(item: TextItem, what: ViewChange['what'], piece: string): SpacedLineBlock[] {
    switch (what) {
      case 'added':
        return [...this.#begin(item), ...this.#push(item.text), ...(item.isLive ? [] : this.#close())]
      case 'grew':
        return [...(this.#writing === item ? [] : this.#begin(item)), ...this.#push(piece)]
      case 'completed': {
        // Not what streamed, but another text: it stands for itself.
        const isOther = piece !== '' && piece === item.text
        const before = isOther || (this.#writing !== item && piece !== '') ? this.#begin(item) : []
        return [...before, ...this.#push(piece), ...(this.#writing === item ? this.#close() : [])]
      }
      case 'written':
        return this.#writing === item ? this.#close() : []
      case 'removed':
        if (this.#writing === item) this.#close()
        return []
      default:
        return []
    }
  }

  #think(item: TextItem, what: ViewChange['what']): SpacedLineBlock[] {
    if (what === 'added') {
      this.#thinking = item
      this.#thinkingSince = item.isLive ? this.#ports.now() : 0
    }
    if (what === 'removed' && this.#thinking === item) this.#thinking = undefined
    if (what === 'grew' || what === 'removed' || (what === 'added' && item.isLive)) return []
    return this.#thought(item)
  }

  #begin(item: TextItem): SpacedLineBlock[] {
    const before = this.#close()
    this.#writing = item
    this.#isContinued = false
    return before
  }

  #push(text: string): SpacedLineBlock[] {
    return this.#lines(this.#stream.push(text, this.#ports.columns()))
  }

  #close(): SpacedLineBlock[] {
    this.#writing = undefined
    return this.#lines(this.#stream.end(this.#ports.columns()))
  }

  #lines(lines: string[]): SpacedLineBlock[] {
    if (lines.length === 0) return []
    const isNew = !this.#isContinued
    this.#isContinued = true
    return [{ lines, isNew }]
  }

  #thought(item: TextItem): SpacedLineBlock[] {
    const { styles, now } = this.#ports
    const isLatest = this.#thinking === item
    if (isLatest) this.#thinking = undefined
    const { text } = item
    if (this.#told.has(item) || text.trim() === '') return []
    this.#told.add(item)
    const seconds = isLatest && this.#thinkingSince > 0 ? Math.round((now() - this.#thinkingSince) / 1000) : 0
    this.#ports.keep({ title: 'thinking', whole: (columns) => markdownLines(text, columns, styles).map(styles.dim) })
    const took = seconds > 0 ? ` for ${seconds} s` : ''
    return [{ lines: [styles.dim(`${styles.sign.ring} thought${took} (ctrl-o shows it)`)], isNew: true }]
  }
}
