/** Translates the events of a turn into those of an AG-UI run. */
import type { RequestItem, TextItem, ToolItem, ViewSnapshot } from '../../public-client.js'
import { promptText, toolCallOfRequest } from '../call-content.js'
import { errorSentence, type FollowTurnOptions, type TurnStep } from '../follow-turn.js'
import type { TurnEvent } from '../turn-events.js'
import type { AgUiEvent, AgUiState } from './ag-ui-events.js'
import { agUiStateOf, agUiUsageOf, contentOfResult, interruptOf } from './event-parts.js'

export type EventWriterOptions = Pick<FollowTurnOptions, 'describeError'> & {
  threadId: string
  runId: string
  /** Calls that the messages of the run's input have. */
  knownCalls?: ReadonlySet<string>
}

export class EventWriter {
  readonly #options: EventWriterOptions
  readonly #describe: (error: Error) => string
  readonly #texts = new Map<string, TextItem>()
  /** Calls that began, and whether their input is complete. */
  readonly #calls = new Map<string, { item: Pick<ToolItem, 'useId' | 'parent'>; isCalled: boolean; isOver: boolean }>()
  readonly #items = new Map<string, ToolItem>()
  readonly #inputs = new Set<string>()
  /** Sub-agents that are at work, by their call. */
  readonly #subagents = new Map<string, ToolItem | undefined>()
  #state: AgUiState | undefined
  #isStarted = false
  #events: AgUiEvent[] = []

  constructor(options: EventWriterOptions) {
    this.#options = options
    this.#describe = options.describeError ?? errorSentence
    for (const useId of options.knownCalls ?? [])
      this.#calls.set(useId, { item: { useId, parent: '' }, isCalled: true, isOver: false })
  }

  write({ events, value }: TurnStep): AgUiEvent[] {
    this.#events = []
    if (!this.#isStarted) {
      this.#isStarted = true
      const { threadId, runId } = this.#options
      this.#add({ type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' })
    }
    if (value.isReady) this.#writeState(value)
    for (const event of events) this.#write(event)
    return this.#events
  }

  #writeState(value: ViewSnapshot) {
    const state = agUiStateOf(value)
    const before = this.#state
    this.#state = state
    if (!before) return this.#add({ type: 'STATE_SNAPSHOT', snapshot: state })
    const old: Record<string, unknown> = before
    const changed = Object.entries(state).filter(([name, one]) => one !== old[name])
    if (changed.length === 0) return
    const delta = changed.map(([name, one]) => ({ op: 'replace' as const, path: `/${name}`, value: one }))
    this.#add({ type: 'STATE_DELTA', delta })
  }

  #write(event: TurnEvent) {
    switch (event.what) {
      case 'begin':
      case 'request':
        return
      case 'text':
        return this.#text(event.item, event.piece)
      case 'text-end':
        return this.#closeText(event.item)
      case 'dropped':
        return event.item.kind === 'tool' ? this.#takeBack(event.item) : this.#closeText(event.item)
      case 'call':
      case 'input':
      case 'called':
      case 'output':
      case 'task':
      case 'call-end':
        return this.#call(event)
      case 'request-end': {
        const { ask, closed } = event.item
        if (!closed) return
        const how = 'answer' in closed ? { answer: closed.answer.kind, by: closed.by } : closed
        return this.#add({ type: 'CUSTOM', name: 'kedge.answered', value: { id: ask.id, ...how } })
      }
      case 'notice': {
        const { level, text, detail, fix } = event.item
        return this.#add({ type: 'CUSTOM', name: 'kedge.notice', value: { level, text, detail, fix } })
      }
      case 'prompt': {
        const { key: messageId } = event.item
        return this.#add(
          { type: 'TEXT_MESSAGE_START', messageId, role: 'user' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: promptText(event.item) },
          { type: 'TEXT_MESSAGE_END', messageId },
        )
      }
      case 'connection': {
        const value = { isLost: event.isLost, ...(event.error ? { problem: this.#describe(event.error) } : {}) }
        return this.#add({ type: 'CUSTOM', name: 'kedge.connection', value })
      }
      case 'paused':
        return this.#pause(event.requests)
      case 'end':
        return this.#end(event)
      case 'failed':
        return this.#fail(event.error)
    }
  }

  #text(item: TextItem, delta: string) {
    const { key: messageId, kind } = item
    const by = this.#speaker(item.parent)
    const isNew = !this.#texts.has(messageId)
    this.#texts.set(messageId, item)
    if (kind === 'text') {
      if (isNew) this.#add({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...by })
      if (delta !== '') this.#add({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta, ...by })
      return
    }
    if (isNew)
      this.#add(
        { type: 'REASONING_START', messageId, ...by },
        { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning', ...by },
      )
    if (delta !== '') this.#add({ type: 'REASONING_MESSAGE_CONTENT', messageId, delta, ...by })
  }

  #closeText({ key: messageId, kind, parent }: TextItem) {
    if (!this.#texts.delete(messageId)) return
    const by = this.#speaker(parent)
    if (kind === 'text') return this.#add({ type: 'TEXT_MESSAGE_END', messageId, ...by })
    this.#add({ type: 'REASONING_MESSAGE_END', messageId, ...by }, { type: 'REASONING_END', messageId, ...by })
  }

  #call(
    event: Extract<TurnEvent, { item: ToolItem; what: 'call' | 'input' | 'called' | 'output' | 'task' | 'call-end' }>,
  ) {
    const { item } = event
    const { useId: toolCallId, name: toolCallName } = item
    this.#items.set(toolCallId, item)
    const by = this.#speaker(item.parent)
    switch (event.what) {
      case 'call':
        this.#calls.set(toolCallId, { item, isCalled: false, isOver: false })
        return this.#add({ type: 'TOOL_CALL_START', toolCallId, toolCallName, ...by })
      case 'input':
        this.#inputs.add(toolCallId)
        return this.#add({ type: 'TOOL_CALL_ARGS', toolCallId, delta: event.piece, ...by })
      case 'called':
        if (!this.#inputs.has(toolCallId))
          this.#add({ type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(item.input), ...by })
        return this.#closeInput(toolCallId)
      case 'output':
        return this.#add({ type: 'CUSTOM', name: 'kedge.output', value: { toolCallId, text: event.piece } })
      case 'task': {
        const { task, agentCalls: calls, agentTokens: tokens, state } = item
        const content = { toolCallId, status: task?.status ?? state, summary: task?.summary, calls, tokens }
        return this.#add({
          type: 'ACTIVITY_SNAPSHOT',
          messageId: `task-${toolCallId}`,
          activityType: 'kedge.task',
          content,
        })
      }
      case 'call-end': {
        this.#closeInput(toolCallId)
        if (item.state !== 'background') this.#closeSubagent(toolCallId)
        const isError = item.state !== 'done' && item.state !== 'background' && item.result?.isError !== false
        return this.#result(item, contentOfResult(item), isError)
      }
    }
  }

  #closeInput(toolCallId: string) {
    const call = this.#calls.get(toolCallId)
    if (!call || call.isCalled) return
    call.isCalled = true
    this.#add({ type: 'TOOL_CALL_END', toolCallId, ...this.#speaker(call.item.parent) })
  }

  #result(
    { useId, parent }: Pick<ToolItem, 'useId' | 'parent'>,
    content: ReturnType<typeof contentOfResult>,
    isError: boolean,
  ) {
    const call = this.#calls.get(useId)
    if (call) call.isOver = true
    const metadata = isError ? { metadata: { kedge: { isError: true as const } } } : {}
    const fields = { messageId: `result-${useId}`, toolCallId: useId, role: 'tool' as const }
    this.#add({ type: 'TOOL_CALL_RESULT', ...fields, content, ...metadata, ...this.#speaker(parent) })
  }

  /** A call without a result would be one for the page to run. */
  #takeBack(item: Pick<ToolItem, 'useId' | 'parent'>) {
    this.#closeInput(item.useId)
    this.#inputs.delete(item.useId)
    this.#result(item, 'The model took this call back.', true)
  }

  /** Returns the field that names the sub-agent, which has begun by then. */
  #speaker(parent: string): { subagentRunId?: string } {
    if (parent === '') return {}
    if (!this.#subagents.has(parent)) {
      const item = this.#items.get(parent)
      this.#subagents.set(parent, item)
      const { description, subagent_type: type } = item?.input ?? {}
      const { subagentRunId: above } = item ? this.#speaker(item.parent) : {}
      this.#add({
        type: 'SUBAGENT_STARTED',
        subagentRunId: parent,
        name: typeof type === 'string' ? type : (item?.name ?? 'sub-agent'),
        ...(typeof description === 'string' ? { description } : {}),
        ...(above === undefined ? {} : { parentSubagentRunId: above }),
        parentToolCallId: parent,
      })
    }
    return { subagentRunId: parent }
  }

  #closeSubagent(subagentRunId: string) {
    this.#closeOf(subagentRunId)
    if (this.#subagents.delete(subagentRunId)) this.#add({ type: 'SUBAGENT_FINISHED', subagentRunId })
  }

  /** Ends what the speaker writes; undefined: what all of them write. */
  #closeOf(parent: string | undefined) {
    for (const item of [...this.#texts.values()])
      if (parent === undefined || item.parent === parent) this.#closeText(item)
    for (const [useId, { item }] of this.#calls)
      if (parent === undefined || item.parent === parent) this.#closeInput(useId)
  }

  #pause(requests: readonly RequestItem[]) {
    const interrupts = requests.map((request) => {
      const parent = this.#calls.get(toolCallOfRequest(request.ask).toolCallId)?.item.parent
      return interruptOf(request, parent === '' ? undefined : parent)
    })
    this.#closeOf(undefined)
    for (const subagentRunId of [...this.#subagents.keys()].reverse()) {
      const interruptIds = interrupts.flatMap((one) => (one.subagentRunId === subagentRunId ? one.id : []))
      this.#subagents.delete(subagentRunId)
      this.#add({ type: 'SUBAGENT_FINISHED', subagentRunId, outcome: { type: 'suspended', interruptIds } })
    }
    this.#add({ type: 'RUN_FINISHED', ...this.#run, outcome: { type: 'interrupt', interrupts } })
  }

  #end({ outcome, turn, problem }: Extract<TurnEvent, { what: 'end' }>) {
    this.#closeOf(undefined)
    for (const subagentRunId of [...this.#subagents.keys()].reverse()) {
      this.#subagents.delete(subagentRunId)
      // In the background, it continues.
      this.#add({ type: 'SUBAGENT_FINISHED', subagentRunId, outcome: { type: 'suspended' } })
    }
    if (turn?.answer !== undefined) {
      const messageId = turn.key
      this.#add(
        { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: turn.answer },
        { type: 'TEXT_MESSAGE_END', messageId },
      )
    }
    if (outcome === 'failed' || outcome === 'interrupted')
      return this.#add({ type: 'RUN_ERROR', message: problem ?? `The turn ${ENDINGS[outcome]}.`, code: outcome })
    if (outcome !== 'done') return this.#add({ type: 'RUN_FINISHED', ...this.#run, outcome: { type: 'cancelled' } })
    const facts = turn
      ? { result: { costUsd: turn.costUsd, durationMs: turn.result.duration_ms }, usage: agUiUsageOf(turn) }
      : {}
    this.#add({ type: 'RUN_FINISHED', ...this.#run, ...facts, outcome: { type: 'success' } })
  }

  #fail(error: Error) {
    const code = 'code' in error && typeof error.code === 'string' ? { code: error.code } : {}
    this.#add({ type: 'RUN_ERROR', message: this.#describe(error), ...code })
  }

  get #run() {
    const { threadId, runId } = this.#options
    return { threadId, runId }
  }

  #add(...events: AgUiEvent[]) {
    this.#events.push(...events)
  }
}

const ENDINGS = { failed: 'failed', interrupted: 'was interrupted before it ended' }
