/** The standard input of a child that is talked to for as long as it runs. */
import type { Writable } from 'node:stream'
import type { ProcessInput } from './process-runner.js'

export function createProcessInput(stream: Writable): ProcessInput {
  return {
    write(text) {
      if (stream.destroyed || stream.writableEnded || stream.write(text)) return undefined
      return new Promise((resolve) => {
        const done = () => {
          stream.off('drain', done)
          stream.off('close', done)
          resolve()
        }
        stream.once('drain', done)
        stream.once('close', done)
      })
    },
    close: () => void stream.end(),
    get closed() {
      return stream.destroyed || stream.writableEnded
    },
  }
}
