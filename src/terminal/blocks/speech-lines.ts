/** What the model says and thinks: streamed line by line, thinking folded to one line that can be unfolded. */
import type { ContentBlock, RawStreamEvent } from '../../protocol/content.js'
import { toTerminalSafeLines } from '../screen/shown-text.js'
import { cutText, wrapText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { MarkdownStream, markdownLines } from './markdown-stream.js'
import type { SpacedLineBlock, Unfoldable } from './unfoldable.js'

export type SpeechPorts = {
  styles: Styles
  columns(): number
  now(): number
  /** What was folded can be shown whole. */
  keep(block: Unfoldable): void
}

const KEPT_THINKING = 100_000

export class SpeechLines {
  readonly #ports: SpeechPorts
  #stream: MarkdownStream
  /** The message that is being streamed: the text of the current block so far, and the texts of finished blocks. */
  #text = ''
  #through: string[] = []
  #isOpen = false
  #thinking = ''
  #thinkingSince = 0
  #lastThought = ''
  /** Since the turn began. */
  hasSpoken = false
  #isContinued = false

  constructor(ports: SpeechPorts) {
    this.#ports = ports
    this.#stream = new MarkdownStream(ports.styles)
  }

  stream(event: RawStreamEvent): SpacedLineBlock[] {
    switch (event.type) {
      case 'message_start':
        this.#through = []
        return this.end()
      case 'content_block_start':
        if (event.content_block.type === 'thinking') this.#thinkingSince = this.#ports.now()
        if (event.content_block.type !== 'text') return []
        this.#text = ''
        this.#isOpen = true
        this.#isContinued = false
        return this.#push(event.content_block.text)
      case 'content_block_delta':
        if (event.delta.type === 'thinking_delta')
          this.#thinking = (this.#thinking + event.delta.thinking).slice(-KEPT_THINKING)
        return event.delta.type === 'text_delta' ? this.#push(event.delta.text) : []
      case 'content_block_stop':
        if (this.#thinking !== '') return this.#thought()
        if (!this.#isOpen) return []
        this.#through.push(this.#text)
        return this.#close()
      default:
        return []
    }
  }

  /** A block as it is written down. Of one that was streamed only what is missing is said. */
  whole(_id: string, block: ContentBlock, isError: boolean): SpacedLineBlock[] {
    if (block.type === 'thinking') {
      if (this.#lastThought === block.thinking || block.thinking.trim() === '') return []
      this.#thinking = block.thinking
      return this.#thought()
    }
    if (block.type !== 'text' || isError) return []
    this.hasSpoken = true
    if (this.#isOpen && block.text.startsWith(this.#text)) {
      const rest = this.#push(block.text.slice(this.#text.length))
      return [...rest, ...this.#close()]
    }
    const known = this.#through.indexOf(block.text)
    if (known >= 0) {
      this.#through.splice(known, 1)
      return []
    }
    const before = this.#close()
    this.#isContinued = false
    return [...before, ...this.#push(block.text), ...this.#close()]
  }

  end(): SpacedLineBlock[] {
    const thought = this.#thinking === '' ? [] : this.#thought()
    return [...thought, ...this.#close()]
  }

  /** Something else comes between. */
  breakHere(): void {
    this.#isContinued = false
  }

  live(): string[] {
    const { styles } = this.#ports
    const columns = this.#ports.columns()
    const tail = this.#stream.tail(columns)
    if (this.#thinking === '') return tail.length > 0 && !this.#isContinued ? ['', ...tail] : tail
    const lines = toTerminalSafeLines(this.#thinking).filter((line) => line.trim() !== '')
    const last = (lines.at(-1) ?? '').trim()
    const rows = wrapText(last, columns - 2).slice(-2)
    return [
      '',
      styles.dim(`${styles.sign.ring} thinking`),
      ...rows.map((row) => styles.dim(cutText(`  ${row}`, columns))),
    ]
  }

  #push(text: string): SpacedLineBlock[] {
    this.#text += text
    this.hasSpoken ||= text !== ''
    return this.#lines(this.#stream.push(text, this.#ports.columns()))
  }

  #close(): SpacedLineBlock[] {
    this.#isOpen = false
    this.#text = ''
    return this.#lines(this.#stream.end(this.#ports.columns()))
  }

  #lines(lines: string[]): SpacedLineBlock[] {
    if (lines.length === 0) return []
    const isNew = !this.#isContinued
    this.#isContinued = true
    return [{ lines, isNew }]
  }

  #thought(): SpacedLineBlock[] {
    const { styles, now } = this.#ports
    const seconds = this.#thinkingSince === 0 ? 0 : Math.round((now() - this.#thinkingSince) / 1000)
    const thought = this.#thinking
    this.#lastThought = thought
    this.#ports.keep({ title: 'thinking', whole: (columns) => markdownLines(thought, columns, styles).map(styles.dim) })
    this.#thinking = ''
    this.#thinkingSince = 0
    const took = seconds > 0 ? ` for ${seconds} s` : ''
    return [{ lines: [styles.dim(`${styles.sign.ring} thought${took} (ctrl-o shows it)`)], isNew: true }]
  }
}
