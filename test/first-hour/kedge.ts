/** The `kedge` command as a person runs it: its own process, and where it is wanted a real terminal. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const cli = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))

export type Place = { cwd: string; env: Record<string, string | undefined> }
export type Outcome = { code: number | null; stdout: string; stderr: string }

export function kedge(args: readonly string[], place: Place, input = ''): Promise<Outcome> {
  return run(process.execPath, [cli, ...args], place, input)
}

export function run(program: string, args: readonly string[], { cwd, env }: Place, input = ''): Promise<Outcome> {
  const child = spawn(program, args, { cwd, env })
  const outcome = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    outcome.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    outcome.stderr += chunk
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ ...outcome, code }))
  })
}

/** `script` of util-linux makes a terminal. */
export const noTerminal = /util-linux/.test(spawnSync('script', ['--version']).stdout?.toString() ?? '')
  ? undefined
  : 'there is no script of util-linux here'

/** Runs a line of shell on a terminal; what it shows is `stdout`. */
export function onTerminal(line: string, { cwd, env }: Place): Promise<Outcome> {
  return run('script', ['-qec', line, '/dev/null'], { cwd, env: { TERM: 'xterm', ...env } })
}

export const quoted = (words: readonly string[]) => words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
