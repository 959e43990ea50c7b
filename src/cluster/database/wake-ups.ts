/**
 * Wakes waiters with NOTIFY when another machine writes: one connection listens for the whole process. A message can be
 * lost with its connection, so every waiter also looks on its own every two seconds.
 */
import type { Client } from 'pg'
import { loadPg } from './load-pg.js'

const CHANNEL = 'kedge_wake'
const LOOK_MS = 2000
const RECONNECT_MS = { first: 50, most: 2000 }

export interface WakeUps {
  next(name: string, signal?: AbortSignal): WakeUpWait
  close(): Promise<void>
}

export type WakeUpWait = {
  /** When something is said about the name (true), after two seconds, or with the signal; whichever is first. */
  said: Promise<boolean>
  /** Stops waiting. */
  leave(): void
}

/**
 * Listens to the database for wake-ups. `url` must lead to the database itself: what shares connections between
 * clients does not pass these on.
 */
export function createWakeUps(url: string, lookMs = LOOK_MS): WakeUps {
  const waiting = new Map<string, Set<(isSaid: boolean) => void>>()
  let client: Client | undefined
  let connecting: Promise<void> | undefined
  let isClosed = false

  const wake = (name: string) => {
    const waiters = waiting.get(name)
    waiting.delete(name)
    for (const done of waiters ?? []) done(true)
  }
  const wakeAll = () => {
    for (const name of [...waiting.keys()]) wake(name)
  }
  const connect = async () => {
    const { Client: Pg } = await loadPg()
    for (let pause = RECONNECT_MS.first; !isClosed; pause = Math.min(pause * 2, RECONNECT_MS.most)) {
      const made = new Pg({ connectionString: url, application_name: 'kedge listens', keepAlive: true })
      made.on('error', () => undefined)
      try {
        await made.connect()
        await made.query(`listen ${CHANNEL}`)
      } catch {
        await made.end().catch(() => undefined)
        await new Promise((done) => setTimeout(done, pause).unref())
        continue
      }
      made.on('notification', ({ payload }) => {
        for (const name of (payload ?? '').split('\n')) wake(name)
      })
      made.once('end', () => {
        client = undefined
        connecting = undefined
        if (!isClosed && waiting.size > 0) listen()
      })
      client = made
      // Wakes everything, because notifications before the connection are lost.
      wakeAll()
      return
    }
  }
  const listen = () => {
    if (client || connecting || isClosed) return
    connecting = connect().finally(() => {
      connecting = undefined
    })
    connecting.catch(() => undefined)
  }

  return {
    next(name, signal) {
      listen()
      const waiters = waiting.get(name) ?? new Set()
      let leave = () => {}
      const said = new Promise<boolean>((resolve) => {
        const done = (isSaid: boolean) => {
          clearTimeout(timer)
          signal?.removeEventListener('abort', leave)
          waiters.delete(done)
          if (waiters.size === 0 && waiting.get(name) === waiters) waiting.delete(name)
          resolve(isSaid)
        }
        leave = () => done(false)
        const timer = setTimeout(leave, lookMs)
        signal?.addEventListener('abort', leave, { once: true })
        waiters.add(done)
        waiting.set(name, waiters)
        if (signal?.aborted || isClosed) leave()
      })
      return { said, leave }
    },
    async close() {
      isClosed = true
      wakeAll()
      await connecting?.catch(() => undefined)
      await client?.end().catch(() => undefined)
    },
  }
}

/** Payloads end at 8000 bytes. */
const PAYLOAD = 7000
const GATHER_MS = 20

/**
 * Announces a write after it happened: NOTIFY inside a transaction takes a lock that all commits wait for. Names are
 * collected for a moment. If an announcement fails, waiters find the change when they look on their own.
 */
export function createWakeUpSender(say: (payload: string) => Promise<unknown>): {
  call(name: string): void
  flush(): Promise<void>
} {
  const names = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  let saying: Promise<void> = Promise.resolve()
  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const due = [...names]
    names.clear()
    for (let payload = due.shift(); payload !== undefined; payload = due.shift()) {
      while (due[0] !== undefined && payload.length + due[0].length < PAYLOAD) payload += `\n${due.shift()}`
      await say(payload).catch(() => undefined)
    }
  }
  return {
    call(name) {
      names.add(name)
      timer ??= setTimeout(() => {
        saying = saying.then(flush)
      }, GATHER_MS)
    },
    flush() {
      saying = saying.then(flush)
      return saying
    },
  }
}

export const NOTIFY_STATEMENT = `select pg_notify('${CHANNEL}', $1)`
