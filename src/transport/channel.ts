/** Channels between the two halves: the one within a process, and a look at what passes. */
import type { Channel } from '../protocol/spawn.js'
import { createAsyncQueue } from './queue.js'

export type { Channel }

/** A line that was not a JSON object; `problem` says why. */
export class MalformedLine {
  readonly lineNumber: number
  readonly problem: string
  readonly excerpt: string
  /** The input ended inside this line. */
  readonly atEnd: boolean
  /** It was over the limit and never kept. */
  readonly tooLong: boolean

  constructor(lineNumber: number, problem: string, excerpt: string, { atEnd = false, tooLong = false } = {}) {
    this.lineNumber = lineNumber
    this.problem = problem
    this.excerpt = excerpt.slice(0, 200)
    this.atEnd = atEnd
    this.tooLong = tooLong
  }
}

const MEMORY_HIGH_WATER = 1000

/** Two ends of one channel in one process: messages pass by reference, nothing is serialized. */
export function createChannelPair<A, B>(): [Channel<A, B>, Channel<B, A>] {
  const toFirst = createAsyncQueue<A>(MEMORY_HIGH_WATER)
  const toSecond = createAsyncQueue<B>(MEMORY_HIGH_WATER)
  return [
    { send: (message) => toSecond.push(message), end: () => toSecond.end(), incoming: toFirst },
    { send: (message) => toFirst.push(message), end: () => toFirst.end(), incoming: toSecond },
  ]
}

/** The same channel, with a look at every message that passes. */
export function watchChannel<Incoming, Outgoing>(
  channel: Channel<Incoming, Outgoing>,
  see: (direction: '→' | '←', message: Incoming | Outgoing) => void,
): Channel<Incoming, Outgoing> {
  return {
    send(message) {
      see('→', message)
      return channel.send(message)
    },
    end: () => channel.end(),
    incoming: (async function* () {
      for await (const message of channel.incoming) {
        see('←', message)
        yield message
      }
    })(),
  }
}
