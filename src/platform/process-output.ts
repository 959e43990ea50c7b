/** Reads the outputs of a child as they come: bounded, decoded, and with one promise for their end. */
import type { ChildProcess } from 'node:child_process'
import type { Readable } from 'node:stream'
import { type BoundedOutput, createBoundedOutput } from './bounded-output.js'

export type OutputOptions = {
  onOutput?(chunk: string): void
  maxBytes?: number
  overflow?: 'drop-middle' | 'stop'
}

export type CollectedOutputs = {
  /** All outputs were closed by everyone who held them. */
  readonly closed: Promise<void>
  /** Stops reading and frees the handles. */
  release(): void
  texts(): { stdout: string; stderr: string; report: string; droppedBytes: number }
}

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024
const MAX_REPORT_BYTES = 64 * 1024

/** `merged` is read in place of the child's own stdout. `onOverflow` is called once, when `overflow` is `stop`. */
export function collectOutputs(
  child: ChildProcess,
  merged: Readable | undefined,
  options: OutputOptions,
  onOverflow: () => void,
): CollectedOutputs {
  const limit = options.maxBytes ?? DEFAULT_MAX_BYTES
  const stop = options.overflow === 'stop'
  const bounded = () => (stop ? createBoundedOutput(limit, 0) : createBoundedOutput(limit - (limit >> 1), limit >> 1))
  const sources: { stream: Readable; kept: BoundedOutput }[] = []
  const read = (stream: unknown, kept: BoundedOutput, onChunk?: (chunk: Uint8Array) => void): BoundedOutput => {
    if (!isReadable(stream)) return kept
    stream.on('data', (chunk: Uint8Array) => {
      kept.push(chunk)
      onChunk?.(chunk)
    })
    // A broken pipe is an end like any other.
    stream.on('error', () => undefined)
    sources.push({ stream, kept })
    return kept
  }

  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let overflown = false
  const stdout = read(merged ?? child.stdout, bounded(), (chunk) => {
    if (options.onOutput) {
      const text = decoder.decode(chunk, { stream: true })
      if (text) options.onOutput(text)
    }
    if (stop && !overflown && stdout.dropped > 0) {
      overflown = true
      onOverflow()
    }
  })
  const stderr = read(child.stderr, bounded())
  const report = read(child.stdio[3], createBoundedOutput(0, MAX_REPORT_BYTES))

  return {
    closed: Promise.all(sources.map(({ stream }) => ended(stream))).then(() => undefined),
    release() {
      for (const { stream } of sources) stream.destroy()
    },
    texts: () => ({
      stdout: stdout.text(),
      stderr: stderr.text(),
      report: report.text(),
      droppedBytes: stdout.dropped + stderr.dropped,
    }),
  }
}

/** By shape, because the class would have to be loaded. */
function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'read' in stream
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('end', resolve)
    stream.once('close', resolve)
  })
}
