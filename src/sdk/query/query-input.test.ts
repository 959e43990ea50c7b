import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SDKUserMessage } from '../../protocol/messages.js'
import type { InputEndTracker } from './agent-input.js'
import { createQueryInput } from './query-input.js'
import { userTextMessage } from './user-text.js'

function stage({ ended = false, hasLetGo = false } = {}) {
  const steps: string[] = []
  const mistakes: string[] = []
  const state = { closing: false, ended, hasLetGo, awaitsResult: false }
  const end: InputEndTracker = {
    sending: (single) => void steps.push(`sending ${single}`),
    opened: (single) => void steps.push(`opened ${single}`),
    closed: () => void steps.push('closed'),
    finish: () => void steps.push('finish'),
    stateChanged() {},
    answered() {},
    result() {},
    get ended() {
      return state.ended
    },
    get hasLetGo() {
      return state.hasLetGo
    },
    awaitsResult: false,
  }
  const input = createQueryInput({
    channel: {
      send: (message) => void steps.push(`send ${JSON.stringify((message as SDKUserMessage).message.content)}`),
      end() {},
      incoming: (async function* () {})(),
    },
    input: end,
    isClosing: () => state.closing,
    onMistake: (error) => void mistakes.push(error.message),
  })
  return { input, steps, mistakes, state }
}
const text = (said: string) => `send [{"type":"text","text":"${said}"}]`

test('a text is opened, sent and closed; a message by itself is only sent', async () => {
  const { input, steps } = stage()
  input.give('one')
  await new Promise((resolve) => setImmediate(resolve))
  await input.send('two')
  await input.send(userTextMessage('three'))
  const sent = [text('two'), 'sending true', text('three'), 'sending true']
  assert.deepEqual(steps, ['opened true', text('one'), 'sending false', 'closed', ...sent])
})

test('the end of a stream given later is the end of the input; of one that was the prompt it is not', async () => {
  const { input, steps } = stage()
  await input.stream((async function* () { yield userTextMessage('a') })()) // biome-ignore format: one line
  assert.deepEqual(steps, ['opened false', text('a'), 'sending false', 'closed', 'finish'])
})

test('a stream that throws is the mistake of its caller; what it gave before was sent', async () => {
  const { input, steps, mistakes } = stage()
  const broken = async function* () {
    yield userTextMessage('a')
    throw new Error('broken')
  }
  input.give(broken())
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual([mistakes, steps.at(-1)], [['broken'], 'closed'])
  assert.ok(steps.includes(text('a')))
})

test('nothing is taken once the query is over, and no message by itself when nobody would hear the answer', async () => {
  const over = { code: 'transport_closed', message: 'ProcessTransport is not ready for writing' }
  const { input, state, steps } = stage()
  state.closing = true
  await assert.rejects(input.send('late'), over)
  await assert.rejects(input.stream((async function* () {})()), over)
  await assert.rejects(stage({ ended: true }).input.send('late'), over)
  await assert.rejects(stage({ hasLetGo: true }).input.send('late'), over)
  assert.deepEqual(steps, [])
})
