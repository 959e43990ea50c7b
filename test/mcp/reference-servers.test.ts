/** The reference servers of the MCP project, as they are published, over every transport they offer, driven through `query()`. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import type { McpServerConfig } from 'kedge'
import { openSession, type Session } from './session.js'

const require = createRequire(import.meta.url)
/** The program of a published server, wherever it is installed. */
const program = (name: string) => {
  const manifest = require.resolve(`@modelcontextprotocol/${name}/package.json`)
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  return join(dirname(manifest), String(Object.values(bin)[0]))
}
const started = (name: string, ...args: string[]): McpServerConfig => ({
  command: process.execPath,
  args: [program(name), ...args],
})

type Place = AsyncDisposable & { config: McpServerConfig }

async function everything(transport: 'stdio' | 'http' | 'sse'): Promise<Place> {
  if (transport === 'stdio') return { config: started('server-everything', 'stdio'), async [Symbol.asyncDispose]() {} }
  const mode = transport === 'http' ? 'streamableHttp' : 'sse'
  const { child, port } = await listening(mode)
  const url = `http://127.0.0.1:${port}/${transport === 'http' ? 'mcp' : 'sse'}`
  return {
    config: { type: transport, url },
    async [Symbol.asyncDispose]() {
      const exited = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await exited
    },
  }
}

for (const transport of ['stdio', 'http', 'sse'] as const) {
  describe(`server-everything over ${transport}`, () => {
    test('its tools, results of every kind, resources, prompts', async () => {
      await using place = await everything(transport)
      await using session = await openSession({
        mcpServers: { every: place.config },
        allowedTools: ['mcp__every', 'ListMcpResourcesTool', 'ReadMcpResourceTool'],
        includeToolOutput: true,
        maxTurns: 30,
      })
      const { serverInfo, tools = [] } = await session.ready('every')
      assert.match(String(serverInfo?.name), /everything/)
      const names = tools.map(({ name }) => name)
      assert.ok(names.includes('echo'), names.join())
      await checkEverything(session, names)
    })

    test('a call that takes long is canceled, and the session goes on', async () => {
      await using place = await everything(transport)
      await using session = await openSession({ mcpServers: { every: place.config }, allowedTools: ['mcp__every'] })
      await session.ready('every')
      const input = { duration: 60, steps: 60 }
      session.plan({ tools: [{ id: 'toolu_long', name: 'mcp__every__trigger-long-running-operation', input }] })
      const turn = await session.say('Take long.', (message) => {
        // Not awaited: its own messages come through this loop.
        if (message.type === 'assistant') setTimeout(() => void session.running.interrupt(), 300)
      })
      assert.match(String(turn.result.terminal_reason), /^aborted/)
      assert.match((await session.call('mcp__every__echo', { message: 'still here' })).text, /still here/)
    })
  })
}

async function checkEverything(session: Session, names: string[]): Promise<void> {
  const tool = (name: string) => `mcp__every__${name}`
  assert.equal((await session.call(tool('echo'), { message: 'hello' })).text, 'Echo: hello')
  assert.match((await session.call(tool('get-sum'), { a: 2, b: 3 })).text, /\b5\b/)
  const wrong = await session.call(tool('get-sum'), { a: 'two' })
  assert.equal(wrong.isError, true)

  const image = await session.call(tool('get-tiny-image'))
  assert.match(JSON.stringify(image.content), /"type":"image","source":\{"(?:type|data|media_type)"/)

  const structured = await session.call(tool('get-structured-content'), { location: 'Chicago' })
  assert.equal(typeof JSON.parse(structured.text), 'object')
  assert.match(JSON.stringify(structured.output), /structuredContent/)

  const link = await session.call(tool('get-resource-links'), { count: 2 })
  assert.match(link.text, /demo:\/\/resource/)
  const embedded = await session.call(tool('get-resource-reference'), { resourceType: 'Text', resourceId: 1 })
  assert.match(embedded.text, /demo:\/\/resource/)
  const annotated = await session.call(tool('get-annotated-message'), { messageType: 'error', includeImage: false })
  assert.match(annotated.text, /error/i)

  // Its environment has none of our secrets.
  const env = await session.call(tool('get-env'))
  assert.doesNotMatch(env.text, /ANTHROPIC_API_KEY|sk-ant-/)

  const seen: string[] = []
  const slow = await session.call(tool('trigger-long-running-operation'), { duration: 3, steps: 6 }, (message) => {
    if (message.type === 'tool_progress') seen.push(String(message.output))
  })
  assert.match(slow.text, /completed/i)
  assert.match(seen.join(), /\d\/6/)

  const resources = await session.call('ListMcpResourcesTool', { server: 'every' })
  const [first] = JSON.parse(resources.text)
  assert.equal(first.server, 'every')
  const read = await session.call('ReadMcpResourceTool', { server: 'every', uri: first.uri })
  assert.equal(read.isError, false)
  assert.equal(JSON.parse(read.text).contents[0].uri, first.uri)
  assert.equal(new Set(names).size, names.length)
}

describe('server-filesystem', () => {
  test('works on the files of the folder it was given, and on no others', async () => {
    await using session = await openSession({ allowedTools: ['mcp__files'], maxTurns: 20 })
    const { cwd } = session.options
    writeFileSync(join(cwd, 'notes.txt'), 'remember the milk')
    await session.running.setMcpServers({ files: started('server-filesystem', cwd) })
    const { tools = [] } = await session.ready('files')
    const readFile = tools.find(({ name }) => name === 'read_text_file')
    assert.equal(readFile?.annotations?.readOnly, true)
    const read = await session.call('mcp__files__read_text_file', { path: join(cwd, 'notes.txt') })
    assert.match(read.text, /remember the milk/)
    const edits = [{ oldText: 'milk', newText: 'bread' }]
    await session.call('mcp__files__edit_file', { path: join(cwd, 'notes.txt'), edits })
    assert.equal(readFileSync(join(cwd, 'notes.txt'), 'utf8'), 'remember the bread')
    const outside = await session.call('mcp__files__read_text_file', { path: '/etc/hostname' })
    assert.equal(outside.isError, true)
    assert.match(outside.text, /denied|outside/i)
  })
})

describe('server-memory', () => {
  test('remembers over sessions what it was told', async () => {
    await using first = await openSession({ allowedTools: ['mcp__memory'], maxTurns: 20 })
    const MEMORY_FILE_PATH = join(first.options.cwd, 'memory.jsonl')
    const memory = { ...started('server-memory'), env: { MEMORY_FILE_PATH } }
    await first.running.setMcpServers({ memory })
    await first.ready('memory')
    const entities = [{ name: 'Ann', entityType: 'person', observations: ['likes tea'] }]
    assert.equal((await first.call('mcp__memory__create_entities', { entities })).isError, false)

    await using second = await openSession({ mcpServers: { memory }, allowedTools: ['mcp__memory'] })
    await second.ready('memory')
    assert.match((await second.call('mcp__memory__search_nodes', { query: 'tea' })).text, /Ann/)
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

/** It takes a port by its number: one that somebody else has taken since we looked is not asked for again. */
async function listening(mode: string): Promise<{ child: ChildProcess; port: number }> {
  for (;;) {
    const port = await freePort()
    const child = spawn(process.execPath, [program('server-everything'), mode], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let said = ''
    const isThere = await new Promise<boolean>((resolve) => {
      const hear = (text: Buffer) => {
        said += text
        if (said.includes(` port ${port}\n`)) resolve(true)
      }
      child.stdout?.on('data', hear)
      child.stderr?.on('data', hear)
      child.once('exit', () => resolve(false))
    })
    if (isThere) return { child, port }
    assert.match(said, /EADDRINUSE/)
  }
}
