import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestResumePorts, createTestSessionsFolder as lockFolder } from '../../sessions/test-sessions.js'
import { nodeClock } from '../clock.js'
import { ownerProcessChecker } from '../processes/owner-process.js'
import { findLiveLockHolder, type LockHolder, type ProcessLockPorts, takeLock, waitForLock } from './process-lock.js'

/** A clock whose waits pass at once. */
function quickClock() {
  let now = Date.now()
  const beats: (() => void)[] = []
  return {
    ...nodeClock,
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
    everyInBackground: (_: number, beat: () => void) => {
      beats.push(beat)
      return () => void beats.splice(beats.indexOf(beat), 1)
    },
    beats,
  }
}

/** The id of a process that ended. */
function endedPid(): number {
  return spawnSync(process.execPath, ['-e', '']).pid
}

function foreign(fields: Partial<LockHolder> = {}): string {
  const own = { ...ownerProcessChecker.own(), since: '2026-01-01T00:00:00.000Z', token: 'other' }
  return `${JSON.stringify({ ...own, ...fields })}\n`
}

async function outcome(path: string, ports: ProcessLockPorts): Promise<'taken' | LockHolder> {
  const lock = await waitForLock(path, ports)
  if ('holder' in lock) return lock.holder
  assert.equal(lock.isHeld(), true)
  lock.release()
  assert.equal(existsSync(path), false)
  return 'taken'
}

test('one owner at a time: the second is told who it is, and gets it when the first is done', async () => {
  using at = lockFolder()
  const path = `${at.path}.lock`
  const first = takeLock(path, createTestResumePorts())
  assert.deepEqual([first.isHeld(), (statSync(path).mode & 0o777).toString(8)], [true, '600'])
  const second = await waitForLock(path, createTestResumePorts({ clock: quickClock() }))
  assert.ok('holder' in second)
  assert.deepEqual([second.holder.pid, second.holder.started], [process.pid, ownerProcessChecker.own().started])
  const third = waitForLock(path, createTestResumePorts())
  setTimeout(() => first.release(), 60)
  const lock = await third
  assert.ok(!('holder' in lock))
  first.release()
  assert.equal(lock.isHeld(), true, 'who is done does not release what belongs to another')
  lock.release()
  assert.equal(existsSync(path), false)
})

test('S22: the lock of a process that is gone is taken over, also when its number was given again', async () => {
  using at = lockFolder()
  const path = `${at.path}.lock`
  const stale = [{ pid: endedPid() }, { started: ownerProcessChecker.own().started - 1 }, { pid: 2 ** 22 + 1 }]
  for (const fields of stale) {
    writeFileSync(path, foreign(fields))
    assert.equal(await outcome(path, createTestResumePorts()), 'taken', JSON.stringify(fields))
  }
})

test('an owner that can not be seen from here counts as long as it shows itself', async () => {
  using at = lockFolder()
  const path = `${at.path}.lock`
  writeFileSync(path, foreign({ machine: 'another', host: 'elsewhere' }))
  const ports = createTestResumePorts({ clock: quickClock() })
  const held = await findLiveLockHolder(path, ports)
  assert.ok(typeof held === 'object')
  assert.equal(held.host, 'elsewhere')
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(path, longAgo, longAgo)
  assert.equal(await outcome(path, ports), 'taken')
})

test('an owner shows itself again and again, until it releases', () => {
  using at = lockFolder()
  const path = `${at.path}.lock`
  const clock = quickClock()
  const lock = takeLock(path, createTestResumePorts({ clock }))
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(path, longAgo, longAgo)
  for (const beat of clock.beats) beat()
  assert.ok(Date.now() - statSync(path).mtimeMs < 30_000)
  writeFileSync(path, foreign())
  utimesSync(path, longAgo, longAgo)
  for (const beat of clock.beats) beat()
  assert.ok(Date.now() - statSync(path).mtimeMs > 30_000, 'what is not its own is left alone')
  assert.deepEqual([lock.isHeld(), lock.isHeld()], [false, false])
  lock.release()
  assert.deepEqual([clock.beats.length, lock.isHeld(), existsSync(path)], [0, false, true])
})

test('a lock without a readable owner counts for a moment only', async () => {
  using at = lockFolder()
  const path = `${at.path}.lock`
  for (const text of ['', '{"pid":', '{}', '{"pid":-1,"started":0,"machine":""}', 'x'.repeat(10_000)]) {
    writeFileSync(path, text)
    const holder = await findLiveLockHolder(path, createTestResumePorts())
    assert.ok(typeof holder === 'object' && holder.pid === 0, text.slice(0, 20))
    const longAgo = new Date(Date.now() - 10_000)
    utimesSync(path, longAgo, longAgo)
    assert.equal(await outcome(path, createTestResumePorts()), 'taken')
  }
})

test('who died while it took the lock does not keep the next one waiting for long', async () => {
  using at = lockFolder()
  const path = `${at.path}.lock`
  writeFileSync(path, '')
  assert.equal(await outcome(path, createTestResumePorts()), 'taken')
})

test('what a crash in the middle of a takeover left does not stand in the way', async () => {
  using at = lockFolder()
  const path = `${at.path}.lock`
  writeFileSync(path, foreign({ pid: endedPid() }))
  writeFileSync(`${path}.takeover`, '')
  const longAgo = new Date(Date.now() - 10_000)
  utimesSync(`${path}.takeover`, longAgo, longAgo)
  assert.equal(await outcome(path, createTestResumePorts()), 'taken')
  assert.equal(existsSync(`${path}.takeover`), false)
})

test('many who find the same stale lock: one gets it', async () => {
  using at = lockFolder()
  const path = join(at.folder, 'many.lock')
  const stale = foreign({ pid: endedPid() })
  for (let round = 0; round < 20; round += 1) {
    writeFileSync(path, stale)
    const clock = quickClock()
    const all = await Promise.all(Array.from({ length: 8 }, () => waitForLock(path, createTestResumePorts({ clock }))))
    const winners = all.flatMap((lock) => ('holder' in lock ? [] : lock))
    assert.equal(winners.length, 1)
    const token: unknown = JSON.parse(readFileSync(path, 'utf8')).token
    for (const lock of all) assert.equal('holder' in lock && lock.holder.token, 'holder' in lock && token)
    winners[0]?.release()
  }
})
