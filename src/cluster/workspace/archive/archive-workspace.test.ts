/** A real server that checks every signature, machines that are folders. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { byTier } from '../../../../test/support/tier.js'
import { createHttpClient } from '../../../platform/http/node-http.js'
import { openTestDatabase } from '../../test-database.js'
import type { ArchiveSpec } from '../session-workspace.js'
import { createMemorySnapshotIndex, createPostgresSnapshotIndex } from '../snapshot-index.js'
import {
  createTestFolder,
  createTestWorkspace,
  createTestWorkspaceSession,
  readTestFiles,
  startEndlessSaving,
  testFilesOfVersion,
  WORKSPACE_TEST_ENVIRONMENT,
  writeTestFiles,
} from '../test-workspaces.js'
import { createObjectStore } from './object-store.js'
import { startObjectServer } from './test-object-server.js'

const KEYS = {
  accessKeyId: WORKSPACE_TEST_ENVIRONMENT.KEDGE_SECRET_ID,
  secretAccessKey: WORKSPACE_TEST_ENVIRONMENT.KEDGE_SECRET_KEY,
}

async function storage() {
  const folder = createTestFolder()
  const server = await startObjectServer(join(folder.path, 'objects'), KEYS)
  const spec: ArchiveSpec = {
    kind: 'archive',
    endpoint: server.endpoint,
    bucket: 'sessions',
    region: 'eu-central-1',
    prefix: 'kedge',
    credentials: { accessKeyId: 'KEDGE_SECRET_ID', secretAccessKey: 'KEDGE_SECRET_KEY' },
  }
  return {
    path: folder.path,
    server,
    spec,
    async [Symbol.asyncDispose]() {
      await server.close()
      folder[Symbol.dispose]()
    },
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

describe('files in an object storage', () => {
  it('go on on another machine; what is there is not sent again, and what nobody needs is removed', async () => {
    await using at = await storage()
    const { server, path, spec } = at
    const index = createMemorySnapshotIndex()
    const limits = { fileBytes: 100_000 }
    const [one, two] = ['one', 'two'].map((name) => createTestWorkspace(path, name, index, { limits }))
    assert.ok(one && two)
    const place = createTestWorkspaceSession({ ...spec, leaveOut: ['*.iso'] })
    const { cwd, savedSeq } = await one.prepare(place)
    assert.deepEqual([savedSeq, readTestFiles(cwd)], [0, {}])
    const kept = {
      'a.txt': 'one\r\n',
      'same.txt': 'one\r\n',
      'dir/run.sh': '!echo',
      'dir/link': '-> ../a.txt',
      'ä b&<.txt': 'x',
      '.env.example': 'KEY=',
      large: 'x'.repeat(70_000),
      'to-dir': '-> dir',
    }
    writeTestFiles(cwd, {
      ...kept,
      '.env': 'KEY=1',
      'app/server.key': 'k',
      'node_modules/x/y.js': 'x',
      'x.iso': 'i',
      huge: 'x'.repeat(100_001),
      out: '-> /etc',
      up: '-> ../../x',
      round: '-> to-dir/../../x',
    })
    mkdirSync(join(cwd, 'empty/inner'), { recursive: true })
    writeFileSync(Buffer.from(`${cwd}/bytes-\xff`, 'latin1'), 'x')
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    const saved = await one.save(place, 5)
    writeTestFiles(cwd, { pipe: null })
    assert.deepEqual(saved.leftOut.map(({ path: left, why }) => `${left}: ${why}`).sort(), [
      '.env: it may hold secrets',
      'app/server.key: it may hold secrets',
      "bytes-ÿ: its name isn't text",
      'huge: 0.1 MB, more than 0.1 MB for one file',
      'node_modules: it is not saved by its name',
      'out: a link that leads outside',
      'pipe: no file',
      'round: a link that leads outside',
      'up: a link that leads outside',
      'x.iso: it is not saved by its name',
    ])
    assert.equal(server.keys().length, 6) // a.txt and same.txt are one; the list itself
    const there = await two.prepare({ ...place, epoch: 2 })
    assert.equal(there.savedSeq, 5)
    const names = (files: object) => Object.keys(files).sort()
    assert.deepEqual(
      readTestFiles(there.cwd),
      Object.fromEntries(names(readTestFiles(there.cwd)).map((n) => [n, readTestFiles(cwd)[n]])),
    )
    assert.equal(names(readTestFiles(there.cwd)).length, names(kept).length)
    assert.ok(existsSync(join(there.cwd, 'empty/inner')))

    // Nothing has changed: nothing is sent.
    server.seen.length = 0
    assert.deepEqual([(await two.save({ ...place, epoch: 2 }, 6)).bytes, (await index.last(place))?.saved?.seq], [0, 6])
    assert.deepEqual([...new Set(server.seen.map((line) => line.split(' ')[0]))], ['GET'])
    writeTestFiles(there.cwd, { 'a.txt': 'two', large: null, empty: null })
    server.seen.length = 0
    await two.save({ ...place, epoch: 2 }, 7)
    assert.equal(server.seen.filter((line) => line.startsWith('PUT')).length, 2)
    // `large` and the list before are gone; the content of same.txt is still that of the first owner.
    assert.deepEqual(
      server.keys().map((key) => key.replace(/[0-9a-f]{64}/, '#')),
      ['files/1/#', 'files/1/#', 'files/1/#', 'files/1/#', 'files/2/#', 'lists/2/#'].map(
        (key) => `kedge/acme/=53-1/${key}`,
      ),
    )
    const back = await one.prepare({ ...place, epoch: 3 })
    assert.deepEqual([back.savedSeq, readTestFiles(back.cwd)], [7, readTestFiles(there.cwd)])
    writeTestFiles(back.cwd, { 'later.txt': 'not saved' })
    await one.release(place, 'keep')
    assert.equal((await one.prepare({ ...place, epoch: 4 })).savedSeq, undefined)
    await one.forget({ ...place, epoch: 4 })
    assert.deepEqual([server.keys(), existsSync(cwd), await index.last(place)], [[], false, undefined])
  })

  it('a file that changes without changing its size or its time is not missed', async () => {
    await using at = await storage()
    const one = createTestWorkspace(at.path, 'one', createMemorySnapshotIndex())
    const place = createTestWorkspaceSession(at.spec)
    const { cwd } = await one.prepare(place)
    writeTestFiles(cwd, { 'a.txt': '1' })
    const first = await one.save(place, 1)
    // It is not remembered: within a tick of the clock it can change again.
    assert.equal(readFileSync(join(cwd, '../seen.json'), 'utf8'), '{}')
    writeFileSync(join(cwd, 'a.txt'), '2')
    assert.notEqual((await one.save(place, 2)).sha256, first.sha256)
  })

  it('of an owner that was overtaken do not count, and what it tidies up is missed by nobody', async () => {
    await using at = await storage()
    const { database, drop } = await openTestDatabase({ connections: 2 })
    await database.as('acme').query(`insert into kedge.sessions (tenant, id, epoch) values ('acme', 'S-1', 1)`)
    const claim = (epoch: number) => database.as('acme').query('update kedge.sessions set epoch = $1', [epoch])
    const index = createPostgresSnapshotIndex((tenant) => database.as(tenant))
    const [one, two, three] = ['one', 'two', 'three'].map((name) => createTestWorkspace(at.path, name, index))
    assert.ok(one && two && three)
    const early = await one.prepare(createTestWorkspaceSession(at.spec, 1))
    writeTestFiles(early.cwd, { a: 'a', b: 'b' })
    await one.save(createTestWorkspaceSession(at.spec, 1), 1)
    await claim(2)
    const late = await two.prepare(createTestWorkspaceSession(at.spec, 2))
    writeTestFiles(early.cwd, { a: null, b: 'changed', c: 'c' })
    await assert.rejects(one.save(createTestWorkspaceSession(at.spec, 1), 2), { code: 'session_fenced' })
    await assert.rejects(one.prepare(createTestWorkspaceSession(at.spec, 1)), { code: 'session_fenced' })
    writeTestFiles(late.cwd, { b: null, c: 'c' })
    await two.save(createTestWorkspaceSession(at.spec, 2), 3)
    // What the first one has sent in vain is not kept for ever.
    assert.equal(at.server.keys().length, 3)
    await claim(3)
    const last = await three.prepare(createTestWorkspaceSession(at.spec, 3))
    assert.deepEqual([last.savedSeq, readTestFiles(last.cwd)], [3, { a: 'a', c: 'c' }])
    await drop()
  })

  it('that are not what was saved, or out of reach, are an error that shows no secret', async () => {
    await using at = await storage()
    const { server, spec, path } = at
    const index = createMemorySnapshotIndex()
    const [one, two] = [createTestWorkspace(path, 'one', index), createTestWorkspace(path, 'two', index)]
    const { cwd } = await one.prepare(createTestWorkspaceSession(spec))
    writeTestFiles(cwd, { a: 'a' })
    // Bad moments: they are waited for.
    server.trouble.push(503, 0, 500)
    const { ref } = await one.save(createTestWorkspaceSession(spec), 1)
    const keys = server.keys()
    const content = keys.find((key) => key.includes('/files/')) ?? ''
    for (const [key, text] of [
      [content, 'b'],
      [content, undefined],
      [ref, readFileSync(server.file(ref), 'utf8').replace('"a"', '"../../../a"')],
      [ref, readFileSync(server.file(ref), 'utf8').replace('"a"', '"b"')],
      [ref, undefined],
    ] as const) {
      const good = readFileSync(server.file(key))
      if (text === undefined) rmSync(server.file(key))
      else writeFileSync(server.file(key), text)
      await assert.rejects(two.prepare(createTestWorkspaceSession(spec, 2)), { code: 'workspace_lost' })
      writeFileSync(server.file(key), good)
    }
    server.skewMs = 3_600_000
    assert.equal((await two.prepare(createTestWorkspaceSession(spec, 2))).savedSeq, 1)
    server.skewMs = 0
    const wrong = async (
      more: object,
      environment: Record<string, string | undefined> = WORKSPACE_TEST_ENVIRONMENT,
    ) => {
      const other = createTestWorkspace(path, 'three', index, { environment })
      const place = createTestWorkspaceSession({ ...spec, ...more }, 3)
      const error = await other.prepare(place).then(
        () => assert.fail('it was prepared'),
        (reason: Error & { code: string }) => reason,
      )
      assert.equal(error.code, 'workspace_unreachable')
      assert.doesNotMatch(error.message, /another secret|a secret of tests/)
      return error.message
    }
    assert.match(await wrong({ bucket: 'other' }), /NoSuchBucket/)
    assert.match(
      await wrong({}, { ...WORKSPACE_TEST_ENVIRONMENT, KEDGE_SECRET_KEY: 'another secret' }),
      /SignatureDoesNotMatch/,
    )
    assert.match(await wrong({}, {}), /no secret KEDGE_SECRET_ID for tenant acme/)
    const own = { accessKeyId: 'PATH', secretAccessKey: 'KEDGE_SECRET_KEY' }
    assert.match(await wrong({ credentials: own }), /no secret PATH for tenant acme/)
    await server.close()
    assert.match(await wrong({}), /ECONNREFUSED/)
    const stopped = AbortSignal.abort(new Error('stopped'))
    await assert.rejects(
      createTestWorkspace(path, 'four', index).prepare(createTestWorkspaceSession(spec, 4), stopped),
      /stopped/,
    )
  })

  it('names of any kind are signed as they are sent; lists have pages', async () => {
    await using at = await storage()
    const store = createObjectStore({ ...at.spec, keys: KEYS, http: createHttpClient() })
    const keys = [
      'a b',
      "x/!'()*~",
      'ä/ö',
      'p%25q',
      'a+b=c&d',
      '<x>',
      ...Array.from({ length: 20 }, (_, n) => `page/${n}`),
    ]
    for (const key of keys) await store.put(key, Buffer.from(key))
    for (const key of keys) assert.equal((await store.get(key))?.toString(), key)
    assert.deepEqual((await all(store.list(''))).sort(), keys.sort())
    assert.equal((await all(store.list('page/'))).length, 20)
    await store.remove('a b')
    assert.deepEqual([await store.has('a b'), await store.get('a b'), await store.has('ä/ö')], [false, undefined, true])
  })

  it('are whole after a kill in the middle of saving: those before it or those after it', {
    timeout: 600_000,
  }, async () => {
    await using at = await storage()
    const { database, url, drop } = await openTestDatabase({ connections: 2 })
    const index = createPostgresSnapshotIndex((tenant) => database.as(tenant))
    await database.as('acme').query(`insert into kedge.sessions (tenant, id) values ('acme', 'S-1')`)
    const claim = (epoch: number) => database.as('acme').query('update kedge.sessions set epoch = $1', [epoch])
    const rounds = byTier({ quick: 2, all: 4, long: 60 })
    let [from, epoch] = [1, 0]
    for (let round = 0; round < rounds; round += 1) {
      epoch += 1
      await claim(epoch)
      const child = startEndlessSaving({
        root: at.path,
        name: 'one',
        place: createTestWorkspaceSession(at.spec, epoch),
        from,
        url,
      })
      let sure = 0
      for (let said = await child.says(); said !== `saving ${from + (round % 2) * 5}`; said = await child.says())
        if (said?.startsWith('saved')) sure = Number(said.slice(6))
      await new Promise((done) => setTimeout(done, Math.random() * 60))
      child.kill()
      await child.gone
      epoch += 1
      await claim(epoch)
      const two = createTestWorkspace(at.path, 'two', index)
      const { cwd, savedSeq = -1 } = await two.prepare(createTestWorkspaceSession(at.spec, epoch))
      const expected = savedSeq === 0 ? {} : testFilesOfVersion(savedSeq)
      assert.deepEqual(
        readTestFiles(cwd),
        Object.fromEntries(Object.entries(expected).filter(([, text]) => text !== null)),
      )
      assert.ok(savedSeq >= sure, `${savedSeq} is older than ${sure}, which was saved`)
      from = savedSeq + 1
      await two.release(createTestWorkspaceSession(at.spec, epoch), 'remove')
    }
    await drop()
  })
})
