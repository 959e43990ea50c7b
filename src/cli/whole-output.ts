/** stdout that is a file, of which nothing is lost: Node writes once and does not look how much of it a filling disk took. */
import { writeSync } from 'node:fs'
import { Writable } from 'node:stream'
import { toError } from '../protocol/thrown.js'

/** From now on `process.stdout`, which is a file, writes all of what it is given, or says that it could not. */
export function makeStdoutSynchronous(): void {
  const stdout = createWritableFromWrite((bytes) => writeSync(1, bytes))
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, value: stdout })
}

/** `write` returns how many bytes were taken, as the system does. */
export function createWritableFromWrite(write: (bytes: Uint8Array) => number): Writable {
  return new Writable({
    decodeStrings: true,
    write(chunk: Uint8Array, _encoding, done) {
      try {
        for (let rest = chunk; rest.length > 0; ) rest = rest.subarray(write(rest))
        done()
      } catch (error) {
        done(toError(error))
      }
    },
  })
}
