/** Raises one event with one hook and says in a word what came of it. */
import { RAISE_EACH_EVENT } from '../../src/hooks/test-events.js'
import { createTestHooks } from '../../src/hooks/test-hooks.js'
import type { ProcessRunner } from '../../src/platform/processes/processes.js'
import type { HookEvent } from '../../src/protocol/hooks.js'
import type { Outcome } from './outcomes.js'

export const SOURCES = ['callback', 'settings', 'plugin'] as const
export type Source = (typeof SOURCES)[number]

/** Undefined where such a hook can't do this. */
export async function play(
  event: HookEvent,
  source: Source,
  outcome: Outcome,
  processes: ProcessRunner,
): Promise<string | undefined> {
  await using at = createTestHooks({ processes })
  const { callback, command, timeout } = outcome
  if (source === 'callback') {
    if (!callback) return undefined
    at.callbacks(event, [callback], { timeout })
  } else {
    if (command === undefined) return undefined
    at.command(event, command, { timeout, ...(source === 'plugin' ? { pluginRoot: at.cwd, source: 'plugin p' } : {}) })
  }
  const effects = effectsOf(await RAISE_EACH_EVENT[event](at.hooks, new AbortController().signal))
  if (at.hooks.takeLate().length > 0) effects.push('later')
  // For people: `!` a failure on stderr, `m` a message.
  const told = `${at.reports.length > 0 ? '!' : ''}${at.informed.length > 0 ? 'm' : ''}`
  return `${effects.join('+') || '-'}${told}`
}

/** What the runtime is to do, in words; whatever it is that was raised. */
function effectsOf(verdict: unknown): string[] {
  if (Array.isArray(verdict)) return verdict.length > 0 ? [cut(verdict, 'context')] : []
  // Verdicts are plain data with a few well-known fields.
  const { context = [], instructions = [], ...rest } = { ...Object(verdict) }
  const effects: Record<string, (value: unknown) => string> = {
    decision: (value) => ({ allow: 'allows', ask: 'asks', deny: 'denies', defer: 'defers' })[String(value)] ?? '?',
    behavior: (value) => `${value}s`.replace('denys', 'denies'),
    action: (value) => (value === 'accept' ? 'allows' : 'denies'),
    block: () => 'blocks',
    blocked: (value) => (Object(value).stopped ? 'stops' : 'blocks'),
    stop: () => 'stops',
    prevent: () => 'stops',
    output: () => 'output',
    path: () => 'path',
  }
  const found = Object.entries(effects).flatMap(([key, name]) => (rest[key] === undefined ? [] : [name(rest[key])]))
  return [
    ...found,
    ...(context.length > 0 ? [cut(context, 'context')] : []),
    ...(instructions.length > 0 ? ['instructs'] : []),
  ]
}

function cut(texts: readonly string[], name: string): string {
  const length = texts.join().length
  return length > 101_000 ? 'TOO LONG' : length > 1000 ? 'cut' : name
}
