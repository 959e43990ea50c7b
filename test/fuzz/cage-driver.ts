/** Runs inside the cage: takes commands line by line, runs each in the small world, and tells what really happened. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  cpSync,
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
import { FILES, folders, HOME, LINKS, OUT, REPO, ROOTS, SECRET, TRAPS } from './world.js'

const EXECUTIONS = '/log/executions'
const BUILTINS = '/log/builtins'
const OUTPUT = '/log/output'
const TRACE_DESCRIPTOR = 9
/** As the Bash tool starts a command, with limits, and with a record of what the shell does itself. */
const SCRIPT = `ulimit -f 20480 -t 5 -u 400; exec 29>&3 3>&-; trap 'pwd -P 2>/dev/null >&29' EXIT; __kedge_command=$1; shift; BASH_XTRACEFD=${TRACE_DESCRIPTOR}; PS4=$'\\x01'; set -x; eval "$__kedge_command"`
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
  'BASH_FUNC_command_not_found_handle%%': NOT_FOUND,
}
const LONG_AGO = 1_000_000_000
const INDEX = `${REPO}/.git/index`

prepareGit()
build()
const pristine = remember()
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
  if (changed.length > 0) {
    repair(changed)
    before = snapshot()
    const left = [...new Set([...before.keys(), ...pristine.keys()])].filter(
      (path) => path !== INDEX && before.has(path) !== pristine.has(path),
    )
    if (left.length > 0) throw new Error(`not as it was: ${left.join(' ')}`)
  } else before = after
  return {
    executions: readExecutions(),
    builtins: readFileSync(BUILTINS, 'latin1')
      .split('\n')
      .filter((line) => line.startsWith('\u0001')),
    changed,
    read,
    leaked: readFileSync(OUTPUT, 'latin1').includes(SECRET),
    timedOut: ended.error !== undefined || lingering,
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
  return [OUT, `${OUT}/sub`, ...Object.keys(FILES).filter((path) => /^\/(?:out|home|repo\/secrets)\//.test(path))]
}

/** Everything in the world, with a mark that differs when it was touched. */
function snapshot(known?: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>()
  const visit = (path: string) => {
    const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (!stat) return
    const inGit = path.startsWith(`${REPO}/.git`)
    const target = stat.isSymbolicLink() ? readlinkSync(path) : ''
    // Git refreshes its index, and makes and removes lock files, when it only looks; others use /tmp for a moment.
    if (path !== INDEX && path !== '/tmp')
      found.set(path, `${stat.mode} ${inGit && stat.isDirectory() ? '' : `${stat.mtimeNs} ${stat.size}`} ${target}`)
    if (!stat.isDirectory()) return
    // A command may have made a folder that nobody can look into; that the cage looks all the same is none of its doing.
    if ((Number(stat.mode) & 0o700) !== 0o700) chmodSync(path, 0o700)
    for (const name of readdirSync(path)) visit(`${path}/${name}`)
  }
  if (known) {
    // Only the times of watched files were set.
    for (const [path, mark] of known) found.set(path, mark)
    for (const path of watched()) {
      const stat = lstatSync(path, { bigint: true })
      found.set(path, `${stat.mode} ${stat.mtimeNs} ${stat.size} `)
    }
    return found
  }
  for (const root of [...ROOTS, '/tmp']) visit(root)
  return found
}

function build(): void {
  for (const root of [...ROOTS, '/tmp'])
    for (const name of readdirSync(root)) rmSync(`${root}/${name}`, { recursive: true, force: true })
  for (const folder of folders()) mkdirSync(folder, { recursive: true })
  for (const [path, content] of Object.entries(FILES)) writeFileSync(path, content)
  const trap = readFileSync('/stubs/evil')
  for (const path of TRAPS) writeFileSync(path, trap, { mode: 0o755 })
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, path)
  cpSync('/log/git', `${REPO}/.git`, { recursive: true, preserveTimestamps: true })
  packEvil()
}

/** An archive with a name in it that is protected. Where there is no tar, nobody unpacks it either. */
function packEvil(): void {
  mkdirSync('/tmp/pack/.git/hooks', { recursive: true })
  writeFileSync('/tmp/pack/.git/hooks/post-checkout', 'evil\n', { mode: 0o755 })
  spawnSync('/real/bin/tar', ['-C', '/tmp/pack', '-cf', `${REPO}/evil.tar`, '.git/hooks/post-checkout'])
  rmSync('/tmp/pack', { recursive: true })
}

type Item = { mode: number; folder?: true; target?: string; content?: Uint8Array }

/** Everything in the world as it was built, outermost first. */
function remember(): Map<string, Item> {
  const items = new Map<string, Item>()
  for (const path of [...snapshot().keys(), INDEX]) {
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
  const wrong = new Set([...changed, INDEX])
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

function prepareGit(): void {
  const git = (...args: string[]) => {
    const done = spawnSync('/real/bin/git', ['-c', 'user.name=u', '-c', 'user.email=u@example.com', ...args], {
      cwd: REPO,
      env: { PATH: '/real/bin', HOME },
      encoding: 'utf8',
    })
    if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`)
  }
  git('init', '-q', '-b', 'main')
  rmSync(`${REPO}/.git/hooks`, { recursive: true, force: true })
  mkdirSync(`${REPO}/.git/hooks`)
  writeFileSync(`${REPO}/a.txt`, 'alpha\n')
  git('add', 'a.txt')
  git('commit', '-q', '-m', 'first')
  mkdirSync(`${REPO}/src`)
  for (const path of [`${REPO}/a.txt`, `${REPO}/src/a.ts`]) writeFileSync(path, FILES[path] ?? '')
  git('add', 'a.txt', 'src')
  git('commit', '-q', '-m', 'second')
  cpSync(`${REPO}/.git`, '/log/git', { recursive: true, preserveTimestamps: true })
}
