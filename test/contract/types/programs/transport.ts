// The agent on another machine, behind a web socket.
import type { Transport } from '@anthropic-ai/claude-agent-sdk'

type Incoming =
  ReturnType<Transport['readMessages']> extends AsyncGenerator<infer Message, void, unknown> ? Message : never

export class SocketTransport implements Transport {
  private readonly inbox: Incoming[] = []
  private open = true
  private readonly send: (data: string) => Promise<void>

  constructor(send: (data: string) => Promise<void>) {
    this.send = send
  }

  receive(data: string): void {
    this.inbox.push(JSON.parse(data) as Incoming)
  }

  async write(data: string): Promise<void> {
    await this.send(data)
  }

  close(): void {
    this.open = false
  }

  isReady(): boolean {
    return this.open
  }

  async *readMessages(): AsyncGenerator<Incoming, void, unknown> {
    while (this.open) {
      const message = this.inbox.shift()
      if (message) yield message
      else await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  endInput(): void {
    void this.send('')
  }
}

export function recorder(inner: Transport, log: string[]): Transport {
  return {
    write: (data) => {
      log.push(data)
      return inner.write(data)
    },
    close: () => inner.close(),
    isReady: () => inner.isReady(),
    readMessages: () => inner.readMessages(),
    endInput: () => inner.endInput(),
  }
}
