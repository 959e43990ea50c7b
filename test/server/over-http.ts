/** How a client of the official library speaks the Agent Client Protocol over HTTP. */
import type { AnyMessage } from '@agentclientprotocol/sdk/unstable'
import { events, type Reply } from './serving.js'

export type Caller = Parameters<typeof events>[0] & {
  call(method: string, path: string, more: { body: unknown }): Promise<Reply>
}

/** What the library reads and writes, over HTTP; `ids` are those of the events. */
export function overHttp(serving: Caller, path: string) {
  const ids: string[] = []
  const refused: string[] = []
  let controller: ReadableStreamDefaultController<AnyMessage>
  let cut = () => {}
  const readable = new ReadableStream<AnyMessage>({
    start(given) {
      controller = given
    },
  })
  const listen = async (after = '0') => {
    for await (const { id = '', data } of events(serving, path, { 'last-event-id': after }, (stop) => {
      cut = stop
    })) {
      ids.push(id)
      controller.enqueue(data)
    }
  }
  const writable = new WritableStream<AnyMessage>({
    async write(message) {
      // Not waited for: the answer to a prompt comes when the turn is over.
      const posted = serving.call('POST', path, { body: message }).then(({ status, json }) => {
        if (status >= 400) refused.push(json.code)
        if (status === 200) controller.enqueue(json)
      })
      if ('method' in message && message.method === 'initialize') {
        await posted
        void listen().catch(() => {})
      }
    },
  })
  return { stream: { readable, writable }, ids, refused, listen, cut: () => cut() }
}
