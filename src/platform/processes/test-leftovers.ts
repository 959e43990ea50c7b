/** For tests: which processes still carry a mark in their environment. Empty where there is no /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export function findLeftoverProcesses(mark: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`)
}

/** Long enough for killed processes to be scheduled on a busy machine. What escaped stays longer. */
const DYING_MS = 30_000

/** The same after an abort, which waits at most a tenth of a second: leftovers get time to die. */
export async function findLeftoversAfterAbort(mark: string): Promise<string[]> {
  const end = performance.now() + DYING_MS
  while (findLeftoverProcesses(mark).length > 0 && performance.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 10))
  return findLeftoverProcesses(mark)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
