/**
 * A cgroup for the commands of one session, and one within it for each command (Linux, cgroup v2). Whatever a process starts is in
 * the cgroup of that process, and the kernel ends all of a cgroup in one step: nothing can start a successor in between. Used where
 * the system lets us make them and a command sees no difference; elsewhere processes are followed (`process-family.ts`).
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartOptions } from './process-runner.js'
import { isAlive, readEntry } from './process-table.js'

export interface Cgroup {
  readonly folder: string
  /** Has processes that have not ended. */
  isPopulated(): boolean
  /** Ends all of it in one step. They may take a moment to be gone. */
  kill(): void
  /** Does nothing while it has processes. */
  remove(): void
}

export interface SessionCgroup extends Cgroup {
  /** One more, for a command; undefined where it can't be made. */
  command(name: string): Cgroup | undefined
}

export type FindCgroup = (mark: string) => SessionCgroup | undefined

const PREFIX = 'kedge-'
/** A program that asks what it may use reads these in its own cgroup, and not all of them look further up. */
const LIMITS = ['memory.max', 'memory.high', 'cpu.max', 'cpuset.cpus']

/** Makes the cgroup of a session below `parent`, which is our own. Undefined where there can be none. */
export function createSessionCgroup(mark: string, parent = ownCgroup()): SessionCgroup | undefined {
  if (parent === undefined || LIMITS.some((name) => isLimited(read(join(parent, name))))) return undefined
  removeStale(parent)
  const session = makeCgroup(join(parent, `${PREFIX}${process.pid}-${readEntry(process.pid)?.started}-${mark}`))
  return session && { ...session, command: (name) => makeCgroup(join(session.folder, name)) }
}

/** What one session makes of it, from its first child on. */
export function createCgroupUse(find: () => SessionCgroup | undefined) {
  let found: { session: SessionCgroup | undefined } | undefined
  const session = () => {
    found ??= { session: find() }
    return found.session
  }
  return {
    session,
    /** Not for programs that Kedge itself has a use for: they end, and cost less without. */
    forCommand: (name: string, { leftovers, interactive }: Pick<StartOptions, 'leftovers' | 'interactive'>) =>
      leftovers === 'keep' || interactive ? session()?.command(name) : undefined,
    remove: () => found?.session?.remove(),
  }
}

function makeCgroup(folder: string): Cgroup | undefined {
  try {
    // Its parent may have been taken for stale by somebody who could not see our process.
    mkdirSync(folder, { recursive: true })
    // Since Linux 5.14.
    if (!readdirSync(folder).includes('cgroup.kill')) return void removeAll(folder)
  } catch {
    return undefined
  }
  return {
    folder,
    isPopulated: () => /^populated 1$/m.test(read(join(folder, 'cgroup.events'))),
    kill: () => put(join(folder, 'cgroup.kill'), '1'),
    remove: () => removeAll(folder),
  }
}

/** Moves a process that has just been started. What it has started itself meanwhile stays where it was. */
export function moveInto(cgroup: Cgroup, pid: number): void {
  put(entryOf(cgroup), String(pid))
}

/** Who writes `0` to this file enters. */
export const entryOf = ({ folder }: Cgroup): string => join(folder, 'cgroup.procs')

/** Has a Bash script enter first, so that nothing it starts is outside. Where that fails it runs all the same, and is followed. */
export function enteringFirst(cgroup: Cgroup, script: string): string {
  return `{ echo 0 > '${entryOf(cgroup).replaceAll("'", "'\\''")}'; } 2>/dev/null || :; ${script}`
}

/** Where this process is, if that is a folder it can see. */
function ownCgroup(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const path = /^0::(\/.*)$/m.exec(read('/proc/self/cgroup'))?.[1]
  const mount = read('/proc/self/mountinfo')
    .split('\n')
    .map((line) => line.split(' '))
    .find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2')
  const [root, point] = [mount?.[3], mount?.[4]]
  if (path === undefined || root === undefined || point === undefined) return undefined
  const below = root === '/' ? path : path.startsWith(`${root}/`) || path === root ? path.slice(root.length) : undefined
  if (below === undefined) return undefined
  const folder = join(point, below)
  // Names mean other things in other namespaces, so it is looked into.
  return read(join(folder, 'cgroup.procs')).split('\n').includes(String(process.pid)) ? folder : undefined
}

const isLimited = (text: string) => !/^(max\b.*)?$/.test(text.trim())

/** Of processes that were killed, and their watchdogs with them. */
function removeStale(parent: string): void {
  for (const name of folders(parent)) {
    const [, pid, started] = /^kedge-(\d+)-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isAlive({ pid: Number(pid), started: Number(started) })) removeAll(join(parent, name))
  }
}

/** From the innermost: an agent that was run by a command has some of its own. */
function removeAll(folder: string): void {
  for (const name of folders(folder)) removeAll(join(folder, name))
  try {
    rmdirSync(folder)
  } catch {
    // Somebody still runs in it, or it is gone.
  }
}

function folders(parent: string): string[] {
  try {
    return readdirSync(parent, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []))
  } catch {
    return []
  }
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function put(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch {
    // The process is gone, or the cgroup: either way there is nothing to do.
  }
}
