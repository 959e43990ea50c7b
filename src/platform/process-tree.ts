/** Ends a child together with everything it started: its process group, and what left the group but carries its mark. */
import { readdir, readFile } from 'node:fs/promises'

export const MARK = 'KEDGE_TASK'

/** Agents nest (a command may run an agent): the outer marks are kept, so that ending the outer ends the inner too. */
export function markedEnvironment(env: Readonly<Record<string, string | undefined>>, mark: string) {
  const outer = env[MARK]
  return { ...env, [MARK]: outer ? `${outer},${mark}` : mark }
}

/** Signals the group that `pid` leads; with signal 0 only asks. True if the group has members. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-pid, signal)
    return true
  } catch (error) {
    // EPERM: there are members, but of another user (sudo).
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Kills every process whose environment carries `mark`: daemons that made a session of their own (setsid, double fork).
 * Only Linux shows environments; elsewhere the group is all there is. A process that wiped its environment escapes.
 */
export async function killMarked(mark: string, since: { pid: number; longAgo: boolean }): Promise<void> {
  if (process.platform !== 'linux') return
  // A second look finds what was forked while the first one went on.
  for (let round = 0; round < 5; round += 1) {
    const found = await findMarked(mark, since)
    if (found.length === 0) return
    for (const pid of found) killOne(pid)
  }
}

async function findMarked(mark: string, since: { pid: number; longAgo: boolean }): Promise<number[]> {
  const inRange = since.longAgo ? () => true : await youngerThan(since.pid)
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid && inRange(pid))
  const marked = await Promise.all(pids.map((pid) => carries(pid, mark)))
  return pids.filter((_, i) => marked[i])
}

async function carries(pid: number, mark: string): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/environ`)).includes(mark)
  } catch {
    // Gone, or not ours to look at: then it is not ours to kill either.
    return false
  }
}

/** Process ids count upwards and start over at the top, so a short command needs no look at every process of the machine. */
async function youngerThan(pid: number): Promise<(other: number) => boolean> {
  const newest = Number((await readFile('/proc/loadavg', 'utf8')).trim().split(' ').at(-1))
  if (!(newest > 0)) return () => true
  return newest >= pid
    ? (other) => other >= pid && other <= newest + 1024
    : (other) => other >= pid || other <= newest + 1024
}

function killOne(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
