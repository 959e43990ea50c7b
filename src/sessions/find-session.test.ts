import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import {
  checkSessionId,
  findSession,
  findSessionOrThrow,
  listSessionFoldersOfProject,
  projectKeyOfFolder,
  realWorkingDirectory,
  type SessionsLocation,
} from './find-session.js'
import { TEST_SESSION_ID } from './test-sessions.js'
import { projectKey, transcriptFolderOfProject, transcriptPathInFolder } from './transcript-paths.js'

let base: string
let place: SessionsLocation
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-find-')))
  for (const name of ['config', 'work', 'other']) mkdirSync(join(base, name))
  place = { files: nodeFiles, configDir: join(base, 'config'), cwd: base }
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

/** A session of this folder, last written so many seconds after 1970. */
function store(folder: string, seconds: number, sessionId = TEST_SESSION_ID): string {
  const dir = transcriptFolderOfProject({ configDir: place.configDir, cwd: join(base, folder) })
  mkdirSync(dir, { recursive: true })
  const path = transcriptPathInFolder(dir, sessionId)
  writeFileSync(path, 'x'.repeat(seconds))
  utimesSync(path, seconds, seconds)
  return path
}

describe('a folder', () => {
  test('is meant as the agent sees it: absolute, without links', async () => {
    symlinkSync(join(base, 'work'), join(base, 'link'))
    assert.equal(await realWorkingDirectory(place, 'link'), join(base, 'work'))
    assert.equal(await realWorkingDirectory(place, join(base, 'work')), join(base, 'work'))
    assert.equal(await realWorkingDirectory(place, 'gone/../nowhere'), join(base, 'nowhere'))
  })

  test('its key; of the working directory where nobody says which', async () => {
    assert.equal(await projectKeyOfFolder(place, 'work'), projectKey(join(base, 'work')))
    assert.equal(await projectKeyOfFolder(place, undefined), projectKey(base))
  })

  test('its sessions are in one place, all sessions in all', async () => {
    store('work', 1)
    store('other', 1)
    const of = (name: string) => transcriptFolderOfProject({ configDir: place.configDir, cwd: join(base, name) })
    assert.deepEqual(await listSessionFoldersOfProject(place, 'work'), [of('work')])
    assert.deepEqual(await listSessionFoldersOfProject(place, 'nowhere'), [of('nowhere')])
    assert.deepEqual((await listSessionFoldersOfProject(place, undefined)).sort(), [of('other'), of('work')].sort())
  })

  test('without any sessions', async () => {
    assert.deepEqual(await listSessionFoldersOfProject({ ...place, configDir: join(base, 'none') }, undefined), [])
  })
})

describe('a session', () => {
  test('is found in its folder, or anywhere', async () => {
    const path = store('work', 5)
    const found = { sessionId: TEST_SESSION_ID, path, mtimeMs: 5000, size: 5 }
    assert.deepEqual(await findSession(place, TEST_SESSION_ID, 'work'), found)
    assert.deepEqual(await findSession(place, TEST_SESSION_ID, undefined), found)
    assert.equal(await findSession(place, TEST_SESSION_ID, 'other'), undefined)
  })

  test('in two folders: the one that was written last', async () => {
    const newer = store('work', 9)
    store('other', 5)
    assert.equal((await findSession(place, TEST_SESSION_ID, undefined))?.path, newer)
  })

  test('what is no id, or no file, is none', async () => {
    for (const id of ['', '../x', 'no-uuid', `${TEST_SESSION_ID}.jsonl`, `${TEST_SESSION_ID}/..`]) {
      assert.equal(await findSession(place, id, undefined), undefined)
    }
    const dir = transcriptFolderOfProject({ configDir: place.configDir, cwd: join(base, 'work') })
    mkdirSync(transcriptPathInFolder(dir, TEST_SESSION_ID), { recursive: true })
    assert.equal(await findSession(place, TEST_SESSION_ID, 'work'), undefined)
  })

  test('that has to be there: why it is not, with a code', async () => {
    const path = store('work', 1)
    assert.equal((await findSessionOrThrow(place, TEST_SESSION_ID, 'work')).path, path)
    await assert.rejects(findSessionOrThrow(place, TEST_SESSION_ID, 'other'), {
      code: 'session_not_found',
      message: `Session ${TEST_SESSION_ID} not found in project directory for other`,
    })
    rmSync(path)
    await assert.rejects(findSessionOrThrow(place, TEST_SESSION_ID, undefined), /not found in any project directory$/)
    await assert.rejects(findSessionOrThrow(place, 'x', undefined), { code: 'invalid_option' })
  })

  test('an id that is none is not repeated without end', () => {
    assert.doesNotThrow(() => checkSessionId(TEST_SESSION_ID))
    assert.throws(() => checkSessionId('y'.repeat(1000)), {
      code: 'invalid_option',
      message: `Invalid sessionId: ${'y'.repeat(100)}`,
    })
  })
})
