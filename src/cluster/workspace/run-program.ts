/** Runs a program to its end, without a shell: what it printed, and how it ended. It is ended with everything it started. */
import { spawn } from 'node:child_process'

export type ProgramResult = { code: number | null; out: Buffer; err: string }

export type ProgramCall = {
  command: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  input?: string | Buffer
  signal?: AbortSignal | undefined
  timeoutMs: number
}

/** More than any list of files has. */
const MOST_OUT = 256 * 1024 * 1024
const TAIL = 4000

/** Runs a program to its end. Rejects when it can't be started, with the signal, and when its time is up. */
export function runProgram({ command, args, cwd, env, input, signal, timeoutMs }: ProgramCall): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    // A separate process group, so all of it can be ended.
    const child = spawn(command, args, { cwd, env, stdio: 'pipe', detached: process.platform !== 'win32' })
    const out: Buffer[] = []
    let size = 0
    let err = ''
    let ended: Error | undefined
    const end = (why: Error) => {
      ended ??= why
      try {
        if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL')
      } catch {
        // It is gone.
      }
      child.stdout.destroy()
      child.stderr.destroy()
    }
    const onAbort = () => end(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    const timer = setTimeout(() => end(new Error(`${command} took longer than ${timeoutMs / 1000} s`)), timeoutMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    child.stdout.on('data', (piece: Buffer) => {
      size += piece.length
      if (size > MOST_OUT) return end(new Error(`${command} printed too much`))
      out.push(piece)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err = (err + text).slice(-TAIL)
    })
    child.on('error', (error) => {
      settle()
      reject(error)
    })
    child.on('close', (code) => {
      settle()
      if (ended) reject(ended)
      else resolve({ code, out: Buffer.concat(out), err })
    })
    // A program that ends early reads no more.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input ?? '')
  })
}
