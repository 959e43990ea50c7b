/** A project on the disk, with something outside of it that no command may reach: judges command lines there, and runs them in bash. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPermissions, type PermissionOptions } from '../../src/permissions/permission-engine.js'
import { nodeFiles } from '../../src/platform/files/files.js'

/** What is in files outside; a command that prints it has read one of them. */
export const CANARY = 'canary-5c1f'

export type Ran = { stdout: string; text: string; leaks: boolean }

export class Ground {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-judged-')))
  readonly root = join(this.base, 'project')
  readonly home = join(this.base, 'home')
  readonly outside = join(this.base, 'outside')

  /** Texts by path; `->x` is a link to `x`, `#!` makes a program. */
  constructor(files: Readonly<Record<string, string>> = {}) {
    for (const folder of [this.root, this.home, this.outside]) mkdirSync(folder)
    writeFileSync(join(this.outside, 'secret'), `${CANARY}\n`)
    writeFileSync(join(this.home, '.bashrc'), `# ${CANARY}\n`)
    for (const [path, text] of Object.entries(files)) this.put(path, text)
  }

  at(...names: string[]): string {
    return join(this.root, ...names)
  }

  put(path: string, text: string): void {
    const file = this.at(path)
    mkdirSync(dirname(file), { recursive: true })
    if (text.startsWith('->')) symlinkSync(text.slice(2), file)
    else writeFileSync(file, text)
    if (text.startsWith('#!')) chmodSync(file, 0o755)
  }

  has(path: string): boolean {
    return existsSync(this.at(path))
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8')
  }

  /** The answer of the engine for each command line. */
  async judge(commands: readonly string[], options: Partial<PermissionOptions> = {}): Promise<Record<string, string>> {
    const permissions = createPermissions({
      files: nodeFiles,
      cwd: this.root,
      home: this.home,
      mode: 'default',
      allowBypass: true,
      ...options,
    })
    const found: Record<string, string> = {}
    for (const command of commands) {
      const call = { id: 'toolu_1', name: 'Bash', input: { command } }
      found[command] = (
        await permissions.decide(call, { kind: 'command', command, cwd: options.cwd ?? this.root })
      ).behavior
    }
    return found
  }

  /** Runs it, whatever the engine says. */
  run(command: string, env: Readonly<Record<string, string>> = {}): Ran {
    const { PATH = '' } = process.env
    const given = { PATH, HOME: this.home, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1', ...env }
    const { stdout, stderr } = spawnSync('bash', ['--norc', '-c', command], {
      cwd: existsSync(this.root) ? this.root : this.base,
      env: given,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
    })
    const text = `${stdout.toString('latin1')}${stderr.toString('latin1')}`
    return { stdout: stdout.toString('utf8'), text, leaks: text.includes(CANARY) }
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}

/** One answer for all of them. */
export function all(commands: readonly string[], answer: 'allow' | 'ask' | 'deny'): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, answer]))
}
