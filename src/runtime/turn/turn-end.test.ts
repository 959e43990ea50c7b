import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackgroundTable } from '../../background/background-table.js'
import type { BackgroundTask } from '../../engine/background-port.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import { createManualClock } from '../test-conversation.js'
import { createTurnEndBackgroundPolicy, type TurnEndPorts } from './turn-end.js'

function start(settings: Partial<TurnEndPorts['settings']> = {}) {
  const log: string[] = []
  const submitted: UserTurnMessage[] = []
  const time = createManualClock()
  const tasks: BackgroundTask[] = []
  const resting = new Set<BackgroundTask>()
  const stopped = Promise.resolve()
  const table = {
    running: () => [...tasks],
    stopAll(reason: string) {
      log.push(`stop: ${reason}`)
      tasks.length = 0
      return stopped
    },
  }
  const policy = createTurnEndBackgroundPolicy({
    settings: { onTurnEnd: 'wait', backgroundCeilingMs: null, ...settings },
    clock: time.clock,
    table: table as unknown as BackgroundTable,
    busy: () => tasks.filter((task) => !resting.has(task)),
    letGo: () => log.push('let go'),
    submit(message) {
      submitted.push(message)
      return true
    },
  })
  const task = (id: string) => {
    const one = { id, description: id } as BackgroundTask
    tasks.push(one)
    return one
  }
  return { policy, log, submitted, time, task, tasks, resting, stopped }
}

test('without work the session is idle, whatever the policy', () => {
  for (const onTurnEnd of ['wait', 'detach', 'cancel'] as const) {
    const { policy, log, time } = start({ onTurnEnd, backgroundCeilingMs: 100 })
    assert.equal(policy.atRest(), true)
    assert.deepEqual([log, time.waiting()], [[], 0])
  }
})

test('wait: it is not idle while something is at work; who only waits for mail is not waited for', () => {
  const { policy, log, task, resting } = start()
  const mate = task('mate')
  assert.equal(policy.atRest(), false)
  resting.add(mate)
  assert.equal(policy.atRest(), true)
  assert.deepEqual(log, [])
})

test('detach: it is idle although work goes on, and nothing is kept alive for it', () => {
  const { policy, log, task, submitted } = start({ onTurnEnd: 'detach' })
  task('build')
  assert.equal(policy.atRest(), true)
  assert.deepEqual([log, submitted], [['let go'], []])
})

test('cancel: all work is stopped at once, and one message stands for the result that says so', () => {
  const { policy, log, task, submitted, stopped } = start({ onTurnEnd: 'cancel' })
  const tasks = [task('build'), task('serve')]
  assert.equal(policy.atRest(), false)
  assert.deepEqual(log, ["stop: onTurnEnd is 'cancel'"])
  assert.deepEqual(submitted, [
    {
      uuid: undefined,
      content: '',
      blocks: [],
      text: '',
      canceled: { reason: "onTurnEnd is 'cancel'", tasks, over: stopped },
    },
  ])
  assert.equal(policy.atRest(), true)
})

test('the ceiling counts from the first rest, not anew at each', () => {
  const { policy, log, task, submitted, time } = start({ backgroundCeilingMs: 1000 })
  task('build')
  assert.equal(policy.atRest(), false)
  time.pass(600)
  assert.equal(policy.atRest(), false)
  time.pass(399)
  assert.deepEqual(log, [])
  time.pass(1)
  assert.deepEqual(log, ['stop: it went on longer than backgroundCeilingMs, 1000 ms'])
  assert.equal(submitted.length, 1)
  assert.equal(time.waiting(), 0)
})

test('a message of the user stops the clock; the end of its turn starts it again', () => {
  const { policy, log, task, time } = start({ backgroundCeilingMs: 1000 })
  task('build')
  policy.atRest()
  time.pass(900)
  policy.disarm()
  time.pass(5000)
  assert.deepEqual([log, time.waiting()], [[], 0])
  policy.atRest()
  time.pass(999)
  assert.deepEqual(log, [])
  time.pass(1)
  assert.equal(log.length, 1)
})

test('work that ended in time is nobody’s business: the clock stops with it, or finds nothing to cancel', () => {
  const ended = start({ backgroundCeilingMs: 1000 })
  ended.task('build')
  ended.policy.atRest()
  ended.tasks.length = 0
  assert.equal(ended.policy.atRest(), true)
  assert.equal(ended.time.waiting(), 0)
  const unnoticed = start({ backgroundCeilingMs: 1000 })
  unnoticed.task('build')
  unnoticed.policy.atRest()
  unnoticed.tasks.length = 0
  unnoticed.time.pass(1000)
  assert.deepEqual([unnoticed.log, unnoticed.submitted], [[], []])
})

test('a ceiling of 0 is one: it is not the same as none', () => {
  const { policy, log, task, time } = start({ backgroundCeilingMs: 0, onTurnEnd: 'detach' })
  task('build')
  policy.atRest()
  time.pass(0)
  assert.deepEqual(log, ['let go', 'stop: it went on longer than backgroundCeilingMs, 0 ms'])
})
