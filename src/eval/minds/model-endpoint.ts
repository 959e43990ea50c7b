/** Puts a mind behind a Messages API on this machine, and keeps what was asked and answered. */
import type { Usage } from '../../protocol/content.js'
import type { ModelRequest } from '../../testing/observed-request.js'
import { startModelServer } from '../../testing/server.js'
import type { Answer } from '../../testing/turn.js'
import type { Mind } from './mind.js'
import { createPromptCacheSimulator } from './prompt-cache-simulator.js'

/** One model request and its answer. */
export type MindExchange = { at: string; request: ModelRequest; answer: Answer; usage: Usage }

export type ModelEndpoint = {
  /** Variables that lead an agent here. */
  environment: Record<string, string>
  /** In the order of the answers. */
  exchanges: readonly MindExchange[]
  /** Requests that the API would have refused, and other things an agent must not do. */
  problems(): string[]
  close(): Promise<void>
}

export async function startEndpoint(mind: Mind): Promise<ModelEndpoint> {
  const exchanges: MindExchange[] = []
  const cache = createPromptCacheSimulator()
  let calls = 0
  const server = await startModelServer(async (request: ModelRequest) => {
    const given = await mind.answer(request)
    const tools = given.tools?.map((call) => {
      calls += 1
      return { id: `toolu_${mind.name.replace(/\W/g, '')}_${calls}`, ...call }
    })
    const answer: Answer = { ...given, ...(tools ? { tools } : {}) }
    const said = answer.content ?? [answer.text ?? '', ...(tools ?? [])]
    const usage: Usage = { ...cache.take(request.body, said), ...answer.usage }
    exchanges.push({ at: new Date().toISOString(), request, answer, usage })
    return { ...answer, usage }
  })
  return {
    environment: server.env(),
    exchanges,
    problems: () => server.failures.map(({ message }) => message),
    close: server.close,
  }
}
