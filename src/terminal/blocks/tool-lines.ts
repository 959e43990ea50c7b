/** Tool calls as compact blocks: a title, and what came of it in a few lines, or all of them. Pure. */

import { isObject } from '../../protocol/json.js'
import { displayOf } from '../../tools/displays.js'
import type { ViewCallResult } from '../../view/view-items.js'
import { cutText, wrapText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { commandOutputLines, toTerminalSafeLine, toTerminalSafeLines } from '../screen/terminal-safe-text.js'
import { countChanges, diffLines, readDiffHunks } from './diff-lines.js'

type NamedCall = { name: string; input: Record<string, unknown> }

/** How much is shown of what is folded. */
const FEW = 4
const DIFF_LINES = 24
const INDENT = '  '

/** `about`: what says most about the call, in one line. */
export function toToolTitleParts({ name, input }: NamedCall, cwd: string): { name: string; about: string } {
  const display = displayOf(name)
  const call = { input, cwd }
  return { name: toTerminalSafeLine(display.label(call)), about: toTerminalSafeLine(display.subject(call)) }
}

export function titleLine(call: NamedCall, cwd: string, columns: number, styles: Styles): string {
  const { name, about } = toToolTitleParts(call, cwd)
  const title = about === '' ? styles.bold(name) : `${styles.bold(name)} ${about}`
  return cutText(title, columns)
}

export type ShownOutcome = { lines: string[]; isFolded: boolean }

export type OutcomeLook = { columns: number; styles: Styles; isWhole: boolean }

/** What came of it. `detail` is what hosts get, `content` what the model reads. */
export function outcomeLines(
  call: NamedCall,
  result: Pick<ViewCallResult, 'content' | 'isError' | 'detail'>,
  look: OutcomeLook,
): ShownOutcome {
  const { styles, columns, isWhole } = look
  const inner = columns - 4
  const text = textOfToolResult(result)
  const { isError, detail: output } = result
  const display = displayOf(call.name)
  const { body } = display
  if (isError) return withCorner(folded(errorText(text), FEW + 2, 'start', look).map(styles.red, inner), styles)
  const hunks = readDiffHunks(output)
  if (hunks && hunks.length > 0) {
    const { added, removed } = countChanges(hunks)
    const all = diffLines(hunks, inner, styles)
    const shown = isWhole ? all : all.slice(0, DIFF_LINES)
    const more = all.length > shown.length ? [moreLine(all.length - shown.length, styles)] : []
    return withCorner(
      { lines: [styles.dim(`+${added} −${removed}`), ...shown, ...more], isFolded: more.length > 0 },
      styles,
    )
  }
  if (body === 'change' && isObject(output) && typeof output['content'] === 'string') {
    const lines = toTerminalSafeLines(output['content'].replace(/\n$/, ''))
    const part = folded(lines, FEW * 2, 'start', look)
    return withCorner(
      {
        ...part.map(styles.green, inner),
        lines: [
          styles.dim(`new, ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`),
          ...part.map(styles.green, inner).lines,
        ],
      },
      styles,
    )
  }
  if (body === 'todos') return { lines: todoLines(call.input['todos'], columns, styles), isFolded: false }
  const isSummed = !isWhole && body !== 'command' && body !== 'change'
  const summary = isSummed
    ? display.outcome({ text, output, isError: false }, { input: call.input, cwd: '' })
    : undefined
  if (summary !== undefined) return withCorner({ lines: [styles.dim(summary)], isFolded: true }, styles)
  const lines = trimmed(
    commandOutputLines(
      body === 'command' && isObject(output) && typeof output['stdout'] === 'string' && output['stdout'] !== ''
        ? output['stdout']
        : text,
    ),
  )
  if (lines.length === 0) return withCorner({ lines: [styles.dim('(nothing printed)')], isFolded: false }, styles)
  return withCorner(folded(lines, FEW, body === 'command' ? 'end' : 'start', look).map(styles.dim, inner), styles)
}

/** What is in the way of seeing the reason. */
function errorText(text: string): string[] {
  return trimmed(commandOutputLines(text.replace(/^<tool_use_error>|<\/tool_use_error>$/g, '')))
}

class Folded implements ShownOutcome {
  readonly lines: string[]
  readonly isFolded: boolean
  readonly #more: string | undefined
  readonly #end: 'start' | 'end'

  constructor(lines: string[], more: string | undefined, end: 'start' | 'end') {
    this.lines = lines
    this.#more = more
    this.#end = end
    this.isFolded = more !== undefined
  }

  map(style: (text: string) => string, columns: number): ShownOutcome {
    const rows = this.lines.flatMap((line) => wrapText(style(line), columns, { anywhere: true }).slice(0, 40))
    const more = this.#more === undefined ? [] : [this.#more]
    return { lines: this.#end === 'end' ? [...more, ...rows] : [...rows, ...more], isFolded: this.isFolded }
  }
}

function folded(lines: string[], most: number, end: 'start' | 'end', { styles, isWhole }: OutcomeLook): Folded {
  // One line more is as short as a line that says so.
  if (isWhole || lines.length <= most + 1) return new Folded(lines, undefined, end)
  const kept = end === 'end' ? lines.slice(-most) : lines.slice(0, most)
  return new Folded(kept, moreLine(lines.length - most, styles), end)
}

function moreLine(count: number, styles: Styles): string {
  return styles.dim(`${styles.sign.more} ${count} more lines (ctrl-o shows them)`)
}

function withCorner({ lines, isFolded }: ShownOutcome, styles: Styles): ShownOutcome {
  const corner = styles.dim(styles.sign.corner)
  return { isFolded, lines: lines.map((line, n) => (n === 0 ? `${INDENT}${corner} ${line}` : `${INDENT}  ${line}`)) }
}

function trimmed(lines: string[]): string[] {
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}

export function textOfToolResult({ content }: Pick<ViewCallResult, 'content'>): string {
  if (typeof content === 'string') return content
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

export function todoLines(todos: unknown, columns: number, styles: Styles): string[] {
  const list = (Array.isArray(todos) ? todos : []).filter(isObject)
  return list.map((todo) => {
    const status = String(todo['status'])
    const words = toTerminalSafeLine(
      String((status === 'in_progress' ? todo['activeForm'] : undefined) ?? todo['content'] ?? todo['subject'] ?? ''),
    )
    const sign = status === 'completed' ? styles.sign.boxed : styles.sign.box
    const line = cutText(`${INDENT}${sign} ${words}`, columns)
    if (status === 'completed') return styles.dim(line)
    return status === 'in_progress' ? styles.cyan(line) : line
  })
}
