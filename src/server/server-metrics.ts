/** What the server counts, and how Prometheus reads it. */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Ask } from '../protocol/session-log/ask-types.js'
import type { LogEntry, SessionStatus } from '../protocol/session-log/entries.js'

const STATES: readonly SessionStatus[] = ['running', 'needs-you', 'idle', 'done', 'error']

export type MetricsSnapshot = { states: readonly SessionStatus[]; asks: readonly Ask[]; readers: number; now: number }

export class ServerMetrics {
  readonly #requests = new Map<string, number>()
  readonly #tokens = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 }
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: 20 })
  #cost = 0
  #turns = 0
  #failedTurns = 0

  constructor() {
    this.#delay.enable()
  }

  noteRequest(method: string, status: number): void {
    const key = `method="${method}",status="${status}"`
    this.#requests.set(key, (this.#requests.get(key) ?? 0) + 1)
  }

  /** Results say what turns took. */
  noteEntry(entry: LogEntry): void {
    if (entry.kind !== 'message' || entry.data.type !== 'result') return
    const { usage, total_cost_usd: cost, is_error: isError } = entry.data
    this.#turns += 1
    if (isError) this.#failedTurns += 1
    this.#tokens.input += usage.input_tokens
    this.#tokens.output += usage.output_tokens
    this.#tokens.cacheRead += usage.cache_read_input_tokens ?? 0
    this.#tokens.cacheCreation += usage.cache_creation_input_tokens ?? 0
    // A result says what its agent cost since it started.
    const before = this.#costs.get(entry.session) ?? 0
    this.#cost += cost >= before ? cost - before : cost
    this.#costs.set(entry.session, cost)
  }
  readonly #costs = new Map<string, number>()

  text({ states, asks, readers, now }: MetricsSnapshot): string {
    const { rss, heapUsed } = process.memoryUsage()
    const oldest = asks.reduce((age, { since }) => Math.max(age, now - Date.parse(since)), 0)
    const metric = (name: string, type: string, help: string, lines: (readonly [string, number])[]) =>
      `# HELP kedge_${name} ${help}\n# TYPE kedge_${name} ${type}\n${lines.map(([labels, value]) => `kedge_${name}${labels && `{${labels}}`} ${value}\n`).join('')}`
    const count = (state: SessionStatus) => states.filter((one) => one === state).length
    return [
      metric(
        'sessions',
        'gauge',
        'Open sessions by state.',
        STATES.map((state) => [`state="${state}"`, count(state)]),
      ),
      metric('asks_waiting', 'gauge', 'Asks that wait for an answer.', [['', asks.length]]),
      metric('oldest_ask_seconds', 'gauge', 'How long the oldest open ask has been waiting.', [['', oldest / 1000]]),
      metric('readers', 'gauge', 'Open event streams.', [['', readers]]),
      metric('requests_total', 'counter', 'Requests by method and status.', [...this.#requests]),
      metric('turns_total', 'counter', 'Turns that ended.', [['', this.#turns]]),
      metric('failed_turns_total', 'counter', 'Turns that ended with an error.', [['', this.#failedTurns]]),
      metric('tokens_total', 'counter', 'Tokens of the model.', [
        ['kind="input"', this.#tokens.input],
        ['kind="output"', this.#tokens.output],
        ['kind="cache_read"', this.#tokens.cacheRead],
        ['kind="cache_creation"', this.#tokens.cacheCreation],
      ]),
      metric('cost_usd_total', 'counter', 'The cost of turns in US dollars.', [['', this.#cost]]),
      metric('event_loop_delay_seconds', 'gauge', 'How late timers were, 99th percentile.', [
        ['', Math.max(0, this.#delay.percentile(99) / 1e9)],
      ]),
      metric('memory_bytes', 'gauge', 'Memory of the process.', [
        ['kind="resident"', rss],
        ['kind="heap"', heapUsed],
      ]),
    ].join('')
  }

  end(): void {
    this.#delay.disable()
  }
}
