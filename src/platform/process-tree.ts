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

/** Looks and kills until nothing is found, but not for ever: a process may be stuck in the kernel. */
const ROUNDS = 15
const ROUND_MS = 3

/**
 * Kills every process whose environment carries `mark`: daemons that made a session of their own (setsid, double fork).
 * Only Linux shows environments; elsewhere the group is all there is. A process that wiped its environment escapes.
 */
export async function killMarked(mark: string, since: { pid: number; longAgo: boolean }): Promise<void> {
  if (process.platform !== 'linux') return
  for (let round = 0; round < ROUNDS; round += 1) {
    const inRange = since.longAgo ? () => true : await youngerThan(since.pid)
    const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0 && pid !== process.pid && inRange(pid))
    const looks = await Promise.all(pids.map((pid) => look(pid, mark)))
    for (const [i, pid] of pids.entries()) if (looks[i] === 'marked') killOne(pid)
    if (!looks.some((found) => found !== 'other')) return
    // Time to die, to finish an exec, or to show what was forked meanwhile.
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
  }
}

/** `unsure`: in the middle of an exec a process has no environment to show. */
async function look(pid: number, mark: string): Promise<'marked' | 'unsure' | 'other'> {
  try {
    const environment = await readFile(`/proc/${pid}/environ`)
    if (environment.length > 0) return environment.includes(mark) ? 'marked' : 'other'
    const [state, parent] = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ').at(-1)?.split(' ') ?? []
    const isOver = state === 'Z' || state === 'X'
    const isKernel = parent === '2' || pid === 2
    return isOver || isKernel ? 'other' : 'unsure'
  } catch {
    // Gone, or not ours to look at: then it is not ours to kill either.
    return 'other'
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
