/** The view of a session as lines: what is certain goes to the scrollback, what is under way is shown below it. */

import { fixForInterface } from '../../protocol/shown/fix-words.js'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import { userTextIn } from '../../view/typed-text.js'
import type { NoticeItem, PromptItem, TurnItem, ViewChange, ViewTask } from '../../view/view-items.js'
import { noticeText } from '../../view/view-notices.js'
import { cutText, wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine, toTerminalSafeLines } from '../screen/terminal-safe-text.js'
import { CallLines, type CallLinesPorts, imageLines } from './call-lines.js'
import { markdownLines } from './markdown-stream.js'
import { StreamedTextLines } from './streamed-text-lines.js'
import type { SpacedLineBlock } from './unfoldable.js'

export type ViewLinesPorts = CallLinesPorts
type NoticeLevel = 'notice' | 'warning' | 'error'

const LONGEST_PROMPT = 30
const SHOWN_OF_PROMPT = 20

export class ViewLines {
  readonly #ports: ViewLinesPorts
  readonly #speech: StreamedTextLines
  readonly calls: CallLines
  readonly #shown = new WeakSet<NoticeItem>()
  #isFirst = true

  constructor(ports: ViewLinesPorts) {
    this.#ports = ports
    this.calls = new CallLines(ports)
    this.#speech = new StreamedTextLines({ ...ports, keep: (block) => this.calls.keep(block) })
  }

  /** Returns the lines that are certain now. */
  take(changes: readonly ViewChange[]): string[] {
    return changes.flatMap((change) => this.#change(change))
  }

  /** Returns a line for each task that has ended. `before`: the tasks as they were. */
  endedTasks(before: readonly ViewTask[]): string[] {
    const { tasks, open } = this.#ports.view()
    if (tasks === before) return []
    const ended = tasks.filter((task, n) => {
      const known = before[n]
      if (task === known || task.summary === undefined) return false
      return !known || (known.id === task.id && known.summary === undefined)
    })
    // A call in the foreground has its own outcome.
    return ended
      .filter(({ useId = '' }) => (open.openCalls.get(useId)?.state ?? 'background') === 'background')
      .flatMap((task) => this.#ended(task))
  }

  /** Returns what is under way: its latest rows, at most `height`. */
  live(height: number): string[] {
    const columns = this.#ports.columns()
    const rows = [...this.#speech.live(), ...this.calls.live()].map((row) => cutText(row, columns))
    return rows.length > height ? rows.slice(rows.length - height) : rows
  }

  /** What was being written when everything ended. */
  end(): string[] {
    return this.#spacedAll(this.#speech.end())
  }

  /** A line from us. */
  notice(level: NoticeLevel, text: string): string[] {
    const sign = level === 'notice' ? this.#ports.styles.sign.ring : '!'
    return this.#block(this.#noticeRows(level, text, `${sign} `))
  }

  /** Returns the lines of a text of ours, written in markdown. */
  words(text: string): string[] {
    return this.#block(markdownLines(text, this.#ports.columns(), this.#ports.styles))
  }

  #change(change: ViewChange): string[] {
    const { item, what } = change
    if (item.kind === 'tool') return this.#spacedAll(this.calls.take(item, what))
    // What sub-agents say is theirs.
    if (item.parent !== '') return []
    switch (item.kind) {
      case 'text':
      case 'thinking':
        return this.#spacedAll(this.#speech.take(item, what, 'piece' in change ? change.piece : ''))
      case 'prompt':
        return what === 'added' ? this.#prompt(item) : []
      case 'notice':
        return what === 'removed' ? [] : this.#notice(item)
      case 'turn':
        return what === 'added' ? this.#turn(item) : []
      // Cards show them; what comes of it is an item of its own.
      case 'request':
        return []
    }
  }

  #prompt({ content }: PromptItem): string[] {
    const text = userTextIn(content).trim()
    return this.#block([...(text === '' ? [] : this.#said(text)), ...imageLines(content, this.#ports)])
  }

  #said(text: string): string[] {
    const { styles } = this.#ports
    const columns = this.#ports.columns()
    const all = toTerminalSafeLines(text)
    const lines =
      all.length > LONGEST_PROMPT
        ? [...all.slice(0, SHOWN_OF_PROMPT), `${styles.sign.more} ${all.length - SHOWN_OF_PROMPT} more lines`]
        : all
    return lines.flatMap((line, n) =>
      wrapText(`${n === 0 ? styles.sign.arrow : ' '} ${line}`, columns, { indent: '  ' }).map((row) =>
        styles.cyan(row),
      ),
    )
  }

  #notice(item: NoticeItem): string[] {
    const { about, level, isLive, fix } = item
    // The row of what is being done shows these two, the call that was denied the third.
    if (isLive || about === 'retry' || about === 'denial') return []
    if (this.#shown.has(item)) {
      // The end of the turn knows what to do about an error.
      return about === 'model-error' && fix !== undefined ? this.#noticeRows('error', fixText(fix), '  ') : []
    }
    this.#shown.add(item)
    const text = noticeText(about === 'servers' ? { ...item, detail: 'type /mcp for details' } : item)
    return this.notice(level === 'info' || level === 'mark' ? 'notice' : level, text)
  }

  #turn({ outcome, problem, answer = '', result }: TurnItem): string[] {
    if (outcome === 'stopped') return this.notice('notice', `${NOTICE_TEXTS.stopped} What should the agent do instead?`)
    if (problem === undefined) return answer.trim() === '' ? [] : this.words(answer)
    const fix = result.error_fix === undefined ? [] : [fixText(result.error_fix)]
    return this.notice('error', [problem, ...fix].join('\n'))
  }

  #ended({ status, summary = '' }: ViewTask): string[] {
    const { styles, columns } = this.#ports
    const sign = status === 'completed' ? styles.green(styles.sign.tick) : styles.red(styles.sign.cross)
    const text = `${sign} ${styles.dim(`in the background: ${toTerminalSafeLine(summary)}`)}`
    return this.#block(wrapText(text, columns(), { indent: '  ' }))
  }

  #noticeRows(level: NoticeLevel, text: string, sign: string): string[] {
    const { styles, columns } = this.#ports
    const style = level === 'error' ? styles.red : level === 'warning' ? styles.yellow : styles.dim
    return toTerminalSafeLines(text.trim()).flatMap((line, n) =>
      wrapText(style(`${n === 0 ? sign : '  '}${line}`), columns(), { indent: '  ' }),
    )
  }

  // ── spacing ────────────────────────────────────────────────────────────────

  #block(lines: string[]): string[] {
    if (lines.length === 0) return []
    this.#speech.breakHere()
    return this.#spaced(lines)
  }

  /** Adds the space before new blocks; the code that made them marks those. */
  #spacedAll(blocks: SpacedLineBlock[]): string[] {
    return blocks.flatMap(({ lines, isNew }) => (lines.length === 0 ? [] : isNew ? this.#spaced(lines) : lines))
  }

  #spaced(lines: string[]): string[] {
    const isFirst = this.#isFirst
    this.#isFirst = false
    return isFirst ? lines : ['', ...lines]
  }
}

function fixText(fix: string): string {
  return `Fix: ${fixForInterface(fix, 'terminal')}`
}
