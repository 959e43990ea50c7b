import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { nodeFiles } from '../platform/files/files.js'
import { createJsonlSessionStore } from './jsonl-store.js'
import { createTestSessionsFolder, TEST_SESSION_ID, testLineId } from './test-sessions.js'
import { lockPath, sessionFilesFolder } from './transcript-paths.js'

function start() {
  const folder = createTestSessionsFolder()
  const projectKey = folder.folder.split('/').at(-1) ?? ''
  return Object.assign(folder, {
    store: createJsonlSessionStore(nodeFiles, folder.root),
    key: { projectKey, sessionId: TEST_SESSION_ID },
    projectKey,
  })
}

const entry = (n: number) => ({ type: 'user', uuid: testLineId(n), text: `é ${n}\n` })

describe('the store on this disk', () => {
  test('gives back what was put in', async () => {
    using disk = start()
    assert.equal(await disk.store.load(disk.key), null)
    await disk.store.append(disk.key, [entry(1), entry(2)])
    await disk.store.append(disk.key, [entry(3)])
    await disk.store.append(disk.key, [])
    assert.deepEqual(await disk.store.load(disk.key), [entry(1), entry(2), entry(3)])
    assert.equal(disk.read().split('\n').length, 4)
  })

  test('a folder that it makes is for its owner alone', async () => {
    using disk = start()
    const key = { ...disk.key, projectKey: 'new-project' }
    await disk.store.append(key, [entry(1)])
    assert.equal(statSync(join(disk.root, 'projects', 'new-project')).mode & 0o777, 0o700)
  })

  test('a line that a crash tore does not swallow the next', async () => {
    using disk = start()
    disk.write(`${JSON.stringify(entry(1))}\n{"type":"us`)
    await disk.store.append(disk.key, [entry(2)])
    assert.deepEqual(await disk.store.load(disk.key), [entry(1), entry(2)])
  })

  test('a last line without an end is a line', async () => {
    using disk = start()
    disk.write(JSON.stringify(entry(1)))
    await disk.store.append(disk.key, [entry(2)])
    assert.deepEqual(await disk.store.load(disk.key), [entry(1), entry(2)])
  })

  test('what is no entry is passed by', async () => {
    using disk = start()
    disk.write(['null', '5', '[]', '{}', '{"type":7}', 'noise', JSON.stringify(entry(1))].join('\n'))
    assert.deepEqual(await disk.store.load(disk.key), [entry(1)])
  })

  test('the transcripts of sub-agents stand below their session', async () => {
    using disk = start()
    const { store, key } = disk
    await store.append(key, [entry(1)])
    await store.append({ ...key, subpath: 'subagents/agent-a1' }, [entry(2)])
    await store.append({ ...key, subpath: 'deep/er/one' }, [entry(3)])
    disk.write('x', join(sessionFilesFolder(disk.path), 'subagents', 'notes.txt'))
    disk.write('x', join(sessionFilesFolder(disk.path), 'subagents', 'odd name.jsonl'))
    assert.deepEqual((await store.listSubkeys(key)).sort(), ['deep/er/one', 'subagents/agent-a1'])
    assert.deepEqual(await store.load({ ...key, subpath: 'subagents/agent-a1' }), [entry(2)])
    assert.deepEqual(await store.load(key), [entry(1)])
    assert.deepEqual(await store.listSubkeys({ ...key, sessionId: testLineId(5) }), [])
  })

  test('sessions with their time in whole milliseconds, the newest first', async () => {
    using disk = start()
    await disk.store.append(disk.key, [entry(1)])
    await disk.store.append({ ...disk.key, sessionId: testLineId(2) }, [entry(2)])
    const listed = await disk.store.listSessions(disk.projectKey)
    assert.deepEqual(listed.map(({ sessionId }) => sessionId).sort(), [testLineId(2), TEST_SESSION_ID].sort())
    for (const { mtime } of listed) assert.equal(mtime, Math.floor(mtime))
    assert.ok((listed[0]?.mtime ?? 0) >= (listed[1]?.mtime ?? 0))
    assert.deepEqual(await disk.store.listSessions('nothing-here'), [])
  })

  test('deleting takes the session with all below it, or one below it alone', async () => {
    using disk = start()
    const { store, key } = disk
    const agent = { ...key, subpath: 'subagents/agent-a1' }
    const other = { ...key, subpath: 'subagents/agent-b2' }
    for (const one of [key, agent, other]) await store.append(one, [entry(1)])
    disk.write('', lockPath(disk.path))
    await store.delete(agent)
    assert.deepEqual(await store.listSubkeys(key), ['subagents/agent-b2'])
    await store.delete(key)
    assert.equal(await store.load(key), null)
    assert.deepEqual(await store.listSubkeys(key), [])
    assert.equal(existsSync(sessionFilesFolder(disk.path)), false)
    assert.equal(existsSync(lockPath(disk.path)), false)
    await store.delete(key)
  })
})

describe('no part of a key leads anywhere else', () => {
  const keys: [what: string, change: object][] = [
    ['a project above', { projectKey: '..' }],
    ['a project with a slash', { projectKey: 'a/b' }],
    ['an empty project', { projectKey: '' }],
    ['a session that is a path', { sessionId: '../../x' }],
    ['a session that is no id', { sessionId: 'mine' }],
    ['a part above', { subpath: '../x' }],
    ['a part from the root', { subpath: '/etc/x' }],
    ['a part that goes up in the middle', { subpath: 'a/../../x' }],
    ['an empty part', { subpath: '' }],
    ['a part with a dot', { subpath: 'a.b' }],
  ]
  for (const [what, change] of keys) {
    test(what, async () => {
      using disk = start()
      const key = { ...disk.key, ...change }
      await assert.rejects(disk.store.append(key, [entry(1)]), /^Error: Invalid (?:projectKey|sessionId|subpath): /)
      await assert.rejects(disk.store.load(key), /Invalid/)
      await assert.rejects(disk.store.delete(key), /Invalid/)
    })
  }
})

test('whatever entries say, they come back as JSON has them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 }), async (values) => {
      using disk = start()
      const entries = values.map((value) => JSON.parse(JSON.stringify({ ...value, type: 'x' })))
      for (const one of entries) await disk.store.append(disk.key, [one])
      assert.deepEqual((await disk.store.load(disk.key)) ?? [], entries)
    }),
    { numRuns: 20 },
  )
})
