/** The wire to the host: messages out with a count of what it has not taken yet, control requests both ways, signs of life. */
import type { Platform } from '../platform/platform.js'
import type { Channel, MalformedLine } from '../transport/channel.js'
import { createPeer } from '../transport/peer.js'

/** Messages the host has not taken yet at which we stop reading more of it. Below, an interrupt still gets through. */
const MAX_UNSENT = 1000

export type HostConnectionOptions = {
  channel: Channel<object | MalformedLine, object>
  platform: Platform
  stderr(text: string): void
  /** Answers a control request of the host. */
  answer(request: Record<string, unknown>): Promise<Record<string, unknown> | undefined>
  /** Send a `keep_alive` after this long without a message. */
  keepAliveMs?: number | undefined
}

export type HostConnection = ReturnType<typeof createHostConnection>

export function createHostConnection({ channel, platform, stderr, answer, keepAliveMs }: HostConnectionOptions) {
  const { clock, identity } = platform
  let muted = false
  let unsent = 0
  let drained: Promise<void> | undefined
  let lastSent = clock.monotonic()
  let stopWatching = () => {}

  const send = (message: object): void | Promise<void> => {
    if (muted) return
    lastSent = clock.monotonic()
    const full = channel.send(message)
    if (!full) return
    unsent += 1
    drained ??= full.then(() => {
      unsent = 0
      drained = undefined
    })
    return full
  }
  /** One timer that looks back, rather than one per message. */
  const watchIdle = (ms: number) => {
    stopWatching = clock.after(ms, () => {
      const quiet = clock.monotonic() - lastSent
      if (quiet >= ms) void send({ type: 'keep_alive' })
      watchIdle(ms)
    })
  }
  const peer = createPeer({
    send: (message) => void send(message),
    newId: identity.uuid,
    handle: answer,
    report: (problem) => stderr(`Ignored: ${problem}\n`),
  })

  return {
    send,
    peer,
    incoming: channel.incoming,
    /** For the reader: a host that asks and asks but does not take its answers has to wait. */
    caughtUp: () => (unsent > MAX_UNSENT ? drained : undefined),
    /** Nothing more is said: nobody waits for our last words, and a full pipe must not keep us. */
    mute() {
      muted = true
    },
    keepAlive() {
      if (keepAliveMs !== undefined) watchIdle(keepAliveMs)
    },
    close() {
      stopWatching()
      peer.close(new Error('Stream closed'))
    },
  }
}
