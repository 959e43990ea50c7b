/** The processes of this machine, as one look shows them: `/proc` on Linux, CIM on Windows, `ps` elsewhere. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'

export type ProcessEntry = {
  pid: number
  parent: number
  /** 0 where there are no groups (Windows). */
  group: number
  /** 0 where it can't be known. */
  session: number
  /** When it began. Only good for comparing: together with `pid` it names one process for ever. */
  started: number
  /** Ended, and not yet waited for by its parent. */
  isOver: boolean
}

const isLinux = process.platform === 'linux'
/** Number of processes visited before other work gets a turn. */
const SLICE = 64
/** How often one look follows those who were gone when it came to them. */
const MAX_PASSES = 8

/**
 * Shows all processes to `visit`, each at the moment it is looked at, the kernel's own threads left out. Returns the ids of
 * those who were gone before they could be. `inRange` saves looks by the process id alone.
 */
export async function visitProcesses(
  visit: (entry: ProcessEntry) => void,
  inRange: (pid: number) => boolean = () => true,
): Promise<number[]> {
  if (!isLinux) {
    for (const entry of await (process.platform === 'win32' ? listByCim() : listByPs())) visit(entry)
    return []
  }
  const gone: number[] = []
  const seen = new Set<number>()
  // A process that was gone might have left a successor that is younger than the list. It is looked for at once: among
  // so few, it can't get away again.
  for (let pass = 0, before = -1; pass < MAX_PASSES && gone.length > before; pass += 1) {
    before = gone.length
    // The youngest first: they are the ones that will not wait.
    const pids = readdirSync('/proc').map(Number)
    const fresh = pids.filter((pid) => pid > 0 && !seen.has(pid) && inRange(pid)).sort((a, b) => b - a)
    for (const [i, pid] of fresh.entries()) {
      if (i % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve))
      seen.add(pid)
      const fields = readStat(pid)
      if (!fields) gone.push(pid)
      else if (!isKernelThread(fields)) visit(toEntry(pid, fields))
    }
  }
  return gone
}

/** One process as it is at this moment; undefined when it is gone, or where one can't be looked at alone. */
export function readEntry(pid: number): ProcessEntry | undefined {
  const fields = readStat(pid)
  return fields && toEntry(pid, fields)
}

/** The fields of /proc/<pid>/stat from the state on. The name before it is in brackets, and may itself hold brackets and blanks. */
function readStat(pid: number): string[] | undefined {
  return readSmall(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ')
}

function toEntry(pid: number, fields: readonly string[]): ProcessEntry {
  const [, parent = 0, group = 0, session = 0] = fields.map(Number)
  return { pid, parent, group, session, started: Number(fields[STARTED]), isOver: isOver(fields[0]) }
}

/** Not by their parent: number 2 is anybody's in a container. */
function isKernelThread(fields: readonly string[]): boolean {
  return (Number(fields[FLAGS]) & KERNEL_THREAD) !== 0
}

const FLAGS = 6
const STARTED = 19
const KERNEL_THREAD = 0x200000

const isOver = (state = '') => /^[ZX]/.test(state)

/** Is it still there, and no other of the same number? */
export function isAlive({ pid, started }: Pick<ProcessEntry, 'pid' | 'started'>): boolean {
  if (isLinux) {
    const now = readEntry(pid)
    return now?.started === started && !now.isOver
  }
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** A clock that runs like `started`, a little behind: what starts after a reading is not older than it. */
export function createProcessStartClock(pid: number): () => number {
  // `ps` tells whole seconds; where nothing can be told, nothing is too old.
  if (!isLinux) return () => Date.now() - 1_000
  const first = readEntry(pid)?.started ?? Number.NEGATIVE_INFINITY
  const from = performance.now()
  return () => first + Math.floor((performance.now() - from) / TICK_MS) - 2
}

const TICK_MS = 10

/**
 * The value of a variable a process was started with. `unknown` when it has none to show: in the middle of an exec, or
 * already over.
 */
export function readProcessVariable(pid: number, name: string): string | undefined | 'unknown' {
  if (!isLinux) return undefined
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
    if (environment === '') return 'unknown'
    const entry = environment.split('\0').find((text) => text.startsWith(`${name}=`))
    return entry?.slice(name.length + 1)
  } catch (error) {
    // Not ours to look at: then it is not ours to kill either.
    const isOthers = error instanceof Error && 'code' in error && error.code === 'EACCES'
    return isOthers ? undefined : 'unknown'
  }
}

/** What a descriptor of a process leads to. */
export function readDescriptorTarget(pid: number, descriptor: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`)
  } catch {
    return ''
  }
}

/** A test for process ids given since `pid` was: they count upwards and start over at the top. */
export function createStartedSinceCheck(pid: number): (other: number) => boolean {
  const newest = Number(readSmall('/proc/loadavg')?.trim().split(' ').at(-1))
  if (!(newest > 0)) return () => true
  // Some are given while we look.
  const last = newest + 1024
  return newest >= pid ? (other) => other >= pid && other <= last : (other) => other >= pid || other <= last
}

/** How many threads the user of this process has, which is what the limit on processes counts; undefined where that can't be known, or does not matter. */
export function countUserThreads(): number | undefined {
  const uid = process.getuid?.()
  // Root is not bound by limits on processes.
  if (!isLinux || !uid) return undefined
  let count = 0
  for (const name of readdirSync('/proc')) {
    const status = Number(name) > 0 ? (readSmall(`/proc/${name}/status`) ?? '') : ''
    if (Number(/^Uid:\s*(\d+)/m.exec(status)?.[1]) === uid) count += Number(/^Threads:\s*(\d+)/m.exec(status)?.[1] ?? 1)
  }
  return count
}

/** The limit on processes that children inherit from us. */
export function readInheritedProcessLimit(): number {
  const soft = Number(/^Max processes\s+(\d+)/m.exec(readSmall('/proc/self/limits') ?? '')?.[1])
  return soft > 0 ? soft : Number.POSITIVE_INFINITY
}

/** What fits one read, as the kernel's own files do. */
function readSmall(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      const buffer = Buffer.allocUnsafe(4096)
      return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, null))
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

async function listByPs(): Promise<ProcessEntry[]> {
  const { execFile } = await import('node:child_process')
  const text = await new Promise<string>((resolve) => {
    const options = { encoding: 'utf8', timeout: 2_000, maxBuffer: 16 * 1024 * 1024 } as const
    execFile('ps', ['-A', '-o', 'pid=,ppid=,pgid=,stat=,lstart='], options, (_error, stdout) => resolve(stdout))
  })
  return parsePs(text)
}

export function parsePs(text: string): ProcessEntry[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, started] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.+?)\s*$/.exec(line) ?? []
    if (started === undefined) return []
    const numbers = { pid: Number(pid), parent: Number(parent), group: Number(group), session: 0 }
    return { ...numbers, started: Date.parse(started), isOver: isOver(state) }
  })
}

/** Windows tells of processes by PowerShell; its `tasklist` knows no parents. */
async function listByCim(): Promise<ProcessEntry[]> {
  const { execFile } = await import('node:child_process')
  const query =
    'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CreationDate.ToUniversalTime().Ticks)" }'
  const text = await new Promise<string>((resolve) => {
    const options = { encoding: 'utf8', timeout: 10_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true } as const
    const args = ['-NoProfile', '-NonInteractive', '-Command', query]
    execFile('powershell.exe', args, options, (_error, stdout) => resolve(stdout))
  })
  return parseWindowsProcesses(text)
}

/** Ticks are tenths of microseconds since the year 1. */
const EPOCH_TICKS = 621_355_968_000_000_000n

export function parseWindowsProcesses(text: string): ProcessEntry[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, pid, parent, ticks] = /^\s*(\d+) (\d+) (\d+)\s*$/.exec(line) ?? []
    // The system itself has neither a beginning nor an end.
    if (ticks === undefined || Number(pid) <= 4) return []
    const started = Number((BigInt(ticks) - EPOCH_TICKS) / 10_000n)
    return { pid: Number(pid), parent: Number(parent), group: 0, session: 0, started, isOver: false }
  })
}
