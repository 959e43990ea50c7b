/** What a reader of a turn was sent of each item, and which events bring it up to date. */
import type { RequestItem, TextItem, ToolItem, ViewItem } from '../public-client.js'
import { callKey, type KnownItem, type KnownItems, type TurnEvent } from './turn-events.js'

type SentItem = {
  item: ViewItem
  /** The text so far, or the call's input. */
  text: string
  printed: number
  isCalled: boolean
  isOver: boolean
  /** What was last sent about its sub-agent. */
  task: string
  /** The view doesn't have it at the moment: its stream begins again, or it's replaced. */
  isGone: boolean
}

export class SentItems {
  readonly #sent = new Map<string, SentItem>()
  readonly #known: KnownItems
  /** The request about each call: its answer comes before the call's end. */
  readonly #requests = new Map<string, RequestItem>()

  constructor(known: KnownItems) {
    this.#known = known
  }

  has(key: string): boolean {
    return this.#sent.has(key)
  }

  /** Returns what was sent, for another reader that continues. */
  known(): Record<string, KnownItem> {
    const sent = [...this.#sent].map(([key, { item, text, isCalled, isOver }]): [string, KnownItem] => {
      const isText = item.kind === 'text' || item.kind === 'thinking'
      return [key, { ...(isText ? { length: text.length } : {}), isCalled, isOver }]
    })
    return { ...Object.fromEntries(this.#known), ...Object.fromEntries(sent) }
  }

  /** Registers a request, so that it comes with its call. */
  expect(item: RequestItem): void {
    if (item.ask.tool) this.#requests.set(item.ask.tool.useId, item)
  }

  /** Returns the events that bring this item up to date, with the items of its sub-agent. */
  update(item: ViewItem, events: TurnEvent[]) {
    switch (item.kind) {
      case 'text':
      case 'thinking':
        return this.#text(item, events)
      case 'tool':
        return this.#call(item, events)
      case 'request':
        return this.#request(item, events)
      case 'notice':
        this.#begin(item)
        events.push({ what: 'notice', item })
        return
      case 'prompt':
        if (!this.has(item.key)) events.push({ what: 'prompt', item })
        this.#begin(item)
        return
      case 'turn':
        this.#begin(item)
    }
  }

  /** The view doesn't have it any more, maybe only for a moment. */
  remove(key: string): void {
    const sent = this.#sent.get(key)
    if (sent && !sent.isOver) sent.isGone = true
  }

  /** Drops what the view doesn't have any more: of one speaker, or (`undefined`) of all. */
  dropGone(parent: string | undefined, events: TurnEvent[]): void {
    for (const [key, { item, isGone }] of this.#sent) {
      if (!isGone || (parent !== undefined && item.parent !== parent)) continue
      this.#sent.delete(key)
      if (item.kind === 'text' || item.kind === 'thinking' || item.kind === 'tool')
        events.push({ what: 'dropped', item })
    }
  }

  /** Returns the events for these items from their beginning. */
  again(keys: Iterable<string>): TurnEvent[] {
    const events: TurnEvent[] = []
    const items = [...keys].flatMap((key) => this.forget(key) ?? [])
    for (const item of items) this.update(item, events)
    return events
  }

  /** As if nothing of it was sent. Returns the item. */
  forget(key: string): ViewItem | undefined {
    const sent = this.#sent.get(key)
    this.#sent.delete(key)
    return sent?.item
  }

  /** Whether nothing more comes of it. */
  isOver(key: string): boolean {
    return this.#sent.get(key)?.isOver === true
  }

  /** Whether it's a call that was begun and has no result. */
  isRunning(key: string): boolean {
    const { item, isOver } = this.#sent.get(key) ?? {}
    if (item?.kind !== 'tool' || isOver || item.state === 'writing') return false
    return item.state !== 'called' || item.agentCalls > 0 || item.task !== undefined
  }

  /** Whether the model writes something at the moment. */
  get isWriting(): boolean {
    return [...this.#sent.values()].some(
      ({ item, isGone }) =>
        !isGone && item.parent === '' && ('isLive' in item ? item.isLive === true : isWritten(item)),
    )
  }

  #begin(item: ViewItem): SentItem {
    const before = this.#sent.get(item.key)
    if (before) {
      before.item = item
      before.isGone = false
      return before
    }
    const known = this.#known.get(item.key)
    const { length = 0, isCalled = false, isOver = false } = known ?? {}
    const text = 'text' in item ? item.text.slice(0, length) : ''
    const sent = { item, text, printed: 0, isCalled, isOver, task: '', isGone: false }
    this.#sent.set(item.key, sent)
    return sent
  }

  #text(item: TextItem, events: TurnEvent[]) {
    if (item.isRedacted) return
    const isNew = !this.has(item.key)
    if (isNew) this.dropGone(item.parent, events)
    const sent = this.#begin(item)
    if (!item.text.startsWith(sent.text)) {
      events.push({ what: 'dropped', item })
      sent.text = ''
      sent.isOver = false
    }
    const piece = item.text.slice(sent.text.length)
    sent.text = item.text
    if (piece !== '') sent.isOver = false
    if (piece !== '' || (isNew && !sent.isOver)) events.push({ what: 'text', item, piece })
    if (item.isLive || sent.isOver) return
    sent.isOver = true
    events.push({ what: 'text-end', item })
  }

  #call(item: ToolItem, events: TurnEvent[]) {
    const isNew = !this.has(item.key)
    if (isNew) this.dropGone(item.parent, events)
    const sent = this.#begin(item)
    if (isNew && !this.#known.has(item.key)) events.push({ what: 'call', item })
    if (!sent.isCalled) this.#input(item, sent, events)
    const request = this.#requests.get(item.useId)
    if (request) this.#request(request, events)
    if (item.printed > sent.printed && !sent.isOver) {
      const piece = item.output.slice(-(item.printed - sent.printed))
      if (piece !== '') events.push({ what: 'output', item, piece })
      sent.printed = item.printed
    }
    this.#task(item, sent, events)
    for (const child of item.children) if (!this.has(child.key)) this.update(child, events)
    if (sent.isOver || (item.result === undefined && item.state !== 'unfinished')) return
    sent.isOver = true
    events.push({ what: 'call-end', item })
  }

  #input(item: ToolItem, sent: SentItem, events: TurnEvent[]) {
    if (!item.partialInput.startsWith(sent.text)) {
      events.push({ what: 'dropped', item }, { what: 'call', item })
      sent.text = ''
    }
    const piece = item.partialInput.slice(sent.text.length)
    sent.text = item.partialInput
    if (piece !== '') events.push({ what: 'input', item, piece })
    if (item.state === 'writing') return
    sent.isCalled = true
    events.push({ what: 'called', item })
  }

  #task(item: ToolItem, sent: SentItem, events: TurnEvent[]) {
    const { task, agentCalls, agentTokens, state } = item
    if (!task && agentCalls === 0 && agentTokens === 0) return
    const said = [task?.status, task?.summary, agentCalls, agentTokens, state].join()
    if (said === sent.task) return
    sent.task = said
    events.push({ what: 'task', item })
  }

  #request(item: RequestItem, events: TurnEvent[]) {
    this.expect(item)
    const isNew = !this.has(item.key)
    const sent = this.#begin(item)
    if (isNew && !this.#known.has(item.key)) events.push({ what: 'request', item })
    if (!item.closed || sent.isOver) return
    sent.isOver = true
    events.push({ what: 'request-end', item })
  }
}

function isWritten(item: ViewItem): boolean {
  return item.kind === 'tool' && item.state === 'writing'
}

/** Returns whether the call's item belongs to one that was sent. */
export function isChildOf(sent: SentItems, item: ViewItem): boolean {
  return item.parent !== '' && sent.has(callKey(item.parent))
}
