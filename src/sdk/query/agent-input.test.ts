import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInputEndTracker, type InputEndTrackerOptions } from './agent-input.js'

const tick = () => new Promise((resolve) => setImmediate(resolve))

function stage(overrides: Partial<InputEndTrackerOptions> = {}) {
  const seen: string[] = []
  const input = createInputEndTracker({
    reportsState: true,
    hasCallbacks: () => false,
    openRequests: () => 0,
    end: () => void seen.push('end'),
    letGo: () => void seen.push('letGo'),
    ...overrides,
  })
  return { input, seen }
}

test('an agent that reports: the input ends when it is idle with everything read, not with the result', async () => {
  const { input, seen } = stage()
  input.opened(true)
  input.sending(false)
  input.closed()
  input.result()
  await tick()
  assert.deepEqual(seen, [])
  input.stateChanged('idle', 0)
  await tick()
  assert.deepEqual(seen, [])
  input.stateChanged('idle', 1)
  await tick()
  assert.deepEqual([seen, input.ended], [['end'], true])
})

test('a message sent just after the answer keeps the input open until it is answered too', async () => {
  const { input, seen } = stage()
  input.opened(true)
  input.sending(false)
  input.closed()
  input.stateChanged('idle', 1)
  input.sending(true)
  await tick()
  assert.deepEqual(seen, [])
  input.stateChanged('idle', 2)
  await tick()
  assert.deepEqual(seen, ['end'])
})

test('an open stream, no prompt yet, and a request without its answer keep it open', async () => {
  let open = 1
  const { input, seen } = stage({ openRequests: () => open })
  input.sending(true)
  input.stateChanged('idle', 1)
  await tick()
  input.opened(false)
  input.stateChanged('idle', 1)
  await tick()
  input.closed()
  await tick()
  assert.deepEqual(seen, [])
  open = 0
  input.answered()
  await tick()
  assert.deepEqual(seen, ['end'])
})

test('work in the background: the caller is let go once, the input stays', async () => {
  const { input, seen } = stage()
  input.opened(true)
  input.sending(false)
  input.closed()
  for (let n = 0; n < 2; n++) {
    input.stateChanged('idle', 1, 1)
    await tick()
  }
  assert.deepEqual([seen, input.hasLetGo, input.ended], [['letGo'], true, false])
  input.stateChanged('idle', 1, 0)
  await tick()
  assert.deepEqual(seen, ['letGo', 'end'])
})

test('an agent that does not report: after the result of a text, with a stream, or after a result where it may call back', async () => {
  const text = stage({ reportsState: false })
  text.input.opened(true)
  text.input.sending(false)
  text.input.closed()
  await tick()
  assert.deepEqual(text.seen, [])
  text.input.result()
  await tick()
  assert.deepEqual(text.seen, ['end'])

  const stream = stage({ reportsState: false })
  stream.input.opened(false)
  stream.input.sending(false)
  stream.input.closed()
  await tick()
  assert.deepEqual(stream.seen, ['end'])

  const callbacks = stage({ reportsState: false, hasCallbacks: () => true })
  callbacks.input.opened(false)
  callbacks.input.sending(false)
  callbacks.input.closed()
  await tick()
  assert.deepEqual(callbacks.seen, [])
  callbacks.input.result()
  await tick()
  assert.deepEqual(callbacks.seen, ['end'])
})

test('an agent that does not report: a message sent by itself is waited for', async () => {
  const { input, seen } = stage({ reportsState: false })
  input.sending(true)
  input.finish()
  await tick()
  assert.deepEqual([seen, input.awaitsResult], [[], true])
  input.result()
  await tick()
  assert.deepEqual([seen, input.awaitsResult], [['end'], false])
})
