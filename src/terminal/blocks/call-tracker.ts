/** The tool calls of a session: running ones with what they print, sub-agents as a tree, finished ones as blocks that unfold. */
import type { ContentBlockParam, ToolResultBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import { displayOf } from '../../tools/displays.js'
import type { TerminalPicture } from '../screen/pictures.js'
import { printedLines } from '../screen/shown-text.js'
import { cutText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { durationText, shortCount } from './short-texts.js'
import { outcomeLines, type ToolCallView, titleLine, todoLines, toToolTitleParts } from './tool-lines.js'
import type { SpacedLineBlock, Unfoldable } from './unfoldable.js'

export type CallTrackerPorts = {
  styles: Styles
  cwd: string
  columns(): number
  now(): number
  /** Returns an image as a line for the scrollback; undefined if only its mark is shown. */
  picture?: (picture: TerminalPicture, columns: number) => string | undefined
}

type Running = ToolCallView & {
  since: number
  /** The end of what it printed, and how much there was. */
  output: string
  printed: number
  /** For an agent: its tool calls, tokens, and last tool. */
  uses: number
  tokens: number
  lastTool: string
  task?: string
}

const KEPT_OUTPUT = 16_000
const LIVE_LINES = 5
const LIVE_CALLS = 4
const KEPT_BLOCKS = 30

export class CallTracker {
  readonly #ports: CallTrackerPorts
  readonly #running = new Map<string, Running>()
  /** The latest last. */
  readonly folded: Unfoldable[] = []
  #todos: unknown

  constructor(ports: CallTrackerPorts) {
    this.#ports = ports
  }

  callOf(id: string): ToolCallView | undefined {
    return this.#running.get(id)
  }

  begin(call: ToolCallView): void {
    const known = this.#running.get(call.id)
    if (known) {
      known.input = call.input
      return
    }
    const { now } = this.#ports
    this.#running.set(call.id, { ...call, since: now(), output: '', printed: 0, uses: 0, tokens: 0, lastTool: '' })
    const parent = call.parent === null ? undefined : this.#running.get(call.parent)
    if (!parent) return
    parent.uses += 1
    const { name, about } = toToolTitleParts(call, this.#ports.cwd)
    parent.lastTool = `${name} ${about}`
  }

  progress(id: string, output: string | undefined, _seconds: number): void {
    const call = this.#running.get(id)
    if (!call || output === undefined) return
    call.output = (call.output + output).slice(-KEPT_OUTPUT)
    call.printed += output.length
  }

  task(id: string, task: string): void {
    const call = this.#running.get(id)
    if (call) call.task = task
  }

  isForeground(task: string): boolean {
    return [...this.#running.values()].some((call) => call.task === task)
  }

  agentProgress({
    tool_use_id: id,
    usage,
  }: {
    tool_use_id?: string
    usage: { total_tokens: number; tool_uses: number }
  }): void {
    const call = id === undefined ? undefined : this.#running.get(id)
    if (!call) return
    call.tokens = usage.total_tokens
    call.uses = Math.max(call.uses, usage.tool_uses)
  }

  result(block: ToolResultBlockParam, output: unknown): SpacedLineBlock[] {
    const call = this.#running.get(block.tool_use_id)
    if (!call) return []
    this.#running.delete(call.id)
    for (const [id, one] of this.#running) if (one.parent === call.id) this.#running.delete(id)
    const failed = block.is_error === true
    if (call.parent !== null) return []
    if (displayOf(call.name).body === 'todos' && !failed) {
      this.#todos = call.input['todos']
      const isDone =
        Array.isArray(this.#todos) && this.#todos.every((todo) => isObject(todo) && todo['status'] === 'completed')
      if (isDone) this.#todos = undefined
      return isDone ? [this.#block(call, block, output)] : []
    }
    if (isQuiet(call.name) && !failed) return this.#quiet(call, block)
    return [this.#block(call, block, output)]
  }

  denied(id: string, reason: string): SpacedLineBlock[] {
    const call = this.#running.get(id)
    if (!call) return []
    this.#running.delete(id)
    if (call.parent !== null) return []
    return [this.#block(call, { type: 'tool_result', tool_use_id: id, content: reason, is_error: true }, undefined)]
  }

  /** What has not run by now never will; what an agent in the background does is not shown here. */
  endTurn(): string[] {
    this.#running.clear()
    return []
  }

  live(): string[] {
    const calls = [...this.#running.values()].filter(({ parent, name }) => parent === null && !isQuiet(name))
    const rows = calls.slice(-LIVE_CALLS).flatMap((call) => ['', ...this.#liveCall(call)])
    const hidden =
      calls.length > LIVE_CALLS ? ['', this.#ports.styles.dim(`${calls.length - LIVE_CALLS} more calls`)] : []
    const { styles } = this.#ports
    const todos =
      this.#todos === undefined ? [] : ['', ...todoLines(this.#todos, this.#ports.columns(), styles).slice(0, 8)]
    return [...hidden, ...rows, ...todos]
  }

  /** The last command that runs, for sending it to the background. */
  get runningCommand(): string | undefined {
    return [...this.#running.values()].findLast(({ name }) => isLong(name))?.id
  }

  #liveCall(call: Running): string[] {
    const { styles, cwd, now } = this.#ports
    const columns = this.#ports.columns()
    const seconds = Math.floor((now() - call.since) / 1000)
    const time = seconds >= 2 ? styles.dim(` ${durationText(seconds)}`) : ''
    const title = `${styles.yellow(styles.sign.ring)} ${titleLine(call, cwd, columns - 12, styles)}${time}`
    const dim = (text: string, n: number) =>
      cutText(`  ${n === 0 ? styles.dim(styles.sign.corner) : ' '} ${styles.dim(text)}`, columns)
    if (call.name === 'Task') {
      const facts = [
        call.uses > 0 ? `${call.uses} tool uses` : '',
        call.tokens > 0 ? `${shortCount(call.tokens)} tokens` : '',
      ]
      const children = [...this.#running.values()].filter(({ parent }) => parent === call.id).slice(-3)
      const lines = children.map((child) => {
        const { name, about } = toToolTitleParts(child, cwd)
        return `${name} ${about}`
      })
      const under = lines.length > 0 ? lines : call.lastTool === '' ? [] : [call.lastTool]
      return [
        title,
        ...[...under, facts.filter((fact) => fact !== '').join(' · ')].filter((line) => line !== '').map(dim),
      ]
    }
    const lines = printedLines(call.output.slice(-4000))
      .filter((line) => line.trim() !== '')
      .slice(-LIVE_LINES)
    return [title, ...lines.map(dim)]
  }

  #block(call: Running, block: ToolResultBlockParam, output: unknown): SpacedLineBlock {
    const { styles, cwd } = this.#ports
    const columns = this.#ports.columns()
    const failed = block.is_error === true
    const sign = failed ? styles.red(styles.sign.dot) : styles.green(styles.sign.dot)
    const title = `${sign} ${titleLine(call, cwd, columns - 2, styles)}`
    const part = this.#outcome(call, block, output, columns, false)
    if (part.isFolded) {
      const { name, about } = toToolTitleParts(call, cwd)
      this.keep({
        title: `${name} ${about}`,
        whole: (width) => [
          `${sign} ${styles.bold(name)} ${about}`,
          ...this.#outcome(call, block, output, width, true).lines,
        ],
      })
    }
    return { lines: [title, ...part.lines, ...imageLines(block.content ?? '', this.#ports)], isNew: true }
  }

  #outcome(call: Running, block: ToolResultBlockParam, output: unknown, columns: number, isWhole: boolean) {
    const { styles } = this.#ports
    if (call.name === 'Task' && block.is_error !== true && !isWhole) {
      const seconds = Math.round((this.#ports.now() - call.since) / 1000)
      const facts = [
        `${call.uses} tool uses`,
        call.tokens > 0 ? `${shortCount(call.tokens)} tokens` : '',
        durationText(seconds),
      ]
      const line = styles.dim(facts.filter((fact) => fact !== '').join(' · '))
      return { lines: [`  ${styles.dim(styles.sign.corner)} ${line}`], isFolded: true }
    }
    return outcomeLines(call, block, output, { columns, styles, isWhole })
  }

  /** Those that people answered: what they said is the outcome. */
  #quiet(call: Running, block: ToolResultBlockParam): SpacedLineBlock[] {
    if (call.name !== 'AskUserQuestion') return []
    const { styles } = this.#ports
    const part = outcomeLines(call, block, undefined, { columns: this.#ports.columns(), styles, isWhole: false })
    return [{ lines: [`${styles.green(styles.sign.dot)} ${styles.bold('You answered')}`, ...part.lines], isNew: true }]
  }

  keep(block: Unfoldable): void {
    this.folded.push(block)
    if (this.folded.length > KEPT_BLOCKS) this.folded.shift()
  }
}

/** Returns the images in a content, if the terminal can draw them. */
export function imageLines(
  content: string | readonly ContentBlockParam[],
  { picture, columns }: CallTrackerPorts,
): string[] {
  if (!picture || typeof content === 'string') return []
  return content.flatMap((block): string[] => {
    if (block.type !== 'image' || block.source.type !== 'base64') return []
    const line = picture({ mediaType: block.source.media_type, data: block.source.data }, columns())
    return line === undefined ? [] : [line]
  })
}

/** Shown by other means. */
function isQuiet(name: string): boolean {
  const { shownAs, body } = displayOf(name)
  return shownAs !== undefined && body !== 'todos'
}

/** Commands and sub-agents can continue in the background. */
function isLong(name: string): boolean {
  const { body } = displayOf(name)
  return body === 'command' || body === 'agent'
}
