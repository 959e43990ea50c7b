/**
 * Runs a test twice: with the agent in this process and as a child process. What a host sees must be the same. `npm test`
 * runs a seeded fifth of the child processes, `npm run test:all` runs them all.
 */
import { test } from 'node:test'
import type { Options } from 'kedge'
import {
  type ModelHandler,
  type ModelServer,
  type Step,
  startModelServer,
  type TestOptions,
  testOptions,
} from 'kedge/testing'
import { type Isolation, isolationsOf } from '../support/tier.js'

export type { Isolation } from '../support/tier.js'

export type World = { server: ModelServer; options: TestOptions; isolation: Isolation }

/** `turns` is what the model says; a function, because each run needs its own. */
export function bothWays(
  name: string,
  turns: () => Step[] | ModelHandler,
  overrides: Options,
  body: (world: World) => Promise<void>,
): void {
  for (const isolation of isolationsOf(name)) {
    test(`${name} (${isolation})`, async () => {
      await using server = await startModelServer(turns())
      await using options = testOptions(server, { model: 'claude-sonnet-4-5-20250929', isolation, ...overrides })
      await body({ server, options, isolation })
    })
  }
}

/** Messages with what differs from run to run replaced: ids, times, durations, paths, process ids. */
export function stable(messages: unknown, { cwd }: { cwd: string }): unknown {
  const text = JSON.stringify(messages, (key, value) => {
    if (/^(uuid|session_id|request_id|pid)$/.test(key)) return `<${key}>`
    if (/^(duration_ms|duration_api_ms|durationMs|totalDurationMs)$/.test(key)) return 0
    return value
  })
  return JSON.parse(text.replaceAll(cwd, '<cwd>'))
}

/** Without the news about how background work stands, which come whenever it changes. */
export function withoutTaskNews<M extends { type: string; subtype?: string }>(messages: readonly M[]): M[] {
  const news = ['task_progress', 'task_updated', 'background_tasks_changed']
  return messages.filter(({ subtype }) => subtype === undefined || !news.includes(subtype))
}

/** `assistant`, `system/init`, …: the sequence at a glance. */
export function kinds(messages: readonly { type: string; subtype?: string }[]): string[] {
  return messages.map(({ type, subtype }) => (subtype && type === 'system' ? `${type}/${subtype}` : type))
}
