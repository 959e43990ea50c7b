/**
 * A machine's cache of a repository, so a session needs no full clone: branches and tags as the server has them.
 * Sessions borrow its objects, which are never removed. Only Kedge writes to it, one process at a time.
 */
import { createHash } from 'node:crypto'
import { access, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { nodeClock } from '../../../platform/clock.js'
import { nodeFiles } from '../../../platform/files/files.js'
import { tryLock } from '../../../platform/files/process-lock.js'
import { storableName, type WorkspaceMachine } from '../workspace-machine.js'
import type { GitProgram } from './git-command.js'

const PAUSE_MS = 20

export async function refreshGitCache(
  { root }: WorkspaceMachine,
  { tenant, remote }: { tenant: string; remote: string },
  git: GitProgram,
  signal: AbortSignal | undefined,
): Promise<string> {
  // The cache belongs to one tenant. Another tenant, without access to the repository, must not find it on the disk.
  const all = join(root, storableName(tenant), 'git')
  const cache = join(all, createHash('sha256').update(remote).digest('hex').slice(0, 32))
  await mkdir(all, { recursive: true, mode: 0o700 })
  const release = await locked(`${cache}.lock`, signal)
  try {
    await removeLocks(cache)
    const call = { cwd: all, gitDir: cache, signal }
    const isThere = await access(join(cache, 'HEAD')).then(
      () => true,
      () => false,
    )
    if (!isThere) await git.local(['init', '-q', '--bare', '--template=', cache], { cwd: all, gitDir: cache, signal })
    const what = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*']
    await git.remote(['fetch', '-q', '--prune', '--no-tags', '--no-write-fetch-head', remote, ...what], call)
    return cache
  } finally {
    release()
  }
}

async function locked(path: string, signal: AbortSignal | undefined): Promise<() => void> {
  for (;;) {
    signal?.throwIfAborted()
    const lock = tryLock(path, { files: nodeFiles, clock: nodeClock })
    if (!('holder' in lock)) return lock.release
    await nodeClock.sleep(PAUSE_MS, signal)
  }
}

/** We have its lock, so those of git were left by one that was killed. */
async function removeLocks(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory() && entry.name !== 'objects') await removeLocks(path)
    else if (entry.name.endsWith('.lock')) await rm(path, { force: true })
  }
}
