/** Translates the events of a turn into those of the harness specification. */
import type { RequestItem, ToolItem, TurnItem } from '../../public-client.js'
import { isUserQuestionTool, outputAsTextOrBlocks, toolCallOfRequest } from '../call-content.js'
import type { TurnStep } from '../follow-turn.js'
import type { TurnEvent } from '../turn-events.js'
import type { HarnessJson, HarnessPart, HarnessUsage } from './harness-parts.js'
import { QUESTIONS_TOOL, questionsOf } from './harness-questions.js'

/** `waits`: the framework stops reading after these parts, and continues with an answer. */
export type HarnessStep = { parts: HarnessPart[]; waits: boolean; rest: readonly TurnEvent[] }

const NO_USAGE: HarnessUsage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
}

export class PartWriter {
  readonly #texts = new Map<string, 'text' | 'reasoning'>()
  readonly #calls: Set<string>
  readonly #inputs = new Set<string>()
  #isStarted = false
  #hasStep: boolean
  #hasResult = false
  #parts: HarnessPart[] = []
  /** Why the turn failed. */
  error: Error | undefined

  /** `knownCalls` came in an earlier slice of the turn. */
  constructor(knownCalls: Iterable<string>) {
    this.#calls = new Set(knownCalls)
    // Its step is under way: the framework waits for the end of it.
    this.#hasStep = this.#calls.size > 0
  }

  /** Writes up to a request; `rest` are the events after it. */
  write({ events, value }: TurnStep): HarnessStep {
    this.#parts = []
    if (!this.#isStarted) {
      this.#isStarted = true
      const { model } = value.facts
      this.#parts.push({ type: 'stream-start', ...(model === undefined ? {} : { modelId: model }) })
    }
    for (const [at, event] of events.entries()) {
      this.#write(event)
      // One that was answered meanwhile waits for nobody.
      if (event.what === 'request' && !event.item.closed)
        return { parts: this.#parts, waits: true, rest: events.slice(at + 1) }
    }
    return { parts: this.#parts, waits: false, rest: [] }
  }

  #write(event: TurnEvent) {
    switch (event.what) {
      case 'text': {
        const { item, piece: delta } = event
        if (item.parent !== '') return
        const kind = item.kind === 'text' ? 'text' : 'reasoning'
        if (!this.#texts.has(item.key)) {
          this.#beginPart()
          this.#texts.set(item.key, kind)
          this.#add({ type: `${kind}-start`, id: item.key })
        }
        return delta === '' ? undefined : this.#add({ type: `${kind}-delta`, id: item.key, delta })
      }
      case 'text-end':
        return this.#closeText(event.item.key)
      case 'dropped':
        // What a framework has shown stays.
        return event.item.kind === 'tool' ? undefined : this.#closeText(event.item.key)
      case 'call':
      case 'input':
      case 'called':
      case 'call-end':
        return this.#call(event)
      case 'request':
        return this.#request(event.item)
      case 'request-end':
        return this.#formEnd(event.item)
      case 'notice':
        return this.#notice(event)
      case 'end':
        return this.#end(event)
      case 'failed':
        this.error = event.error
    }
  }

  #call({ what, item, ...more }: Extract<TurnEvent, { what: 'call' | 'input' | 'called' | 'call-end' }>) {
    const { useId: id, name: toolName } = item
    // A sub-agent's calls are its own, and a question comes with its request.
    if (what !== 'call-end' && (item.parent !== '' || isUserQuestionTool(toolName))) return
    switch (what) {
      case 'call':
        return this.#beginPart()
      case 'input':
        if (!this.#inputs.has(id)) {
          this.#inputs.add(id)
          this.#add({ type: 'tool-input-start', id, toolName, providerExecuted: true, dynamic: true })
        }
        return this.#add({ type: 'tool-input-delta', id, delta: 'piece' in more ? more.piece : '' })
      case 'called':
        if (this.#inputs.has(id)) this.#add({ type: 'tool-input-end', id })
        return this.#addCall(id, toolName, item.input)
      case 'call-end':
        if (this.#calls.has(id)) this.#result(item)
    }
  }

  #addCall(toolCallId: string, toolName: string, input: unknown) {
    this.#calls.add(toolCallId)
    const fields = toolName === QUESTIONS_TOOL ? {} : { providerExecuted: true as const, dynamic: true as const }
    this.#add({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input), ...fields })
  }

  #result({ useId: toolCallId, name, result, reason, state }: ToolItem) {
    this.#hasResult = true
    const isError = result?.isError !== false || state === 'denied'
    // Blocks are JSON of the protocol.
    const output = result
      ? (outputAsTextOrBlocks(result) as NonNullable<HarnessJson>)
      : (reason ?? 'The turn ended before this call did.')
    const toolName = isUserQuestionTool(name) ? QUESTIONS_TOOL : name
    this.#add({
      type: 'tool-result',
      toolCallId,
      toolName,
      result: output,
      ...(isError ? { isError } : {}),
      dynamic: true,
    })
  }

  #request({ ask, closed }: RequestItem) {
    if (closed && (!ask.tool || this.#calls.has(ask.tool.useId))) return
    const { toolCallId, toolName, input } = toolCallOfRequest(ask)
    if (ask.kind === 'question') {
      this.#beginPart()
      return this.#addCall(toolCallId, QUESTIONS_TOOL, questionsOf(ask))
    }
    if (!this.#calls.has(toolCallId)) {
      this.#beginPart()
      this.#addCall(toolCallId, toolName, input)
    }
    if (!closed) this.#add({ type: 'tool-approval-request', approvalId: ask.id, toolCallId })
  }

  /** The form of a server is a call of its own. */
  #formEnd({ ask, closed }: RequestItem) {
    const { toolCallId, toolName } = toolCallOfRequest(ask)
    if (ask.kind !== 'elicitation' || !closed || !this.#calls.has(toolCallId)) return
    this.#hasResult = true
    const answer = 'answer' in closed && closed.answer.kind === 'elicitation' ? closed.answer : undefined
    const result = { action: answer?.action ?? 'cancel', ...(answer?.content ? { content: answer.content } : {}) }
    this.#add({ type: 'tool-result', toolCallId, toolName, result, dynamic: true })
  }

  #notice({ item }: Extract<TurnEvent, { what: 'notice' }>) {
    if (item.about === 'compaction' && item.summary !== undefined)
      return this.#add({ type: 'compaction', trigger: 'auto', summary: item.summary })
    const { level, text, detail, fix } = item
    this.#add({ type: 'raw', rawValue: { kedge: { notice: { level, text, detail, fix } } } })
  }

  #end({ outcome, turn, problem }: Extract<TurnEvent, { what: 'end' }>) {
    for (const key of [...this.#texts.keys()]) this.#closeText(key)
    if (turn?.answer !== undefined)
      this.#add(
        { type: 'text-start', id: turn.key },
        { type: 'text-delta', id: turn.key, delta: turn.answer },
        { type: 'text-end', id: turn.key },
      )
    if (outcome !== 'done' && outcome !== 'stopped') {
      this.error = new Error(problem ?? `The turn ended: ${outcome}.`)
      return
    }
    const finishReason = { unified: outcome === 'done' ? ('stop' as const) : ('other' as const), raw: outcome }
    this.#add(
      { type: 'finish-step', finishReason, usage: NO_USAGE },
      { type: 'finish', finishReason, totalUsage: turn ? usageOfTurn(turn) : NO_USAGE },
    )
  }

  #closeText(id: string) {
    const kind = this.#texts.get(id)
    this.#texts.delete(id)
    if (kind) this.#add({ type: `${kind}-end`, id })
  }

  /** What the model writes after results is another step. */
  #beginPart() {
    if (this.#hasStep && this.#hasResult) {
      const finishReason = { unified: 'tool-calls' as const, raw: undefined }
      this.#add({ type: 'finish-step', finishReason, usage: NO_USAGE })
    }
    this.#hasStep = true
    this.#hasResult = false
  }

  #add(...parts: HarnessPart[]) {
    this.#parts.push(...parts)
  }
}

/** Returns the tokens of a turn, of all models together. */
function usageOfTurn({ result: { modelUsage } }: TurnItem): HarnessUsage {
  const all = Object.values(modelUsage)
  const sum = (count: (usage: (typeof all)[number]) => number) => all.reduce((total, one) => total + count(one), 0)
  const noCache = sum(({ inputTokens }) => inputTokens)
  const cacheRead = sum(({ cacheReadInputTokens }) => cacheReadInputTokens)
  const cacheWrite = sum(({ cacheCreationInputTokens }) => cacheCreationInputTokens)
  return {
    inputTokens: { total: noCache + cacheRead + cacheWrite, noCache, cacheRead, cacheWrite },
    outputTokens: { total: sum(({ outputTokens }) => outputTokens), text: undefined, reasoning: undefined },
  }
}
