/** `kedge` on a real pseudo-terminal: `script` makes it, an emulator reads it, and `stty` from outside changes its size. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TYPE_AHEAD_QUIET_MS } from '../../src/terminal/cards/type-ahead-guard.js'
import { cli, noTerminal, quoted } from '../first-hour/kedge.js'
import { type Emulator, openEmulator } from './emulator.js'

export { noTerminal }

export type Pty = AsyncDisposable & {
  readonly emulator: Emulator
  /** Everything that was written, as it was. */
  readonly raw: () => string
  type(data: string): void
  /** Until the screen has it. Rejects when the program ends before, or nothing comes for long. */
  see(what: RegExp | string): Promise<string>
  /** Until a question takes keys: nobody has typed for long enough since it was seen. */
  rest(): Promise<void>
  /** Changes the size of the terminal, as somebody who drags a window does. */
  resize(columns: number, rows: number): void
  /** To the program itself. */
  kill(signal: NodeJS.Signals): void
  readonly pid: () => number
  /** What `stty -g` says of the terminal: before, and now. */
  readonly modeBefore: () => string
  modeNow(): string
  /** The window is closed. */
  vanish(): void
  readonly ended: Promise<number | null>
}

export type PtySetup = {
  cwd: string
  env: Record<string, string | undefined>
  args?: readonly string[]
  columns?: number
  rows?: number
  /** Keys arrive so much later, and so does what is written: a line over half the world. */
  delayMs?: number
}

const PATIENCE_MS = 60_000

/** Until a question that was there at `since` takes keys, with room for a timer that is early. */
export async function quiet(since: number, more = 0): Promise<void> {
  while (Date.now() - since < TYPE_AHEAD_QUIET_MS + more + 20) await sleep(20)
}

export async function openPty({ cwd, env, args = [], columns = 80, rows = 30, delayMs = 0 }: PtySetup): Promise<Pty> {
  const notes = join(cwd, '..', `pty-${process.hrtime.bigint()}`)
  mkdirSync(notes)
  const note = (name: string) => join(notes, name)
  writeFileSync(
    note('start.sh'),
    `stty cols ${columns} rows ${rows}
tty > ${note('tty')}
stty -g > ${note('before')}
${quoted([process.execPath, cli, ...args])} &
echo $! > ${note('pid')}
fg %1 > /dev/null 2>&1
code=$?
if [ $code = 1 ]; then wait %1; late=$?; [ $late = 127 ] || code=$late; fi
while kill -0 $(cat ${note('pid')}) 2> /dev/null; do fg %1 > /dev/null 2>&1; code=$?; done
echo $code > ${note('code')}
`,
  )
  const child: ChildProcess = spawn('script', ['-qec', `bash -m ${note('start.sh')}`, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm-256color', LANG: 'C.UTF-8', ...env },
    stdio: 'pipe',
  })
  const emulator = openEmulator(columns, rows)
  let raw = ''
  let wake: (() => void)[] = []
  /** When something was last typed or seen. */
  let lastAt = Date.now()
  const late = (work: () => void) => void (delayMs === 0 ? work() : setTimeout(work, delayMs))
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    raw += text
    late(() => {
      void emulator.write(text).then(() => {
        for (const one of wake.splice(0)) one()
      })
    })
  })
  child.stdin?.on('error', () => {})
  const read = (name: string) => (existsSync(note(name)) ? readFileSync(note(name), 'utf8').trim() : '')
  const ended = once(child, 'close').then(() => {
    for (const one of wake.splice(0)) one()
    return read('code') === '' ? null : Number(read('code'))
  })
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const pty: Pty = {
    emulator,
    raw: () => raw,
    type: (data) => {
      lastAt = Date.now()
      late(() => void child.stdin?.write(data))
    },
    rest: () => quiet(lastAt, 2 * delayMs),
    async see(what) {
      const until = Date.now() + PATIENCE_MS
      for (;;) {
        const text = emulator.screen().join('\n')
        if (typeof what === 'string' ? text.includes(what) : what.test(text)) {
          lastAt = Date.now()
          return text
        }
        if (isOver) throw new Error(`it ended before ${what} was seen:\n${emulator.all().join('\n')}`)
        if (Date.now() > until) throw new Error(`${what} was never seen:\n${text}`)
        await new Promise<void>((resolve) => {
          wake.push(resolve)
          setTimeout(resolve, 200).unref()
        })
      }
    },
    resize(width, height) {
      emulator.resize(width, height)
      execFileSync('stty', ['-F', read('tty'), 'cols', String(width), 'rows', String(height)])
    },
    pid: () => Number(read('pid')),
    kill: (signal) => void process.kill(pty.pid(), signal),
    modeBefore: () => read('before'),
    modeNow: () => execFileSync('stty', ['-F', read('tty'), '-g'], { encoding: 'utf8' }).trim(),
    vanish: () => void child.kill('SIGKILL'),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      try {
        if (read('pid') !== '') process.kill(pty.pid(), 'SIGKILL')
      } catch {
        // It has ended.
      }
      wake = []
      emulator.end()
    },
  }
  return pty
}
