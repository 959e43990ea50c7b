/** A client without a library: writes whatever a test wants, and answers as its person says, or not at all. */
import type { AcpProcess } from './acp-process.js'
import type { Wire } from './acp-schema.js'
import type { Connection, Person } from './clients.js'

/** What a person does who does nothing. */
export const SILENT = Symbol('no answer')
/** An answer that is an error. */
export const refuse = (code: number, message: string) => ({ [REFUSED]: { code, message } })
const REFUSED = Symbol('an error')

/** What the agent answered with, when that was an error. */
export class Refusal extends Error {
  readonly code: number
  readonly data: unknown
  constructor({ code, message, data }: Wire) {
    super(message)
    this.code = code
    this.data = data
  }
}

export function connectRaw(agent: AcpProcess, person: Person): Connection {
  const send = (message: Wire) => agent.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let count = 0
  agent.tap.onHeard(({ from, message }) => {
    if (from !== 'agent' || message?.method === undefined || !('id' in message)) return
    void reply(message)
  })

  async function reply({ id, method, params }: Wire): Promise<void> {
    const done: Wire = await answerOf(method, params)
    if (done === SILENT) return
    if (done?.[REFUSED]) send({ id, error: done[REFUSED] })
    else send({ id, result: done })
  }

  function answerOf(method: string, params: Wire): unknown {
    if (method === 'session/request_permission') return person.permission(params)
    if (method === 'elicitation/create') return person.elicitation(params)
    if (method === 'fs/read_text_file') return person.readFile(params)
    if (method === 'fs/write_text_file') return person.writeFile(params)
    return person.other(method, params)
  }

  return {
    async request(method, params) {
      count += 1
      const id = `raw-${count}`
      send({ id, method, params })
      const isIt = ({ from, message }: Wire) => from === 'agent' && message?.id === id && !('method' in message)
      const { message } = await agent.heard(`an answer to ${method}`, isIt)
      if (message.error) throw new Refusal(message.error)
      return message.result
    },
    async notify(method, params) {
      send({ method, params })
    },
    close() {},
  }
}
