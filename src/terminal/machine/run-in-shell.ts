/** A command of the user's own in their own shell, with all it starts. */
import { spawn } from 'node:child_process'
import type { ShellResult } from './machine-port.js'

export type RunInShellOptions = {
  command: string
  cwd: string
  env: NodeJS.ProcessEnv
  onOutput(text: string): void
  signal: AbortSignal
  input?: string
}

/** So much of what it prints is kept: the end. */
const KEPT = 200_000

export function runInShell({ command, cwd, env, onOutput, signal, input }: RunInShellOptions): Promise<ShellResult> {
  const shell = env['SHELL'] || '/bin/sh'
  return new Promise((done) => {
    // A separate process group, so all of it can be ended.
    const child = spawn(shell, ['-c', command], {
      cwd,
      env,
      detached: true,
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    let output = ''
    let isCut = false
    const stop = () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
      } catch {
        // It has ended.
      }
    }
    const take = (text: string) => {
      output += text
      if (output.length > 2 * KEPT) {
        isCut = true
        output = output.slice(-KEPT)
      }
      onOutput(text)
    }
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', take)
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    signal.addEventListener('abort', stop, { once: true })
    const end = (code: number | null) => {
      signal.removeEventListener('abort', stop)
      done({ output, code, isCut })
    }
    child.on('error', (error) => {
      output += error.message
      end(null)
    })
    child.on('close', end)
  })
}
