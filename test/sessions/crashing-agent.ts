/**
 * A program for the crash test: one query whose store is in the process that started it, which kills this one when it likes.
 * Arguments: JSON with the options; every result goes back.
 */
import { type Options, query, type SDKMessage, type SessionStore, type SessionStoreEntry } from 'kedge'

export type Plan = { prompt?: string; options: Options }
export type FromChild = { id: number; append?: SessionStoreEntry[]; load?: true; result?: unknown }
export type FromParent = { id: number; entries?: SessionStoreEntry[] | null }

// Written by the test that starts this.
const { prompt, options } = JSON.parse(process.argv[2] ?? '{}') as Plan
const waiting = new Map<number, (answer: FromParent) => void>()
let last = 0
process.on('message', (answer: FromParent) => waiting.get(answer.id)?.(answer))

function ask(question: Omit<FromChild, 'id'>): Promise<FromParent> {
  last += 1
  const id = last
  return new Promise((resolve) => {
    waiting.set(id, resolve)
    process.send?.({ id, ...question } satisfies FromChild)
  })
}

const sessionStore: SessionStore = {
  // Sub-agents are not part of this.
  append: async (_, entries) => void (await ask({ append: entries })),
  load: async () => (await ask({ load: true })).entries ?? null,
}
const given = { ...options, sessionStore }
const messages: AsyncIterable<SDKMessage> =
  prompt === undefined ? query({ options: { ...given, continueTurn: true } }) : query({ prompt, options: given })
for await (const message of messages) if (message.type === 'result') await ask({ result: message })
process.disconnect()
