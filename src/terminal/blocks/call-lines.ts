/** The tool calls of a session: running ones with what they print, sub-agents as a tree, finished ones as blocks that unfold. */

import type { ContentBlockParam } from '../../protocol/content.js'
import { isObject } from '../../protocol/json.js'
import { NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import { displayOf } from '../../tools/displays.js'
import type { ToolItem, ViewCallResult, ViewChange } from '../../view/view-items.js'
import type { SessionView } from '../../view/view-state.js'
import type { TerminalPicture } from '../screen/pictures.js'
import { cutText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import { commandOutputLines } from '../screen/terminal-safe-text.js'
import { durationText, shortCount } from './short-texts.js'
import { outcomeLines, type ShownOutcome, titleLine, todoLines, toToolTitleParts } from './tool-lines.js'
import type { SpacedLineBlock, Unfoldable } from './unfoldable.js'

export type CallLinesPorts = {
  styles: Styles
  cwd: string
  columns(): number
  now(): number
  /** The session that is followed now. */
  view(): SessionView
  /** Returns an image as a line for the scrollback; undefined if only its mark is shown. */
  picture?: (picture: TerminalPicture, columns: number) => string | undefined
}

const LIVE_LINES = 5
const LIVE_CALLS = 4
const LIVE_TODOS = 8
const KEPT_BLOCKS = 30

export class CallLines {
  readonly #ports: CallLinesPorts
  /** When each began to run, by the clock of this terminal. */
  readonly #since = new WeakMap<ToolItem, number>()
  /** The latest call of each sub-agent. */
  readonly #latest = new WeakMap<ToolItem, ToolItem>()
  /** Those whose outcome is in the scrollback. */
  readonly #shown = new WeakSet<ToolItem>()
  /** The latest last. */
  readonly folded: Unfoldable[] = []

  constructor(ports: CallLinesPorts) {
    this.#ports = ports
  }

  take(item: ToolItem, what: ViewChange['what']): SpacedLineBlock[] {
    const { now, view } = this.#ports
    // It runs once its input is known and the user has approved it.
    const begins = what === 'added' || what === 'input' || (what === 'changed' && item.state === 'called')
    if (begins) this.#since.set(item, now())
    if (item.parent !== '') {
      const agent = what === 'added' ? view().open.calls.get(item.parent) : undefined
      if (agent) this.#latest.set(agent, item)
      return []
    }
    const result = what === 'changed' && !this.#shown.has(item) ? resultOf(item) : undefined
    if (!result) return []
    this.#shown.add(item)
    const { body } = displayOf(item.name)
    if (body === 'todos' && !result.isError && !isAllDone(item.input['todos'])) return []
    if (!isQuiet(item.name) || (result.isError && item.state !== 'unfinished')) return [this.#block(item, result)]
    return item.name === 'AskUserQuestion' && !result.isError ? [this.#answered(item, result)] : []
  }

  live(): string[] {
    const { styles, view, columns } = this.#ports
    const { open, todos } = view()
    const calls = [...open.openCalls.values()].filter(
      (call) => call.parent === '' && !isQuiet(call.name) && !this.#shown.has(call),
    )
    const rows = calls.slice(-LIVE_CALLS).flatMap((call) => ['', ...this.#liveCall(call)])
    const hidden = calls.length > LIVE_CALLS ? ['', styles.dim(`${calls.length - LIVE_CALLS} more calls`)] : []
    const steps = isAllDone(todos) ? [] : ['', ...todoLines(todos, columns(), styles).slice(0, LIVE_TODOS)]
    return [...hidden, ...rows, ...steps]
  }

  /** The last command that runs, for sending it to the background. */
  get runningCommand(): string | undefined {
    const calls = [...this.#ports.view().open.openCalls.values()]
    return calls.findLast((call) => isLong(call.name) && (call.state === 'called' || call.state === 'running'))?.useId
  }

  #liveCall(call: ToolItem): string[] {
    const { styles, cwd, now } = this.#ports
    const columns = this.#ports.columns()
    const seconds = Math.floor((now() - (this.#since.get(call) ?? now())) / 1000)
    const time = seconds >= 2 ? styles.dim(` ${durationText(seconds)}`) : ''
    const title = `${styles.yellow(styles.sign.ring)} ${titleLine(call, cwd, columns - 12, styles)}${time}`
    const lines =
      displayOf(call.name).body === 'agent'
        ? this.#agentLines(call)
        : commandOutputLines(call.output.slice(-4000))
            .filter((line) => line.trim() !== '')
            .slice(-LIVE_LINES)
    const dim = (text: string, n: number) =>
      cutText(`  ${n === 0 ? styles.dim(styles.sign.corner) : ' '} ${styles.dim(text)}`, columns)
    return [title, ...lines.map(dim)]
  }

  #agentLines(agent: ToolItem): string[] {
    const { cwd, view } = this.#ports
    const { agentCalls: uses, agentTokens: tokens, useId } = agent
    const running = [...view().open.openCalls.values()].filter(({ parent }) => parent === useId).slice(-3)
    const latest = this.#latest.get(agent)
    const calls = running.length > 0 ? running : latest ? [latest] : []
    const facts = [uses > 0 ? `${uses} tool uses` : '', tokens > 0 ? `${shortCount(tokens)} tokens` : '']
    return [
      ...calls.map((call) => {
        const { name, about } = toToolTitleParts(call, cwd)
        return `${name} ${about}`
      }),
      facts.filter((fact) => fact !== '').join(' · '),
    ].filter((line) => line !== '')
  }

  #block(call: ToolItem, result: ViewCallResult): SpacedLineBlock {
    const { styles, cwd } = this.#ports
    const columns = this.#ports.columns()
    const sign = result.isError ? styles.red(styles.sign.dot) : styles.green(styles.sign.dot)
    const title = `${sign} ${titleLine(call, cwd, columns - 2, styles)}`
    const part = this.#outcome(call, result)
    if (part.isFolded) {
      const { name, about } = toToolTitleParts(call, cwd)
      this.keep({
        title: `${name} ${about}`,
        whole: (width) => [
          `${sign} ${styles.bold(name)} ${about}`,
          ...outcomeLines(call, result, { columns: width, styles, isWhole: true }).lines,
        ],
      })
    }
    return { lines: [title, ...part.lines, ...imageLines(result.content, this.#ports)], isNew: true }
  }

  #outcome(call: ToolItem, result: ViewCallResult): ShownOutcome {
    const { styles, columns } = this.#ports
    if (displayOf(call.name).body !== 'agent' || result.isError)
      return outcomeLines(call, result, { columns: columns(), styles, isWhole: false })
    const { agentCalls: uses, agentTokens: tokens } = call
    const seconds = Math.round(result.ms / 1000)
    const facts = [`${uses} tool uses`, tokens > 0 ? `${shortCount(tokens)} tokens` : '', durationText(seconds)]
    const line = styles.dim(facts.filter((fact) => fact !== '').join(' · '))
    return { lines: [`  ${styles.dim(styles.sign.corner)} ${line}`], isFolded: true }
  }

  /** A question: what the user said is the outcome. */
  #answered(call: ToolItem, result: ViewCallResult): SpacedLineBlock {
    const { styles, columns } = this.#ports
    const part = outcomeLines(call, { ...result, detail: undefined }, { columns: columns(), styles, isWhole: false })
    return { lines: [`${styles.green(styles.sign.dot)} ${styles.bold('You answered')}`, ...part.lines], isNew: true }
  }

  keep(block: Unfoldable): void {
    this.folded.push(block)
    if (this.folded.length > KEPT_BLOCKS) this.folded.shift()
  }
}

/** Undefined if the call isn't over. */
function resultOf({ state, result, reason }: ToolItem): ViewCallResult | undefined {
  if (result) return result
  const failed = { isError: true, detail: undefined, ms: 0 }
  if (state === 'denied') return { ...failed, content: reason ?? '' }
  return state === 'unfinished' ? { ...failed, content: NOTICE_TEXTS.notFinished } : undefined
}

/** Returns the images in a content, if the terminal can draw them. */
export function imageLines(
  content: string | readonly ContentBlockParam[],
  { picture, columns }: Pick<CallLinesPorts, 'picture' | 'columns'>,
): string[] {
  if (!picture || typeof content === 'string') return []
  return content.flatMap((block): string[] => {
    if (block.type !== 'image' || block.source.type !== 'base64') return []
    const line = picture({ mediaType: block.source.media_type, data: block.source.data }, columns())
    return line === undefined ? [] : [line]
  })
}

function isAllDone(todos: unknown): boolean {
  return Array.isArray(todos) && todos.every((todo) => isObject(todo) && todo['status'] === 'completed')
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
