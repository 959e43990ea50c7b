import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { createWorkspaces } from './create-workspaces.js'
import { mayHoldSecrets } from './omitted-files.js'
import { createMemorySnapshotIndex } from './snapshot-index.js'
import {
  createTestFolder,
  createTestWorkspace,
  createTestWorkspaceSession,
  readTestFiles,
  writeTestFiles,
} from './test-workspaces.js'

it('a session without files has an empty folder of its own on each machine, and is told when it is another', async () => {
  using folder = createTestFolder()
  const index = createMemorySnapshotIndex()
  const [one, two] = [createTestWorkspace(folder.path, 'one', index), createTestWorkspace(folder.path, 'two', index)]
  const place = createTestWorkspaceSession({ kind: 'none' })
  const { cwd, savedSeq } = await one.prepare(place)
  writeTestFiles(cwd, { 'note.txt': 'x' })
  assert.deepEqual([savedSeq, (await one.save(place, 4)).ref], [0, ''])
  assert.deepEqual(await one.prepare({ ...place, epoch: 2 }), { cwd, savedSeq: undefined, notes: [] })
  const there = await two.prepare({ ...place, epoch: 3 })
  assert.deepEqual([there.savedSeq, readTestFiles(there.cwd)], [0, {}])
  // What the first still has is older than the second's.
  const back = await one.prepare({ ...place, epoch: 4 })
  assert.deepEqual([back.savedSeq, readTestFiles(back.cwd)], [0, {}])
  // Names of other sessions and tenants are other folders, whatever they are.
  const others = [
    createTestWorkspaceSession({ kind: 'none' }, 1, '../../x'),
    { ...place, tenant: 'ben' },
    createTestWorkspaceSession({ kind: 'none' }, 1, 's-1'),
  ]
  const folders = await Promise.all(others.map(async (other) => (await one.prepare(other)).cwd))
  assert.equal(new Set([cwd, ...folders]).size, 4)
  assert.ok(folders.every((other) => other.startsWith(join(folder.path, 'one/'))))
  await one.release(place, 'keep')
  assert.ok(existsSync(cwd))
  await one.forget(place)
  assert.deepEqual([existsSync(cwd), await index.last(place)], [false, undefined])
  assert.throws(
    () => createWorkspaces({ name: 'x', root: 'here', index, environment: {} }),
    (error: { code?: string }) => error.code === 'invalid_option',
  )
})

it('a folder of the operator is used as it is, on the machine that has it', async () => {
  using folder = createTestFolder()
  const index = createMemorySnapshotIndex()
  const [one, two] = [createTestWorkspace(folder.path, 'one', index), createTestWorkspace(folder.path, 'two', index)]
  const path = join(folder.path, 'project')
  writeTestFiles(path, { 'a.txt': 'a' })
  const sticky = createTestWorkspaceSession({ kind: 'folder', path, shared: false, machine: 'one' })
  const shared = createTestWorkspaceSession({ kind: 'folder', path, shared: true })
  assert.deepEqual(await one.prepare(sticky), { cwd: path, savedSeq: undefined, notes: [] })
  await assert.rejects(two.prepare(sticky), {
    code: 'workspace_elsewhere',
    message: /on one, and this is two: let a worker/,
  })
  assert.equal((await two.prepare(shared)).cwd, path)
  await one.save(shared, 3)
  await one.release(shared, 'remove')
  await one.forget(shared)
  assert.deepEqual(readTestFiles(path), { 'a.txt': 'a' })
  for (const gone of ['nowhere', 'project/a.txt']) {
    const place = createTestWorkspaceSession({ kind: 'folder', path: join(folder.path, gone), shared: true })
    await assert.rejects(one.prepare(place), { code: 'workspace_lost', message: /mount it/ })
  }
})

it('files that hold secrets as a rule are known by their names', () => {
  const secret =
    '.env .env.local a/.ENV.production .npmrc .erlang.cookie .my.cnf a/.vault-token .snowflake/config.toml x/id_ed25519 server.pem .ssh/config .aws/x credentials secrets.yaml'
  const plain =
    '.env.example .env.sample .envrc.md env.ts keys.ts id_rsa.pub a.pem.txt secrets/index.ts credentials.ts monkey'
  assert.deepEqual(
    secret.split(' ').filter((path) => !mayHoldSecrets(path)),
    [],
  )
  assert.deepEqual(plain.split(' ').filter(mayHoldSecrets), [])
})
