/** A cage for commands: no network, no way to the real files, every program replaced by a stub that tells it was started. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { HOME, OUT, REPO } from './world.js'

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
  /** Files outside the project, and secrets in it, that were read. */
  read: string[]
  /** The secret of the environment was printed. */
  leaked: boolean
  timedOut: boolean
  output: string
}

/** What they do counts: they run others, or their options are what is tested. */
const REAL = `
  [ awk base64 basename bash cat cksum cmp column comm cut date dash df diff dirname du echo egrep env expand expr false fgrep file find
  flock fmt fold free gawk getconf git grep head hexdump hostname id ionice join jq ls make mawk md5sum nice nl nohup nproc od paste printenv printf pwd readlink
  ps realpath rev rg sed seq setsid sh sha1sum sha256sum sort stat stdbuf sum tac tail tar test timeout tr tree true uname uniq
  unexpand wc which whoami xargs xxd zcat zgrep
`
/** They run for real only when edits are accepted. */
const EDITING = 'cp mkdir mv rm rmdir touch'
const STUBBED = `
  ag apt at busybox bunx cargo chattr chmod chown chroot chrt cpio crontab curl dd direnv docker doas ed emacs evil ex fd fish go
  gzip install kill killall ksh less ln logger lsof man mkfifo mktemp more mount nc node npm npx nano nvim parallel patch
  perl ping pkill pnpm pip pip3 python python3 rsync ruby scp script shred sleep split ssh strace sudo su systemctl taskset tee
  time top truncate unlink unshare uv uvx vi vim watch wget xdg-open yarn yq zip zsh
`

const words = (text: string) => text.trim().split(/\s+/)

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
  for (const path of [REPO, HOME, OUT]) args.push('--tmpfs', path)
  const here = dirname(new URL(import.meta.url).pathname)
  args.push('--ro-bind', join(folder, 'package.json'), '/driver/package.json', '--ro-bind', here, '/driver/fuzz')
  return [...args, '--chdir', REPO, '/real/node', '/driver/fuzz/cage-driver.js']
}

/** Each tells where it was started, as what, and with which arguments; then it may go on as the real program. */
function writeStubs(folder: string): void {
  mkdirSync(folder)
  const log = `#!${inCage('dash') ?? inCage('bash')}\nprintf '%s\\0' "$#" "$PWD" "$0" "$@" >> /log/executions\n`
  const write = (names: string, end: (real: string | undefined) => string) => {
    for (const name of words(names)) writeFileSync(join(folder, name), log + end(inCage(name)), { mode: 0o755 })
  }
  write(REAL, (real) => (real ? `exec ${real} "$@"\n` : ''))
  write(EDITING, (real) => (real ? `[ "$KEDGE_FUZZ_EDITS" ] && exec ${real} "$@"\nexit 0\n` : ''))
  write(STUBBED, () => 'exit 0\n')
}

/** Where the real program is in the cage. */
function inCage(name: string): string | undefined {
  const found = findProgram(name)
  if (!found) return undefined
  const real = realpathSync(found)
  const folder = { '/usr/bin': '/real/bin', '/bin': '/real/root-bin' }[dirname(real)]
  if (folder === undefined) return undefined
  // A script's own shell is none that the command started.
  const shell = /^#!\s*\S*\/(\w+)/.exec(readFileSync(real, 'latin1').slice(0, 80))?.[1]
  return `${shell ? `/real/bin/${shell} ` : ''}${folder}/${basename(real)}`
}

function findProgram(name: string): string | undefined {
  return ['/usr/bin', '/bin']
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}
