/** An agent behind a transport of the caller: in memory, over TCP, open already or opened for the query; and how it ends. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import {
  type AgentStart,
  type Channel,
  createSdkMcpServer,
  type HookCallback,
  KedgeError,
  type Options,
  query,
  startup,
  tool,
  unstable_v2_createSession,
} from 'kedge'
import { collect, type Step, startModelServer, testOptions } from 'kedge/testing'
import { z } from 'zod'
import { runInProcess } from '../../src/agent/in-process.js'
import { createChannelPair } from '../../src/transport/channel.js'
import { kinds, stable } from './both-ways.js'

const command = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const model = 'claude-sonnet-4-5-20250929'

/** Our agent at the other end of two queues. */
function behindQueues({ args, cwd, env, signal }: AgentStart): Channel {
  const [host, agent] = createChannelPair<object, object>()
  void runInProcess({ argv: args, cwd, env, channel: agent, stderr() {}, signal })
  return host
}

/** Our command at the other end of a socket: the first line says how to start it, the rest is the protocol. */
async function listen() {
  const server = createServer(async (socket) => {
    socket.on('error', () => {})
    const [start, rest] = await firstLine(socket)
    const { args, cwd, env } = JSON.parse(start)
    const child = spawn(process.execPath, [command, ...args], { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
    child.stdin.on('error', () => {})
    child.stdin.write(rest)
    socket.pipe(child.stdin)
    child.stdout.pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return { port: address.port, [Symbol.asyncDispose]: async () => void server.close() }
}

async function firstLine(socket: Socket): Promise<[string, string]> {
  let text = ''
  while (!text.includes('\n')) {
    const [chunk] = await once(socket, 'data')
    text += String(chunk)
  }
  socket.pause()
  const at = text.indexOf('\n')
  return [text.slice(0, at), text.slice(at + 1)]
}

const overSocket =
  (port: number, seen: Socket[] = []) =>
  async ({ args, cwd, env, signal }: AgentStart): Promise<Channel> => {
    const socket = connect({ port, host: '127.0.0.1', signal })
    seen.push(socket)
    socket.on('error', () => {})
    await once(socket, 'connect')
    const write = (message: object) => void socket.write(`${JSON.stringify(message)}\n`)
    write({ args, cwd, env })
    return { send: write, end: () => void socket.end(), incoming: linesOf(socket), close: () => void socket.destroy() }
  }

async function* linesOf(socket: Socket): AsyncGenerator<object, void> {
  let pending = ''
  for await (const chunk of socket.setEncoding('utf8')) {
    const lines = `${pending}${chunk}`.split('\n')
    pending = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

/** Never says anything, and never ends. */
async function* silence(): AsyncGenerator<object, void> {
  await new Promise<never>(() => {})
}

const steps = (): Step[] => [
  { tools: [{ id: 'toolu_1', name: 'Bash', input: { command: 'echo from-a-tool' } }] },
  'Done.',
]

test('the same messages through a transport as without one', async () => {
  const runs = []
  for (const transport of [undefined, behindQueues]) {
    await using server = await startModelServer(steps())
    const overrides = { model, allowedTools: ['Bash'], ...(transport ? { transport } : {}) }
    await using options = testOptions(server, overrides)
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.error, undefined)
    runs.push(stable(run.messages, options))
  }
  assert.deepEqual(runs[1], runs[0])
})

test('over a TCP socket: tools, permission, hooks, servers of this process, several turns', async () => {
  await using bridge = await listen()
  await using server = await startModelServer([
    { tools: [{ id: 'toolu_1', name: 'Bash', input: { command: 'touch asked' } }] },
    { tools: [{ id: 'toolu_2', name: 'mcp__calc__add', input: { a: 2, b: 3 } }] },
    'One.',
    'Two.',
  ])
  const asked: string[] = []
  const events: string[] = []
  const add = tool('add', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }) => ({
    content: [{ type: 'text', text: `sum ${a + b}` }],
  }))
  const noteEvent: HookCallback = async ({ hook_event_name }) => {
    events.push(hook_event_name)
    return {}
  }
  const note = { hooks: [noteEvent] }
  const sockets: Socket[] = []
  await using options = testOptions(server, {
    model,
    transport: overSocket(bridge.port, sockets),
    mcpServers: { calc: createSdkMcpServer({ name: 'calc', tools: [add] }) },
    hooks: { PreToolUse: [note], SessionEnd: [note] },
    canUseTool: async (name, input) => {
      asked.push(name)
      return { behavior: 'allow', updatedInput: input }
    },
  })
  const running = query({ prompt: 'First.', options })
  const results: string[] = []
  for await (const message of running) {
    if (message.type !== 'result') continue
    results.push(message.subtype === 'success' ? message.result : message.subtype)
    if (results.length === 1) await running.send('Second.')
  }
  await running.closed
  assert.deepEqual(results, ['One.', 'Two.'])
  assert.deepEqual(asked, ['Bash', 'mcp__calc__add'])
  assert.deepEqual(events, ['PreToolUse', 'PreToolUse', 'SessionEnd'])
  assert.ok(server.requests.some(({ toolResults }) => toolResults.some(({ text }) => text.includes('sum 5'))))
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [true],
  )
})

test('a transport that is open already: model and permissionMode are asked for, what can not be told is refused by name', async () => {
  await using server = await startModelServer([
    { tools: [{ id: 'toolu_1', name: 'Write', input: { file_path: 'a.txt', content: 'a' } }] },
    'Written.',
  ])
  await using started = testOptions(server)
  const channel = behindQueues({
    args: ['--output-format', 'stream-json', '--verbose', '--input-format', 'stream-json'],
    cwd: started.cwd,
    env: { ...started.env, CLAUDE_CODE_SDK_READS_SESSION_STATE: '1' },
    signal: new AbortController().signal,
  })
  const options: Options = { transport: channel, model, permissionMode: 'acceptEdits', systemPrompt: 'Be brief.' }
  const run = await collect(query({ prompt: 'Write.', options }))
  assert.equal(run.error, undefined)
  assert.equal(run.result?.subtype === 'success' && run.result.result, 'Written.')
  assert.equal(server.requests[0]?.body.model, model)
  assert.match(JSON.stringify(server.requests[0]?.body.system), /Be brief/)

  const refused: Options[] = [
    { cwd: '/' },
    { env: {} },
    { maxTurns: 1 },
    { resume: 'x' },
    { mcpServers: { far: { command: 'x' } } },
    { isolation: 'process' },
    { isolation: 'in-process' },
    { pathToClaudeCodeExecutable: 'x' },
    { executable: 'node' },
  ]
  for (const one of refused) {
    const [option] = Object.keys(one)
    assert.throws(() => query({ prompt: 'x', options: { transport: channel, ...one } }), {
      code: 'invalid_option',
      option,
    })
  }
  for (const one of refused.slice(5)) {
    const [option] = Object.keys(one)
    assert.throws(() => query({ prompt: 'x', options: { transport: behindQueues, ...one } }), { option })
  }
})

test('startup() and v2 sessions through a transport', async () => {
  await using server = await startModelServer(['Warm.', 'One.', 'Two.'])
  await using options = testOptions(server, { transport: behindQueues })
  const warm = await startup({ options })
  const run = await collect(warm.query('Hello.'))
  assert.equal(run.result?.subtype === 'success' && run.result.result, 'Warm.')
  await using session = unstable_v2_createSession({ ...options, model })
  for (const text of ['One.', 'Two.']) {
    await session.send(text)
    const { result } = await collect(session.stream())
    assert.equal(result?.subtype === 'success' && result.result, text)
  }
})

test('an agent of another make: without reports of its state the input ends after the last answer', async () => {
  const [host, agent] = createChannelPair<object, Record<string, unknown>>()
  const seen: unknown[] = []
  const speak = async () => {
    for await (const message of agent.incoming) {
      seen.push(message.type)
      if (message.type === 'user')
        void agent.send({ type: 'result', subtype: 'success', is_error: false, result: 'ok' })
    }
    seen.push('end')
    agent.end()
  }
  const spoken = speak()
  const running = query({ prompt: 'One.', options: { transport: host as Channel } })
  let results = 0
  for await (const { type } of running) if (type === 'result' && ++results < 3) await running.send(`Again ${results}.`)
  await spoken
  assert.equal(results, 3)
  assert.deepEqual(seen, ['control_request', 'user', 'user', 'user', 'end'])
})

test('a turn that failed is an error after its result, as without a transport', async () => {
  await using server = await startModelServer([{ status: 400, error: { message: 'no' } }])
  await using options = testOptions(server, { model, transport: behindQueues })
  const { result, error } = await collect(query({ prompt: 'Go.', options }))
  assert.equal(result?.is_error, true)
  assert.ok(error instanceof KedgeError)
  assert.equal(error.code, 'process_exited')
})

test('a transport that ends, fails or can not be opened is a typed error, and the query is over', async () => {
  const silent = async function* (): AsyncGenerator<object, void> {}
  const broken = async function* (): AsyncGenerator<object, void> {
    yield { type: 'keep_alive' }
    throw new Error('reset by peer')
  }
  const odd = async function* (): AsyncGenerator<object, void> {
    yield 'a line' as never
  }
  const channel = (incoming: AsyncIterable<object>, send: Channel['send'] = () => {}): Channel => ({
    send,
    end() {},
    incoming,
  })
  const cases: [Options['transport'], string, RegExp][] = [
    [channel(silent()), 'transport_closed', /ended before the agent had answered/],
    [channel(broken()), 'transport_closed', /reset by peer/],
    [channel(odd()), 'invalid_output', /gave string in place of a message/],
    [channel(silence(), () => Promise.reject(new Error('not connected'))), 'transport_closed', /not connected/],
    [() => Promise.reject(new Error('refused')), 'spawn_failed', /could not be opened: refused/],
    // What a caller in plain JavaScript may give.
    ['tcp://x' as never, 'invalid_option', /must be a channel/],
    [() => ({}) as never, 'invalid_option', /must be a channel/],
  ]
  for (const [transport, code, text] of cases) {
    const running = query({ prompt: 'Go.', options: transport === undefined ? {} : { transport } })
    const { error } = await collect(running)
    assert.ok(error instanceof KedgeError, String(error))
    assert.equal(error.code, code)
    assert.match(error.message, text)
    await running.closed
  }
})

test('close() tells the agent to stop, and gives up what never ends; abort too, also before the transport is open', async () => {
  const sent: object[] = []
  const calls: string[] = []
  const deaf: Channel = {
    send: (message) => void sent.push(message),
    end: () => void calls.push('end'),
    incoming: silence(),
    close: () => void calls.push('close'),
  }
  const running = query({ prompt: 'Go.', options: { transport: deaf } })
  running.close()
  assert.deepEqual((await collect(running)).messages, [])
  await running.closed
  assert.deepEqual(calls, ['end', 'close'])
  assert.deepEqual(kinds(sent as { type: string }[]), ['control_request', 'user', 'control_request'])
  assert.match(JSON.stringify(sent.at(-1)), /"subtype":"interrupt"/)

  const abortController = new AbortController()
  let given: AbortSignal | undefined
  const opening = query({
    prompt: 'Go.',
    options: {
      abortController,
      transport: ({ signal }) => {
        given = signal
        return new Promise<never>(() => {})
      },
    },
  })
  abortController.abort()
  const { error } = await collect(opening)
  assert.equal(error instanceof Error && error.name, 'AbortError')
  await opening.closed
  assert.equal(given?.aborted, true)
})
