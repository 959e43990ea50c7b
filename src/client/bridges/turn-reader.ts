/** Reads one turn out of a live view: what changed since the last look, as events, until the turn ends or waits for an answer. */
import { toError } from '../../protocol/thrown.js'
import type { Ask, PromptItem, RequestItem, TurnItem, ViewChange, ViewItem, ViewSnapshot } from '../public-client.js'
import { isChildOf, SentItems } from './sent-items.js'
import {
  type KnownItems,
  noticeSentence,
  requestKey,
  type TurnEndKind,
  type TurnEvent,
  type TurnTarget,
} from './turn-events.js'

export type TurnReaderOptions = TurnTarget & {
  /** The view has nothing but the turn. */
  isWhole?: boolean
  /** What is known of the turn already, from an earlier stream. */
  known?: KnownItems
  /** Requests that were answered just now: the view doesn't show it yet. */
  answered?: readonly string[]
  /** `finish`: ends at an open request. `wait`: continues until the turn ends. */
  onRequest?: 'finish' | 'wait' | undefined
}

export class TurnReader {
  readonly #options: TurnReaderOptions
  readonly sent: SentItems
  /** By key: the last state of each item that changed; undefined if it was removed. */
  readonly #changed = new Map<string, ViewItem | undefined>()
  #turn: { start: string; prompt: PromptItem | undefined } | undefined
  #end: TurnItem | undefined
  #problem: string | undefined
  #hasError = false
  #isLost = false
  isOver = false
  since: number | undefined

  constructor(options: TurnReaderOptions) {
    this.#options = options
    this.since = options.since
    this.sent = new SentItems(options.known ?? new Map())
  }

  /** Notes changes; the next `read()` returns what they mean, however many there were. */
  note(changes: readonly ViewChange[]): void {
    for (const { item, what } of changes) this.#changed.set(item.key, what === 'removed' ? undefined : item)
  }

  read(value: ViewSnapshot): TurnEvent[] {
    const events: TurnEvent[] = []
    this.#readConnection(value, events)
    // A view that loads again has nothing for a moment.
    if (this.isOver || !value.isReady || value.seq < (this.since ?? 0)) return events
    if (this.#turn) this.#readChanges(value, events)
    else this.#begin(value, events)
    this.#changed.clear()
    if (!this.isOver && this.#turn) this.#readEnd(value, events)
    return events
  }

  /** Ends it: the server can't be reached. */
  giveUp(error: unknown): TurnEvent[] {
    this.isOver = true
    return [{ what: 'failed', error: toError(error) }]
  }

  #readConnection({ connection, error }: ViewSnapshot, events: TurnEvent[]) {
    if (connection === 'ended') {
      events.push(...this.giveUp(error ?? new Error('The server ended the session view.')))
      return
    }
    const isLost = connection === 'lost'
    // A connection that is made isn't news, unless it was lost.
    if (connection === 'connecting' || isLost === this.#isLost) return
    this.#isLost = isLost
    events.push({ what: 'connection', isLost, error: isLost ? error : undefined })
  }

  #begin(value: ViewSnapshot, events: TurnEvent[]) {
    const { items } = value
    const at = this.#options.isWhole ? 0 : startOf(value, this.#options.prompt)
    if (at === undefined) return this.#waitForTurn(value, events)
    const first = items[at]
    const prompt = first?.kind === 'prompt' ? first : undefined
    const before = items[at - 1]
    const start = prompt?.key ?? before?.key ?? ''
    this.#turn = { start, prompt }
    events.push({ what: 'begin', turn: prompt?.id ?? `after-${start}`, prompt })
    const from = prompt ? at + 1 : at
    const rest = items.slice(from, endOf(items, from, prompt))
    for (const item of rest) if (item.kind === 'request') this.sent.expect(item)
    for (const item of rest) this.#take(item, events)
  }

  /** The prompt waits for its turn, and maybe behind a request. */
  #waitForTurn({ waitingPrompts, requests }: ViewSnapshot, events: TurnEvent[]) {
    const { prompt } = this.#options
    for (const item of this.#changed.values())
      if (item?.kind === 'notice' && item.about === 'session' && item.level === 'error' && item.seq > (this.since ?? 0))
        return this.#finish('failed', noticeSentence(item), events)
    const isWaiting = waitingPrompts.some(({ id }) => prompt === undefined || id === prompt)
    if (!isWaiting) return this.#finish('removed', undefined, events)
    const open = requests.filter((ask) => holdsTurn(ask) && !this.#options.answered?.includes(ask.id))
    if (open.length === 0 || this.#options.onRequest === 'wait') return
    const waiting = open.map((ask): RequestItem => {
      const key = requestKey(ask.id)
      return { kind: 'request', key, parent: '', seq: 0, at: ask.since, ask, closed: undefined }
    })
    for (const item of waiting) this.sent.update(item, events)
    events.push({ what: 'paused', requests: waiting })
    this.isOver = true
  }

  #readChanges({ items }: ViewSnapshot, events: TurnEvent[]) {
    const { start = '', prompt } = this.#turn ?? {}
    for (const item of this.#changed.values())
      if (item?.kind === 'request' && holdsTurn(item.ask)) this.sent.expect(item)
    for (const [key, item] of this.#changed) {
      if (item?.kind === 'request' && !holdsTurn(item.ask)) continue
      if (!item) {
        if (key === prompt?.key) return this.#finish('removed', undefined, events)
        this.sent.remove(key)
      } else if (item.kind === 'prompt' && item.key === start) {
        this.#turn = { start, prompt: item }
      } else if (this.sent.has(key) || isChildOf(this.sent, item)) {
        this.#take(item, events)
      } else if (!this.#end && isAfter(items, item, start)) {
        this.#take(item, events)
      }
    }
  }

  #take(item: ViewItem, events: TurnEvent[]) {
    this.sent.update(item, events)
    if (item.kind === 'turn') this.#end = item
    if (item.kind !== 'notice') return
    if (item.level === 'error' || item.level === 'warning') this.#problem = noticeSentence(item)
    if (item.level === 'error' && item.about === 'session') this.#hasError = true
  }

  #readEnd({ requests, facts }: ViewSnapshot, events: TurnEvent[]) {
    const { prompt } = this.#turn ?? {}
    const end = prompt ? prompt.end : this.#end && 'done'
    if (end === 'interrupted') return this.#finish('interrupted', this.#problem, events)
    if (end === 'done') {
      const { outcome = 'done', problem } = this.#end ?? {}
      return this.#finish(outcome, outcome === 'failed' ? (problem ?? this.#problem) : undefined, events)
    }
    // A turn that a task began has no prompt that is interrupted.
    if (!prompt && !isUnderWay(facts) && !this.#options.isWhole)
      return this.#finish('interrupted', this.#problem, events)
    if (this.#hasError && facts.status === 'error') return this.#finish('failed', facts.error ?? this.#problem, events)
    if (this.#options.onRequest === 'wait' || requests.length === 0) return
    const { answered = [] } = this.#options
    const open = requests.flatMap((ask) => {
      const key = requestKey(ask.id)
      if (answered.includes(ask.id) || !this.sent.has(key)) return []
      return { kind: 'request' as const, key, parent: '', seq: 0, at: ask.since, ask, closed: undefined }
    })
    if (open.length === 0 || this.sent.isWriting) return
    this.sent.dropGone(undefined, events)
    events.push({ what: 'paused', requests: open })
    this.isOver = true
  }

  #finish(outcome: TurnEndKind, problem: string | undefined, events: TurnEvent[]) {
    this.sent.dropGone(undefined, events)
    events.push({ what: 'end', outcome, turn: this.#end, problem })
    this.isOver = true
  }
}

/** Returns the place of the turn's first item; undefined if the view doesn't have it. */
function startOf({ items, facts }: ViewSnapshot, prompt: string | undefined): number | undefined {
  const isTurn = (item: ViewItem) =>
    item.kind === 'prompt' && (prompt === undefined || isSameOrResentPrompt(item.id, prompt))
  // Without a prompt, and without a turn that is under way, it ended meanwhile.
  if (prompt !== undefined || !isUnderWay(facts)) {
    const at = items.findLastIndex(isTurn)
    return at < 0 ? undefined : at
  }
  const last = items.findLastIndex(({ kind }) => kind === 'turn')
  const open = items.findIndex((item, n) => n > last && item.kind === 'prompt' && item.end === undefined)
  return open < 0 ? last + 1 : open
}

/** A sign-in to a server is no part of a turn, which continues without it. */
const holdsTurn = ({ kind }: Ask) => kind !== 'sign-in'

const isUnderWay = ({ status }: ViewSnapshot['facts']) => status === 'running' || status === 'needs-you'

/** Returns the place behind the turn's last item, as far as there is one. */
function endOf(items: readonly ViewItem[], from: number, prompt: PromptItem | undefined): number {
  const end = items.findIndex((item, n) => {
    if (n < from) return false
    return item.kind === 'turn' || (item.kind === 'prompt' && (prompt?.end === 'interrupted' || isFromTranscript(item)))
  })
  if (end < 0) return items.length
  return items[end]?.kind === 'turn' ? end + 1 : end
}

/** A transcript has no ends of turns: each prompt begins one. */
export const isFromTranscript = ({ key, message }: PromptItem): boolean => key === `prompt-${message}`

/** A prompt that is sent again, after a rewind, has a number behind its id. */
export function isSameOrResentPrompt(id: string, prompt: string): boolean {
  return id === prompt || (id.startsWith(`${prompt}~`) && /^\d+$/.test(id.slice(prompt.length + 1)))
}

function isAfter(items: readonly ViewItem[], item: ViewItem, start: string): boolean {
  const at = items.lastIndexOf(item)
  if (at < 0) return false
  return start === '' || items.findLastIndex(({ key }, n) => n <= at && key === start) >= 0
}
