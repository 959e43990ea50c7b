/** `kedge mcp …` as a person runs it, with a browser that a test drives. */
import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { TestOptions } from 'kedge/testing'
import { eventually } from '../../support/eventually.js'

const program = fileURLToPath(new URL('../../../../dist/kedge.cjs', import.meta.url))

export type CommandRun = { code: number | null; stdout: string; stderr: string }

export type Home = Pick<TestOptions, 'env' | 'cwd'>

/** Writes the servers where sessions of this user find them. */
export function configureServers({ env }: Home, mcpServers: object): void {
  writeFileSync(join(env['HOME'] ?? '', '.claude.json'), JSON.stringify({ mcpServers }))
}

export function signInFile({ env }: Home): string {
  return join(env['CLAUDE_CONFIG_DIR'] ?? '', 'kedge-mcp-sign-ins.json')
}

export function startKedge({ env, cwd }: Home, args: readonly string[], more: Record<string, string> = {}) {
  const child = spawn(process.execPath, [program, ...args], { cwd, env: { ...env, ...more } as NodeJS.ProcessEnv })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  const ended = new Promise<CommandRun>((resolve) => {
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  return {
    ended,
    /** The address that it shows. */
    address: () => eventually('an address is shown', () => /^https?:\/\/\S+$/m.exec(stdout)?.[0] ?? ''),
    paste: (text: string) => void child.stdin.write(`${text}\n`),
    end: () => child.stdin.end(),
    stop: () => child.kill('SIGKILL'),
    said: () => stdout + stderr,
  }
}

export function kedge(home: Home, ...args: string[]): Promise<CommandRun> {
  const running = startKedge(home, args)
  running.end()
  return running.ended
}

/** Puts a browser on the PATH that writes down what it was opened with. */
export function recordingBrowser({ env, cwd }: Home): { more: Record<string, string>; opened(): Promise<string> } {
  const folder = join(cwd, 'bin')
  const file = join(cwd, 'opened')
  mkdirSync(folder, { recursive: true })
  rmSync(file, { force: true })
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${file}'\n`)
  chmodSync(join(folder, 'xdg-open'), 0o755)
  return {
    more: { PATH: `${folder}:${env['PATH']}`, DISPLAY: ':9' },
    opened: () => eventually('the browser is opened', () => (existsSync(file) ? readFileSync(file, 'utf8') : '')),
  }
}
