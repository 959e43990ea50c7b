/** Every kind of MCP server × everything that can happen to it, seen through `query()`. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSdkMcpServer, type McpServerConfig, type SdkMcpCallContext, tool } from 'kedge'
import { isInPart } from '../support/tier.js'
import { startMatrixServer } from './servers/matrix-http.js'
import { BIG, type Counts, handlers, libraryServer, newCounts, PIXEL, shapes } from './servers/matrix-tools.js'
import { openSession, type Session } from './session.js'

type Place = AsyncDisposable & { config: McpServerConfig; counts(): Counts; restart?: () => void }
type Kind = { name: string; isolation: 'in-process' | 'process'; open(): Promise<Place> }

const stdioProgram = fileURLToPath(new URL('servers/matrix-stdio.js', import.meta.url))

async function ownServer(): Promise<Place> {
  const counts = newCounts()
  const server = createSdkMcpServer({ name: 'matrix' })
  const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
  const grow = () => server.instance.addTool(tool('grown', 'New.', {}, async () => say('a new tool')))
  const all = handlers(counts, { crash: () => void server.instance.close(), grow })
  for (const [name, handler] of Object.entries(all)) {
    const run = (args: object, { signal, reportProgress }: SdkMcpCallContext) =>
      handler(args, { signal, report: reportProgress })
    server.instance.addTool(tool(name, name, shapes[name] ?? {}, run))
  }
  return { config: server, counts: () => counts, async [Symbol.asyncDispose]() {} }
}

async function libraryObject(): Promise<Place> {
  const counts = newCounts()
  const instance = libraryServer(counts, () => void instance.close())
  return { config: { type: 'sdk', name: 'matrix', instance }, counts: () => counts, async [Symbol.asyncDispose]() {} }
}

async function stdio(): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-matrix-'))
  const file = join(folder, 'counts.json')
  writeFileSync(file, JSON.stringify(newCounts()))
  return {
    config: { command: process.execPath, args: [stdioProgram, file] },
    counts: () => JSON.parse(readFileSync(file, 'utf8')),
    async [Symbol.asyncDispose]() {
      rmSync(folder, { recursive: true })
    },
  }
}

async function remote(type: 'http' | 'sse'): Promise<Place> {
  const counts = newCounts()
  const server = await startMatrixServer(type, counts)
  return { config: { type, url: server.url }, counts: () => counts, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

const KINDS: Kind[] = [
  { name: 'in-process', isolation: 'in-process', open: ownServer },
  { name: 'in-process, agent as a child', isolation: 'process', open: ownServer },
  { name: 'server object of the MCP library', isolation: 'in-process', open: libraryObject },
  { name: 'stdio', isolation: 'in-process', open: stdio },
  { name: 'http', isolation: 'in-process', open: () => remote('http') },
  { name: 'sse', isolation: 'in-process', open: () => remote('sse') },
]

type Cell = (session: Session, place: Place) => Promise<void>

const CELLS: Record<string, Cell> = {
  async call(session) {
    const { text, isError, result } = await session.call('mcp__m__echo', { word: 'hi' })
    assert.deepEqual([text, isError, result.subtype], ['echo: hi', false, 'success'])
  },
  async error(session) {
    const { text, isError } = await session.call('mcp__m__error')
    assert.deepEqual([text, isError], ['it did not work', true])
  },
  async throw(session) {
    const { text, isError } = await session.call('mcp__m__throw')
    assert.deepEqual([text, isError], ['the handler threw', true])
  },
  async timeout(session, place) {
    const { text, isError } = await session.call('mcp__m__sleep')
    assert.equal(isError, true)
    assert.match(text, /did not answer .*within 1 s/)
    await until(() => place.counts().aborted === 1)
    assert.equal((await session.call('mcp__m__echo', { word: 'on' })).text, 'echo: on')
  },
  async cancel(session, place) {
    session.plan({ tools: [{ name: 'mcp__m__sleep', input: {} }] })
    const turn = await session.say('Sleep.', async (message) => {
      if (message.type !== 'assistant') return
      await until(() => place.counts().started === 1)
      // Not awaited: its own messages come through this loop.
      void session.running.interrupt()
    })
    assert.match(String(turn.result.terminal_reason), /^aborted/)
    await until(() => place.counts().aborted === 1)
    assert.equal((await session.call('mcp__m__echo', { word: 'on' })).text, 'echo: on')
  },
  async progress(session) {
    const seen: string[] = []
    const { text } = await session.call('mcp__m__progress', {}, (message) => {
      if (message.type === 'tool_progress') seen.push(`${message.tool_name}: ${message.output}`)
    })
    assert.equal(text, 'done')
    assert.match(seen.join('\n'), /mcp__m__progress: .*half of it/)
  },
  async 'big output'(session) {
    const { text, isError } = await session.call('mcp__m__big')
    assert.equal(isError, false)
    assert.ok(text.length < 200_000, `${text.length} characters went to the model`)
    assert.match(text, /^start 0123/)
    const path = /(\/[^\s"'`<>]+)/.exec(text.replaceAll(/[0-9]{50,}/g, ''))?.[1]
    assert.ok(path, 'the file with all of it is named')
    assert.ok(readFileSync(path.replace(/[.,:)]+$/, ''), 'utf8').includes(BIG))
  },
  async image(session) {
    const { content } = await session.call('mcp__m__image')
    const source = { type: 'base64', media_type: 'image/png', data: PIXEL }
    assert.deepEqual(content, [
      { type: 'text', text: 'a pixel' },
      { type: 'image', source },
    ])
  },
  async 'crash mid-call'(session) {
    const { text, isError, result } = await session.call('mcp__m__crash')
    assert.equal(isError, true)
    assert.ok(text.length > 10, text)
    assert.equal(result.subtype, 'success')
    await session.running.reconnectMcpServer('m')
    await session.ready('m')
    assert.equal((await session.call('mcp__m__echo', { word: 'again' })).text, 'echo: again')
  },
  async list_changed(session) {
    assert.equal((await session.call('mcp__m__grow')).text, 'grown')
    await session.until('m', ({ tools = [] }) => tools.some(({ name }) => name === 'grown'))
    assert.equal((await session.call('mcp__m__grown')).text, 'a new tool')
  },
  async reconnect(session, place) {
    const before = place.counts().connections
    await session.running.reconnectMcpServer('m')
    const { serverInfo, tools = [] } = await session.ready('m')
    assert.equal(serverInfo?.name ?? 'matrix', 'matrix')
    assert.ok(tools.length >= 10)
    // Our own server has nothing to count by.
    if (before > 0) assert.equal(place.counts().connections, before + 1)
    assert.equal((await session.call('mcp__m__echo', { word: 'back' })).text, 'echo: back')
    await assert.rejects(session.running.reconnectMcpServer('nobody'), /^Error: Server not found: nobody/)
  },
  async toggle(session) {
    const offered = () => session.model.requests.at(-1)?.tools.filter((name) => name.startsWith('mcp__m__')).length
    await session.running.toggleMcpServer('m', false)
    await session.until('m', ({ status, tools }) => status === 'disabled' && tools === undefined)
    const { isError } = await session.call('mcp__m__echo', { word: 'off' })
    assert.deepEqual([isError, offered()], [true, 0])
    await session.running.toggleMcpServer('m', true)
    await session.ready('m')
    assert.equal((await session.call('mcp__m__echo', { word: 'on' })).text, 'echo: on')
    assert.ok(Number(offered()) >= 10)
  },
}

for (const { name, isolation, open } of KINDS) {
  // Much of it is waiting.
  describe(`MCP server: ${name}`, { concurrency: 4 }, () => {
    for (const [what, run] of Object.entries(CELLS)) {
      // The first kind plays every cell; the others speak the same protocol another way.
      const isSampled = name !== KINDS[0]?.name && what !== 'call'
      if (isSampled && !isInPart(`${name} ${what}`)) continue
      test(what, async () => {
        await using place = await open()
        const config = what === 'timeout' ? { ...place.config, timeout: 1000 } : place.config
        const mcpServers = { m: config }
        await using session = await openSession({
          isolation,
          mcpServers,
          allowedTools: ['mcp__m'],
          includeToolOutput: true,
          maxTurns: 20,
        })
        await session.ready('m')
        await run(session, place)
      })
    }
  })
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000
  while (!condition()) {
    assert.ok(Date.now() < deadline, `never: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
