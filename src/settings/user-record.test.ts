import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestSettings } from './test-settings.js'
import { readUserRecord, updateUserRecord } from './user-record.js'

function setUp() {
  const at = createTestSettings()
  const path = join(at.configDir, 'record.json')
  return { at, path, ports: { ...at.ports, configDir: at.configDir }, [Symbol.dispose]: () => at[Symbol.dispose]() }
}

/** Adds one to a count. */
const count = (value: unknown) => {
  if (value === undefined) return { count: 1 }
  const known = (value as { count?: unknown } | null)?.count
  return typeof known === 'number' ? { count: known + 1 } : undefined
}

test('the first change makes the file and its folder for the user alone, the next finds what was there', async () => {
  using world = setUp()
  const { at, path, ports } = world
  assert.equal(await readUserRecord(path, ports), undefined)
  assert.equal(await updateUserRecord(path, ports, count), undefined)
  assert.deepEqual(await readUserRecord(path, ports), { real: path, value: { count: 1 } })
  if (process.platform !== 'win32') {
    assert.deepEqual([statSync(path).mode & 0o777, statSync(at.configDir).mode & 0o777], [0o600, 0o700])
  }
  assert.equal(await updateUserRecord(path, ports, count), undefined)
  assert.deepEqual((await readUserRecord(path, ports))?.value, { count: 2 })
  assert.deepEqual(readdirSync(at.configDir), ['record.json'])
})

test('changes at the same time are all kept', async () => {
  using world = setUp()
  const { path, ports } = world
  const problems = await Promise.all(Array.from({ length: 8 }, () => updateUserRecord(path, ports, count)))
  assert.deepEqual(new Set(problems), new Set([undefined]))
  assert.deepEqual((await readUserRecord(path, ports))?.value, { count: 8 })
})

test('what is not in its own form stays as it is, and that is said', async () => {
  using world = setUp()
  const { path, ports } = world
  mkdirSync(ports.configDir, { recursive: true })
  for (const text of ['', 'no JSON', '{"count": "1"}', 'null']) {
    writeFileSync(path, text, { mode: 0o600 })
    assert.match(
      (await updateUserRecord(path, ports, count)) ?? '',
      /is not in its own form, or others can write it/,
      text,
    )
    assert.equal(readFileSync(path, 'utf8'), text)
  }
})

test('what others can write or own says nothing and is not changed', {
  skip: process.platform === 'win32',
}, async () => {
  using world = setUp()
  const { path, ports } = world
  await updateUserRecord(path, ports, count)
  for (const mode of [0o620, 0o602, 0o666]) {
    chmodSync(path, mode)
    assert.equal((await readUserRecord(path, ports))?.value, undefined)
    assert.match((await updateUserRecord(path, ports, count)) ?? '', /others can write it/)
  }
  chmodSync(path, 0o600)
  assert.equal((await readUserRecord(path, { ...ports, uid: 4711 }))?.value, undefined)
  assert.deepEqual((await readUserRecord(path, ports))?.value, { count: 1 })
})

test('where it really is is told; a relative folder of settings is none', async () => {
  using world = setUp()
  const { at, path, ports } = world
  const elsewhere = join(at.home, 'elsewhere.json')
  mkdirSync(at.configDir, { recursive: true })
  writeFileSync(elsewhere, '{"count": 4}', { mode: 0o600 })
  symlinkSync(elsewhere, path)
  assert.deepEqual(await readUserRecord(path, ports), { real: elsewhere, value: { count: 4 } })
  assert.equal(await readUserRecord(path, { ...ports, configDir: 'config' }), undefined)
  assert.match(
    (await updateUserRecord(path, { ...ports, configDir: 'config' }, count)) ?? '',
    /is not an absolute path/,
  )
  assert.equal(existsSync('config'), false)
})
