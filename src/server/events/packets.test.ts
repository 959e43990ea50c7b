import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PacketOptions, packItems } from './packets.js'

/** Texts; those in small letters may wait. */
const options = (more: Partial<PacketOptions<string>> = {}): PacketOptions<string> => ({
  mayWait: (item) => item === item.toLowerCase(),
  sizeOf: (item) => item.length,
  write: (items) => items.join(''),
  heartbeat: '♥',
  heartbeatMs: 10_000,
  gapMs: 10_000,
  signal: new AbortController().signal,
  ...more,
})

async function all(
  source: AsyncGenerator<readonly string[], void>,
  more?: Partial<PacketOptions<string>>,
): Promise<string[]> {
  const found: string[] = []
  for await (const packet of packItems(source, options(more))) found.push(packet)
  return found
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('packets', () => {
  it('what comes together goes together', async () => {
    async function* source() {
      yield ['A', 'b', 'C']
      await pause()
      yield ['D', 'E']
    }
    assert.deepEqual(await all(source()), ['AbC', 'DE'])
  })

  it('what may wait waits for something that may not, or for the end', async () => {
    let goOn = () => {}
    async function* source() {
      yield ['a']
      await new Promise<void>((resolve) => {
        goOn = resolve
      })
      yield ['b']
      await pause()
      yield ['c']
      await pause()
      yield ['D']
      await pause()
      yield ['e']
      await pause()
    }
    const found: string[] = []
    for await (const packet of packItems(source(), options())) {
      found.push(packet)
      goOn()
    }
    assert.deepEqual(found, ['a', 'bcD', 'e'])
  })

  it('what may wait waits no longer than it has to', async () => {
    let goOn = () => {}
    async function* source() {
      for (const item of ['a', 'b', 'c']) {
        yield [item]
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      }
    }
    const found: string[] = []
    for await (const packet of packItems(source(), options({ gapMs: 1 }))) {
      found.push(packet)
      goOn()
    }
    assert.deepEqual(found, ['a', 'b', 'c'])
  })

  it('says that it is still there', async () => {
    const over = new AbortController()
    async function* source() {
      yield ['A']
      await new Promise((resolve) => over.signal.addEventListener('abort', resolve))
    }
    const found: string[] = []
    for await (const packet of packItems(source(), options({ heartbeatMs: 1, signal: over.signal }))) {
      found.push(packet)
      if (found.length === 3) over.abort()
    }
    assert.deepEqual(found, ['A', '♥', '♥'])
  })

  it('takes no more ahead than it may, and everything in the end', async () => {
    let given = 0
    async function* source() {
      for (; given < 5000; given += 1) yield ['A']
    }
    const reader = packItems(source(), options())
    const { value } = await reader.next()
    for (let n = 0; n < 5; n += 1) await pause()
    assert.ok(given <= 1100, `${given} were taken`)
    let length = value?.length ?? 0
    for await (const packet of reader) length += packet.length
    assert.equal(length, 5000)
  })

  it('counts bytes: large items are taken ahead and sent a few at a time', async () => {
    const item = 'A'.repeat(50_000)
    let given = 0
    async function* source() {
      for (; given < 100; given += 1) yield [item]
    }
    const reader = packItems(source(), options())
    const found = [(await reader.next()).value ?? '']
    for (let n = 0; n < 5; n += 1) await pause()
    assert.ok(given <= 6, `${given} were taken`)
    for await (const packet of reader) found.push(packet)
    assert.equal(found.join('').length, 100 * item.length)
    assert.ok(Math.max(...found.map(({ length }) => length)) <= 64 * 1024)
  })

  it('a source that gives much at a time waits until that has gone out', async () => {
    let given = 0
    async function* source() {
      for (; given < 10; given += 1) yield Array.from({ length: 100 }, () => 'A'.repeat(10_000))
    }
    const reader = packItems(source(), options())
    await reader.next()
    await reader.next()
    for (let n = 0; n < 5; n += 1) await pause()
    assert.equal(given, 0)
    await reader.return()
  })

  it('ends with the signal, also when nothing comes; and with what the source throws', async () => {
    const over = new AbortController()
    async function* silent() {
      await new Promise((resolve) => over.signal.addEventListener('abort', resolve))
      yield [] as string[]
    }
    const waiting = all(silent(), { signal: over.signal })
    await pause()
    over.abort()
    assert.deepEqual(await waiting, [])
    async function* failing() {
      yield ['A']
      throw new Error('the disk is gone')
    }
    await assert.rejects(all(failing()), /the disk is gone/)
  })
})
