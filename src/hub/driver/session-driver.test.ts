/** What the owner of a driver hears of an agent: here one that says what the test wants. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SDKMessage } from '../../protocol/messages.js'
import type { Query } from '../../protocol/query.js'
import { createAsyncQueue } from '../../transport/queue.js'
import { SessionDriver } from './session-driver.js'

const message = (type: string, fields: object = {}) => ({ type, ...fields }) as unknown as SDKMessage // no more is read
const init = message('system', { subtype: 'init', model: 'm', permissionMode: 'default' })
const begun = (uuid: string) => message('command_lifecycle', { command_uuid: uuid, state: 'started' })
const result = message('result')

/** `heard`: what the driver wrote down, and told its owner. `isBroken`: no agent starts. */
function drive({ isBroken = false } = {}) {
  const heard: string[] = []
  const starts: boolean[] = []
  const says: ReturnType<typeof createAsyncQueue<SDKMessage>>[] = []
  const start = async (): Promise<Query> => {
    if (isBroken) throw new Error('no agent')
    const said = createAsyncQueue<SDKMessage>()
    says.push(said)
    const query = {
      [Symbol.asyncIterator]: () => said[Symbol.asyncIterator](),
      send: async () => {
        if (said.ended) throw new Error('it is gone')
      },
      close: () => said.end(),
      closed: Promise.resolve(),
    }
    return query as unknown as Query // what a driver needs of it here
  }
  const driver = new SessionDriver<string>({
    session: 's',
    hash: async (text) => text,
    newAskId: () => 'ask',
    now: () => 0,
    journal: {
      add: ({ kind }) => void heard.push(kind),
      addDelta: () => void heard.push('delta'),
      decide: async () => 'park',
    },
    start(own) {
      starts.push(own.continueTurn === true)
      return start()
    },
    events: {
      settings: ({ mode }) => void heard.push(`mode ${mode}`),
      result: (_, { isOwn }) => void heard.push(isOwn ? 'result of its own' : 'result'),
      ended: (failure) => void heard.push(`ended: ${failure}`),
    },
  })
  /** Has the agent say this, and ends it. */
  const say = async (...messages: SDKMessage[]) => {
    for (const one of messages) void says.at(-1)?.push(one)
    await driver.end()
    return heard
  }
  return { driver, heard, starts, say, says }
}

test('a turn without a prompt is of its own; one that continues has the prompt it was begun with', async () => {
  const given = drive()
  await given.driver.give('1', 'first', 'Hello')
  assert.deepEqual(await given.say(begun('1'), init, result, init, result, init, begun('1'), result), [
    ...['message', 'mode default', 'result'],
    ...['message', 'mode default', 'result of its own'],
    // A prompt joined it.
    ...['message', 'mode default', 'result'],
    'ended: undefined',
  ])
  const resumed = drive()
  await resumed.driver.resume('1', 'first')
  assert.deepEqual(await resumed.say(init, result), ['message', 'mode default', 'result', 'ended: undefined'])
  assert.deepEqual([given.starts, resumed.starts], [[false], [true]])
})

test('the end of an agent is told once, whoever notices it; a prompt starts the next', async () => {
  const { driver, heard, starts, says } = drive()
  await driver.give('1', 'first', 'Hello')
  says[0]?.end(new Error('crashed'))
  await driver.give('2', 'second', 'Still there?')
  assert.deepEqual([heard.length, driver.agent, driver.running], [1, undefined, undefined])
  await driver.give('3', 'third', 'And now?')
  assert.deepEqual([heard.length, starts.length, driver.running !== undefined], [1, 2, true])
})

test('an agent that does not start has ended, with the reason', async () => {
  const { driver, heard } = drive({ isBroken: true })
  await driver.give('1', 'first', 'Hello')
  await driver.resume('1', 'first')
  assert.deepEqual(heard, ['ended: Error: no agent', 'ended: Error: no agent'])
})
