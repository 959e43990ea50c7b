/** Reads the outputs of a child as they come, at the pace of whoever takes them. */
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { createBoundedOutput } from './bounded-output.js'
import type { OutputTaker } from './process-runner.js'

export type ChildOutputs = {
  /** All outputs were closed by everyone who held them; the report was, or is there. */
  readonly settled: Promise<void>
  /** Is any output still held by somebody? */
  isHeld(): boolean
  report(): string
  /** What was written before this was asked for is read and taken. Not what somebody keeps writing. */
  caughtUp(): Promise<void>
  /** Those who hold the outputs may keep writing; nobody reads it, and nothing waits for them. */
  detach(): void
  /** They are read on, but keep no process alive. */
  unref(): void
  /** Stops reading and frees the handles. */
  release(): void
}

export type OutputSources = { output?: Socket | undefined; errors?: Socket | undefined; report?: Socket | undefined }

const MAX_REPORT_BYTES = 64 * 1024
/** A pipe holds at most 1 MiB, and a read takes 64 KiB: whoever still writes after so many reads is writing now. */
const MOST_READS = 32

export function readOutputs(
  sources: OutputSources,
  takers: { output?: OutputTaker; errors?: OutputTaker },
): ChildOutputs {
  const { output, errors, report } = sources
  const text = createBoundedOutput(0, MAX_REPORT_BYTES)
  const busy = new Map<Socket, Promise<void>>()
  const read = (stream: Socket, take?: OutputTaker) => readAll(stream, (taking) => busy.set(stream, taking), take)
  const outputs = [output && read(output, takers.output), errors && read(errors, takers.errors)]
  const reported = report && Promise.race([read(report, text.push), lineArrived(report, text.text)])
  const all = [output, errors, report].filter((stream) => stream !== undefined)

  return {
    settled: Promise.all([...outputs, reported]).then(() => undefined),
    isHeld: () => all.some((stream) => !stream.closed),
    report: () => text.text(),
    async caughtUp() {
      // A process that was kept busy hasn't looked at its pipes, whatever its timers say. Each round looks once.
      for (let round = 0, before = -1; round < MOST_READS && before !== bytesOf(all); round += 1) {
        before = bytesOf(all)
        await new Promise((resolve) => setImmediate(resolve))
        await new Promise((resolve) => setImmediate(resolve))
        await Promise.all(all.map((stream) => busy.get(stream)))
      }
    },
    detach() {
      // Nobody writes to it again.
      report?.destroy()
      for (const stream of [output, errors]) {
        stream?.removeAllListeners('data')
        stream?.resume()
        stream?.unref()
      }
    },
    unref() {
      for (const stream of all) stream.unref()
    },
    release() {
      for (const stream of all) stream.destroy()
    },
  }
}

function bytesOf(streams: readonly Socket[]): number {
  return streams.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
}

/** Resolves when the stream is closed and all of it was taken. */
async function readAll(
  stream: Socket,
  onBusy: (taking: Promise<void>) => void,
  take: OutputTaker = () => {},
): Promise<void> {
  let taken: Promise<void> | undefined
  stream.on('data', (chunk: Uint8Array) => {
    const busy = take(chunk)
    if (!busy) return
    taken = busy
    onBusy(busy)
    stream.pause()
    void busy.finally(() => stream.resume())
  })
  // A broken pipe is an end like any other.
  stream.on('error', () => undefined)
  await new Promise<void>((resolve) => stream.once('close', () => resolve()))
  await taken
}

/** The report is one line, written at once. */
function lineArrived(stream: Socket, text: () => string): Promise<void> {
  return new Promise((resolve) => {
    stream.on('data', () => {
      if (text().endsWith('\n')) resolve()
    })
  })
}

/** The child's own sockets, for what has no pipe. */
export function socketsOf(child: ChildProcess): OutputSources {
  const [, output, errors, report] = child.stdio
  return { output: asSocket(output), errors: asSocket(errors), report: asSocket(report) }
}

export function asSocket(stream: unknown): Socket | undefined {
  // Node makes a net.Socket of each 'pipe'; its class would have to be loaded for a real test.
  return typeof stream === 'object' && stream !== null && 'unref' in stream ? (stream as Socket) : undefined
}
