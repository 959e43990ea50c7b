/** Readers of a log: early, late, slow, many; and a store that fails. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SDKPartialAssistantMessage } from '../../protocol/messages.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { emptySessionState } from '../session-state.js'
import type { HubStore } from './log-store.js'
import { memoryLogStore } from './memory-log-store.js'
import { SessionLog } from './session-log.js'

const session = '11111111-2222-4333-8444-555555555555'

async function begin(store: HubStore = memoryLogStore(() => 1)) {
  const writer = await store.open({ session, cwd: '/x' })
  const broken: Error[] = []
  const state = emptySessionState()
  const log = new SessionLog({ session, store, writer, state, now: () => 0, onBroken: (error) => broken.push(error) })
  return { log, broken, state }
}

const say = (text: string) => ({ kind: 'state' as const, data: { title: text } })
const delta = (text: string, event: 'message_start' | 'content_block_delta' = 'content_block_delta') =>
  ({
    type: 'stream_event',
    event:
      event === 'message_start' ? { type: event, message: { id: text } } : { type: event, index: 0, delta: { text } },
    parent_tool_use_id: null,
  }) as unknown as SDKPartialAssistantMessage // what it says does not matter here

const brief = (item: LogItem) =>
  item.kind === 'delta' ? `${item.seq}+` : `${item.seq}${item.kind === 'state' ? ` ${item.data.title}` : ''}`

async function take(reader: AsyncGenerator<LogItem>, count: number): Promise<string[]> {
  const items: string[] = []
  while (items.length < count) {
    const { value, done } = await reader.next()
    if (done) break
    items.push(brief(value))
  }
  return items
}

describe('a reader', () => {
  it('gets history, then what comes, in order', async () => {
    const { log } = await begin()
    log.add(say('a'))
    log.add(say('b'))
    await log.flushed()
    const reader = log.read()
    assert.deepEqual(await take(reader, 2), ['1 a', '2 b'])
    const next = take(reader, 2)
    log.add(say('c'))
    log.add(say('d'))
    assert.deepEqual(await next, ['3 c', '4 d'])
    await reader.return()
  })

  it('starts after the number it knows', async () => {
    const { log } = await begin()
    for (const text of 'abc') log.add(say(text))
    await log.flushed()
    assert.deepEqual(await take(log.read({ after: 2 }), 1), ['3 c'])
  })

  it('is told only what is stored', async () => {
    const store = memoryLogStore(() => 1)
    let go = () => {}
    const slow: HubStore = {
      ...store,
      async open(place) {
        const writer = await store.open(place)
        const wait = new Promise<void>((resolve) => (go = resolve))
        return { ...writer, last: 0, append: (entries) => wait.then(() => writer.append(entries)) }
      },
    }
    const { log, state } = await begin(slow)
    const reader = log.read()
    let told = false
    const next = reader.next().then((item) => {
      told = true
      return item
    })
    log.add(say('a'))
    await new Promise(setImmediate)
    assert.deepEqual([told, state.title], [false, 'a'])
    go()
    assert.equal((await next).value?.seq, 1)
    await reader.return()
  })

  it('gets deltas between the entries they stand between, whatever the store takes', async () => {
    const { log } = await begin()
    const reader = log.read()
    const items = take(reader, 6)
    await new Promise(setImmediate)
    log.add(say('a'))
    log.addDelta(delta('m', 'message_start'))
    log.addDelta(delta('x'))
    await log.flushed()
    log.addDelta(delta('y'))
    log.add(say('b'))
    log.addDelta(delta('z'))
    assert.deepEqual(await items, ['1 a', '1+', '1+', '1+', '2 b', '2+'])
    await reader.return()
  })

  it('that joins in the middle gets what is not finished from its start, stamped with where it is', async () => {
    const { log } = await begin()
    log.addDelta(delta('m', 'message_start'))
    log.addDelta(delta('x'))
    log.add(say('between'))
    log.addDelta(delta('y'))
    await log.flushed()
    const reader = log.read()
    assert.deepEqual(await take(reader, 4), ['1 between', '1+', '1+', '1+'])
    const without = take(log.read({ deltas: false }), 2)
    log.add(say('last'))
    assert.deepEqual(await without, ['1 between', '2 last'])
    await reader.return()
  })

  it('that is too slow for deltas loses only deltas', async () => {
    const { log } = await begin()
    const reader = log.read()
    const first = take(reader, 1)
    await new Promise(setImmediate)
    log.add(say('1'))
    assert.deepEqual(await first, ['1 1'])
    for (let n = 2; n <= 3000; n += 1) {
      log.add(say(String(n)))
      log.addDelta(delta(String(n)))
    }
    await log.flushed()
    const seen = (await take(reader, 2999)).filter((text) => !text.endsWith('+'))
    const more = await take(reader, 2999 - seen.length)
    const numbers = [...seen, ...more].map((text) => Number(text.split(' ')[0]))
    assert.deepEqual(
      numbers,
      Array.from({ length: 2999 }, (_, n) => n + 2),
    )
    await reader.return()
  })

  it('ends with its signal and with the log', async () => {
    const { log } = await begin()
    log.add(say('a'))
    const stop = new AbortController()
    const stopped = take(log.read({ signal: stop.signal }), 9)
    const ended = take(log.read(), 9)
    await new Promise(setImmediate)
    stop.abort()
    assert.deepEqual(await stopped, ['1 a'])
    await log.end()
    assert.deepEqual(await ended, ['1 a'])
    assert.deepEqual(await take(log.read(), 9), ['1 a'])
  })
})

it('a store that fails is the end of it: readers and writers are told, nothing more is written', async () => {
  const store = memoryLogStore(() => 1)
  let fails = false
  const failing: HubStore = {
    ...store,
    async open(place) {
      const writer = await store.open(place)
      return {
        ...writer,
        last: 0,
        append: (entries) => (fails ? Promise.reject(new Error('full')) : writer.append(entries)),
      }
    },
  }
  const { log, broken } = await begin(failing)
  log.add(say('a'))
  await log.flushed()
  const reader = log.read()
  assert.deepEqual(await take(reader, 1), ['1 a'])
  const next = reader.next()
  fails = true
  log.add(say('b'))
  await assert.rejects(next, /full/)
  await assert.rejects(log.flushed(), /full/)
  fails = false
  log.add(say('c'))
  await assert.rejects(log.flushed(), /full/)
  assert.deepEqual(
    broken.map(({ message }) => message),
    ['full'],
  )
})
