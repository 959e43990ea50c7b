/**
 * One at a time for a file of a folder, among all processes of ours: a lock beside it, there for as long as a comparison and a rename
 * take. The work is done without a pause, so one that stays was left by a process that was killed.
 */
import { lstatSync, rmSync, writeFileSync } from 'node:fs'
import { systemErrorCode } from './file-stat.js'
import type { HeldFolder } from './held-folder.js'

/** No comparison takes so long, of the largest file on the slowest disk. */
const LEFT_BEHIND_MS = 3_000
const WAIT_MS = 3

export async function withReplaceLock(
  folder: Pick<HeldFolder, 'at'>,
  name: string,
  work: () => void,
  leftBehindMs = LEFT_BEHIND_MS,
): Promise<void> {
  const lock = folder.at(`.kedge-${shortName(name)}.lock`)
  let seen: { id: string; since: number } | undefined
  let taken = take(lock)
  while (taken === 'by another') {
    const found = lstatSync(lock, { throwIfNoEntry: false })
    const id = `${found?.ino} ${found?.ctimeMs}`
    if (seen?.id !== id) seen = { id, since: performance.now() }
    else if (performance.now() - seen.since > leftBehindMs) rmSync(lock, { force: true })
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS * (1 + Math.random())))
    taken = take(lock)
  }
  try {
    work()
  } finally {
    if (taken === 'by us') rmSync(lock, { force: true })
  }
}

/** `by none`: the folder takes no new names. */
function take(lock: string): 'by us' | 'by another' | 'by none' {
  try {
    // The holder's process id, for cleanup after a process was killed.
    writeFileSync(lock, `${process.pid}`, { flag: 'wx', mode: 0o600 })
    return 'by us'
  } catch (error) {
    return systemErrorCode(error) === 'EEXIST' ? 'by another' : 'by none'
  }
}

/** Two names may share one: then they wait for each other. */
function shortName(name: string): string {
  let hash = 0
  for (let i = 0; i < name.length; i++) hash = (Math.imul(hash, 31) + name.charCodeAt(i)) >>> 0
  return hash.toString(36)
}
