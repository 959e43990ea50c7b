/** A cage for commands: no network, no way to the real files, every program replaced by a stub that tells it was started. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, lstatSync, mkdtempSync, readlinkSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { worldFolder } from './build-world.js'
import { findProgram, writeStubs } from './stubs.js'
import { REPO, ROOTS } from './world.js'

export type CageRequest = {
  command: string
  cwd: string
  /** Programs that change files do; otherwise they only tell that they were started. */
  edits: boolean
}

/** `program` is the path that was started, or `missing:name` when there is none of that name. */
export type Execution = { cwd: string; program: string; args: string[] }

export type Trace = {
  executions: Execution[]
  /** Lines of the shell's own trace, which also shows its builtins. */
  builtins: string[]
  /** Paths that were made, changed or removed. */
  changed: string[]
  /** Those of them that are no longer there. */
  gone: string[]
  /** Files outside the project, and secrets in it, that were read. */
  read: string[]
  /** Settings of git, and its hooks, that name the evil program now. */
  planted: string[]
  /** Packets that were sent, or would have been if there were a way out. */
  packets: number
  /** The secret of the environment was printed. */
  leaked: boolean
  timedOut: boolean
  /** Its exit code; null when a signal ended it. */
  status: number | null
  output: string
}

/** Undefined when there can be a cage; otherwise why not. */
export function whyNoCage(): string | undefined {
  if (process.platform !== 'linux') return 'not Linux'
  if (!findProgram('bwrap')) return 'bubblewrap is not installed'
  if (!findProgram('bash') || !findProgram('git')) return 'bash or git is not installed'
  const tried = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '/bin/true'], { encoding: 'utf8' })
  return tried.status === 0 ? undefined : `bubblewrap does not work here: ${tried.stderr || tried.error}`.trim()
}

export class Cage {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #lines: AsyncIterator<string>
  #errors = ''
  /** What the world looked like from inside. */
  readonly entries: Promise<string[]>

  constructor() {
    this.#folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-fuzz-')))
    writeStubs(join(this.#folder, 'stubs'))
    writeFileSync(join(this.#folder, 'package.json'), '{"type":"module"}')
    this.#child = spawn('bwrap', cageArguments(this.#folder), {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: '/usr/bin:/bin' },
    })
    this.#child.stderr?.on('data', (data) => {
      this.#errors += data
    })
    const { stdout } = this.#child
    if (!stdout) throw new Error('a pipe was asked for')
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
    this.entries = this.#answer<{ entries: string[] }>().then(({ entries }) => entries)
  }

  async run(request: CageRequest): Promise<Trace> {
    await this.entries
    this.#child.stdin?.write(`${JSON.stringify(request)}\n`)
    return this.#answer<Trace>()
  }

  close(): void {
    this.#child.kill('SIGKILL')
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #answer<T>(): Promise<T> {
    const line = await this.#lines.next()
    if (line.done) throw new Error(`the cage broke: ${this.#errors}`)
    // Written by cage-driver.ts.
    return JSON.parse(line.value) as T
  }
}

function cageArguments(folder: string): string[] {
  const args = ['--unshare-all', '--die-with-parent', '--new-session', '--uid', '1000', '--gid', '1000', '--clearenv']
  const stubs = join(folder, 'stubs')
  args.push('--ro-bind', '/usr', '/usr', '--ro-bind', stubs, '/usr/bin')
  for (const path of ['/usr/sbin', '/usr/local', '/usr/games']) if (existsSync(path)) args.push('--tmpfs', path)
  for (const path of ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']) {
    if (!existsSync(path)) continue
    if (lstatSync(path).isSymbolicLink()) args.push('--symlink', readlinkSync(path), path)
    else args.push('--ro-bind', path.endsWith('bin') ? stubs : path, path)
  }
  for (const name of ['passwd', 'group', 'hostname', 'ld.so.cache', 'ld.so.conf'])
    args.push('--ro-bind-try', `/etc/${name}`, `/etc/${name}`)
  args.push('--ro-bind', stubs, '/stubs', '--ro-bind', '/usr/bin', '/real/bin')
  if (!lstatSync('/bin').isSymbolicLink()) args.push('--ro-bind', '/bin', '/real/root-bin')
  args.push('--ro-bind', realpathSync(process.execPath), '/real/node')
  args.push('--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', '/log')
  for (const path of ROOTS) args.push('--tmpfs', path)
  args.push('--ro-bind', worldFolder(), '/world')
  const here = dirname(new URL(import.meta.url).pathname)
  args.push('--ro-bind', join(folder, 'package.json'), '/driver/package.json', '--ro-bind', here, '/driver/fuzz')
  // Folders of the world are called like numbers, which `kill` takes for processes and threads: none of ours has such a small one.
  const start = 'for i in 1 2 3 4 5 6 7 8; do /real/bin/true; done; exec /real/node /driver/fuzz/cage-driver.js'
  return [...args, '--chdir', REPO, '/real/bin/bash', '-c', start]
}
