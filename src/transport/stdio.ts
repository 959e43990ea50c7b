/** The agent's own stdin and stdout as a channel: lines in, lines out, backpressure and a vanished reader included. */
import { writeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { Channel, MalformedLine } from './channel.js'
import { createDrainWaiter } from './drain.js'
import { createLineDecoder, encodeLine } from './ndjson.js'

/** What a pipe takes without blocking, whoever reads it. */
const MAX_AT_ONCE = 16_384
/** Characters that may wait for others to be written with them. */
const MAX_TOGETHER = 65_536

export function createStdioChannel(
  input: () => Readable,
  output: () => Writable,
  onOutputLost: (error: Error) => void,
): Channel<object | MalformedLine, object> & { flushed(): Promise<void> } {
  let stream: Writable | undefined
  let lost = false
  let atOnce = 0
  let together = ''
  const drained = createDrainWaiter()

  const open = (): Writable => {
    if (stream) return stream
    stream = output()
    stream.on('error', (error) => {
      // EPIPE: nobody reads any more. What is running is ended by the caller, once.
      if (!lost) onOutputLost(error)
      lost = true
    })
    return stream
  }

  /** False when the reader is behind. */
  const write = (): boolean => {
    const text = together
    together = ''
    return text === '' || open().write(text)
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
      // Lines of the same moment go out together, when all that led to them is done: a write each costs more than the line.
      if (together === '') process.nextTick(write)
      together += line
      if (together.length > MAX_TOGETHER) write()
      if (open().writableNeedDrain) return drained(open())
    },
    end() {},
    async flushed() {
      write()
      if (stream && !lost) await new Promise<void>((resolve) => open().write('', () => resolve()))
    },
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
  // Not `fs.read`, though it is 5 ms faster to set up: a read that waits would keep the process from exiting.
  // An async iterator stops reading while its consumer is busy: that is the backpressure.
  for await (const chunk of input()) yield* decoder.push(chunk)
  yield* decoder.end()
}
