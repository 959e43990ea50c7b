/** A session's log, folded into what the page shows of it. No DOM, no network: entries in, items out. */
import { batch, type Signal, signal } from '@preact/signals'
import { T } from '../texts.js'
import type {
  Ask,
  ContentBlockParam,
  Delta,
  LogEntry,
  LogItem,
  Prompt,
  PromptChange,
  SDKMessage,
  SessionMessage,
} from '../wire/wire-types.js'
import {
  type Activity,
  type AskItem,
  type Item,
  type NoticeItem,
  newItem,
  type PromptItem,
  type Task,
  type TextItem,
  type ToolItem,
  touch,
} from './items.js'
import { errorNotice, isFailure, shownNoticeOf } from './notices.js'

export type FoldedSessionFacts = {
  cwd: string
  status: string
  title: string | undefined
  mode: string | undefined
  model: string | undefined
  effort: string | undefined
  archived: boolean
  error: string | undefined
  /** Whether the last turn failed and none started since. */
  hasFailed: boolean
  costUsd: number
  cacheHitRate: number | undefined
  /** Tokens in the last request, and how many there may be. */
  contextUsed: number
  contextWindow: number
  commands: readonly string[]
}

const MOST_OUTPUT = 200_000
const NO_FACTS: FoldedSessionFacts = {
  cwd: '',
  status: 'idle',
  title: undefined,
  mode: undefined,
  model: undefined,
  effort: undefined,
  archived: false,
  error: undefined,
  hasFailed: false,
  costUsd: 0,
  cacheHitRate: undefined,
  contextUsed: 0,
  contextWindow: 0,
  commands: [],
}

export class ConversationFold {
  readonly items: Item[] = []
  /** The list has other items than before. */
  readonly rev: Signal<number> = signal(0)
  readonly facts = signal<FoldedSessionFacts>(NO_FACTS)
  readonly waiting = signal<readonly Prompt[]>([])
  readonly openAsks = signal<readonly Ask[]>([])
  readonly tasks = signal<readonly Task[]>([])
  readonly activity = signal<readonly Activity[]>([])
  /** Something to be read out. */
  readonly said = signal('')
  seq = 0
  readonly #prompts = new Map<string, Prompt>()
  readonly #promptItems = new Map<string, PromptItem>()
  readonly #tools = new Map<string, ToolItem>()
  readonly #asks = new Map<string, AskItem>()
  readonly #live = new Map<string, Item[]>()
  #lastTotal = 0
  #waitsSince = 0
  #waitedMs = 0
  /** Error of the running turn. */
  #error: NoticeItem | undefined

  add(items: readonly LogItem[]): void {
    batch(() => {
      for (const item of items) {
        if (item.kind === 'delta') this.#delta(item)
        else if (item.seq > this.seq) {
          this.seq = item.seq
          this.#entry(item)
        }
      }
    })
  }

  /** The transcript from before the log, above everything else. */
  addHistory({ messages, earlier }: { messages: readonly SessionMessage[]; earlier: number }): void {
    if (messages.length === 0) return
    const mark = (text: string) => this.#push('', newItem('notice', { seq: 0, at: '', tone: 'mark', text }))
    batch(() => {
      if (earlier > 0) mark(T.earlierLeftOut(earlier))
      for (const { type, message, parent_tool_use_id, uuid, timestamp: at = '' } of messages) {
        if (type === 'system') continue
        // As the protocol has it: a transcript has the same messages as the stream.
        const said = { type, message, parent_tool_use_id, uuid } as Extract<SDKMessage, { type: 'user' | 'assistant' }>
        if (said.type === 'user' && parent_tool_use_id === null) this.#promptBefore(said.message.content, uuid, at)
        this.#message(said, 0, at)
      }
      mark(T.beforeLog)
    })
  }

  #promptBefore(content: string | readonly ContentBlockParam[], message: string, at: string): void {
    if (typeof content !== 'string' && content.some(({ type }) => type === 'tool_result')) return
    this.#push('', newItem('prompt', { seq: 0, at, id: message, content, by: undefined, message, end: 'done' }))
  }

  /** What was under way comes again, from its beginning. */
  dropLive(): void {
    batch(() => {
      for (const [speaker, items] of this.#live) {
        const { list, rev } = this.#place(speaker)
        for (const item of items) {
          const at = list.lastIndexOf(item)
          if (at >= 0) list.splice(at, 1)
          if (item.kind === 'tool') this.#tools.delete(item.useId)
        }
        rev.value += 1
      }
      this.#live.clear()
    })
  }

  tool(useId: string): ToolItem | undefined {
    return this.#tools.get(useId)
  }

  #facts(change: Partial<FoldedSessionFacts>): void {
    this.facts.value = { ...this.facts.value, ...change }
  }

  #entry(entry: LogEntry): void {
    const { seq, at } = entry
    switch (entry.kind) {
      case 'message':
        return this.#message(entry.data, seq, at)
      case 'prompt':
        return this.#prompt(entry.data, seq, at)
      case 'ask': {
        const item = newItem('ask', { seq, at, ask: entry.data, closed: undefined })
        this.#asks.set(entry.data.id, item)
        if (this.openAsks.value.length === 0) this.#waitsSince = Date.parse(at)
        this.#waits(entry.data, true, at)
        this.#push('', item)
        this.openAsks.value = [...this.openAsks.value, entry.data]
        return
      }
      case 'answered':
        return this.#closeAsk(entry.data.ask, at, { answer: entry.data.answer, by: entry.data.by })
      case 'withdrawn':
        return this.#closeAsk(entry.data.ask, at, { withdrawn: entry.data.reason })
      case 'state': {
        const { title, error, by: _, rewound, ...change } = entry.data
        if (rewound) this.#rewound(rewound.message, seq, at)
        this.#facts({
          ...change,
          ...(title === undefined ? {} : { title: title ?? undefined }),
          ...(error === undefined ? {} : { error: error ?? undefined }),
        })
      }
    }
  }

  #closeAsk(id: string, at: string, closed: NonNullable<AskItem['closed']>): void {
    const item = this.#asks.get(id)
    const isLast = this.openAsks.value.length === 1 && this.openAsks.value[0]?.id === id
    if (isLast) this.#waitedMs += Date.parse(at) - this.#waitsSince
    this.openAsks.value = this.openAsks.value.filter((ask) => ask.id !== id)
    if (!item) return
    this.#waits(item.ask, false, at)
    item.closed = closed
    touch(item)
  }

  #waits({ tool }: Ask, isWaiting: boolean, at: string): void {
    const item = tool && this.#tools.get(tool.useId)
    if (!item) return
    item.isWaiting = isWaiting
    if (!isWaiting) item.startedAt = Date.parse(at)
    touch(item)
  }

  #prompt(change: PromptChange, seq: number, at: string): void {
    if (change.change === 'queued') {
      this.#prompts.set(change.prompt.id, change.prompt)
      this.waiting.value = [...this.waiting.value, change.prompt]
      return
    }
    if (change.change === 'reordered') {
      const place = ({ id }: Prompt) => (change.order.includes(id) ? change.order.indexOf(id) : change.order.length)
      this.waiting.value = [...this.waiting.value].sort((a, b) => place(a) - place(b))
      return
    }
    const { id } = change
    this.waiting.value = this.waiting.value.filter((prompt) => prompt.id !== id)
    const prompt = this.#prompts.get(id)
    if (change.change === 'started' && prompt) {
      const { content, by } = prompt
      const item = newItem('prompt', { seq, at, id, content, by, message: change.message, end: undefined })
      this.#promptItems.set(id, item)
      this.#facts({ hasFailed: false })
      this.#push('', item)
    } else if (change.change === 'done' || change.change === 'interrupted') {
      const item = this.#promptItems.get(id)
      if (change.change === 'interrupted')
        this.#push('', newItem('notice', { seq, at, tone: 'warning', text: T.interrupted, detail: change.reason }))
      if (!item) return
      item.end = change.change
      touch(item)
    }
  }

  /** What came after the message stays in the log, and is no part of the conversation any more. */
  #rewound(message: string, seq: number, at: string): void {
    const from = this.items.findIndex((item) => item.kind === 'prompt' && item.message === message)
    if (from >= 0) this.items.splice(from)
    this.#push('', newItem('notice', { seq, at, tone: 'mark', text: T.rewound }))
  }

  #message(message: SDKMessage, seq: number, at: string): void {
    switch (message.type) {
      case 'assistant':
        return this.#assistant(message, seq, at)
      case 'user':
        return this.#user(message, seq, at)
      case 'result': {
        for (const items of this.#live.values()) for (const item of items) if ('live' in item) this.#finish(item)
        this.#live.clear()
        const total = message.total_cost_usd
        const costUsd = Math.max(0, total >= this.#lastTotal ? total - this.#lastTotal : total)
        this.#lastTotal = total
        const windows = Object.values(message.modelUsage).map(({ contextWindow }) => contextWindow)
        this.#facts({
          costUsd: message.session_total_cost_usd ?? total,
          cacheHitRate: message.cache_hit_rate,
          contextWindow: Math.max(0, ...windows),
          hasFailed: isFailure(message),
        })
        const isTold = this.#error !== undefined && message.is_error
        if (this.#error && isTold && message.error_fix) {
          this.#error.fix = message.error_fix
          touch(this.#error)
        }
        this.#push('', newItem('turn', { seq, at, result: message, costUsd, waitedMs: this.#waitedMs, isTold }))
        this.#waitedMs = 0
        this.#error = undefined
        this.said.value = T.turnOver
        return
      }
      case 'system':
        if (message.subtype === 'init') this.#facts({ commands: message.slash_commands })
        this.#task(message, at)
        this.#noteActivity(message, at)
        break
      default:
    }
    const notice = shownNoticeOf(message, at)
    if (notice) this.#push('', newItem('notice', { seq, at, ...notice }))
  }

  #finish(item: Item): void {
    if (!('live' in item)) return
    item.live = false
    touch(item)
  }

  #assistant(message: Extract<SDKMessage, { type: 'assistant' }>, seq: number, at: string): void {
    const speaker = message.parent_tool_use_id ?? ''
    const { usage, content } = message.message
    if (speaker === '' && usage) {
      const used = usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0)
      if (used > 0) this.#facts({ contextUsed: used + usage.output_tokens })
    }
    for (const block of content) {
      if (block.type === 'text' && message.error) {
        const item = newItem('notice', { seq, at, ...errorNotice(block.text) })
        this.#push(speaker, item)
        if (speaker === '') this.#error = item
      } else if (block.type === 'text') {
        const item = this.#complete(speaker, 'text', block.text, seq, at)
        if (speaker === '') this.said.value = item.text.slice(0, 600).replace(/[*_`#|]+/g, ' ')
      } else if (block.type === 'thinking') this.#complete(speaker, 'thinking', block.thinking, seq, at)
      else if (block.type === 'tool_use') {
        const live = this.#tools.get(block.id)
        this.#unlive(speaker, live)
        const item = live ?? this.#newTool(speaker, block.id, block.name, seq, at)
        item.input = (block.input ?? {}) as Record<string, unknown> // tools take objects
        item.live = false
        item.seq = seq
        touch(item)
      }
    }
  }

  #complete(speaker: string, kind: 'text' | 'thinking', text: string, seq: number, at: string): TextItem {
    const live = this.#live.get(speaker)?.find((item): item is TextItem => item.kind === kind)
    this.#unlive(speaker, live)
    const item = live ?? newItem(kind, { seq, at, text, live: false })
    item.text = text
    item.live = false
    item.seq = seq
    if (live) touch(item)
    else this.#push(speaker, item)
    return item
  }

  #unlive(speaker: string, item: Item | undefined): void {
    if (!item) return
    const rest = this.#live.get(speaker)?.filter((one) => one !== item) ?? []
    this.#live.set(speaker, rest)
  }

  #newTool(speaker: string, useId: string, name: string, seq: number, at: string): ToolItem {
    const item = newItem('tool', {
      seq,
      at,
      useId,
      parent: speaker,
      name,
      input: {},
      partial: '',
      live: true,
      output: '',
      startedAt: Date.parse(at),
      isWaiting: false,
      result: undefined,
      children: [],
      agentTokens: 0,
    })
    this.#tools.set(useId, item)
    this.#push(speaker, item)
    return item
  }

  #user(message: Extract<SDKMessage, { type: 'user' }>, seq: number, at: string): void {
    const speaker = message.parent_tool_use_id ?? ''
    const { content } = message.message
    // A sub-agent's prompt is shown with the call that started it.
    const isTask = (words: string) => this.#tools.get(speaker)?.input['prompt'] === words
    if (typeof content === 'string') {
      // Prompts of users are separate entries; this text comes from the program.
      if (speaker !== '' && !isTask(content))
        this.#push(speaker, newItem('notice', { seq, at, tone: 'plain', text: content }))
      return
    }
    for (const block of content) {
      if (block.type === 'text' && speaker !== '' && !isTask(block.text))
        this.#push(speaker, newItem('notice', { seq, at, tone: 'plain', text: block.text }))
      if (block.type !== 'tool_result') continue
      const item = this.#tools.get(block.tool_use_id)
      if (!item) continue
      item.result = {
        content: (block.content ?? '') as string | readonly ContentBlockParam[], // as the protocol has it
        isError: block.is_error === true,
        detail: message.tool_use_result,
        ms: Date.parse(at) - item.startedAt,
      }
      item.live = false
      item.output = ''
      touch(item)
    }
  }

  #task(message: Extract<SDKMessage, { type: 'system' }>, at: string): void {
    const change = (id: string, fields: Partial<Task>) => {
      this.tasks.value = this.tasks.value.map((task) => (task.id === id ? { ...task, ...fields } : task))
    }
    if (message.subtype === 'task_started') {
      const { task_id: id, tool_use_id: useId, task_type: type = '', description } = message
      const task = {
        id,
        type,
        description,
        status: 'running',
        useId,
        summary: undefined,
        tokens: 0,
        lastTool: undefined,
      }
      this.tasks.value = [...this.tasks.value.filter((one) => one.id !== id), { ...task, since: at }]
    } else if (message.subtype === 'task_progress') {
      change(message.task_id, { tokens: message.usage.total_tokens, lastTool: message.last_tool_name })
      const tool = message.tool_use_id === undefined ? undefined : this.#tools.get(message.tool_use_id)
      if (tool) {
        tool.agentTokens = message.usage.total_tokens
        touch(tool)
      }
    } else if (message.subtype === 'task_updated') {
      const { status, description } = message.patch
      change(message.task_id, { ...(status ? { status } : {}), ...(description ? { description } : {}) })
    } else if (message.subtype === 'task_notification') {
      const tokens = message.usage ? { tokens: message.usage.total_tokens } : {}
      change(message.task_id, { status: message.status, summary: message.summary, ...tokens })
    }
  }

  #noteActivity(message: Extract<SDKMessage, { type: 'system' }>, at: string): void {
    const note = (activity: Omit<Activity, 'at'>) => {
      this.activity.value = [...this.activity.value.slice(-199), { at, ...activity }]
    }
    if (message.subtype === 'hook_response') {
      const { hook_name, hook_event, output, stderr, outcome } = message
      const isError = outcome === 'error'
      note({ what: 'hook', name: `${hook_event} · ${hook_name}`, text: (isError ? stderr : output).trim(), isError })
    }
    if (message.subtype === 'init')
      for (const { name, status } of message.mcp_servers) {
        const before = this.activity.value.findLast((one) => one.what === 'mcp' && one.name === name)
        if (before?.text !== status) note({ what: 'mcp', name, text: status, isError: status === 'failed' })
      }
  }

  #delta({ data, seq, at }: Delta): void {
    if (data.type === 'tool_progress') {
      const item = this.#tools.get(data.tool_use_id)
      if (!item || item.result || !data.output) return
      item.output = (item.output + data.output).slice(-MOST_OUTPUT)
      touch(item)
      return
    }
    const speaker = data.parent_tool_use_id ?? ''
    const { event } = data
    if (event.type === 'content_block_start') {
      const { content_block: block } = event
      let item: Item | undefined
      if (block.type === 'text' || block.type === 'thinking') {
        item = newItem(block.type, { seq, at, text: '', live: true })
        this.#push(speaker, item)
      } else if (block.type === 'tool_use' && !this.#tools.has(block.id))
        item = this.#newTool(speaker, block.id, block.name, seq, at)
      if (item) this.#live.set(speaker, [...(this.#live.get(speaker) ?? []), item])
    } else if (event.type === 'content_block_delta') {
      const { delta } = event
      const item = this.#live.get(speaker)?.at(-1)
      if (!item) return
      if (delta.type === 'text_delta' && item.kind === 'text') item.text += delta.text
      else if (delta.type === 'thinking_delta' && item.kind === 'thinking') item.text += delta.thinking
      else if (delta.type === 'input_json_delta' && item.kind === 'tool') item.partial += delta.partial_json
      touch(item)
    }
  }

  #place(speaker: string): { list: Item[]; rev: Signal<number> } {
    const parent = speaker === '' ? undefined : this.#tools.get(speaker)
    return parent ? { list: parent.children, rev: parent.rev } : { list: this.items, rev: this.rev }
  }

  #push(speaker: string, item: Item): void {
    const { list, rev } = this.#place(speaker)
    list.push(item)
    rev.value += 1
  }
}
