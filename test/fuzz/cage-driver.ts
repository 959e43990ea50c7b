/** Runs inside the cage: takes commands line by line, runs each in the small world, and tells what really happened. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createInterface } from 'node:readline'
import type { CageRequest, Execution, Trace } from './cage.js'
import { HOME, OUT, ROOTS, SECRET, WATCHED } from './world.js'

const EXECUTIONS = '/log/executions'
const BUILTINS = '/log/builtins'
const OUTPUT = '/log/output'
const TRACE_DESCRIPTOR = 9
/** As the Bash tool starts a command, with limits, and with a record of what the shell does itself. */
const SCRIPT = `ulimit -f 20480 -t 5 -u 400; exec 29>&3 3>&-; trap 'pwd -P 2>/dev/null >&29' EXIT; __kedge_command=$1; shift; BASH_XTRACEFD=${TRACE_DESCRIPTOR}; PS4=$'\\x01'; set -x; eval -- "$__kedge_command"`
const SHELL_OPTIONS = ['--noprofile', '--norc', '-c']
/** The shell's own record of commands that are not there. */
const NOT_FOUND = `() { printf '%s\\0' "$(($# - 1))" "$PWD" "missing:$1" "\${@:2}" >> ${EXECUTIONS}; return 127; }`
const ENVIRONMENT = {
  PATH: '/stubs',
  HOME,
  LANG: 'C.UTF-8',
  USER: 'u',
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: 'true',
  x: 'a.txt',
  TOKEN: SECRET,
  jwt: SECRET,
  'BASH_FUNC_command_not_found_handle%%': NOT_FOUND,
}
const LONG_AGO = 1_000_000_000
/** Git refreshes it when it only looks. */
const isIndex = (path: string) => /\/(?:\.git|inside|deposit)\/index$/.test(path)

for (const root of ROOTS)
  cpSync(`/world${root}`, root, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
const pristine = remember()
const indexes = new Map([...pristine.keys()].filter(isIndex).map((path) => [path, mark(path)]))
for (const file of [EXECUTIONS, BUILTINS, OUTPUT]) writeFileSync(file, '')
let before = snapshot()
process.stdout.write(`${JSON.stringify({ entries: [...before.keys()] })}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  // The other end is our own; see cage.ts.
  const request = JSON.parse(line) as CageRequest
  process.stdout.write(`${JSON.stringify(run(request))}\n`)
}

function run({ command, cwd, edits }: CageRequest): Trace {
  for (const file of [EXECUTIONS, BUILTINS, OUTPUT]) truncateSync(file)
  // Watched files look unread: the kernel notes the next read.
  for (const path of watched()) utimesSync(path, LONG_AGO, LONG_AGO)
  before = snapshot(before)
  for (const path of watched()) utimesSync(path, LONG_AGO, LONG_AGO)
  const sentBefore = packetsSent()
  const output = openSync(OUTPUT, 'a')
  const builtins = openSync(BUILTINS, 'a')
  // A session of its own, as the Bash tool gives it: `kill 0` must not reach us.
  const ended = spawnSync(
    '/real/bin/setsid',
    ['-w', '/real/bin/bash', ...SHELL_OPTIONS, SCRIPT, '/bin/bash', command],
    {
      cwd,
      env: { ...ENVIRONMENT, PWD: cwd, ...(edits ? { KEDGE_FUZZ_EDITS: '1' } : {}) },
      stdio: ['ignore', output, output, output, ...Array.from({ length: 5 }, () => 'ignore' as const), builtins],
      timeout: 2_000,
      killSignal: 'SIGKILL',
    },
  )
  const lingering = waitForOthers()
  closeSync(output)
  closeSync(builtins)
  const read = watched().filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.atimeMs ?? 0) > LONG_AGO * 1000)
  const after = snapshot()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  )
  const gone = changed.filter((path) => !after.has(path))
  const planted = changed.filter(isPlanted)
  const refreshed = [...indexes.keys()].filter((path) => indexes.get(path) !== mark(path))
  if (changed.length > 0 || refreshed.length > 0) {
    repair([...changed, ...refreshed])
    for (const path of indexes.keys()) indexes.set(path, mark(path))
    before = snapshot()
    const left = [...new Set([...before.keys(), ...pristine.keys()])].filter(
      (path) => !isIndex(path) && before.has(path) !== pristine.has(path),
    )
    if (left.length > 0) throw new Error(`not as it was: ${left.join(' ')}`)
  } else before = after
  return {
    executions: readExecutions(),
    builtins: readFileSync(BUILTINS, 'latin1')
      .split('\n')
      .filter((line) => line.startsWith('\u0001')),
    changed,
    gone,
    read,
    planted,
    packets: packetsSent() - sentBefore,
    leaked: readFileSync(OUTPUT, 'latin1').includes(SECRET),
    timedOut: ended.error !== undefined || lingering,
    status: ended.status,
    output: readFileSync(OUTPUT, 'utf8').slice(0, 500),
  }
}

function readExecutions(): Execution[] {
  const fields = readFileSync(EXECUTIONS, 'utf8').split('\0')
  const found: Execution[] = []
  for (let at = 0; at + 2 < fields.length; ) {
    const count = Number(fields[at])
    found.push({ cwd: fields[at + 1] ?? '', program: fields[at + 2] ?? '', args: fields.slice(at + 3, at + 3 + count) })
    at += 3 + count
  }
  return found
}

/** What a command left in the background still counts; what does not end by itself is ended. */
function waitForOthers(): boolean {
  const others = () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && Number(name) > 1 && Number(name) !== process.pid)
      .filter((name) => !isGone(name))
  for (let tries = 0; others().length > 0; tries++) {
    if (tries > 100) {
      for (const name of others()) kill(Number(name))
      return true
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3)
  }
  return false
}

function isGone(name: string): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${name}/stat`, 'latin1').replace(/^.*\)/s, ''))
  } catch {
    return true
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

/** Files and folders nobody may read without being allowed to. */
function watched(): string[] {
  return [OUT, `${OUT}/sub`, ...WATCHED]
}

/** As the kernel counts them for this cage, those for which it knew no way included. */
function packetsSent(): number {
  const [names = [], values = []] = readFileSync('/proc/net/snmp', 'latin1')
    .split('\n')
    .filter((line) => line.startsWith('Ip: '))
    .map((line) => line.split(' '))
  let sum = 0
  for (const name of ['OutRequests', 'OutNoRoutes']) sum += Number(values[names.indexOf(name)] ?? 0)
  const newer = existsSync('/proc/net/snmp6') ? readFileSync('/proc/net/snmp6', 'latin1') : ''
  for (const [, count] of newer.matchAll(/^Ip6Out(?:Requests|NoRoutes)\s+(\d+)$/gm)) sum += Number(count)
  return sum
}

function mark(path: string): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat ? `${stat.mtimeMs} ${stat.ino} ${stat.size}` : ''
}

/** What git would run later. */
function isPlanted(path: string): boolean {
  const part = /\/(?:\.git|inside|deposit)\/(?:.*\/)?(config(?:\.worktree)?|info\/attributes|hooks\/[^/]+)$/.exec(
    path,
  )?.[1]
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (part === undefined || !stat || stat.isDirectory()) return false
  return part.startsWith('hooks/') ? !part.endsWith('.sample') : readFileSync(path, 'latin1').includes('evil')
}

/** Everything in the world, with a mark that differs when it was touched. */
function snapshot(known?: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (path: string) => {
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (!stat) return
    const inGit = /\/(?:\.git|inside|deposit)(?:\/|$)/.test(path)
    const target = stat.isSymbolicLink() ? readlinkSync(path) : ''
    // Git refreshes its index, and makes and removes lock files, when it only looks; others use /tmp for a moment.
    if (!isIndex(path) && path !== '/tmp')
      found.set(path, `${stat.mode} ${inGit && stat.isDirectory() ? '' : `${stat.mtimeMs} ${stat.size}`} ${target}`)
    if (!stat.isDirectory()) return
    // A command may have made a folder that nobody can look into; that the cage looks all the same is none of its doing.
    if ((stat.mode & 0o700) !== 0o700) chmodSync(path, 0o700)
    for (const name of readdirSync(path)) visit(`${path}/${name}`)
  }
  if (known) {
    // Only the times of watched files were set.
    for (const [path, mark] of known) found.set(path, mark)
    for (const path of watched()) {
      const stat = lstatSync(path)
      found.set(path, `${stat.mode} ${stat.mtimeMs} ${stat.size} `)
    }
    return found
  }
  for (const root of [...ROOTS, '/tmp']) visit(root)
  return found
}

type Item = { mode: number; folder?: true; target?: string; content?: Uint8Array }

/** Everything in the world as it was built, outermost first. */
function remember(): Map<string, Item> {
  const items = new Map<string, Item>()
  const paths = [...snapshot().keys()]
  const indexesOf = paths.map((path) => `${path}/index`).filter((path) => isIndex(path) && existsSync(path))
  for (const path of [...paths, ...indexesOf]) {
    const stat = lstatSync(path)
    const mode = stat.mode & 0o7777
    if (stat.isDirectory()) items.set(path, { mode, folder: true })
    else if (stat.isSymbolicLink()) items.set(path, { mode, target: readlinkSync(path) })
    else items.set(path, { mode, content: readFileSync(path) })
  }
  return items
}

/** Only what was changed is made again: building all of it takes longer than most commands. */
function repair(changed: readonly string[]): void {
  const wrong = new Set(changed)
  for (const path of wrong) {
    const known = pristine.get(path)
    const stat = lstatSync(path, { throwIfNoEntry: false })
    if (stat && !(known?.folder && stat.isDirectory())) rmSync(path, { recursive: true, force: true })
  }
  for (const [path, { mode, folder, target, content }] of pristine) {
    if (!wrong.has(path)) continue
    if (folder) mkdirSync(path, { recursive: true })
    else if (target !== undefined) symlinkSync(target, path)
    else if (content) writeFileSync(path, content)
    if (target === undefined) chmodSync(path, mode)
  }
}
