import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { createPlatformIdentity } from '../platform/identity.js'
import { createTaskOutputFolder } from './output-folder.js'

const identity = createPlatformIdentity()

async function inTemporary(run: (temporary: string, base: string) => Promise<void>) {
  const temporary = await mkdtemp(join(tmpdir(), 'kedge-outputs-'))
  try {
    await run(temporary, join(temporary, `claude-${identity.uid ?? 'user'}`))
  } finally {
    await rm(temporary, { recursive: true, force: true })
  }
}

const find = (temporary: string) =>
  createTaskOutputFolder({ files: nodeFiles, identity, temporary, cwd: '/home/me/my.app' })

test('at the place of the original, for the owner only', () =>
  inTemporary(async (temporary, base) => {
    const folder = await find(temporary)
    assert.equal(folder, join(base, '-home-me-my-app', 'tasks'))
    assert.equal((await lstat(folder)).mode & 0o777, 0o700)
    assert.equal((await lstat(base)).mode & 0o777, 0o700)
    assert.equal(await find(temporary), folder)
  }))

test('a folder that others can write to, or a link in its place, is not used', () =>
  inTemporary(async (temporary, base) => {
    await mkdir(base)
    await chmod(base, 0o777)
    const elsewhere = await find(temporary)
    assert.match(elsewhere, /\/kedge-[0-9a-f]{24}$/)
    assert.equal((await lstat(elsewhere)).mode & 0o777, 0o700)
    await rm(base, { recursive: true })
    await mkdir(join(temporary, 'trap'))
    await symlink(join(temporary, 'trap'), base)
    assert.match(await find(temporary), /\/kedge-[0-9a-f]{24}$/)
  }))
