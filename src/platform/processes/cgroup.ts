/**
 * A cgroup for each session, and one inside it for each command (Linux, cgroup v2). A child process belongs to its parent's cgroup,
 * and the kernel kills a whole cgroup in one step, so no process can start a successor in between. Used if Kedge can create cgroups
 * and commands see no difference; otherwise `process-family.ts` follows the processes.
 */
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StartProcessOptions } from './process-runner.js'
import { isAlive, readEntry } from './process-table.js'

export interface Cgroup {
  readonly folder: string
  /** Whether it contains live processes. */
  isPopulated(): boolean
  /** Kills all its processes in one step. They can take a moment to disappear. */
  kill(): void
  /** Removes the cgroup; does nothing while it contains processes. */
  remove(): void
}

export interface SessionCgroup extends Cgroup {
  /** Creates the cgroup of a command; `undefined` if that fails. */
  command(name: string): Cgroup | undefined
}

export type FindSessionCgroup = (mark: string) => SessionCgroup | undefined

const PREFIX = 'kedge-'
/** Limit files that programs read in their own cgroup. Not all programs look at the parent's. */
const LIMITS = ['memory.max', 'memory.high', 'cpu.max', 'cpuset.cpus']

/** Creates a session's cgroup below `parent`, the cgroup of this process. `undefined` if that isn't possible. */
export function createSessionCgroup(mark: string, parent = ownCgroup()): SessionCgroup | undefined {
  if (parent === undefined || LIMITS.some((name) => isLimited(read(join(parent, name))))) return undefined
  removeStale(parent)
  const session = makeCgroup(join(parent, `${PREFIX}${process.pid}-${readEntry(process.pid)?.started}-${mark}`))
  return session && { ...session, command: (name) => makeCgroup(join(session.folder, name)) }
}

/** The cgroups of one session, created with its first child process. */
export function createLazySessionCgroups(find: () => SessionCgroup | undefined) {
  let found: { session: SessionCgroup | undefined } | undefined
  const session = () => {
    found ??= { session: find() }
    return found.session
  }
  return {
    session,
    /** Not used for Kedge's own helper programs, which end on their own and start faster without. */
    forCommand: (name: string, { leftovers, interactive }: Pick<StartProcessOptions, 'leftovers' | 'interactive'>) =>
      leftovers === 'keep' || interactive ? session()?.command(name) : undefined,
    remove: () => found?.session?.remove(),
  }
}

function makeCgroup(folder: string): Cgroup | undefined {
  try {
    // A Kedge in another pid namespace can't see this process, and might have removed the parent as stale.
    mkdirSync(folder, { recursive: true })
    // `cgroup.kill` needs Linux 5.14.
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

/** Moves a new process into the cgroup. Children it has started meanwhile stay outside. */
export function moveIntoCgroup(cgroup: Cgroup, pid: number): void {
  put(cgroupEntryFile(cgroup), String(pid))
}

/** A process that writes `0` to this file enters the cgroup. */
export const cgroupEntryFile = ({ folder }: Cgroup): string => join(folder, 'cgroup.procs')

/** Prefixes a Bash script so it enters the cgroup first. If that fails, the script still runs, and Kedge follows its processes. */
export function withCgroupEntry(cgroup: Cgroup, script: string): string {
  return `{ echo 0 > '${cgroupEntryFile(cgroup).replaceAll("'", "'\\''")}'; } 2>/dev/null || :; ${script}`
}

/** The cgroup folder of this process, if it's visible. */
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
  // Names differ between namespaces, so the folder must list this process.
  return read(join(folder, 'cgroup.procs')).split('\n').includes(String(process.pid)) ? folder : undefined
}

const isLimited = (text: string) => !/^(max\b.*)?$/.test(text.trim())

/** Removes cgroups left by Kedge processes that were killed together with their watchdog. */
function removeStale(parent: string): void {
  for (const name of folders(parent)) {
    const [, pid, started] = /^kedge-(\d+)-(\d+)-/.exec(name) ?? []
    if (pid !== undefined && !isAlive({ pid: Number(pid), started: Number(started) })) removeAll(join(parent, name))
  }
}

/** Starts with the innermost, because a command can run a Kedge with cgroups inside. */
function removeAll(folder: string): void {
  for (const name of folders(folder)) removeAll(join(folder, name))
  try {
    rmdirSync(folder)
  } catch {
    // It still contains processes, or is already removed.
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
    // The process or the cgroup no longer exists.
  }
}
