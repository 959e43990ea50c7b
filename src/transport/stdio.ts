/** The agent's own stdin and stdout as a channel: lines in, lines out, backpressure and a vanished reader included. */
import { writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Channel, MalformedLine } from './channel.js'
import { createDrain } from './drain.js'
import { createLineDecoder, encodeLine } from './ndjson.js'

export function createStdioChannel(
  input: () => Readable,
  output: () => Writable,
  onOutputLost: () => void,
): Channel<object | MalformedLine, object> & { flushed(): Promise<void> } {
  let stream: Writable | undefined
  let lost = false
  let first = true
  const drained = createDrain()

  const open = (): Writable => {
    if (stream) return stream
    stream = output()
    stream.on('error', () => {
      // EPIPE: nobody reads any more. What is running is ended by the caller, once.
      if (!lost) onOutputLost()
      lost = true
    })
    return stream
  }

  return {
    send(message) {
      if (lost) return
      const line = encodeLine(message)
      // The first line goes out before `process.stdout` is even set up: that alone costs 4 ms at start.
      if (first) {
        first = false
        const written = writeAtOnce(line)
        if (written === Buffer.byteLength(line)) return
        open().write(Buffer.from(line).subarray(written))
        return
      }
      if (!open().write(line)) return drained(open())
    },
    end() {},
    flushed: () => (stream && !lost ? new Promise((resolve) => open().write('', () => resolve())) : Promise.resolve()),
    incoming: readLines(input),
  }
}

/** Bytes written; less than all when the pipe is full. */
function writeAtOnce(line: string): number {
  try {
    return writeSync(1, line)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0
    return 0
  }
}

async function* readLines(input: () => Readable): AsyncGenerator<object | MalformedLine, void> {
  const decoder = createLineDecoder()
  // An async iterator stops reading while its consumer is busy: that is the backpressure.
  for await (const chunk of input()) yield* decoder.push(chunk)
  yield* decoder.end()
}
