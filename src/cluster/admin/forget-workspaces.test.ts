/** What was saved of a session's files goes with it: from a real repository and an object storage. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { it } from 'node:test'
import { openTestDatabase } from '../test-database.js'
import { startObjectServer } from '../workspace/archive/test-object-server.js'
import type { WorkspaceSpec } from '../workspace/session-workspace.js'
import { createPostgresSnapshotIndex } from '../workspace/snapshot-index.js'
import {
  createTestFolder,
  createTestWorkspace,
  WORKSPACE_TEST_ENVIRONMENT,
  writeTestFiles,
} from '../workspace/test-workspaces.js'
import { runAdmin } from './admin-main.js'

it('forget removes refs and objects of its workspaces, and names what it could not reach', async () => {
  using folder = createTestFolder()
  const { database, url, drop } = await openTestDatabase({ connections: 2 })
  const remote = join(folder.path, 'remote.git')
  const git = (...args: string[]) => execFileSync('git', ['-C', remote, ...args], { encoding: 'utf8' }).trim()
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', remote])
  const [accessKeyId, secretAccessKey] = [
    WORKSPACE_TEST_ENVIRONMENT.KEDGE_SECRET_ID,
    WORKSPACE_TEST_ENVIRONMENT.KEDGE_SECRET_KEY,
  ]
  const storage = await startObjectServer(join(folder.path, 'objects'), { accessKeyId, secretAccessKey })
  const ofGit: WorkspaceSpec = { kind: 'git', remote }
  const ofArchive: WorkspaceSpec = {
    kind: 'archive',
    endpoint: storage.endpoint,
    bucket: 'sessions',
    region: 'eu-central-1',
    prefix: 'kedge',
    credentials: { accessKeyId: 'KEDGE_SECRET_ID', secretAccessKey: 'KEDGE_SECRET_KEY' },
  }
  const gone: WorkspaceSpec = { kind: 'git', remote: join(folder.path, 'nowhere.git') }
  const machine = createTestWorkspace(
    folder.path,
    'one',
    createPostgresSnapshotIndex((tenant) => database.as(tenant)),
  )
  const save = async (tenant: string, session: string, workspace: WorkspaceSpec) => {
    await database
      .as(tenant)
      .query('insert into kedge.sessions (tenant, id, epoch, workspace) values ($1, $2, 1, $3)', [
        ...[tenant, session, JSON.stringify(workspace)],
      ])
    if (workspace === gone) return
    const place = { tenant, session, workspace, epoch: 1 }
    const { cwd } = await machine.prepare(place)
    writeTestFiles(cwd, { 'a.txt': `of ${session}` })
    await machine.save(place, 1)
  }
  const refs = () => git('for-each-ref', '--format=%(refname)', 'refs/kedge')
  const admin = (env: NodeJS.ProcessEnv, ...args: string[]) =>
    runAdmin(['forget', ...args, '--yes', '--tenant', 'acme'], { ...env, KEDGE_DATABASE: url })

  for (const session of ['g1', 'g2']) await save('acme', session, ofGit)
  for (const session of ['a1', 'a2', 'a3']) await save('acme', session, ofArchive)
  await save('acme', 'lost', gone)
  await save('acme', 'odd', { kind: 'none' })
  await save('other', 'g1', ofGit)
  await save('other', 'a1', ofArchive)
  assert.equal(refs().split('\n').length, 3)

  const one = await admin(WORKSPACE_TEST_ENVIRONMENT, 'g1')
  assert.deepEqual([one.code, one.out], [0, 'g1 is gone.\nSaved files of 1 session were removed.\n'], one.error)
  assert.deepEqual(refs().split('\n'), ['refs/kedge/acme/g2', 'refs/kedge/other/g1'])
  assert.equal((await admin(WORKSPACE_TEST_ENVIRONMENT, 'a1')).code, 0)

  // A machine that lacks the secret says what it could not remove, and where that is.
  const { KEDGE_SECRET_KEY: _, ...without } = WORKSPACE_TEST_ENVIRONMENT
  const refused = await admin(without, 'a2')
  assert.equal(refused.code, 1)
  assert.match(
    refused.out,
    /^a2 is gone\.\nNot removed: objects below kedge\/acme\/a2\/ in the bucket sessions of http/,
  )
  assert.match(refused.out, /\(session a2\): This machine has no secret KEDGE_SECRET_KEY for tenant acme\.\n$/)

  const all = await admin(WORKSPACE_TEST_ENVIRONMENT, '--all', '--json')
  assert.equal(all.code, 1)
  const { sessions, removed, left } = JSON.parse(all.out)
  assert.deepEqual([sessions, removed, left.length, left[0].session], [4, 2, 1, 'lost'])
  assert.equal(left[0].where, `refs/kedge/acme/lost in ${join(folder.path, 'nowhere.git')}`)
  assert.match(left[0].why, /repository/)
  assert.equal(refs(), 'refs/kedge/other/g1')
  assert.deepEqual(
    storage
      .keys()
      .map((key) => key.split('/').slice(1, 3).join('/'))
      .filter((key, n, keys) => keys.indexOf(key) === n),
    ['acme/a2', 'other/a1'],
  )
  await storage.close()
  await drop()
})
