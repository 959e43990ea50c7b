/** One endless stream of entries: reconnects on its own, and continues after the last number it has seen. */
import { pageKey } from './page-key.js'
import { get, ServerProblem } from './server-api.js'
import type { StreamEntry } from './wire-types.js'

export type SocketState = 'connecting' | 'live' | 'lost'

export type EntrySocketOptions = {
  path: string
  /** The last number that was taken. */
  after(): number
  onItems(items: StreamEntry[]): void
  onState(state: SocketState): void
  /** A new connection begins: pieces of what was under way come again. */
  onOpen?(): void
  /** The stream can't continue: the log is another one, the session is gone, or the cookie is no longer valid. */
  onRefused(problem: ServerProblem): void
}

/** The server says something every 15 seconds. */
const SILENCE_MS = 40_000
const LOOK_MS = 5000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 5000

export function followEntries(options: EntrySocketOptions): { close(): void } {
  let socket: WebSocket | undefined
  let isOver = false
  let wait = FIRST_WAIT_MS
  let heard = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined

  const connect = () => {
    clearTimeout(timer)
    if (isOver) return
    const address = new URL(`/v1${options.path}?after=${options.after()}`, location.href)
    address.protocol = address.protocol.replace('http', 'ws')
    // A page can't set headers here. The server answers with the first of them, and logs neither.
    const mine = new WebSocket(address, ['kedge', `kedge.key.${pageKey()}`])
    socket = mine
    heard = Date.now()
    let isOpen = false
    mine.onopen = () => {
      isOpen = true
      heard = Date.now()
      options.onOpen?.()
    }
    mine.onmessage = ({ data }) => {
      if (socket !== mine) return
      heard = Date.now()
      wait = FIRST_WAIT_MS
      options.onState('live')
      const items: StreamEntry[] = JSON.parse(String(data))
      if (items.length > 0) options.onItems(items)
    }
    mine.onclose = ({ code, reason }) => {
      if (socket !== mine) return
      socket = undefined
      void again(isOpen, code, reason)
    }
    // A log without news is silent until the first heartbeat: open is live.
    mine.addEventListener('open', () => options.onState('live'))
  }

  const again = async (wasOpen: boolean, code: number, reason: string) => {
    if (isOver) return
    options.onState('lost')
    if (code === 1008) return options.onRefused(new ServerProblem(409, { code: reason }))
    // A rejected connection looks like a broken one; a request to the API shows which it is.
    if (!wasOpen) {
      const refused = await get(options.path.replace(/\/events$/, '').replace(/^$/, '/me')).then(
        () => undefined,
        (error) => (error instanceof ServerProblem && [401, 403, 404].includes(error.status) ? error : undefined),
      )
      if (isOver) return
      if (refused) return options.onRefused(refused)
    }
    clearTimeout(timer)
    timer = setTimeout(connect, wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }

  /** After a sleep, or a change of networks, a dead connection may still look alive. */
  const look = () => {
    if (isOver) return
    if (socket && Date.now() - heard > SILENCE_MS) {
      const dead = socket
      socket = undefined
      dead.close()
      options.onState('lost')
      connect()
    } else if (!socket) connect()
  }
  const soon = () => {
    wait = FIRST_WAIT_MS
    look()
  }
  const gone = () => {
    const dead = socket
    socket = undefined
    dead?.close()
    options.onState('lost')
    clearTimeout(timer)
    timer = setTimeout(connect, wait)
  }
  const looking = setInterval(() => {
    if (socket) look()
  }, LOOK_MS)
  const seen = () => {
    if (document.visibilityState === 'visible') soon()
  }
  addEventListener('online', soon)
  addEventListener('offline', gone)
  document.addEventListener('visibilitychange', seen)
  options.onState('connecting')
  connect()

  return {
    close() {
      isOver = true
      clearTimeout(timer)
      clearInterval(looking)
      removeEventListener('online', soon)
      removeEventListener('offline', gone)
      document.removeEventListener('visibilitychange', seen)
      const mine = socket
      socket = undefined
      mine?.close()
    },
  }
}
