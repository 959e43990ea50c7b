import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../protocol/json.js'
import type { Connection } from './connection.js'
import type { ListedTool } from './lists/server-lists.js'
import { McpError } from './mcp-error.js'
import type { ServerConfig } from './server-config.js'
import { createMcpTool } from './server-tool.js'
import { COMMON_SERVER_CONFIG, TEST_STDIO_CONFIG } from './test-answering-server.js'
import { createTestClock } from './test-transport.js'

const TOOL: ListedTool = {
  name: 'real name',
  description: 'd',
  inputSchema: { type: 'object', properties: {} },
  outputSchema: undefined,
  annotations: {},
  needsUser: false,
  alwaysLoad: false,
  paramHeaders: [],
  ui: { isForModel: true, isForApp: true },
  timeoutMs: undefined,
}
type Asked = { method: string; params: JsonObject; timeoutMs: number; onProgress: (params: JsonObject) => void }

/** `answer` is what the server says to the n-th call. */
function make(
  given: Partial<ListedTool>,
  answer: (asked: Asked, n: number) => JsonObject,
  config: ServerConfig = TEST_STDIO_CONFIG,
) {
  const asked: Asked[] = []
  const connection = {
    config,
    async request(method: string, params: JsonObject, options: Omit<Asked, 'method' | 'params'>) {
      const one = { method, params, timeoutMs: options.timeoutMs, onProgress: options.onProgress }
      return answer(one, asked.push(one))
    },
  } as unknown as Connection
  const ports = {
    maxTokens: 100,
    callMs: 99,
    asksInBypass: () => false,
    keep: async () => undefined,
    checkOutput: async () => [],
    clock: createTestClock().clock,
    adoptTask: async () => ({ id: 'm1', outputFile: '/kept/m1' }),
  }
  const made = createMcpTool('mcp__s__n', 'S', { ...TOOL, ...given }, connection, ports)
  const shown: string[] = []
  const call = () =>
    made.tool.execute({ id: 'tu_1', input: { x: 1 } } as never, new AbortController().signal, (text) =>
      shown.push(text),
    )
  return { ...made, asked, shown, call }
}
const fine = () => ({ content: [{ type: 'text', text: 'fine' }] })

test('a call names the tool as its server does and says for which use of a tool it is', async () => {
  const { call, asked } = make({}, fine)
  const content = [{ type: 'text', text: 'fine' }]
  assert.deepEqual(await call(), { ok: true, content, output: content })
  assert.equal(asked[0]?.method, 'tools/call')
  assert.deepEqual(asked[0]?.params, {
    name: 'real name',
    arguments: { x: 1 },
    _meta: { 'claudecode/toolUseId': 'tu_1' },
  })
})

test("whose time counts: of the tool only where the host made it, then the server's, then that of all", async () => {
  const sdk: ServerConfig = { type: 'sdk', ...COMMON_SERVER_CONFIG }
  const cases: [number | undefined, ServerConfig, number][] = [
    [7, sdk, 7],
    [7, { ...sdk, timeoutMs: 8 }, 7],
    [undefined, { ...sdk, timeoutMs: 8 }, 8],
    [7, { ...TEST_STDIO_CONFIG, timeoutMs: 8 }, 8],
    [7, TEST_STDIO_CONFIG, 99],
  ]
  for (const [timeoutMs, config, wanted] of cases) {
    const { call, asked } = make({ timeoutMs }, fine, config)
    await call()
    assert.equal(asked[0]?.timeoutMs, wanted)
  }
})

test('a call that the server did not look at is made once more; a second loss is an error', async () => {
  const lost = () => new McpError('mcp_session_lost', 'Forgotten.')
  const once = make({}, (_, n) => {
    if (n === 1) throw lost()
    return fine()
  })
  assert.equal((await once.call()).ok, true)
  assert.deepEqual(once.asked[0]?.params, once.asked[1]?.params)
  const twice = make({}, () => {
    throw lost()
  })
  assert.deepEqual(await twice.call(), { ok: false, error: 'MCP server S: Forgotten.' })
  assert.equal(twice.asked.length, 2)
})

test('what the server refuses is said in its words, all else with its name, a time-out with what helps', async () => {
  const errorOf = async (problem: unknown) => {
    const { call, asked } = make({}, () => {
      throw problem
    })
    const outcome = await call()
    assert.equal(asked.length, 1)
    return outcome.ok ? undefined : outcome.error
  }
  assert.equal(await errorOf(new McpError('mcp_refused', 'MCP error -1: no')), 'MCP error -1: no')
  assert.equal(await errorOf(new McpError('mcp_closed', 'It ended.')), 'MCP server S: It ended.')
  assert.equal(await errorOf('a text'), 'MCP server S: a text')
  assert.match(
    (await errorOf(new McpError('mcp_timeout', 'Too late.'))) ?? '',
    /^MCP server S: Too late\. \(MCP_TOOL_TIMEOUT/,
  )
})

test('progress is shown as a message, as a share, or as the number it is', async () => {
  const { call, shown } = make({}, ({ onProgress }) => {
    onProgress({ progress: 1, total: 4 })
    onProgress({ progress: 2 })
    onProgress({ progress: 3, total: 4, message: 'm'.repeat(2000) })
    return fine()
  })
  await call()
  assert.deepEqual(shown, ['1/4\n', '2\n', `${'m'.repeat(1000)}\n`])
})

test('hints become what permissions and people are told: read only is believed over destructive', () => {
  const about = (annotations: ListedTool['annotations'], needsUser = false) => {
    const { tool } = make({ annotations, needsUser }, fine)
    return [tool.isReadOnly({} as never), tool.warning !== undefined, tool.facts({} as never).kind]
  }
  assert.deepEqual(about({}), [false, false, 'other'])
  assert.deepEqual(about({ readOnlyHint: true, destructiveHint: true }), [true, false, 'other'])
  assert.deepEqual(about({ readOnlyHint: false, destructiveHint: true }), [false, true, 'other'])
  assert.deepEqual(about({}, true), [false, false, 'ask'])
})

test('an input that is no object never reaches the server', () => {
  const { tool } = make({}, fine)
  assert.deepEqual(tool.parse({ any: 1 }), { ok: true, input: { any: 1 } })
  for (const input of [[], 'x', null, 7]) assert.equal(tool.parse(input as never).ok, false)
})

test('a tool is always loaded when it, or its server, says so', () => {
  assert.equal(make({}, fine).alwaysLoad, false)
  assert.equal(make({ alwaysLoad: true }, fine).alwaysLoad, true)
  assert.equal(make({}, fine, { ...TEST_STDIO_CONFIG, alwaysLoad: true }).alwaysLoad, true)
})
