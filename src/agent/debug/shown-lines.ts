/** What a session shows, as lines of the timeline: the items, states and words of the view, as every interface has them. */
import type { DebugKind } from '../../protocol/debug-filter.js'
import type { SDKMessage } from '../../protocol/messages.js'
import { CALL_STATES } from '../../protocol/shown/vocabulary.js'
import { displayOf } from '../../tools/displays.js'
import { countText } from '../../tools/tool-display.js'
import { applyMessage } from '../../view/session-view.js'
import type { CallState, ToolItem, TurnItem, ViewChange, ViewItem } from '../../view/view-items.js'
import { noticeText } from '../../view/view-notices.js'
import { createSessionView } from '../../view/view-state.js'
import { abbreviateCount, formatSeconds, type MaskedExcerpts } from './timeline-text.js'

/** `head` is what the line begins with: `text`, `call`, `done`. Undefined: the head that its message has. */
export type ShownLine = { kind: DebugKind; head: string | undefined; text: string }

type Excerpts = Pick<MaskedExcerpts, 'json' | 'quote' | 'shorten'>

/** Applies the agent's messages to a view, which keeps what is open, and returns the lines of what each has changed. */
export class ShownLines {
  readonly #view = createSessionView('open')
  /** When each open call began, and the state that the timeline has it in. */
  readonly #begun = new Map<string, { at: number; state: CallState }>()
  readonly #excerpts: Excerpts
  readonly #now: () => number
  readonly #told = new WeakSet<ViewItem>()
  #count = 0
  #cwd = ''

  /** `now`: milliseconds of a clock that only moves forward. */
  constructor(excerpts: Excerpts, now: () => number) {
    this.#excerpts = excerpts
    this.#now = now
  }

  /** Throws what the view throws for a message that isn't one. */
  take(message: SDKMessage): ShownLine[] {
    this.#count += 1
    if (message.type === 'system' && message.subtype === 'init') this.#cwd = message.cwd
    const changes = applyMessage(this.#view, message, `message-${this.#count}`, '')
    return changes.flatMap((change) => this.#line(change) ?? [])
  }

  #line({ item, what }: ViewChange): ShownLine | undefined {
    if (what === 'removed' || what === 'grew' || what === 'written' || what === 'progress') return undefined
    switch (item.kind) {
      case 'text':
      case 'thinking': {
        if (what === 'added' ? item.isLive : what !== 'completed') return undefined
        return { kind: 'messages', head: item.kind, text: `${agentOf(item)}${this.#excerpts.quote(item.text)}` }
      }
      case 'tool':
        return this.#callLine(item)
      case 'notice':
        if (item.isLive || this.#told.has(item)) return undefined
        this.#told.add(item)
        return { kind: 'messages', head: undefined, text: this.#excerpts.shorten(noticeText(item)) }
      case 'turn':
        return { kind: 'messages', head: 'result', text: turnText(item) }
      default:
        return undefined
    }
  }

  #callLine(call: ToolItem): ShownLine | undefined {
    const { useId, name, state, input, result } = call
    const title = `${agentOf(call)}${this.#excerpts.shorten(displayOf(name).title({ input, cwd: this.#cwd }))}`
    const begun = this.#begun.get(useId)
    if (!begun) {
      if (state === 'writing') return undefined
      this.#begun.set(useId, { at: this.#now(), state: 'called' })
      return { kind: 'tools', head: 'call', text: `${title} · ${name} ${this.#excerpts.json(input)}` }
    }
    // A call that was denied has a result, too: it says why.
    const isOver = result !== undefined || state === 'unfinished'
    if (!isOver || state === begun.state) return undefined
    if (state === 'background') begun.state = state
    else this.#begun.delete(useId)
    const after = `after ${formatSeconds(this.#now() - begun.at)} s`
    const text = result === undefined ? '' : `: ${textIn(result.content, this.#excerpts)}`
    return {
      kind: 'tools',
      head: state === 'background' ? state : CALL_STATES[state],
      text: `${title} ${after}${text}`,
    }
  }
}

function agentOf({ parent }: ViewItem): string {
  return parent === '' ? '' : '(agent) '
}

function turnText({ result, outcome, costUsd }: TurnItem): string {
  const { usage } = result
  const why = outcome === 'failed' ? ` ${String(result.error_code ?? result.subtype)}` : ''
  return [
    `${outcome}${why}`,
    countText(result.num_turns, 'turn', 'turns'),
    `${formatSeconds(result.duration_ms)} s`,
    `${abbreviateCount(usage.input_tokens)} tokens in`,
    `${abbreviateCount(usage.output_tokens)} out`,
    `$${costUsd.toFixed(4)}`,
  ].join(', ')
}

/** Returns the texts of some content; the type of what has no text. */
export function textIn(content: unknown, excerpts: Pick<Excerpts, 'quote'>): string {
  if (typeof content === 'string') return excerpts.quote(content)
  if (Array.isArray(content)) return content.map((part) => textIn(part, excerpts)).join(' ')
  if (typeof content !== 'object' || content === null) return ''
  // Any object has string keys; what they hold stays unknown.
  const { text, thinking, type, content: inner } = content as Readonly<Record<string, unknown>>
  const said = text ?? thinking
  if (typeof said === 'string') return excerpts.quote(said)
  if (inner !== undefined) return textIn(inner, excerpts)
  return typeof type === 'string' ? type : '(object)'
}
