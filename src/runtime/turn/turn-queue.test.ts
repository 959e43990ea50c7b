import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import type { BackgroundTask } from '../../engine/background-port.js'
import type { UserTurnMessage } from '../messages/user-message.js'
import { nthTestId, settleConversation } from '../test-conversation.js'
import { createTurnQueue } from './turn-queue.js'

function start(seen: string[] = []) {
  /** What hosts and the transcript were told, in order. */
  const log: string[] = []
  const running: { text: string; end(): void }[] = []
  const queue = createTurnQueue(
    {
      run: ({ text }) => new Promise((end) => running.push({ text, end })),
      lifecycle: ({ text }, state) => void log.push(`${text} ${state}`),
      recorded: (operation, { text }) => void log.push(`${operation} ${text}`),
    },
    new Set(seen),
  )
  return {
    queue,
    log,
    running,
    take: () => log.splice(0),
    async endTurn() {
      running.shift()?.end()
      await settleConversation()
    },
  }
}

const message = (text: string, more: Partial<UserTurnMessage> = {}): UserTurnMessage => ({
  uuid: undefined,
  content: text,
  blocks: [{ type: 'text', text }],
  text,
  ...more,
})

test('the first runs at once, the others wait their turn, and each is told when it is over', async () => {
  const { queue, take, endTurn, running } = start()
  assert.equal(queue.isBusy(), false)
  assert.equal(queue.add(message('one')), true)
  assert.deepEqual(take(), ['enqueue one', 'dequeue one', 'one started'])
  queue.add(message('two'))
  assert.deepEqual([queue.size(), queue.isBusy()], [1, true])
  assert.deepEqual(take(), ['enqueue two', 'two queued'])
  await endTurn()
  assert.deepEqual(take(), ['one completed', 'dequeue two', 'two started'])
  assert.equal(queue.size(), 0)
  await endTurn()
  assert.deepEqual([take(), queue.isBusy(), running.length], [['two completed'], false, 0])
})

test('it is idle only when the last turn is over, also one that came meanwhile', async () => {
  const { queue, endTurn } = start()
  let isIdle = false
  queue.add(message('one'))
  void queue.idle().then(() => {
    isIdle = true
  })
  queue.add(message('two'))
  await endTurn()
  assert.equal(isIdle, false)
  await endTurn()
  assert.equal(isIdle, true)
  await queue.idle()
})

test('a message that was seen before is dropped without a word, in this session or an earlier one', async () => {
  const { queue, take, endTurn } = start([nthTestId(1)])
  assert.equal(queue.add(message('again', { uuid: nthTestId(1) })), false)
  assert.equal(queue.add(message('new', { uuid: nthTestId(2) })), true)
  take()
  assert.equal(queue.add(message('twice', { uuid: nthTestId(2) })), false)
  assert.deepEqual([take(), queue.size()], [[], 0])
  // Without an id nobody can know.
  assert.equal(queue.add(message('same')), true)
  assert.equal(queue.add(message('same')), true)
  await endTurn()
})

test('the running turn takes along what the user said since and ends of tasks; commands and what is ours get turns of their own', async () => {
  const { queue, take, endTurn } = start()
  queue.add(message('one'))
  queue.add(message('and this'))
  queue.add(message('/compact'))
  queue.add(message('a task', { task: { id: 'b1' } as BackgroundTask }))
  queue.add(message('ours', { own: true }))
  queue.add(message('and that'))
  take()
  assert.deepEqual(
    queue.takeWaiting().map(({ text }) => text),
    ['and this', 'a task', 'and that'],
  )
  assert.deepEqual(
    take(),
    ['and this', 'a task', 'and that'].flatMap((text) => [`remove ${text}`, `${text} started`]),
  )
  assert.deepEqual(queue.takeWaiting(), [])
  await endTurn()
  assert.deepEqual(take(), [
    ...['one completed', 'and this completed', 'a task completed', 'and that completed'],
    ...['dequeue /compact', '/compact started'],
  ])
  await endTurn()
  assert.deepEqual(take(), ['/compact completed', 'dequeue ours', 'ours started'])
})

test('clearing drops what waits and nothing else: canceled work still has its result, and new messages are taken', async () => {
  const { queue, take, endTurn, running } = start()
  queue.add(message('one'))
  queue.add(message('two'))
  queue.add(message('stopped', { canceled: { reason: '', tasks: [], over: Promise.resolve() } }))
  queue.add(message('three'))
  take()
  queue.clear()
  assert.deepEqual([take(), queue.size()], [['two dropped', 'three dropped'], 1])
  await endTurn()
  assert.equal(running[0]?.text, 'stopped')
  assert.equal(queue.add(message('four')), true)
})

test('after its end nothing more is taken: hosts hear of each, but a task is told by whoever reports it', async () => {
  const { queue, take, endTurn, running } = start()
  queue.add(message('one'))
  queue.add(message('two'))
  take()
  queue.close()
  assert.equal(queue.add(message('late', { uuid: nthTestId(1) })), false)
  assert.equal(queue.add(message('a task', { task: { id: 'b1' } as BackgroundTask })), false)
  assert.deepEqual(take(), ['two dropped', 'late dropped'])
  await endTurn()
  assert.deepEqual([take(), running.length, queue.isBusy()], [['one completed'], 0, false])
})

test('whoever waits for room hears of each way to get some', async () => {
  const { queue, endTurn } = start()
  const woken: string[] = []
  const wait = (name: string) => void queue.changed().then(() => woken.push(name))
  queue.add(message('one'))
  queue.add(message('two'))
  wait('next turn')
  await settleConversation()
  assert.deepEqual(woken, [])
  await endTurn()
  queue.add(message('three'))
  wait('taken along')
  queue.takeWaiting()
  queue.add(message('four'))
  wait('cleared')
  queue.clear()
  await settleConversation()
  assert.deepEqual(woken, ['next turn', 'taken along', 'cleared'])
})

test('a turn that fails as none should does not leave the queue busy for ever', async () => {
  const queue = createTurnQueue(
    { run: () => Promise.reject(new Error('a bug')), lifecycle: () => {}, recorded: () => {} },
    new Set(),
  )
  queue.add(message('one'))
  await assert.rejects(queue.idle(), /a bug/)
  assert.equal(queue.isBusy(), false)
})

test('whatever happens in whatever order: each message starts at most once, and ends as completed or dropped, once', async () => {
  const step = fc.constantFrom('add', 'add', 'add', 'command', 'end', 'take', 'clear')
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { queue, log, running, endTurn } = start()
      let count = 0
      for (const one of steps) {
        if (one === 'add') queue.add(message(`m${++count}`))
        else if (one === 'command') queue.add(message(`/c${++count}`))
        else if (one === 'end') await endTurn()
        // Only a running turn takes messages along.
        else if (one === 'take' && running.length > 0) queue.takeWaiting()
        else if (one === 'clear') queue.clear()
        assert.ok(running.length <= 1)
      }
      while (running.length > 0) await endTurn()
      const texts = [...new Set(log.map((line) => line.replace(/^(?:enqueue|dequeue|remove) /, '').split(' ')[0]))]
      assert.equal(texts.length, count)
      for (const text of texts) {
        const states = log.filter((line) => line.startsWith(`${text} `)).map((line) => line.split(' ')[1])
        assert.match(states.join(' '), /^(?:queued )?(?:started completed|dropped)$/)
      }
    }),
    { numRuns: byTier({ quick: 15, all: 60 }) },
  )
})
