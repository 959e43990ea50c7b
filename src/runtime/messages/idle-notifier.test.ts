import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionHooks } from '../../hooks/session-hooks.js'
import { createManualClock } from '../test-conversation.js'
import { createIdleNotifier } from './idle-notifier.js'
import { createUnsavedSessionReporter } from './unsaved-session-reporter.js'

function start({ hasHook = true, env = {} }: { hasHook?: boolean; env?: Record<string, string> } = {}) {
  const told: string[] = []
  const life = new AbortController()
  const time = createManualClock()
  const hooks = {
    has: (event: string) => hasHook && event === 'Notification',
    notification: async (...[message, type]: [string, string]) => void told.push(`${type}: ${message}`),
  }
  const notice = createIdleNotifier(hooks as unknown as SessionHooks, time.clock, env, life.signal)
  return { notice, told, time, life }
}

test('a minute of rest is told once', () => {
  const { notice, told, time } = start()
  notice.resting()
  time.pass(59_999)
  assert.deepEqual(told, [])
  time.pass(1)
  time.pass(600_000)
  assert.deepEqual(told, ['idle_prompt: Waiting for your input'])
})

test('work ends the rest, and a new rest begins at its start', () => {
  const { notice, told, time } = start()
  notice.resting()
  time.pass(50_000)
  notice.working()
  time.pass(50_000)
  notice.resting()
  time.pass(50_000)
  notice.resting()
  time.pass(59_999)
  assert.deepEqual(told, [])
  time.pass(1)
  assert.equal(told.length, 1)
})

test('how long a rest is can be said; what is no number is not', () => {
  for (const [value, ms] of [
    ['500', 500],
    ['soon', 60_000],
    ['', 60_000],
  ] as const) {
    const { notice, told, time } = start({ env: { KEDGE_IDLE_NOTIFICATION_MS: value } })
    notice.resting()
    time.pass(ms - 1)
    assert.deepEqual(told, [], value)
    time.pass(1)
    assert.equal(told.length, 1, value)
  }
})

test('no timer runs where nobody would hear it, or after the end', () => {
  const deaf = start({ hasHook: false })
  deaf.notice.resting()
  assert.equal(deaf.time.waiting(), 0)
  const { notice, time, life } = start()
  notice.resting()
  assert.equal(time.waiting(), 1)
  life.abort()
  assert.equal(time.waiting(), 0)
  notice.resting()
  assert.equal(time.waiting(), 0)
})

test('that nothing is saved any more is said once, to people and to programs', () => {
  const informed: unknown[] = []
  const printed: string[] = []
  const emitter = { inform: async (...said: unknown[]) => void informed.push(said) }
  const lost = createUnsavedSessionReporter(emitter as never, (text) => printed.push(text))
  lost('The disk is full.')
  lost('The disk is still full.')
  assert.deepEqual(printed, ['The disk is full.\n'])
  assert.deepEqual(informed, [['The disk is full.', 'warning', { code: 'session_not_saved' }]])
})
