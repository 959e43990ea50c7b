/** The terminal of this process: keys one by one while we have it, and as it was when we leave, however we leave. */
import { writeSync } from 'node:fs'
import { ReadStream, WriteStream } from 'node:tty'
import type { TerminalListener, TerminalPort } from './terminal-port.js'

/** Pastes in one piece, when it is looked at, keys that others can't tell apart. */
const ON = '\u001b[?2004h\u001b[?1004h\u001b[>1u'
const OFF = '\u001b[<u\u001b[?1004l\u001b[?2004l\u001b[?2026l\u001b[?25h\u001b[0m'
const WAIT_MS = 5

export function openTtyTerminal(): TerminalPort & { end(): void } {
  const input = new ReadStream(0)
  const output = new WriteStream(1)
  let listener: TerminalListener | undefined
  let isIn = false
  let isGone = false
  const gone = () => {
    if (isGone) return
    isGone = true
    listener?.onGone()
  }
  const write = (text: string) => {
    if (isGone) return
    try {
      writeAll(1, text)
    } catch {
      gone()
    }
  }
  const raw = (isRaw: boolean) => {
    try {
      input.setRawMode(isRaw)
    } catch {
      gone()
    }
  }
  const enter = () => {
    if (isIn || isGone) return
    isIn = true
    raw(true)
    write(ON)
  }
  const leave = () => {
    if (!isIn) return
    isIn = false
    write(OFF)
    raw(false)
  }
  const stopped = () => {
    leave()
    process.off('SIGTSTP', stopped)
    process.kill(process.pid, 'SIGTSTP')
  }
  const goesOn = () => {
    process.off('SIGTSTP', stopped)
    process.on('SIGTSTP', stopped)
    // The shell has its own modes on by now.
    isIn = false
    enter()
    listener?.onContinue()
  }
  input.setEncoding('utf8')
  input.on('data', (data) => listener?.onInput(String(data)))
  input.on('end', gone)
  input.on('error', gone)
  output.on('error', gone)
  output.on('resize', () => listener?.onResize())
  // The output reports sizes on its own only if it is the process's own.
  const resized = () => {
    Reflect.get(output, '_refreshSize')?.call(output)
  }
  process.on('SIGWINCH', resized)
  process.on('SIGTSTP', stopped)
  process.on('SIGCONT', goesOn)
  process.on('SIGHUP', gone)
  process.on('exit', leave)
  return {
    get columns() {
      return Math.max(10, output.columns || 80)
    },
    get rows() {
      return Math.max(4, output.rows || 24)
    },
    write,
    listen(to) {
      listener = to
    },
    enter,
    leave,
    suspend: stopped,
    end() {
      leave()
      input.destroy()
    },
  }
}

/** All of it, also where the terminal takes only a part at a time. */
function writeAll(descriptor: number, text: string): void {
  let rest = Buffer.from(text)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(descriptor, rest))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS)
    }
  }
}
