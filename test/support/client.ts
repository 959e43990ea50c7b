/** A model client for tests: real HTTP, waits that take no time and are remembered. */
import type { EngineRequest, ModelEvent, ModelOutcome } from '../../src/engine/ports.js'
import { createModelClient, type ModelClientConfig } from '../../src/model/client/client.js'
import { createLedger } from '../../src/model/ledger.js'
import { readModelEnvironment } from '../../src/model/messages-api/client-environment.js'
import {
  createMessagesApiAdapter,
  type MessagesApiAdapterConfig,
} from '../../src/model/messages-api/messages-api-adapter.js'
import { resolveModel } from '../../src/model/model-facts.js'
import { type Clock, nodeClock } from '../../src/platform/clock.js'
import { createHttpClient } from '../../src/platform/http/node-http.js'
import { createPlatformIdentity } from '../../src/platform/identity.js'

export const KEY = 'sk-ant-test-0123456789abcdef'

export function instantClock(): Clock & { waits: number[] } {
  const waits: number[] = []
  const sleep = async (ms: number) => {
    waits.push(ms)
  }
  return { ...nodeClock, sleep, waits }
}

type Overrides = Partial<ModelClientConfig> &
  Partial<MessagesApiAdapterConfig> & { env?: Record<string, string>; clock?: Clock; random?: string }

export function testClient(url: string, { env = {}, clock, random = '80000000', ...config }: Overrides = {}) {
  const http = createHttpClient()
  const waits = instantClock()
  const ledger = createLedger()
  const environment = readModelEnvironment({ ANTHROPIC_BASE_URL: url, ...env })
  const wire = createMessagesApiAdapter({
    environment,
    credential: () => ({ kind: 'api-key', secret: KEY, source: 'ANTHROPIC_API_KEY' }),
    version: '1.2.3',
    userId: 'someone',
    sessionId: 'session-1',
    ...config,
  })
  const client = createModelClient({
    // Half of the jitter range: waits are exact.
    platform: { http, clock: clock ?? waits, identity: { ...createPlatformIdentity(), hex: () => random } },
    wire: () => wire,
    limits: environment,
    resolve: (model) => resolveModel(model, environment.aliases),
    ledger,
    ...config,
  })
  return { client, ledger, waits: waits.waits, http }
}

export function request(overrides: Partial<EngineRequest> = {}): EngineRequest {
  return {
    model: 'claude-sonnet-4-5-20250929',
    system: [],
    tools: [],
    messages: [{ role: 'user', content: 'Hello.' }],
    partial: false,
    ...overrides,
  }
}

export async function collect(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const all: ModelEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

/** The outcome, which must be the last event and the only one of its kind. */
export function outcomeOf(events: readonly ModelEvent[]): ModelOutcome {
  const ends = events.filter((event) => event.type === 'end')
  const last = events.at(-1)
  if (ends.length !== 1 || last?.type !== 'end') throw new Error(`not one end event: ${JSON.stringify(events)}`)
  return last.outcome
}

export async function ask(
  client: { stream(request: EngineRequest, signal: AbortSignal): AsyncIterable<ModelEvent> },
  overrides: Partial<EngineRequest> = {},
): Promise<{ events: ModelEvent[]; outcome: ModelOutcome }> {
  const events = await collect(client.stream(request(overrides), new AbortController().signal))
  return { events, outcome: outcomeOf(events) }
}
