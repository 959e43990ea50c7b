// Counts the starts of Node below the test processes, in a thread of `scripts/test.mjs`. Programs that tests start get
// environments of their own, so nothing inside them can count: this looks at /proc. Node lives for at least twice the
// interval. Elsewhere than on Linux it counts nothing.
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'

const INTERVAL_MS = 30
/** Looks at a program that is not Node, which can become one for as long as it lives. Most do at once: later ones are rare. */
const EARLY_LOOKS = 30
const LATER_EVERY = 30
/** Fields of /proc/<pid>/stat, counted from the one behind the name. */
const PARENT = 1
const STACK = 25

/** `look` is called again and again; `starts` has an entry for each start: when, and below which test process. */
export function createCounter(parent, proc = '/proc') {
  const known = new Map()
  const starts = []
  const read = (pid) => {
    try {
      const stat = readFileSync(`${proc}/${pid}/stat`, 'latin1')
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { parentPid: Number(fields[PARENT]), stack: fields[STACK] }
    } catch {
      // It has ended.
    }
  }
  const isNode = (pid) => {
    try {
      return basename(readlinkSync(`${proc}/${pid}/exe`)) === basename(process.execPath)
    } catch {
      return false
    }
  }
  /** The test process that a process belongs to: the one that this process started. */
  const ownerOf = (pid, parentPid) => (parentPid === parent ? pid : known.get(parentPid)?.owner)
  function meet(pid) {
    const found = read(pid)
    if (found === undefined) return
    const owner = ownerOf(pid, found.parentPid)
    known.set(pid, { owner, isCounted: owner === undefined, parentStack: read(found.parentPid)?.stack, looks: 0 })
  }
  /**
   * Until it runs a program, a forked process is a copy of its parent: its stack begins at the same address. That comes
   * first, because it can change between the two looks.
   */
  function judge(pid, entry) {
    entry.looks += 1
    if (entry.looks > EARLY_LOOKS && entry.looks % LATER_EVERY !== 0) return
    if (read(pid)?.stack === entry.parentStack || !isNode(pid)) return
    entry.isCounted = true
    starts.push({ owner: entry.owner, at: Date.now() })
  }
  function look() {
    const alive = new Set(
      readdirSync(proc)
        .filter((name) => /^\d/.test(name))
        .map(Number),
    )
    for (const pid of known.keys()) if (!alive.has(pid)) known.delete(pid)
    for (const pid of alive) if (!known.has(pid)) meet(pid)
    for (const [pid, entry] of known) if (!entry.isCounted) judge(pid, entry)
  }
  return { look, starts }
}

if (!isMainThread && workerData?.countBelow !== undefined) {
  const counter = createCounter(workerData.countBelow)
  const timer = setInterval(counter.look, INTERVAL_MS)
  parentPort.once('message', () => {
    clearInterval(timer)
    parentPort.postMessage(counter.starts)
    parentPort.close()
  })
}
