/** The talk with a starter: what it is asked, what it answers, and what becomes of that when it is gone. */
import type { Socket } from 'node:net'
import { constants } from 'node:os'
import type { ExitStatus, StartedChild } from './started-child.js'

export type StartProcessRequest = {
  command: string
  args: readonly string[]
  env: Readonly<Record<string, string | undefined>>
  /** By their handles in this process (`/proc/…/fd/…`), which stay open until there is an answer. */
  folder: string
  output: string
  report: string
  /** The file that enters a cgroup; empty for none. */
  entry: string
}

type Answer = StartedChild | 'refused' | 'lost'
type Running = { isOver: boolean; held: boolean; settle(end: ExitStatus | 'lost'): void }

export interface StarterConnection {
  isReady(): boolean
  start(request: StartProcessRequest): Promise<Answer>
  end(): void
}

/** Only somebody who has stopped it makes it take so long. */
const ANSWER_MS = 10_000

/** `onEnd`: it is gone, or of no use any more. */
export function createStarterConnection(socket: Socket, onEnd: () => void): StarterConnection {
  const asked = new Map<string, (answer: Answer) => void>()
  const running = new Map<number, Running>()
  let isReady = false
  /** It has started something, so that what it can't start can't be started. */
  let isProven = false
  let hasEnded = false
  let requests = 0

  /** The loop stays for an answer, and for a command that it would stay for if it were a child of its own. */
  const hold = () => {
    if (asked.size > 0 || [...running.values()].some(({ held }) => held)) socket.ref()
    else socket.unref()
  }

  const end = () => {
    if (hasEnded) return
    hasEnded = true
    socket.destroy()
    onEnd()
    for (const answer of [...asked.values()]) answer('lost')
    for (const one of running.values()) {
      one.isOver = true
      one.settle('lost')
    }
    running.clear()
  }

  /** Something is to come soon, or the starter is given up. */
  const expect = (): (() => void) => {
    const timer = setTimeout(end, ANSWER_MS)
    timer.unref()
    return () => clearTimeout(timer)
  }

  const started = (pid: number): StartedChild => {
    const one: Running = { isOver: false, held: true, settle: () => {} }
    running.set(pid, one)
    return {
      pid,
      exited: new Promise((resolve) => {
        one.settle = resolve
      }),
      isOver: () => one.isOver,
      kill() {
        // Not waited for yet, the number is its own.
        if (!one.isOver) process.kill(pid, 'SIGKILL')
      },
      unref() {
        one.held = false
        hold()
      },
    }
  }

  const reap = (pid: number, one: Running) => {
    one.isOver = true
    const { settle } = one
    const arrived = expect()
    one.settle = (exit) => {
      arrived()
      settle(exit)
    }
    send(socket, ['reap', String(pid)])
  }

  const hear = (text: string) => {
    const [word, first = '', ...rest] = text.split(' ')
    const one = running.get(Number(first))
    if (word === 'ready') isReady = true
    else if (word === 'started') {
      isProven = true
      asked.get(first)?.(started(Number(rest[0])))
    } else if (word === 'refused') {
      asked.get(first)?.('refused')
      // It can't work here, or is not what we are any more; the next one is.
      if ((!isProven || rest[0] === 'changed') && asked.size + running.size === 0) end()
    } else if (word === 'over' && one) reap(Number(first), one)
    else if (word === 'ended' && one) {
      running.delete(Number(first))
      one.settle(exitOf(Number(rest[0]), Number(rest[1])))
    }
    if (!hasEnded) hold()
  }

  let rest = ''
  socket.on('data', (chunk: Uint8Array) => {
    const lines = (rest + Buffer.from(chunk).toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    for (const text of lines) hear(text)
  })
  socket.on('error', () => undefined)
  socket.once('close', end)
  socket.unref()

  return {
    isReady: () => isReady,
    start(request) {
      const fields = fieldsOf(request)
      if (!isReady || hasEnded || !fields) return Promise.resolve('refused')
      requests += 1
      const id = String(requests)
      return new Promise((resolve) => {
        const arrived = expect()
        asked.set(id, (answer) => {
          asked.delete(id)
          arrived()
          resolve(answer)
        })
        hold()
        send(socket, ['start', id, ...fields])
      })
    },
    end,
  }
}

/** Undefined where the system would look for the program, or refuse a word: then it shall say so itself. */
function fieldsOf({ command, args, env, folder, output, report, entry }: StartProcessRequest): string[] | undefined {
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
  const fields = [folder, output, report, entry, String(args.length + 1), command, ...args, ...variables]
  const isPlain = command.startsWith('/') && !Object.keys(env).some((name) => name === '' || name.includes('='))
  return isPlain && !fields.some((field) => field.includes('\0')) ? fields : undefined
}

function send(line: Socket, fields: readonly string[]): void {
  const bytes = Buffer.from(fields.join('\0'))
  line.write(Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]))
}

function exitOf(code: number, signal: number): { exitCode: number | null; signal: string | null } {
  if (signal === 0) return { exitCode: code, signal: null }
  const name = Object.entries(constants.signals).find(([, number]) => number === signal)?.[0]
  return { exitCode: null, signal: name ?? `SIG${signal}` }
}
