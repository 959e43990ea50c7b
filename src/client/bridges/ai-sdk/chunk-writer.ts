/** Translates the events of a turn into chunks of the AI SDK's UI message stream. */
import type { RequestItem, TextItem, ToolItem } from '../../public-client.js'
import { isApproved, isUserQuestionTool, outputAsTextOrBlocks, toolCallOfRequest } from '../call-content.js'
import { errorSentence, type FollowTurnOptions } from '../follow-turn.js'
import { callKey, type TurnEvent } from '../turn-events.js'
import type { TurnReader } from '../turn-reader.js'
import {
  agentChunk,
  answerChunks,
  approvalDescriptorOf,
  noticeChunk,
  promptChunk,
  turnMetadataOf,
} from './chunk-parts.js'
import type { UiChunk } from './ui-chunks.js'

export type ChunkWriterOptions = Pick<FollowTurnOptions, 'describeError'> & {
  /** The prompt of the turn, if it's known before the turn begins. */
  prompt?: string | undefined
  /** The message that these chunks continue; undefined: another one, named by its turn. */
  messageId?: string | undefined
  /** Calls that the message has. */
  knownCalls?: ReadonlySet<string>
  /** Requests that the message has as approvals. */
  knownApprovals?: ReadonlySet<string>
}

export class ChunkWriter {
  readonly #options: ChunkWriterOptions
  readonly #reader: TurnReader
  readonly #describe: (error: Error) => string
  readonly #calls: Set<string>
  readonly #approvals: Set<string>
  readonly #texts = new Map<string, TextItem>()
  /** The keys of what is in the current step; undefined: none was begun. */
  #step: Set<string> | undefined
  /** A result came: the next words of the model are another step. */
  #hasResult = false
  #isStarted = false
  /** Calls that a user denied. */
  readonly #denied = new Set<string>()
  #chunks: UiChunk[] = []

  constructor(reader: TurnReader, options: ChunkWriterOptions) {
    this.#reader = reader
    this.#options = options
    this.#describe = options.describeError ?? errorSentence
    this.#calls = new Set(options.knownCalls)
    this.#approvals = new Set(options.knownApprovals)
  }

  write(events: readonly TurnEvent[]): UiChunk[] {
    this.#chunks = []
    for (const event of events) this.#write(event)
    return this.#chunks
  }

  #write(event: TurnEvent) {
    switch (event.what) {
      case 'begin':
        return this.#start(event.turn)
      case 'notice':
        // What a sub-agent reads is shown with its call.
        return event.item.parent === '' ? this.#addPart(event.item.key, noticeChunk(event.item)) : undefined
      case 'prompt':
        return this.#addPart(event.item.key, promptChunk(event.item))
      case 'connection': {
        const problem = event.error ? { problem: this.#describe(event.error) } : {}
        return this.#add({ type: 'data-connection', data: { isLost: event.isLost, ...problem }, transient: true })
      }
      case 'request':
        return this.#request(event.item)
      case 'request-end':
        return this.#requestEnd(event.item)
      case 'paused':
        return this.#pause(event.requests)
      case 'end':
        return this.#end(event)
      case 'failed':
        this.#closeTexts()
        return this.#add(
          { type: 'error', errorText: this.#describe(event.error) },
          { type: 'finish', finishReason: 'error' },
        )
      default:
        return this.#item(event)
    }
  }

  #item(event: Extract<TurnEvent, { item: TextItem | ToolItem }>) {
    if (event.item.parent !== '' && !this.#calls.has((event.item as ToolItem).useId)) return // a sub-agent's own
    switch (event.what) {
      case 'text':
        return this.#text(event.item, event.piece)
      case 'text-end':
        return this.#closeText(event.item)
      case 'dropped':
        return this.#drop(event.item)
      case 'call':
        this.#calls.add(event.item.useId)
        return this.#part(event.item.key, { type: 'tool-input-start', ...callFields(event.item) })
      case 'input': {
        const { useId: toolCallId } = event.item
        return this.#add({ type: 'tool-input-delta', toolCallId, inputTextDelta: event.piece })
      }
      case 'called':
        return this.#add({ type: 'tool-input-available', input: event.item.input, ...callFields(event.item) })
      case 'output': {
        const data = { toolCallId: event.item.useId, text: event.piece }
        return this.#add({ type: 'data-output', data, transient: true })
      }
      case 'task':
        return this.#addPart(`agent-${event.item.useId}`, agentChunk(event.item))
      case 'call-end':
        return this.#callEnd(event.item)
    }
  }

  #text(item: TextItem, delta: string) {
    const id = item.key
    const kind = item.kind === 'text' ? 'text' : 'reasoning'
    if (!this.#texts.has(id)) {
      this.#texts.set(id, item)
      this.#part(id, { type: `${kind}-start`, id, providerMetadata: { kedge: { key: id } } })
    }
    if (delta !== '') this.#add({ type: `${kind}-delta`, id, delta })
  }

  #closeText({ key: id, kind }: Pick<TextItem, 'key' | 'kind'>) {
    if (this.#texts.delete(id)) this.#add({ type: kind === 'text' ? 'text-end' : 'reasoning-end', id })
  }

  #closeTexts() {
    for (const item of this.#texts.values()) this.#closeText(item)
  }

  #drop(item: TextItem | ToolItem) {
    const { key } = item
    if (item.kind === 'tool') this.#calls.delete(item.useId)
    if (!this.#step?.has(key)) return item.kind === 'tool' ? undefined : this.#closeText(item)
    this.#texts.delete(key)
    this.#reset([...this.#step].filter((other) => other !== key))
  }

  /** Removes the parts of the step, and writes these again. */
  #reset(keys: readonly string[]) {
    this.#texts.clear()
    for (const key of this.#step ?? []) {
      this.#calls.delete(key.replace(/^call-/, ''))
      this.#approvals.delete(key.replace(/^request-/, ''))
    }
    this.#step = new Set()
    this.#add({ type: 'reset-step' })
    for (const event of this.#reader.sent.again(keys)) this.#write(event)
  }

  #callEnd(item: ToolItem) {
    const { useId: toolCallId, state, result, reason } = item
    const fields = { toolCallId, dynamic: true as const, ...executedBy(item.name) }
    this.#hasResult = true
    if (this.#denied.has(toolCallId) && fields.providerExecuted)
      return this.#add({ type: 'tool-output-denied', toolCallId })
    if (!result) {
      const errorText = reason ?? 'The turn ended before this call did.'
      return this.#add({ type: 'tool-output-error', errorText, ...fields })
    }
    const output = outputAsTextOrBlocks(result)
    if (!result.isError && state !== 'denied') return this.#add({ type: 'tool-output-available', output, ...fields })
    const errorText = typeof output === 'string' && output !== '' ? output : (reason ?? 'The call failed.')
    this.#add({ type: 'tool-output-error', errorText, ...fields })
  }

  #request(item: RequestItem) {
    const { ask } = item
    const call = toolCallOfRequest(ask)
    if (!this.#calls.has(call.toolCallId)) {
      this.#calls.add(call.toolCallId)
      const { toolCallId, toolName, input } = call
      this.#part(callKey(toolCallId), {
        type: 'tool-input-available',
        toolCallId,
        toolName,
        input,
        dynamic: true,
        ...executedBy(ask.kind === 'elicitation' ? undefined : toolName),
      })
    }
    if (ask.kind === 'question' || ask.kind === 'elicitation') return
    this.#approvals.add(ask.id)
    this.#step?.add(item.key)
    const reason = ask.why.text === '' ? {} : { reason: ask.why.text }
    const { toolCallId } = call
    const approvalDescriptor = approvalDescriptorOf(ask)
    this.#add({ type: 'tool-approval-request', approvalId: ask.id, toolCallId, ...reason, approvalDescriptor })
  }

  #requestEnd(item: RequestItem) {
    const { ask, closed } = item
    if (!closed) return
    if (!isApproved(closed)) this.#denied.add(toolCallOfRequest(ask).toolCallId)
    for (const chunk of answerChunks(ask, closed, this.#approvals.has(ask.id)))
      if (chunk.type === 'data-request') this.#addPart(item.key, chunk)
      else this.#add(chunk)
  }

  /**
   * The library sends answers once every call of the last step has one: the calls that are asked about get a step of
   * their own, and those that wait behind them come later.
   */
  #pause(requests: readonly RequestItem[]) {
    this.#start(this.#options.prompt ?? '')
    this.#closeTexts()
    const asked = new Set(requests.flatMap(({ key, ask }) => [key, callKey(toolCallOfRequest(ask).toolCallId)]))
    const step = [...(this.#step ?? [])]
    const { sent } = this.#reader
    const isOpen = (key: string) => key.startsWith('call-') && !asked.has(key) && !sent.isOver(key)
    if (step.some(isOpen)) {
      const isBegun = (key: string) => !isOpen(key) || sent.isRunning(key)
      for (const key of step) if (!isBegun(key)) sent.forget(key)
      this.#reset(step.filter((key) => isBegun(key) && !asked.has(key)))
      this.#beginStep()
      for (const event of sent.again(step.filter((key) => asked.has(key)))) this.#write(event)
    }
    if (this.#step) this.#add({ type: 'finish-step' })
    this.#add({ type: 'finish', finishReason: 'tool-calls' })
  }

  #end({ outcome, turn, problem }: Extract<TurnEvent, { what: 'end' }>) {
    this.#closeTexts()
    if (turn?.answer !== undefined) {
      this.#text({ ...textFields, key: turn.key, text: turn.answer }, turn.answer)
      this.#closeTexts()
    }
    // Without a step after the answers, the library would send them again.
    if (!this.#step) this.#beginStep()
    this.#add({ type: 'finish-step' })
    const messageMetadata = turnMetadataOf(outcome, turn)
    if (outcome === 'done') return this.#add({ type: 'finish', finishReason: 'stop', messageMetadata })
    if (outcome === 'stopped') return this.#add({ type: 'finish', finishReason: 'interrupted', messageMetadata })
    const errorText = problem ?? ENDINGS[outcome]
    this.#add({ type: 'error', errorText }, { type: 'finish', finishReason: 'error', messageMetadata })
  }

  #start(turn: string) {
    if (this.#isStarted) return
    this.#isStarted = true
    this.#chunks.unshift({ type: 'start', messageId: this.#options.messageId ?? messageIdOfTurn(turn) })
  }

  #beginStep() {
    if (this.#step) this.#add({ type: 'finish-step' })
    this.#step = new Set()
    this.#hasResult = false
    this.#add({ type: 'start-step' })
  }

  /** Begins a part of the model's, in another step if it answers results. */
  #part(key: string, chunk: UiChunk) {
    if (!this.#step || this.#hasResult) this.#beginStep()
    this.#step?.add(key)
    this.#add(chunk)
  }

  /** Adds a part that needs no step. */
  #addPart(key: string, chunk: UiChunk) {
    this.#step?.add(key)
    this.#add(chunk)
  }

  #add(...chunks: UiChunk[]) {
    this.#chunks.push(...chunks)
  }
}

const ENDINGS = {
  failed: 'The turn failed.',
  interrupted: 'The turn was interrupted before it ended. Send the prompt again to continue.',
  removed: 'The prompt was removed before the agent answered it.',
}

const textFields = { kind: 'text' as const, parent: '', seq: 0, at: '', message: '', isLive: false }

/** Returns the id of the message that a turn becomes. */
export const messageIdOfTurn = (turn: string): string => `turn-${turn}`

/** A question is answered in the page; every other call runs in the session. */
const executedBy = (name: string | undefined) =>
  name === undefined || isUserQuestionTool(name) ? {} : { providerExecuted: true }

const callFields = ({ useId, name }: ToolItem) => ({
  toolCallId: useId,
  toolName: name,
  dynamic: true as const,
  ...executedBy(name),
})
