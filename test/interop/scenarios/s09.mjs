// MCP servers: in-process, as a child, added later; what a query can ask and change about them.
import { fileURLToPath } from 'node:url'
import { allowAll } from './steps.mjs'

const stdioServer = fileURLToPath(new URL('../mcp-stdio.mjs', import.meta.url))
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const text = (value) => ({ type: 'text', text: value })
const uses = (prefix, ...calls) =>
  calls.map(([name, input], index) => ({ tools: [{ id: `toolu_${prefix}${index + 1}`, name, input }] }))

export const s09 = {
  title: 'in-process MCP server: call, bad arguments, throw, error result, image',
  async run({ sdk, z, options, script, consume, call, user, queue, canUseTool }) {
    const calc = uses(
      'mc',
      ['mcp__calc__add', { a: 2, b: 3 }],
      ['mcp__calc__add', { a: 'x' }],
      ['mcp__calc__fail', {}],
      ['mcp__calc__iserr', {}],
      ['mcp__calc__pic', {}],
    )
    script([...calc, { text: 'MCP done.' }])
    const prompt = queue()
    prompt.push(user('Use calc.'))
    const query = sdk.query({
      prompt,
      options: options({
        canUseTool: canUseTool(allowAll),
        mcpServers: { calc: calculator(sdk, z) },
      }),
    })
    await consume(query, async (message) => {
      if (message.type !== 'result') return
      await call('mcpServerStatus', () => query.mcpServerStatus())
      prompt.end()
    })
  },
}

export const s09c = {
  elsewhere: {
    '<node>': process.execPath,
    '<lab>/mcp-stdio.mjs': stdioServer,
    '\\"env\\":{\\"MCP_LOG\\":\\"<root>/mcp.log\\"}': '\\"alwaysLoad\\":true',
  },
  title: 'stdio MCP server: call, error, resources, status, toggle, reconnect; one that does not start',
  async run({ sdk, options, script, consume, call, user, queue, canUseTool }) {
    const stdio = uses(
      'sm',
      ['mcp__st__echo', { text: 'hi' }],
      ['mcp__st__boom', {}],
      ['ListMcpResourcesTool', {}],
      ['ReadMcpResourceTool', { server: 'st', uri: 'fake://r1' }],
    )
    script([...stdio, { text: 'Stdio done.' }])
    const prompt = queue()
    prompt.push(user('Use stdio.'))
    // The original waits for every server before it begins; Kedge for those that ask for it.
    const mcpServers = {
      st: { command: process.execPath, args: [stdioServer], alwaysLoad: true },
      dead: { command: '/nonexistent/bin' },
    }
    const query = sdk.query({ prompt, options: options({ canUseTool: canUseTool(allowAll), mcpServers }) })
    await consume(query, async (message) => {
      if (message.type !== 'result') return
      await call('mcpServerStatus', () => query.mcpServerStatus())
      await call('toggle-off', () => query.toggleMcpServer('st', false))
      await call('status-off', () => query.mcpServerStatus())
      await call('toggle-on', () => query.toggleMcpServer('st', true))
      await call('reconnect', () => query.reconnectMcpServer('st'))
      await call('reconnect-bad', () => query.reconnectMcpServer('zzz'))
      await call('status-on', () => query.mcpServerStatus())
      prompt.end()
    })
  },
}

export const s09d = {
  title: 'servers set while the session runs: an in-process one is added, used, replaced by a child, all removed',
  async run({ sdk, z, options, script, consume, call, user, queue, canUseTool, sleep, record }) {
    script([
      { text: 'No servers yet.' },
      ...uses('dy', ['mcp__dyn__add', { a: 1, b: 1 }]),
      { text: 'Used it.' },
      ...uses('ds', ['mcp__st__echo', { text: 'x' }]),
      { text: 'Used the other.' },
      { text: 'None left.' },
    ])
    const prompt = queue()
    prompt.push(user('First.'))
    const query = sdk.query({ prompt, options: options({ canUseTool: canUseTool(allowAll) }) })
    let results = 0
    await consume(query, async (message) => {
      if (message.type !== 'result') return
      results += 1
      if (results === 1) {
        await call('add', () => query.setMcpServers({ dyn: calculator(sdk, z, record) }))
        await sleep(1000)
        await call('status-added', () => query.mcpServerStatus())
        prompt.push(user('Second.'))
      } else if (results === 2) {
        const st = { command: process.execPath, args: [stdioServer] }
        await call('replace', () => query.setMcpServers({ st, dead: { command: '/nonexistent/bin' } }))
        await sleep(1500)
        await call('status-replaced', () => query.mcpServerStatus())
        prompt.push(user('Third.'))
      } else if (results === 3) {
        await call('clear', () => query.setMcpServers({}))
        await call('status-cleared', () => query.mcpServerStatus())
        prompt.push(user('Fourth.'))
      } else {
        prompt.end()
      }
    })
  },
}

function calculator(sdk, z, record = () => {}) {
  const empty = (name, description, handler) => sdk.tool(name, description, {}, handler)
  const add = sdk.tool(
    'add',
    'Adds numbers',
    { a: z.number(), b: z.number().optional() },
    async ({ a, b }, { signal, _meta }) => {
      record('tool_handler', { a, b, _meta, hasSignal: signal instanceof AbortSignal })
      return { content: [text(`sum=${a + (b ?? 0)}`)] }
    },
    { annotations: { readOnlyHint: true } },
  )
  const fail = empty('fail', 'Throws', async () => {
    throw new Error('handler threw')
  })
  const iserr = empty('iserr', 'Returns isError', async () => ({ content: [text('soft error')], isError: true }))
  const pic = empty('pic', 'Image', async () => ({
    content: [text('pic follows'), { type: 'image', data: PIXEL, mimeType: 'image/png' }],
  }))
  return sdk.createSdkMcpServer({ name: 'calc', version: '1.2.3', tools: [add, fail, iserr, pic] })
}
