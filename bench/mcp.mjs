// What MCP tools cost, each against a floor in the same interleaved run: `node bench/mcp.mjs [calls] [start]`.
// A call is everything between two calls of the server that the model made one after another: the answer, its way into
// the conversation and onto the disk, the permission for the next call, the next request. The floor is the same server
// called by the bare client library, which does none of that. It measures and judges nothing.
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { createSdkMcpServer, query, tool } from '../dist/index.js'
import { startModelServer, testOptions } from '../dist/testing.js'

const CALLS = 200
const ROUNDS = 7
const SERVERS = 10
const program = fileURLToPath(new URL('mcp-server.mjs', import.meta.url))
const stdio = { command: process.execPath, args: [program] }
const now = () => performance.timeOrigin + performance.now()
const text = (value) => ({ content: [{ type: 'text', text: String(value) }] })
const own = () => createSdkMcpServer({ name: 'b', tools: [tool('stamp', 'Says when.', {}, async () => text(now()))] })

const parts = { calls: measureCalls, start: measureStart }
const wanted = process.argv.slice(2)
const unknown = wanted.filter((part) => !Object.hasOwn(parts, part))
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(', ')}. There are ${Object.keys(parts).join(', ')}.`)
  process.exit(1)
}
printRow('what', 'kedge', 'floor', 'ratio')
for (const [part, measure] of Object.entries(parts)) if (wanted.length === 0 || wanted.includes(part)) await measure()
process.exit(0)

async function measureCalls() {
  const cases = {
    'in-process tool, agent in-process': [() => turn({ b: own() }, 'in-process'), bareInMemory],
    'in-process tool, agent as a child': [() => turn({ b: own() }, 'process'), bareInMemory],
    'stdio tool, agent in-process': [() => turn({ b: stdio }, 'in-process'), bareStdio],
  }
  for (const [name, [measure, floor]] of Object.entries(cases)) {
    const [kedge, bare] = await interleaved(measure, floor)
    printRow(`${name}, per call`, ms(kedge), ms(bare), (kedge / bare).toFixed(1))
  }
}

async function measureStart() {
  const many = Object.fromEntries(Array.from({ length: SERVERS }, (_, index) => [`b${index}`, stdio]))
  const [with10, without] = await interleaved(
    () => untilFirstRequest(many),
    () => untilFirstRequest({}),
  )
  printRow(
    `first request with ${SERVERS} stdio servers`,
    ms(with10),
    ms(without),
    (with10 / without).toFixed(2),
    'floor: none',
  )
  const [ready, bare] = await interleaved(
    () => untilReady(many),
    () => bareClients(SERVERS),
  )
  printRow(`${SERVERS} stdio servers ready`, ms(ready), ms(bare), (ready / bare).toFixed(2))
}

/** Median of each, measured in turn so that what else the machine does hits both. */
async function interleaved(...measures) {
  const times = measures.map(() => [])
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, measure] of measures.entries()) {
      const time = await measure()
      // The first round loads and compiles.
      if (round > 0) times[index].push(time)
    }
  }
  return times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)])
}

/** One turn of many calls; the time between the first and the last, as the server saw them. */
async function turn(mcpServers, isolation) {
  const tools = Array.from({ length: CALLS }, (_, index) => ({
    id: `toolu_${index}`,
    name: 'mcp__b__stamp',
    input: {},
  }))
  const model = await startModelServer([{ tools }, 'Done.'])
  const options = testOptions(model, { mcpServers, isolation, allowedTools: ['mcp__b'], maxTurns: 5 })
  const stamps = []
  for await (const message of ready(options)) {
    if (message.type !== 'user') continue
    for (const block of message.message.content) {
      const content = block.type === 'tool_result' ? block.content : []
      const said = typeof content === 'string' ? content : content.map((part) => part.text).join('')
      if (!Number.isNaN(Number(said))) stamps.push(Number(said))
    }
  }
  await options[Symbol.asyncDispose]()
  await model.close()
  if (stamps.length !== CALLS) throw new Error(`${stamps.length} of ${CALLS} calls were answered`)
  return (Math.max(...stamps) - Math.min(...stamps)) / (CALLS - 1)
}

/** A query whose prompt comes when its servers are ready. */
function ready(options, onReady = () => {}) {
  const running = query({ prompt: prompts(), options })
  return running
  async function* prompts() {
    await new Promise(setImmediate)
    while ((await running.mcpServerStatus()).some(({ status }) => status === 'pending'))
      await new Promise((resolve) => setTimeout(resolve, 1))
    onReady()
    yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '' }
  }
}

async function untilFirstRequest(mcpServers) {
  let first
  const model = await startModelServer(() => {
    first ??= now()
    return 'Done.'
  })
  const options = testOptions(model, { mcpServers })
  const started = now()
  const running = query({ prompt: 'Go.', options })
  for await (const message of running) if (message.type === 'result') running.close()
  await running.closed
  await options[Symbol.asyncDispose]()
  await model.close()
  return first - started
}

async function untilReady(mcpServers) {
  const model = await startModelServer(['Done.'])
  const options = testOptions(model, { mcpServers })
  const started = now()
  let end
  for await (const _ of ready(options, () => (end = now())));
  await options[Symbol.asyncDispose]()
  await model.close()
  return end - started
}

async function bareInMemory() {
  const server = new McpServer({ name: 'bench', version: '1' })
  server.registerTool('stamp', {}, async () => text(now()))
  const [mine, its] = InMemoryTransport.createLinkedPair()
  await server.connect(its)
  return callAll(mine)
}

function bareStdio() {
  return callAll(new StdioClientTransport({ ...stdio, stderr: 'ignore' }))
}

async function callAll(transport) {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(transport)
  const stamps = []
  for (let call = 0; call < CALLS; call += 1) {
    const { content } = await client.callTool({ name: 'stamp', arguments: {} })
    stamps.push(Number(content[0].text))
  }
  await client.close()
  return (stamps.at(-1) - stamps[0]) / (CALLS - 1)
}

async function bareClients(count) {
  const started = now()
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = new Client({ name: 'bench', version: '1' })
      await client.connect(new StdioClientTransport({ ...stdio, stderr: 'ignore' }))
      await client.listTools()
      return client
    }),
  )
  const time = now() - started
  await Promise.all(clients.map((client) => client.close()))
  return time
}

function ms(value) {
  return `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`
}

function printRow(what, kedge, floor, ratio, note = '') {
  console.log(`${what.padEnd(46)} ${kedge.padStart(10)} ${floor.padStart(10)} ${ratio.padStart(6)}  ${note}`.trimEnd())
}
