/** A turn that the framework reads: it stops reading at a request, and continues with another reader. */
import type { Ask, Client, ClientSession } from '../../public-client.js'
import { approvalAnswer, toolCallOfRequest } from '../call-content.js'
import { followTurn } from '../follow-turn.js'
import type { KnownItem, TurnEvent } from '../turn-events.js'
import { TurnReader } from '../turn-reader.js'
import type { HarnessPart, HarnessTurnControl } from './harness-parts.js'
import { answerOfQuestionsOutput } from './harness-questions.js'
import { PartWriter } from './part-writer.js'

export type HarnessTurnTarget = {
  prompt: string
  since?: number | undefined
  /** What an earlier slice has emitted. */
  known?: Record<string, KnownItem>
}

export class HarnessTurn {
  readonly #client: Client
  readonly #session: ClientSession
  readonly #reader: TurnReader
  readonly #writer: PartWriter
  readonly #stopped = new AbortController()
  readonly prompt: string
  #emit: (part: HarnessPart) => void = () => {}
  #settle: { resolve: () => void; reject: (error: unknown) => void } | undefined
  #resume: (() => void) | undefined
  #isRunning = false
  /** What was read and not emitted, because a request came before it. */
  #unsent: readonly TurnEvent[] = []

  constructor(client: Client, session: ClientSession, { prompt, since, known = {} }: HarnessTurnTarget) {
    this.#client = client
    this.#session = session
    this.prompt = prompt
    const items = new Map(Object.entries(known))
    this.#reader = new TurnReader({ prompt, since, known: items, onRequest: 'wait' })
    this.#writer = new PartWriter([...items.keys()].flatMap((key) => (/^call-/.test(key) ? key.slice(5) : [])))
  }

  /** Emits what comes from now on to this reader. */
  read(emit: (part: HarnessPart) => void, abort: AbortSignal | undefined): HarnessTurnControl {
    this.#emit = emit
    const done = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject }
    })
    const interrupt = () => {
      this.#settle?.reject(abort?.reason)
      void this.#session.interrupt().catch(() => {})
    }
    if (abort?.aborted) interrupt()
    else abort?.addEventListener('abort', interrupt, { once: true })
    // A later abort is about no turn of this session. The framework may look at `done` late.
    const release = () => abort?.removeEventListener('abort', interrupt)
    done.then(release, release)
    this.#resume?.()
    if (!this.#isRunning) void this.#run()
    return {
      done,
      submitToolApproval: async ({ approvalId, approved, reason }) => {
        const ask = await this.#askOf((one) => one.id === approvalId)
        if (ask) await this.#session.answer(ask, approvalAnswer(ask, approved, reason))
      },
      submitToolResult: async ({ toolCallId, output, isError }) => {
        const ask = await this.#askOf((one) => toolCallOfRequest(one).toolCallId === toolCallId)
        if (!ask) return
        await this.#session.answer(
          ask,
          isError ? approvalAnswer(ask, false, String(output)) : answerOfQuestionsOutput(ask, output),
        )
      },
      submitUserMessage: async (content) => {
        await this.#session.send({ content, when: 'steer' })
      },
    }
  }

  /** Stops reading, and returns what was emitted. The turn continues. */
  suspend(): Record<string, KnownItem> {
    this.#stopped.abort()
    this.#resume?.()
    this.#settle?.resolve()
    return withoutUnsent(this.#reader.sent.known(), this.#unsent)
  }

  /** One that isn't open any more was answered elsewhere: the turn shows it. */
  async #askOf(isIt: (ask: Ask) => boolean): Promise<Ask | undefined> {
    return (await this.#client.asks({ session: this.#session.id })).find(isIt)
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    const { signal } = this.#stopped
    try {
      for await (const step of followTurn(this.#session, this.#reader, { signal })) {
        for (let { events } = step; events.length > 0; events = this.#unsent) {
          const { parts, waits, rest } = this.#writer.write({ ...step, events })
          this.#unsent = rest
          for (const part of parts) this.#emit(part)
          if (!waits) continue
          await new Promise<void>((resolve) => {
            this.#resume = resolve
          })
          if (signal.aborted) return
        }
      }
      const { error } = this.#writer
      if (error) this.#settle?.reject(error)
      else this.#settle?.resolve()
    } catch (error) {
      this.#settle?.reject(error)
    }
  }
}

/** Returns what is known without what these events would add to it. */
function withoutUnsent(known: Record<string, KnownItem>, unsent: readonly TurnEvent[]): Record<string, KnownItem> {
  const sent = { ...known }
  for (const event of unsent) {
    if (!('item' in event)) continue
    const { key } = event.item
    const { [key]: item } = sent
    if (!item) continue
    if (event.what === 'text') delete sent[key]
    else if (event.what === 'call' || event.what === 'request') delete sent[key]
    else if (event.what === 'called') sent[key] = { ...item, isCalled: false }
    else if (event.what === 'call-end' || event.what === 'request-end') sent[key] = { ...item, isOver: false }
  }
  return sent
}
