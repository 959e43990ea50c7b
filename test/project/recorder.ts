/** Records what this process starts and calls, from Node's own diagnostics: no child and no connection goes unseen. */
import type { ChildProcess } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'

export type Recorder = Disposable & {
  /** The programs, in order. */
  processes(): string[]
  /** `address:port` of every connection that was tried. */
  connections(): string[]
}

export function recordProcess(): Recorder {
  const children: ChildProcess[] = []
  const connections: string[] = []
  const onChild = (message: unknown) => {
    // What Node documents for this channel.
    children.push((message as { process: ChildProcess }).process)
  }
  const onSocket = (message: unknown) => {
    // What Node documents for this channel.
    const { socket } = message as { socket: Socket }
    const index = connections.push('tried') - 1
    socket.once('connect', () => {
      connections[index] = `${socket.remoteAddress}:${socket.remotePort}`
    })
  }
  subscribe('child_process', onChild)
  subscribe('net.client.socket', onSocket)
  return {
    processes: () => children.map(({ spawnfile }) => spawnfile),
    connections: () => connections,
    [Symbol.dispose]() {
      unsubscribe('child_process', onChild)
      unsubscribe('net.client.socket', onSocket)
    },
  }
}
