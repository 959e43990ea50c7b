/** A session whose model calls what a test says, turn by turn, while the test looks at its MCP servers. */
import assert from 'node:assert/strict'
import {
  type McpServerStatus,
  type Options,
  type Query,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from 'kedge'
import { type ModelServer, type Step, startModelServer, type TestOptions, testOptions } from 'kedge/testing'

export type Called = {
  /** What the model reads, as text; images are left out. */
  text: string
  isError: boolean
  content: unknown
  output: unknown
  /** Everything of this turn. */
  messages: SDKMessage[]
  result: SDKResultMessage
}

export class Session implements AsyncDisposable {
  readonly running: Query
  readonly model: ModelServer
  readonly options: TestOptions
  readonly #steps: Step[]
  readonly #prompts: SDKUserMessage[] = []
  #wake = () => {}
  #over = false
  #calls = 0

  constructor(model: ModelServer, options: TestOptions, steps: Step[]) {
    this.model = model
    this.options = options
    this.#steps = steps
    this.running = query({ prompt: this.#input(), options })
  }

  /** What the model is asked to do next, ahead of time. */
  plan(...steps: Step[]): void {
    this.#steps.push(...steps)
  }

  /** One turn of the user. `watch` sees its messages as they come. */
  async say(text: string, watch: (message: SDKMessage) => unknown = () => {}) {
    this.#prompts.push({
      type: 'user',
      message: { role: 'user', content: text },
      parent_tool_use_id: null,
      session_id: '',
    })
    this.#wake()
    const messages: SDKMessage[] = []
    for (;;) {
      const { value, done } = await this.running.next()
      assert.ok(!done, 'the query ended before the result of the turn')
      messages.push(value)
      await watch(value)
      if (value.type === 'result') return { messages, result: value }
    }
  }

  /** A turn in which the model calls one tool. */
  async call(name: string, input: object = {}, watch?: (message: SDKMessage) => unknown): Promise<Called> {
    const id = `toolu_${++this.#calls}`
    this.plan({ tools: [{ id, name, input }] }, 'Done.')
    const turn = await this.say(`Call ${name}.`, watch)
    const answer = turn.messages.find((m) => m.type === 'user' && JSON.stringify(m.message).includes(`"${id}"`))
    assert.ok(answer?.type === 'user', `no result of ${name}`)
    const [block] = Array.isArray(answer.message.content) ? answer.message.content : []
    assert.ok(typeof block === 'object' && block.type === 'tool_result')
    const { content, is_error: isError = false } = block
    return { ...turn, text: textOf(content), isError, content, output: answer.tool_use_result }
  }

  /** Waits until the server is as it should be. */
  async until(name: string, wanted: (status: McpServerStatus) => boolean): Promise<McpServerStatus> {
    const deadline = Date.now() + 30_000
    for (;;) {
      const status = (await this.running.mcpServerStatus()).find((server) => server.name === name)
      if (status && wanted(status)) return status
      assert.ok(Date.now() < deadline, `still not: ${JSON.stringify(status)}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  async ready(name: string): Promise<McpServerStatus> {
    const status = await this.until(name, (server) => server.status !== 'pending')
    assert.equal(status.status, 'connected', status.error)
    return status
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true
    this.#wake()
    await this.running[Symbol.asyncDispose]()
    await this.model[Symbol.asyncDispose]()
    await this.options[Symbol.asyncDispose]()
  }

  async *#input(): AsyncGenerator<SDKUserMessage> {
    while (!this.#over) {
      const next = this.#prompts.shift()
      if (next) yield next
      else await new Promise<void>((wake) => (this.#wake = wake))
    }
  }
}

export async function openSession(options: Options): Promise<Session> {
  const steps: Step[] = []
  const model = await startModelServer((request) => {
    const step = steps.shift() ?? 'Noted.'
    return typeof step === 'function' ? step(request) : step
  })
  return new Session(model, testOptions(model, { model: 'claude-sonnet-4-5-20250929', ...options }), steps)
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return String(content)
  return content.flatMap((block) => (block.type === 'text' ? block.text : [])).join('\n')
}
