/** A whole session behind a proxy with a password: model, WebFetch and an MCP server go through it, and the password goes nowhere else. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { query, type SDKMessage } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from './certificates.js'
import { listen, type ProxySetup, startProxy } from './proxy.js'

const PASSWORD = 'proxy-pass-77'
const STEPS = [
  { tools: [{ name: 'WebFetch', input: { url: 'https://site.example/page', prompt: 'What does it say?' } }] },
  { tools: [{ name: 'mcp__remote__greet', input: {} }] },
  { tools: [{ name: 'Bash', input: { command: 'echo hi' } }] },
  'Done.',
]

/** Everything behind the proxy, told apart by name: the model's API, a page, an MCP server. */
async function startHosts(t: TestContext, modelUrl: string): Promise<number> {
  const tls = { key: SERVER_KEY, cert: SERVER_CERTIFICATE }
  const server = createSecureServer(tls, (asked, answer) => {
    if (asked.headers.host !== 'model.example')
      return void answer.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>')
    const { method, url, headers } = asked
    const onward = request(new URL(url ?? '/', modelUrl), { method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(answer)
    })
    asked.pipe(onward)
  })
  const port = await listen(server)
  t.after(() => server.close())
  return port
}

async function startMcp(t: TestContext): Promise<number> {
  const results: Record<string, (params: { protocolVersion?: string }) => unknown> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'remote', version: '1' },
    }),
    'tools/list': () => ({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] }),
    'tools/call': () => ({ content: [{ type: 'text', text: 'greetings' }] }),
  }
  const server = createServer(async (asked, answer) => {
    if (asked.method !== 'POST') return void answer.writeHead(405).end()
    let text = ''
    for await (const piece of asked) text += piece
    const { id, method, params } = JSON.parse(text)
    if (id === undefined) return void answer.writeHead(202).end()
    const result = results[method]?.(params)
    answer.writeHead(200, { 'content-type': 'application/json' })
    answer.end(
      JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: '' } }) }),
    )
  })
  const port = await listen(server)
  t.after(() => server.close())
  return port
}

async function run(t: TestContext, setup: Partial<ProxySetup>, login: string, steps: typeof STEPS, env = {}) {
  const server = await startModelServer(steps)
  t.after(() => server.close())
  const options = testOptions(server, { isolation: 'process', model: 'claude-sonnet-4-5-20250929' })
  t.after(() => options[Symbol.asyncDispose]())
  const proxy = await startProxy({
    securePort: await startHosts(t, server.url),
    plainPort: await startMcp(t),
    login: `me:${PASSWORD}`,
    ...setup,
  })
  t.after(() => proxy[Symbol.asyncDispose]())
  const address = `http://${login}@127.0.0.1:${proxy.port}`
  writeFileSync(join(options.cwd, 'ca.pem'), AUTHORITY)
  let stderr = ''
  const { messages } = await collect(
    query({
      prompt: 'Go.',
      options: {
        ...options,
        env: {
          ...options.env,
          ANTHROPIC_BASE_URL: 'https://model.example',
          NODE_EXTRA_CA_CERTS: join(options.cwd, 'ca.pem'),
          HTTPS_PROXY: address,
          HTTP_PROXY: address,
          CLAUDE_CODE_MAX_RETRIES: '0',
          ...env,
        },
        extraArgs: { 'debug-file': join(options.cwd, 'debug.txt') },
        allowedTools: ['WebFetch', 'mcp__remote', 'Bash(echo:*)'],
        mcpServers: { remote: { type: 'http', url: 'http://mcp.example/mcp' } },
        stderr: (text) => {
          stderr += text
        },
      },
    }),
  )
  return { messages, stderr, log: proxy.log, options }
}

const resultOf = (messages: readonly SDKMessage[]) => messages.find((message) => message.type === 'result')

/** Everything a session wrote, wherever that is. */
function written(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath ?? entry.path, entry.name), 'latin1'))
    .join('\n')
}

test('model, page and server are reached through it', async (t) => {
  const { messages, stderr, log, options } = await run(t, {}, `me:${PASSWORD}`, STEPS)
  const result = resultOf(messages)
  assert.equal(result?.subtype, 'success', JSON.stringify(result) + stderr)
  assert.deepEqual([...new Set(log)].filter((line) => !line.startsWith('GET http://mcp.example')).sort(), [
    'CONNECT model.example:443',
    'CONNECT site.example:443',
    'POST http://mcp.example/mcp',
  ])
  const text = JSON.stringify(messages)
  assert.match(text, /# Hello/)
  assert.match(text, /greetings/)
  const everything = `${text}${stderr}${written(options.cwd)}${written(options.env['CLAUDE_CONFIG_DIR'] ?? '')}`
  // The transcript is among it, so it is really looked at.
  assert.match(everything, /"sessionId"/)
  assert.doesNotMatch(everything, new RegExp(PASSWORD))
  assert.ok(!everything.includes(Buffer.from(`me:${PASSWORD}`).toString('base64')))
})

test('a proxy that wants another password is told of, without the password', async (t) => {
  const { messages, stderr, log } = await run(t, {}, 'me:wrong-88', [], { CLAUDE_CODE_MAX_RETRIES: '3' })
  const result = resultOf(messages)
  const text = JSON.stringify(result)
  // It will not be right the next time.
  assert.equal(log.filter((line) => line.includes('model.example')).length, 1)
  assert.match(text, /rejected the user or the password in HTTPS_PROXY/)
  assert.doesNotMatch(JSON.stringify(messages) + stderr, /wrong-88|bWU6/)
})

test('a variable that names no proxy is refused before anything is sent', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server, { isolation: 'process' })
  const env = { ...options.env, ANTHROPIC_BASE_URL: 'https://model.example', HTTPS_PROXY: 'me:secret-99@proxy:3128' }
  let stderr = ''
  const stderrOption = (text: string) => {
    stderr += text
  }
  const told = await collect(query({ prompt: 'Go.', options: { ...options, env, stderr: stderrOption } })).then(
    ({ messages }) => JSON.stringify(messages),
    (error: unknown) => String(error),
  )
  assert.match(told + stderr, /HTTPS_PROXY must begin with http:\/\/ or https:\/\//)
  assert.doesNotMatch(told + stderr, /secret-99/)
})
