/** For tests: which processes still carry a mark in their environment. Empty where there is no /proc. */
import { readdirSync, readFileSync } from 'node:fs'

export function leftovers(mark: string): string[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).includes(mark))
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')}`)
}

/** The same after an abort, which waits for nobody longer than a tenth of a second: whoever is left gets time to die. */
export async function leftoversOfAbort(mark: string): Promise<string[]> {
  for (let i = 0; i < 300 && leftovers(mark).length > 0; i += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  return leftovers(mark)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
