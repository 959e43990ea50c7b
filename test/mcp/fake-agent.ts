/** An agent that does what a test says, in this process: it speaks the control protocol with the `query()` under test. */
import { EventEmitter } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough } from 'node:stream'
import { type Options, type Query, query, type SpawnedProcess } from 'kedge'

export const SESSION = '22222222-2222-4222-8222-222222222222'

type Json = Record<string, unknown>
export type Rpc = {
  jsonrpc?: string
  id?: string | number
  method?: string
  params?: Json
  result?: Json
  error?: Json
}

export class FakeAgent implements AsyncDisposable {
  readonly running: Query
  /** Requests of the host, in the order they came. */
  readonly asked: Json[] = []
  /** Answers a request of the host; undefined is an empty success, a string an error. */
  onRequest: (request: Json) => Json | string | undefined = () => undefined
  readonly #stdout = new PassThrough()
  readonly #answers = new Map<string, (response: Json) => void>()
  readonly #arrivals = new EventEmitter()
  #next = 0

  constructor(options: Options, sessionId = SESSION) {
    this.#arrivals.setMaxListeners(0)
    const events = new EventEmitter()
    const stdin = new PassThrough()
    const exit = () => {
      this.#stdout.end()
      events.emit('exit', 0, null)
      return true
    }
    createInterface({ input: stdin }).on('line', (line) => this.#take(JSON.parse(line)))
    stdin.on('end', exit)
    const child = Object.assign(events, { stdin, stdout: this.#stdout, killed: false, exitCode: null, kill: exit })
    const spawnClaudeCodeProcess = (): SpawnedProcess => child
    this.running = query({
      prompt: (async function* () {
        await new Promise(() => {})
        yield* []
      })(),
      options: { pathToClaudeCodeExecutable: '/some/agent', spawnClaudeCodeProcess, ...options },
    })
    this.write({ type: 'system', subtype: 'init', session_id: sessionId })
  }

  write(line: Json): void {
    this.#stdout.write(`${JSON.stringify(line)}\n`)
  }

  /** A control request, and the whole answer. */
  request(request: Json, id = `r${this.#next++}`): Promise<Json> {
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      this.write({ type: 'control_request', request_id: id, request })
    })
  }

  /** A JSON-RPC message for a server of the host, and what it answers. */
  async mcp(server: string, message: Rpc): Promise<Rpc> {
    const request = { subtype: 'mcp_message', server_name: server, message: { jsonrpc: '2.0', ...message } }
    const { response, error } = await this.request(request)
    if (error !== undefined) throw new Error(String(error))
    // The protocol gives the answer this shape; the tests compare all of it.
    return (response as { mcp_response: Rpc }).mcp_response
  }

  async handshake(server: string, capabilities: Json = {}): Promise<Rpc> {
    const clientInfo = { name: 'test', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
    const answer = await this.mcp(server, { id: 0, method: 'initialize', params })
    await this.mcp(server, { method: 'notifications/initialized' })
    return answer
  }

  call(server: string, id: string | number, name: string, args: Json = {}, _meta?: Json): Promise<Rpc> {
    const params = { name, arguments: args, ...(_meta ? { _meta } : {}) }
    return this.mcp(server, { id, method: 'tools/call', params })
  }

  /** The n-th message that a server sent by itself, waited for. */
  async fromServer(index: number): Promise<Rpc> {
    for (;;) {
      const messages = this.asked.filter(({ subtype }) => subtype === 'mcp_message')
      // Sent by our own SDK: its shape is what the tests look at.
      if (messages[index]) return messages[index].message as Rpc
      await new Promise((resolve) => this.#arrivals.once('request', resolve))
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.running[Symbol.asyncDispose]()
  }

  #take({ type, request_id: id, request, response }: Record<string, Json & string>): void {
    if (type === 'control_response' && response) this.#answers.get(String(response.request_id))?.(response)
    if (type !== 'control_request' || !request) return
    this.asked.push(request)
    const answer = this.onRequest(request)
    const outcome = typeof answer === 'string' ? { subtype: 'error', error: answer } : { subtype: 'success' }
    const body = typeof answer === 'object' ? { response: answer } : {}
    this.write({ type: 'control_response', response: { ...outcome, request_id: id, ...body } })
    this.#arrivals.emit('request')
  }
}
