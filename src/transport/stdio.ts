/** The agent's own stdin and stdout as a channel: lines in, lines out, backpressure and a vanished reader included. */
import { read, writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Channel, MalformedLine } from './channel.js'
import { createDrain } from './drain.js'
import { createLineDecoder, encodeLine } from './ndjson.js'

/** What a pipe takes without blocking, whoever reads it. */
const MAX_AT_ONCE = 16_384
const READ_SIZE = 65_536

export function createStdioChannel(
  input: () => Readable,
  output: () => Writable,
  onOutputLost: () => void,
): Channel<object | MalformedLine, object> & { flushed(): Promise<void> } {
  let stream: Writable | undefined
  let lost = false
  let atOnce = 0
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
      // The first lines go out before `process.stdout` is even set up: that alone costs 4 ms at start.
      if (!stream && atOnce + line.length < MAX_AT_ONCE) {
        atOnce += line.length
        const written = writeAtOnce(line)
        if (written < Buffer.byteLength(line)) open().write(Buffer.from(line).subarray(written))
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
  } catch {
    // EAGAIN: full. EPIPE: the stream that is opened next finds out and says so.
    return 0
  }
}

async function* readLines(input: () => Readable): AsyncGenerator<object | MalformedLine, void> {
  const decoder = createLineDecoder()
  // A generator reads on only when its consumer comes back for more: that is the backpressure.
  for await (const chunk of readInput(input)) yield* decoder.push(chunk)
  yield* decoder.end()
}

/** Reads the descriptor itself, which spares the 6 ms of setting up `process.stdin`; that takes over where it must. */
async function* readInput(input: () => Readable): AsyncGenerator<Uint8Array, void> {
  const buffer = Buffer.allocUnsafe(READ_SIZE)
  for (;;) {
    const count = await readDescriptor(buffer)
    if (count === 'refused') return yield* input()
    if (count === 0) return
    yield buffer.subarray(0, count)
  }
}

/** `refused`: the descriptor does not wait (EAGAIN), or can't be read this way at all. */
function readDescriptor(buffer: Buffer): Promise<number | 'refused'> {
  return new Promise((resolve) => {
    read(0, buffer, 0, buffer.length, null, (error, count) => {
      // Windows reports the end of a pipe as an error.
      resolve(error ? (error.code === 'EOF' ? 0 : 'refused') : count)
    })
  })
}
