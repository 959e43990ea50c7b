import assert from 'node:assert/strict'
import { mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { findLatestSessionId } from './latest-session.js'
import { createTestSessionsFolder } from './test-sessions.js'

const ids = ['a', 'b', 'c'].map((letter) => `${letter.repeat(8)}-1111-4111-8111-111111111111`)

test('the session that was written last, whatever else is in the folder', async () => {
  using at = createTestSessionsFolder()
  const write = (name: string, seconds: number) => utimesSync(at.write('', join(at.folder, name)), seconds, seconds)
  write(`${ids[0]}.jsonl`, 1000)
  write(`${ids[1]}.jsonl`, 3000)
  write(`${ids[2]}.jsonl`, 2000)
  write('agent-abc.jsonl', 9000)
  write(`${ids[0]}.jsonl.copy`, 9000)
  write('notes.txt', 9000)
  mkdirSync(join(at.folder, 'dddddddd-1111-4111-8111-111111111111.jsonl'))
  assert.equal(await findLatestSessionId(nodeFiles, { configDir: at.root, cwd: '/project' }), ids[1])
})

test('a folder without sessions, and one that is not there, have none', async () => {
  using at = createTestSessionsFolder()
  assert.equal(await findLatestSessionId(nodeFiles, { configDir: at.root, cwd: '/project' }), undefined)
  assert.equal(await findLatestSessionId(nodeFiles, { configDir: at.root, cwd: '/elsewhere' }), undefined)
})
