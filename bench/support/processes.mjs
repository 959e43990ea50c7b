// What a process and everything it started use, from /proc: processor time with that of children already gone, and memory as PSS,
// in which a page shared by n processes counts 1/n. Where there is no /proc these are undefined, and the table says so.
import { existsSync, readdirSync, readFileSync } from 'node:fs'

export const hasProc = existsSync('/proc/self/smaps_rollup')
const TICKS_PER_SECOND = 100

function readStat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [, parent, , , , , , , , , , user, system, childUser, childSystem] = fields.map(Number)
    return { parent, own: user + system, children: childUser + childSystem }
  } catch {
    return undefined // gone meanwhile
  }
}

/** The process and all below it, with what each has used. */
function tree(root) {
  const all = new Map()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) && readStat(name)
    if (stat) all.set(Number(name), stat)
  }
  const belongs = (pid) => pid === root || (all.has(pid) && belongs(all.get(pid).parent))
  return [...all].filter(([pid]) => belongs(pid)).map(([pid, stat]) => ({ pid, ...stat }))
}

/** Seconds of processor time of the tree so far. */
export function cpuSeconds(root) {
  if (!hasProc) return undefined
  return tree(root).reduce((sum, { own, children }) => sum + own + children, 0) / TICKS_PER_SECOND
}

/** Seconds of all children of this process that have ended, with what they had started. */
export function endedCpuSeconds() {
  return hasProc ? readStat('self').children / TICKS_PER_SECOND : undefined
}

export function pssMegabytes(root) {
  if (!hasProc) return undefined
  return tree(root).reduce((sum, { pid }) => sum + pssOf(pid), 0)
}

export function pssOf(pid) {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))[1]) / 1024
  } catch {
    return 0 // gone meanwhile
  }
}

/** Looks at the memory of these trees again and again; `end()` tells the most it has seen. */
export function watchPss(roots, everyMs = 20) {
  let peak = 0
  const look = () => {
    peak = Math.max(
      peak,
      roots.reduce((sum, root) => sum + pssMegabytes(root), 0),
    )
  }
  const timer = hasProc ? setInterval(look, everyMs) : undefined
  return {
    look: hasProc ? look : () => {},
    end() {
      clearInterval(timer)
      return hasProc ? peak : undefined
    },
  }
}
