/**
 * C02: a session is a heavy process, so servers do not scale.
 * https://github.com/anthropics/claude-agent-sdk-typescript/issues/372 · https://github.com/anthropics/claude-code/issues/13199
 * https://github.com/anthropics/claude-agent-sdk-python/issues/434 · https://github.com/anthropics/claude-agent-sdk-python/issues/333
 * https://github.com/thedotmack/claude-mem/issues/3287 · https://github.com/anthropics/claude-agent-sdk-typescript/issues/268
 * https://github.com/anthropics/claude-code/issues/11315 · https://github.com/anthropics/claude-code/issues/91081
 *
 * T: one host holds 200 idle sessions below 400 MB, 1.5 MB each at most; 40 sessions at once leave the event loop free; listing 1,000
 * sessions of 1 GB takes little memory, no process and about a second; 5,000 turns do not grow. Loop delay and seconds are in
 * `npm run bench` D, bench/agents.mjs and bench/session.mjs. KEDGE_LONG plays the full numbers.
 */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { listSessions, query } from 'kedge'
import { collect } from 'kedge/testing'
import { childrenOf, growth, heapInUse, withModel } from '../support/stage.js'

const LONG = process.env['KEDGE_LONG'] !== undefined

test('C02 idle sessions in one host: a small part of a megabyte each, and no process', async () => {
  const times = LONG ? 200 : 60
  const left = await growth({ what: 'sessions', warm: 20, times })
  assert.ok(left.rss / times <= 1.5e6, `${Math.round(left.rss / times / 1000)} KB each`)
  assert.ok(left.all < 400e6, `${Math.round(left.all / 1e6)} MB`)
  assert.equal(left.children, 0)
})

test('C02 listSessions() reads the ends of each file, whatever its size, without a process', {
  skip: process.platform !== 'linux',
}, async () => {
  const count = LONG ? 1000 : 40
  await withModel(['Hello.'], {}, async ({ options }) => {
    await collect(query({ prompt: 'Go.', options }))
    process.env['CLAUDE_CONFIG_DIR'] = options.env['CLAUDE_CONFIG_DIR']
    const [first] = await listSessions({ dir: options.cwd })
    assert.ok(first)
    const folder = join(options.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', options.cwd.replace(/[^a-zA-Z0-9]/g, '-'))
    const session = readFileSync(join(folder, `${first.sessionId}.jsonl`), 'utf8')
    const id = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
    mkdirSync(folder, { recursive: true })
    // Something in the middle that nobody needs for a list.
    const middle = `${JSON.stringify({ type: 'summary', summary: 'x'.repeat(1000), leafUuid: id(0) })}\n`.repeat(1000)
    for (let n = 0; n < count; n += 1) {
      const text = `${session}${middle}${session}`.replaceAll(first.sessionId, id(n))
      writeFileSync(join(folder, `${id(n)}.jsonl`), text)
    }
    const read = () => Number(/rchar: (\d+)/.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
    const [heap, before] = [await heapInUse(), read()]
    const found = await listSessions({ dir: options.cwd })
    const [kept, bytes] = [(await heapInUse()) - heap, read() - before]
    assert.equal(found.length, count + 1)
    assert.ok(bytes < (count + 1) * 3 * 65_536, `${bytes} bytes were read of ${count} MB`)
    assert.ok(kept < 50e6, `${kept} bytes`)
    assert.deepEqual(childrenOf(process.pid), [])
  })
})

test('C02 a long conversation: what is kept grows by its words, and by nothing else', async () => {
  const times = LONG ? 5000 : 100
  const left = await growth({ what: 'turns', warm: 50, times })
  assert.ok(left.heap / times < 8_000, `${Math.round(left.heap / times)} bytes are kept of each turn`)
  assert.ok(left.handles <= 2)
})
