/** A child process that speaks the protocol on its stdio, as a channel with an end. */
import type { AgentProcess } from '../protocol/spawn.js'
import type { Channel, MalformedLine } from './channel.js'
import { createDrainWaiter } from './drain.js'
import { createLineDecoder, encodeLine } from './ndjson.js'

/** Last of what the child printed to stderr; goes into errors. */
const STDERR_TAIL = 8000
/** The rest of it may come after the exit; a grandchild that keeps it open is not waited for longer. */
const STDERR_WAIT = 500

export type ChildExit = { code: number | null; signal: string | null; stderr: string; error?: Error }

export interface ChildConnection {
  readonly channel: Channel<object | MalformedLine, object>
  /** Settles once, when the child has ended or could not be started. Never rejects. */
  readonly ended: Promise<ChildExit>
  kill(signal: 'SIGTERM' | 'SIGKILL'): void
  /** It no longer keeps this process alive. */
  unref(): void
}

export function connectChild(
  child: AgentProcess & { stderr?: unknown },
  onStderr?: (chunk: string) => void,
): ChildConnection {
  let tail = ''
  let inputOpen = true
  const drained = createDrainWaiter()
  const stderr = child.stderr
  let stderrRead: Promise<void> | undefined
  if (isReadable(stderr)) {
    stderrRead = new Promise((resolve) => {
      for (const event of ['end', 'close', 'error']) stderr.on(event, () => resolve())
    })
    stderr.on('data', (chunk) => {
      const text = String(chunk)
      tail = (tail + text).slice(-STDERR_TAIL)
      onStderr?.(text)
    })
  }
  // A child that ends while we write raises EPIPE here; its exit tells the rest.
  child.stdin.on('error', () => {
    inputOpen = false
  })
  const ended = new Promise<ChildExit>((resolve) => {
    child.on('exit', (code, signal) => {
      inputOpen = false
      const settle = () => resolve({ code, signal, stderr: tail })
      if (!stderrRead) return settle()
      const timer = setTimeout(settle, STDERR_WAIT)
      void stderrRead.then(() => {
        clearTimeout(timer)
        settle()
      })
    })
    child.on('error', (error) => {
      inputOpen = false
      resolve({ code: null, signal: null, stderr: tail, error })
    })
  })

  return {
    ended,
    kill: (signal) => {
      if (child.exitCode === null) child.kill(signal)
    },
    unref() {
      for (const one of [child, child.stdin, child.stdout, stderr]) unref(one)
    },
    channel: {
      send(message) {
        if (!inputOpen) return
        if (!child.stdin.write(encodeLine(message))) return drained(child.stdin)
      },
      end() {
        if (inputOpen) child.stdin.end()
        inputOpen = false
      },
      incoming: readLines(child, ended),
    },
  }
}

async function* readLines(
  child: AgentProcess,
  ended: Promise<ChildExit>,
): AsyncGenerator<object | MalformedLine, void> {
  const decoder = createLineDecoder()
  const chunks = child.stdout[Symbol.asyncIterator]()
  let reads = 0
  let waiting = false
  let over = false
  let silence: NodeJS.Timeout | undefined
  // A grandchild may keep the pipe open; once the child is gone and a read waits in vain, it is over. A consumer that is
  // behind is not waiting here: what is in the pipe still comes.
  void ended.then(() => {
    let before = -1
    if (over) return
    silence = setInterval(() => {
      if (waiting && reads === before) child.stdout.destroy()
      before = reads
    }, STDERR_WAIT)
  })
  try {
    for (;;) {
      reads += 1
      waiting = true
      const { value, done } = await chunks.next()
      waiting = false
      if (done) break
      yield* decoder.push(typeof value === 'string' ? Buffer.from(value) : value)
    }
  } catch {
    // The pipe broke, or was given up; how the child ended says why.
  } finally {
    // Also when the consumer leaves.
    over = true
    clearInterval(silence)
  }
  yield* decoder.end()
  await ended
}

function unref(handle: unknown): void {
  const can = typeof handle === 'object' && handle !== null && 'unref' in handle
  if (can && typeof handle.unref === 'function') handle.unref()
}

function isReadable(value: unknown): value is { on(event: string, listener: (chunk: unknown) => void): void } {
  return typeof value === 'object' && value !== null && 'on' in value && typeof value.on === 'function'
}
