/** A call of a tool may take six hours, and no more, if that is what its time limit says: with timers of our own, over every transport. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSdkMcpServer, type McpServerConfig, type Options, tool } from 'kedge'
import { startMatrixServer } from './servers/matrix-http.js'
import { type Counts, handlers, newCounts, shapes } from './servers/matrix-tools.js'
import { openSession } from './session.js'

const SIX_HOURS = 6 * 60 * 60 * 1000
/** Real, whatever becomes of the others. */
const realTimeout = setTimeout
const pause = () => new Promise((resolve) => realTimeout(resolve, 20))

type Kind = AsyncDisposable & { config: McpServerConfig; counts(): Counts; options?: Options }
const nothing = { async [Symbol.asyncDispose]() {} }

const KINDS: Record<string, () => Promise<Kind>> = {
  async 'in-process'() {
    const counts = newCounts()
    const { sleep } = handlers(counts, { crash() {}, grow() {} })
    assert.ok(sleep)
    const own = tool('sleep', 'Sleeps.', shapes['sleep'] ?? {}, (args, { signal }) =>
      sleep(args, { signal, report: async () => {} }),
    )
    const config = createSdkMcpServer({ name: 'm', tools: [own], timeout: SIX_HOURS })
    return { config, counts: () => counts, ...nothing }
  },
  async stdio() {
    const folder = mkdtempSync(join(tmpdir(), 'kedge-hours-'))
    const file = join(folder, 'counts.json')
    writeFileSync(file, JSON.stringify(newCounts()))
    const program = fileURLToPath(new URL('servers/matrix-stdio.js', import.meta.url))
    const config = { command: process.execPath, args: [program, file] }
    const options = { env: { MCP_TOOL_TIMEOUT: String(SIX_HOURS) } }
    const dispose = async () => rmSync(folder, { recursive: true })
    const counts = () => JSON.parse(readFileSync(file, 'utf8'))
    return { config, counts, options, [Symbol.asyncDispose]: dispose }
  },
  http: () => remote('http'),
  sse: () => remote('sse'),
}

async function remote(type: 'http' | 'sse'): Promise<Kind> {
  const counts = newCounts()
  const { url, [Symbol.asyncDispose]: dispose } = await startMatrixServer(type, counts)
  const config = { type, url, timeout: SIX_HOURS }
  return { config, counts: () => counts, [Symbol.asyncDispose]: dispose }
}

for (const [name, open] of Object.entries(KINDS)) {
  test(`a call of six hours: ${name}`, async () => {
    await using kind = await open()
    await using session = await openSession({
      mcpServers: { m: kind.config },
      allowedTools: ['mcp__m'],
      ...kind.options,
    })
    await session.ready('m')
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
    try {
      let isOver = false
      const endless = session.call('mcp__m__sleep', { ms: 2 * SIX_HOURS }).finally(() => {
        isOver = true
      })
      while (kind.counts().started === 0) await pause()
      mock.timers.tick(SIX_HOURS - 1)
      for (let turn = 0; turn < 10; turn += 1) await pause()
      assert.equal(isOver, false)
      mock.timers.tick(1)
      const { text, isError } = await endless
      assert.equal(isError, true)
      assert.match(text, /within 21600 s/)
    } finally {
      mock.timers.reset()
    }
  })
}
