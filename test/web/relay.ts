/** A line between browsers and a server that can fall silent, be cut, and work again. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export type Relay = AsyncDisposable & {
  /** As in an address. */
  host: string
  leadTo(url: string): void
  /** Connections stay, and nothing gets through; nor does it later. */
  silence(): void
  /** What came while it was silent, or cut. */
  lost(): number
  /** Connections end, and no further ones come about. */
  cut(): void
  mend(): void
  /** It is cut when so much was asked through it. */
  cutAfter(times: number): void
  /** It is cut when so much was answered, and the last of that is lost. */
  loseAnswer(times: number): void
}

export async function startRelay(): Promise<Relay> {
  let target = { hostname: '', port: 0 }
  let state: 'open' | 'silent' | 'cut' = 'open'
  let lost = 0
  let left = Number.POSITIVE_INFINITY
  let answers = Number.POSITIVE_INFINITY
  const sockets = new Set<Socket>()
  const pass = (from: Socket, to: Socket) => {
    sockets.add(from)
    from.on('data', (bytes) => {
      if (state === 'open') to.write(bytes)
      else lost += 1
    })
    from.on('close', () => {
      sockets.delete(from)
      to.destroy()
    })
    from.on('error', () => {})
  }
  const server = createServer((near) => {
    if (state === 'cut') {
      lost += 1
      near.destroy()
      return
    }
    const far = connect(target.port, target.hostname)
    near.on('data', () => {
      left -= 1
      if (left === 0) cut()
    })
    far.on('data', () => {
      answers -= 1
      if (answers === 0) cut()
    })
    pass(near, far)
    pass(far, near)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  const cut = () => {
    state = 'cut'
    for (const socket of sockets) socket.destroy()
  }
  return {
    host: `127.0.0.1:${port}`,
    leadTo(url) {
      const { hostname, port: far } = new URL(url)
      target = { hostname, port: Number(far) }
    },
    lost: () => lost,
    silence() {
      state = 'silent'
    },
    cut,
    mend() {
      state = 'open'
      // On a slow machine it's mended before the cut was due; then there is none.
      left = Number.POSITIVE_INFINITY
      answers = Number.POSITIVE_INFINITY
    },
    cutAfter(times) {
      left = times
    },
    loseAnswer(times) {
      answers = times
    },
    async [Symbol.asyncDispose]() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
