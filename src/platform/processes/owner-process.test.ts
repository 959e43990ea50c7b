import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { ownerProcessChecker } from './owner-process.js'

const { own, stateOf } = ownerProcessChecker

test('a process knows itself, and is told from another that gets its number', () => {
  const self = own()
  assert.deepEqual([self.pid, stateOf(self)], [process.pid, 'running'])
  assert.deepEqual(own(), self)
  if (process.platform !== 'linux') return
  assert.equal(stateOf({ ...self, started: self.started + 1 }), 'gone')
})

test('a process that ended is gone, one that runs is not', async () => {
  const machine = own()
  const ended = spawnSync(process.execPath, ['-e', ''])
  assert.equal(stateOf({ ...machine, pid: ended.pid }), 'gone')
  const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
  try {
    // Without its start time nothing certain can be said of it.
    assert.equal(stateOf({ ...machine, pid: child.pid ?? 0, started: 0 }), 'elsewhere')
  } finally {
    child.kill('SIGKILL')
    await new Promise((resolve) => child.on('close', resolve))
  }
  assert.equal(stateOf({ ...machine, pid: child.pid ?? 0, started: 0 }), 'gone')
})

test('numbers of another machine or container mean nothing here', () => {
  assert.equal(stateOf({ ...own(), machine: 'another' }), 'elsewhere')
})
