/** What a query can ask and change about its MCP servers while it runs, and what servers ask of the user. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSdkMcpServer, type Options, query, tool } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { z } from 'zod'
import { startAgent } from '../badinput/agent-process.js'
import { isolationsOf } from '../support/tier.js'
import { openSession } from './session.js'

const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const program = fileURLToPath(new URL('../../../test/interop/mcp-stdio.mjs', import.meta.url))
const stdio = { command: process.execPath, args: [program] }
const calculator = () => {
  const add = tool('add', 'Adds.', { a: z.number(), b: z.number() }, async ({ a, b }) => say(String(a + b)), {
    annotations: { readOnlyHint: true },
  })
  return createSdkMcpServer({ name: 'calc', version: '1.2.3', tools: [add] })
}

for (const isolation of isolationsOf('MCP servers of a running query')) {
  describe(`MCP servers of a running query (${isolation})`, () => {
    test('mcpServers: tool() and createSdkMcpServer() give the model tools; init lists the servers', async () => {
      await using session = await openSession({
        isolation,
        mcpServers: { calc: calculator(), dead: { command: '/nonexistent/bin' } },
        allowedTools: ['mcp__calc__add'],
      })
      const { text, messages, output } = await session.call('mcp__calc__add', { a: 2, b: 3 })
      assert.equal(text, '5')
      assert.deepEqual(output, [{ type: 'text', text: '5' }])
      const init = messages.find((message) => message.type === 'system' && message.subtype === 'init')
      assert.ok(init?.type === 'system' && init.subtype === 'init')
      assert.ok(init.tools.includes('mcp__calc__add'))
      assert.deepEqual(
        init.mcp_servers.map(({ name }) => name),
        ['calc', 'dead'],
      )
      assert.equal(init.mcp_servers[0]?.status, 'connected')
    })

    test('mcpServerStatus (mcp_status): how each server is, with its tools or what is wrong', async () => {
      await using session = await openSession({
        isolation,
        mcpServers: { calc: calculator(), st: stdio, dead: { command: '/nonexistent/bin' } },
      })
      const calc = await session.ready('calc')
      assert.deepEqual([calc.scope, calc.tools], ['dynamic', [{ name: 'add', annotations: { readOnly: true } }]])
      const st = await session.ready('st')
      assert.deepEqual(st.serverInfo, { name: 'stdio-fake', version: '9.9.9' })
      const dead = await session.until('dead', ({ status }) => status === 'failed')
      assert.match(String(dead.error), /ENOENT/)
      assert.equal(dead.tools, undefined)
    })

    test('toggleMcpServer (mcp_toggle) and reconnectMcpServer (mcp_reconnect)', async () => {
      await using session = await openSession({ isolation, mcpServers: { st: stdio }, allowedTools: ['mcp__st'] })
      await session.ready('st')
      await session.running.toggleMcpServer('st', false)
      await session.until('st', ({ status }) => status === 'disabled')
      await session.running.toggleMcpServer('st', true)
      await session.running.reconnectMcpServer('st')
      await session.ready('st')
      assert.equal((await session.call('mcp__st__echo', { text: 'hi' })).text, '{"echoed":"hi"}')
      const unknown = { message: 'Server not found: zzz' }
      await assert.rejects(session.running.toggleMcpServer('zzz', true), unknown)
      await assert.rejects(session.running.reconnectMcpServer('zzz'), unknown)
    })

    test('setMcpServers (mcp_set_servers): servers come and go, in-process ones too; wrong ones are named', async () => {
      await using session = await openSession({
        isolation,
        mcpServers: { first: calculator() },
        allowedTools: ['mcp__dyn', 'mcp__first', 'mcp__st'],
      })
      assert.equal((await session.call('mcp__first__add', { a: 1, b: 1 })).text, '2')
      const added = await session.running.setMcpServers({ dyn: calculator() })
      assert.deepEqual([added.added, added.errors], [['dyn'], {}])
      await session.ready('dyn')
      assert.equal((await session.call('mcp__dyn__add', { a: 2, b: 2 })).text, '4')

      const dead = { command: '/nonexistent/bin' }
      const replaced = await session.running.setMcpServers({ st: stdio, dead })
      assert.ok(replaced.removed.includes('dyn'))
      assert.deepEqual(replaced.added, ['st', 'dead'])
      assert.match(String(replaced.errors['dead']), /ENOENT/)
      assert.deepEqual(Object.keys(replaced.errors), ['dead'])
      await session.ready('st')
      assert.equal((await session.call('mcp__dyn__add', { a: 2, b: 2 })).isError, true)
      assert.equal((await session.call('mcp__st__boom')).text, 'boom happened')

      // Another server object under the same name: its tools, not those of the one before.
      const other = createSdkMcpServer({ name: 'x', tools: [tool('other', 'Other.', {}, async () => say('new'))] })
      await session.running.setMcpServers({ dyn: calculator() })
      await session.ready('dyn')
      await session.running.setMcpServers({ dyn: other })
      await session.until('dyn', ({ tools = [] }) => tools.some(({ name }) => name === 'other'))
      assert.equal((await session.call('mcp__dyn__other')).text, 'new')

      const cleared = await session.running.setMcpServers({})
      assert.ok(cleared.removed.includes('dyn'))
    })

    test('onElicitation (elicitation): a server asks the user; nobody to ask means no', async () => {
      const ask = tool('ask', 'Asks.', {}, async (_, { sendRequest }) => {
        const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
        const params = { message: 'Your name?', requestedSchema }
        return say(JSON.stringify(await sendRequest({ method: 'elicitation/create', params })))
      })
      const asker = () => createSdkMcpServer({ name: 'asker', tools: [ask] })
      const seen: unknown[] = []
      const onElicitation: Options['onElicitation'] = async ({ serverName, message }) => {
        seen.push(serverName, message)
        return { action: 'accept', content: { name: 'Ann' } }
      }
      const allowedTools = ['mcp__asker']
      await using session = await openSession({
        isolation,
        mcpServers: { asker: asker() },
        allowedTools,
        onElicitation,
      })
      const { text } = await session.call('mcp__asker__ask')
      assert.deepEqual(JSON.parse(text), { action: 'accept', content: { name: 'Ann' } })
      assert.deepEqual(seen, ['asker', 'Your name?'])
      await using alone = await openSession({ isolation, mcpServers: { asker: asker() }, allowedTools })
      assert.match((await alone.call('mcp__asker__ask')).text, /"action":"decline"/)
    })

    test('MCP_TOOL_TIMEOUT: how long a call may take, where the server does not say', async () => {
      const forever = tool('forever', 'Never ends.', {}, () => new Promise(() => {}))
      const server = createSdkMcpServer({ name: 'slow', tools: [forever] })
      const env = { MCP_TOOL_TIMEOUT: '1000' }
      await using session = await openSession({
        isolation,
        env,
        mcpServers: { slow: server },
        allowedTools: ['mcp__slow'],
      })
      const { text, isError } = await session.call('mcp__slow__forever')
      assert.equal(isError, true)
      assert.match(text, /within 1 s/)
      // Longer than what a timer of 32 bits can hold in microseconds: it must not go off at once.
      const patient = createSdkMcpServer({
        name: 'patient',
        timeout: 6 * 60 * 60 * 1000,
        tools: [tool('soon', 'Soon.', {}, async () => say('now'))],
      })
      await session.running.setMcpServers({ slow: patient })
      await session.until('slow', ({ tools = [] }) => tools.some(({ name }) => name === 'soon'))
      assert.equal((await session.call('mcp__slow__soon')).text, 'now')
    })

    test('strictMcpConfig: servers of files do not count', async () => {
      for (const strictMcpConfig of [false, true]) {
        await using model = await startModelServer(['Hi.'])
        await using options = testOptions(model, { isolation, strictMcpConfig, settingSources: ['user'] })
        const file = join(String(options.env['CLAUDE_CONFIG_DIR']), '..', '.claude.json')
        writeFileSync(file, JSON.stringify({ mcpServers: { mine: stdio } }))
        const running = query({ prompt: 'Go.', options })
        const servers = await running.mcpServerStatus()
        assert.deepEqual(
          servers.map(({ name, scope }) => [name, scope]),
          strictMcpConfig ? [] : [['mine', 'user']],
        )
        await collect(running)
      }
    })
  })
}

test('one createSdkMcpServer value serves 50 queries at once: every call reaches its own session', async () => {
  const sessions = new Map<string, string>()
  const who = tool('who', 'Says who calls.', { word: z.string() }, async ({ word }, { sessionId, toolUseId }) => {
    sessions.set(word, String(sessionId))
    return say(`${word} ${toolUseId}`)
  })
  const server = createSdkMcpServer({ name: 'who', tools: [who] })
  await using model = await startModelServer((request) => {
    const word = /word-\d+/.exec(JSON.stringify(request.body.messages))?.[0] ?? 'none'
    const isAnswered = JSON.stringify(request.body.messages).includes('tool_result')
    return isAnswered ? `Done ${word}.` : { tools: [{ id: `toolu_${word}`, name: 'mcp__who__who', input: { word } }] }
  })
  const runs = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      await using options = testOptions(model, { mcpServers: { who: server }, allowedTools: ['mcp__who'] })
      const run = await collect(query({ prompt: `word-${index}`, options }))
      assert.equal(run.error, undefined)
      return run
    }),
  )
  for (const [index, run] of runs.entries()) {
    assert.ok(run.result?.subtype === 'success')
    assert.equal(run.result.result, `Done word-${index}.`)
    assert.match(JSON.stringify(run.messages), new RegExp(`"word-${index} toolu_word-${index}"`))
    assert.equal(sessions.get(`word-${index}`), run.result.session_id)
  }
  assert.equal(new Set(sessions.values()).size, 50)
})

test('commands_changed: told where prompts come or go, once, and behind the answer to a switch; not at a reconnect or the end', async () => {
  await using agent = await startAgent(['Hi.'], {
    args: ['--mcp-config', JSON.stringify({ mcpServers: { st: { ...stdio, type: 'stdio' } } })],
    env: { CLAUDE_AGENT_SDK_VERSION: '0.3.325' },
  })
  await agent.turn('Go.')
  const from = agent.lines.length
  for (const request of [
    { subtype: 'mcp_toggle', serverName: 'st', enabled: false },
    { subtype: 'mcp_toggle', serverName: 'st', enabled: true },
    { subtype: 'mcp_reconnect', serverName: 'st' },
    { subtype: 'mcp_set_servers', servers: { other: stdio } },
  ])
    assert.equal((await agent.ask(request)).subtype, 'success')
  await agent.take(
    ({ subtype, commands = [] }) =>
      subtype === 'commands_changed' &&
      commands.length > 0 &&
      commands.some(({ name }) => name === 'other:greet (MCP)'),
  )
  await agent.finish()
  const told = agent.lines
    .slice(from)
    .map((line) =>
      line.type === 'control_response'
        ? 'answer'
        : [line.subtype, ...(line.commands ?? []).map(({ name }) => name).filter((name) => name.includes('MCP'))].join(
            ' ',
          ),
    )
  assert.deepEqual(told, [
    'answer',
    'commands_changed',
    'answer',
    'commands_changed st:greet (MCP)',
    'answer',
    'commands_changed st:greet (MCP) other:greet (MCP)',
    'answer',
  ])
})
