/**
 * Names for what a process keeps in the folder for temporary files. A process that is killed can't remove its own, so a later
 * one does, before it makes one of its own: the name says whose it is.
 */
import { promises as fsp } from 'node:fs'
import { ownerProcessChecker } from './owner-process.js'

/** The end of names that only this process gives; a random part follows or comes before. */
export function processNameSuffix(): string {
  const { pid, started, machine } = ownerProcessChecker.own()
  return `p${pid}.${started}.${wordOf(machine)}.`
}

/** Folders that may be removed with what is in them. Pipes have other names, and nothing in them. */
const FOLDERS = /^kedge-(?:args|forget|sandbox)-/
const OWNED = /^kedge-.*p(\d+)\.(\d+)\.([0-9a-z]+)\./
/** Pipes are there for milliseconds: one of a container that is gone is recognized by its age. */
const PIPE_MS = 3_600_000

/**
 * Removes named pipes and folders in `folder` whose process is gone. Nothing happens to those of other users, nor to folders
 * of processes that can't be looked at from here, such as those of another container. Never rejects.
 */
export async function removeOrphanedFiles(folder: string, now: () => number = Date.now): Promise<void> {
  const names = await fsp.readdir(folder).catch(() => [])
  await Promise.all(names.map((name) => removeLeftover(folder, name, now).catch(() => undefined)))
}

async function removeLeftover(folder: string, name: string, now: () => number): Promise<void> {
  const [, pid, started, machine] = OWNED.exec(name) ?? []
  if (pid === undefined || started === undefined || machine === undefined) return
  const own = ownerProcessChecker.own()
  const isHere = wordOf(own.machine) === machine
  const state = isHere
    ? ownerProcessChecker.stateOf({ ...own, pid: Number(pid), started: Number(started) })
    : 'elsewhere'
  if (state === 'running') return
  const path = `${folder}/${name}`
  const stat = await fsp.lstat(path)
  if (process.getuid !== undefined && stat.uid !== process.getuid()) return
  if (stat.isFIFO()) {
    if (state === 'gone' || now() - stat.mtimeMs > PIPE_MS) await fsp.rm(path, { force: true })
  } else if (state === 'gone' && stat.isDirectory() && FOLDERS.test(name)) {
    await fsp.rm(path, { recursive: true, force: true })
  }
}

function wordOf(machine: string): string {
  return machine.toLowerCase().replaceAll(/[^0-9a-z]/g, '') || 'unknown'
}
