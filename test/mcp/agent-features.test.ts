/** What a session does with its MCP servers: sources, names, prompts, resources, search, permission prompts. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createSdkMcpServer, type Options, query, type SDKMessage, tool } from 'kedge'
import { collect, type ModelServer, script, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { oddServer } from '../badinput/mcp-run.js'
import { bothWays } from '../e2e/both-ways.js'
import { sampledTest as it } from '../support/tier.js'

const stdioServer = fileURLToPath(new URL('../../../test/interop/mcp-stdio.mjs', import.meta.url))
const st = { command: process.execPath, args: [stdioServer], alwaysLoad: true }
const use = (name: string, input: object = {}): Turn => ({ tools: [{ name, input: { ...input } }] })
const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })
const lastPrompt = (server: ModelServer, at = 0) => JSON.stringify(server.requests[at]?.body.messages.at(-1))
const toolNames = (server: ModelServer, at: number) => (server.requests[at]?.body.tools ?? []).map(({ name }) => name)
const init = (messages: readonly SDKMessage[]) =>
  messages.find((message) => message.type === 'system' && message.subtype === 'init') as
    | Extract<SDKMessage, { subtype: 'init' }>
    | undefined
const results = (messages: readonly SDKMessage[]) =>
  messages.flatMap((message) => {
    const content = message.type === 'user' ? message.message.content : ''
    return Array.isArray(content) ? content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])) : []
  })

bothWays(
  'prompts of a server are slash commands',
  () => ['Hello.'],
  { mcpServers: { st } },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: '/mcp__st__greet', options }))
    assert.ok(init(run.messages)?.slash_commands.includes('mcp__st__greet'))
    assert.match(lastPrompt(server), /<command-name>\/mcp__st__greet<\/command-name>.*Say hello\./)
  },
)

bothWays(
  'a resource that the user mentions is read',
  () => ['Read.'],
  { mcpServers: { st } },
  async ({ options, server }) => {
    const run = await collect(query({ prompt: 'See @st:fake://r1, please, and @nobody:x.', options }))
    assert.equal(run.error, undefined)
    assert.match(lastPrompt(server), /the resource fake:\/\/r1 of the MCP server st:.*resource body/)
    assert.doesNotMatch(lastPrompt(server), /nobody:x of/)
  },
)

bothWays(
  'the tools for resources are there where a server has some',
  () => [
    use('ListMcpResourcesTool'),
    use('ReadMcpResourceTool', { server: 'st', uri: 'fake://r1' }),
    use('ReadMcpResourceTool', { server: 'x', uri: 'y' }),
    'Done.',
  ],
  { mcpServers: { st } },
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.deepEqual(init(run.messages)?.tools.slice(-2), ['ListMcpResourcesTool', 'ReadMcpResourceTool'])
    assert.deepEqual(
      results(run.messages).map(({ content }) => content),
      [
        '[{"name":"r1","uri":"fake://r1","mimeType":"text/plain","server":"st"}]',
        '{"contents":[{"uri":"fake://r1","mimeType":"text/plain","text":"resource body"}]}',
        'Server "x" not found; there are: st.',
      ],
    )
  },
)

describe('permission questions answered by an MCP tool', () => {
  const answer = (reply: string) =>
    createSdkMcpServer({
      name: 'ask',
      tools: [
        tool('me', 'Answers', { type: 'object' }, async (args) => {
          asked.push(args)
          return text(reply)
        }),
      ],
    })
  const asked: unknown[] = []
  const runWith = async (reply: string, promptTool = 'mcp__ask__me') => {
    await using server = await startModelServer([use('Bash', { command: 'touch made' }), 'Done.'])
    const options: Options = { mcpServers: { ask: answer(reply) }, permissionPromptToolName: promptTool }
    await using all = testOptions(server, options)
    const run = await collect(query({ prompt: 'Go.', options: all }))
    return results(run.messages)[0]
  }
  it('allows, denies, and takes anything unclear for a no', async () => {
    assert.equal((await runWith('{"behavior":"allow"}'))?.is_error, false)
    assert.deepEqual(asked, [{ tool_name: 'Bash', input: { command: 'touch made' }, tool_use_id: 'toolu_test_1' }])
    assert.equal((await runWith('{"behavior":"deny","message":"not today"}'))?.content, 'not today')
    assert.match(String((await runWith('sure'))?.content), /must answer with JSON/)
    assert.match(String((await runWith('', 'mcp__ask__nobody'))?.content), /There's no MCP tool named mcp__ask__nobody/)
  })
})

describe('searching for tools', () => {
  const many = (count = 60) =>
    createSdkMcpServer({
      name: 'big',
      tools: Array.from({ length: count }, (_unused, index) =>
        tool(`tool_${index}`, `Number ${index}. ${'Says a lot. '.repeat(100)}`, { type: 'object' }, async () =>
          text(`${index}`),
        ),
      ),
    })
  it('definitions that would fill the window are left for a search; what it finds is offered from then on', async () => {
    await using server = await startModelServer([
      use('ToolSearch', { query: 'select:mcp__big__tool_7' }),
      use('mcp__big__tool_7'),
      use('mcp__big__tool_8'),
      'Done.',
    ])
    const mcpServers = { big: many() }
    await using options = testOptions(server, {
      mcpServers,
      allowedTools: ['mcp__big'],
      env: { ENABLE_TOOL_SEARCH: 'auto:5' },
    })
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(init(run.messages)?.tools.filter((name) => name.startsWith('mcp__')).length, 60)
    assert.deepEqual(
      toolNames(server, 0).filter((name) => name.startsWith('mcp__') || name === 'ToolSearch'),
      ['ToolSearch'],
    )
    assert.match(
      JSON.stringify(server.requests[0]?.body.messages),
      /Further tools.*mcp__big__tool_0, .*mcp__big__tool_59/,
    )
    assert.deepEqual(
      toolNames(server, 1).filter((name) => name.startsWith('mcp__')),
      ['mcp__big__tool_7'],
    )
    const [, found, unfound] = results(run.messages).map(({ content }) => content)
    assert.deepEqual(found, [{ type: 'text', text: '7' }])
    // What no search has found is no tool yet, as the description of the search says.
    assert.equal(
      unfound,
      '<tool_use_error>Error: No such tool available: mcp__big__tool_8. Find it with ToolSearch first: "select:mcp__big__tool_8".</tool_use_error>',
    )
  })

  it('is left alone where it is turned off, or where everything fits', async () => {
    for (const [mcpServers, env] of [
      [{ big: many() }, { ENABLE_TOOL_SEARCH: 'false' }],
      [{ big: many(40) }, {}],
    ] as const) {
      await using server = await startModelServer(['Done.'])
      await using options = testOptions(server, { mcpServers, env })
      await collect(query({ prompt: 'Go.', options }))
      assert.ok(toolNames(server, 0).filter((name) => name.startsWith('mcp__')).length >= 40)
      assert.ok(!toolNames(server, 0).includes('ToolSearch'))
    }
  })

  it('a server that is starting is waited for before the first init: it is connected, or has failed in its time', async () => {
    const slow = { command: process.execPath, args: [oddServer, 'slow'] }
    const stuck = { command: process.execPath, args: [oddServer, 'sleeps'] }
    await using server = await startModelServer(['Hi.'])
    await using options = testOptions(server, { mcpServers: { slow, stuck, st: { ...st, alwaysLoad: false } } })
    const running = query({ prompt: 'Go.', options: { ...options, env: { ...options.env, MCP_TIMEOUT: '12000' } } })
    const commands = (await running.supportedCommands()).map(({ name }) => name)
    assert.ok(commands.includes('st:greet (MCP)'), commands.join())
    const run = await collect(running)
    const { mcp_servers, tools, slash_commands } = init(run.messages) ?? {}
    assert.deepEqual(mcp_servers, [
      { name: 'slow', status: 'connected' },
      { name: 'stuck', status: 'failed' },
      { name: 'st', status: 'connected' },
    ])
    assert.ok(tools?.includes('mcp__slow__ask') && slash_commands?.includes('mcp__st__greet'))
    assert.ok(toolNames(server, 0).includes('mcp__slow__ask'))
  })

  it('mcpWait: false: a server that is starting is waited for by a search, and by a call', async () => {
    const slow = { command: process.execPath, args: [oddServer, 'slow'] }
    for (const first of [use('ToolSearch', { query: 'ask' }), use('mcp__slow__ask')]) {
      await using server = await startModelServer([first, use('mcp__slow__ask'), 'Done.'])
      await using options = testOptions(server, { mcpServers: { slow }, allowedTools: ['mcp__slow'], mcpWait: false })
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.deepEqual(init(run.messages)?.mcp_servers, [{ name: 'slow', status: 'pending' }])
      assert.ok(toolNames(server, 0).includes('ToolSearch') && !toolNames(server, 0).includes('mcp__slow__ask'))
      assert.match(lastPrompt(server), /MCP servers that are still starting: slow/)
      assert.ok(toolNames(server, 1).includes('mcp__slow__ask'))
      assert.deepEqual(results(run.messages).at(-1)?.content, [{ type: 'text', text: 'done' }])
    }
  })
})

describe('sub-agents', () => {
  const calc = () =>
    createSdkMcpServer({ name: 'calc', tools: [tool('add', 'Adds', { type: 'object' }, async () => text('sum=5'))] })
  const input = { description: 'A job', prompt: 'JOB add', subagent_type: 'general-purpose' }
  it('have the tools of servers: also those that are left for a search', async () => {
    for (const [mcpServers, name, env, answer] of [
      [{ calc: calc() }, 'mcp__calc__add', {}, 'sum=5'],
      [{ calc: calc() }, 'mcp__calc__add', { ENABLE_TOOL_SEARCH: 'true' }, 'sum=5'],
    ] as const) {
      const lanes = { JOB: { when: { opening: 'JOB' }, turns: [use(name), 'Got it.'] } }
      await using server = await startModelServer(script([use('Task', input), 'Done.'], { lanes }))
      await using options = testOptions(server, { mcpServers, env, allowedTools: [name] })
      const run = await collect(query({ prompt: 'Go.', options }))
      assert.equal(run.error, undefined)
      assert.deepEqual(results(run.messages)[0]?.content, [{ type: 'text', text: answer }])
      assert.ok(toolNames(server, 1).includes(name))
    }
  })
})

describe('where servers come from', () => {
  const file = (servers: object) => JSON.stringify({ mcpServers: servers })
  const statusOf = async (overrides: Options, prepare: (cwd: string, home: string) => void) => {
    await using server = await startModelServer(['Done.'])
    await using options = testOptions(server, overrides)
    prepare(options.cwd, String(options.env['HOME']))
    const running = query({ prompt: 'Go.', options })
    const statuses = await running.mcpServerStatus()
    await collect(running)
    return statuses.map(({ name, scope }) => `${name} ${scope}`)
  }
  const put = (cwd: string, home: string) => {
    writeFileSync(join(cwd, '.mcp.json'), file({ both: st, ofProject: st, off: st }))
    mkdirSync(join(cwd, '.claude'))
    writeFileSync(join(cwd, '.claude', 'settings.json'), '{"disabledMcpjsonServers":["off"]}')
    writeFileSync(
      join(home, '.claude.json'),
      JSON.stringify({ mcpServers: { ofUser: st, both: st }, projects: { [cwd]: { mcpServers: { ofLocal: st } } } }),
    )
  }
  it('the option, then local, project and user files, each only where it is asked for', async () => {
    const mcpServers = { both: st }
    assert.deepEqual(await statusOf({ mcpServers, settingSources: ['user', 'project', 'local'] }, put), [
      'both dynamic',
      'ofLocal local',
      'ofProject project',
      'ofUser user',
    ])
    assert.deepEqual(await statusOf({ settingSources: ['user'] }, put), ['ofUser user', 'both user'])
    assert.deepEqual(await statusOf({ mcpServers }, put), ['both dynamic'])
    const strict = { mcpServers, strictMcpConfig: true, settingSources: ['user', 'project'] } satisfies Options
    assert.deepEqual(await statusOf(strict, put), ['both dynamic'])
  })

  it('a file that is no JSON brings nothing, and says so', async () => {
    let stderr = ''
    const overrides: Options = {
      settingSources: ['project'],
      stderr(chunk) {
        stderr += chunk
      },
    }
    assert.deepEqual(await statusOf(overrides, (cwd) => writeFileSync(join(cwd, '.mcp.json'), '{oops')), [])
    assert.match(stderr, /\.mcp\.json: its MCP servers are not used/)
  })
})

describe('names', () => {
  const server = (...names: string[]) =>
    createSdkMcpServer({
      name: 'x',
      tools: names.map((name) => tool(name, name, { type: 'object' }, async () => text(name))),
    })
  const toolsWith = async (mcpServers: Options['mcpServers'], more: Options = {}) => {
    await using model = await startModelServer(['Done.'])
    await using options = testOptions(model, { mcpServers, ...more })
    await collect(query({ prompt: 'Go.', options }))
    return toolNames(model, 0).filter((name) => name.startsWith('mcp__'))
  }
  it('two tools that would be called the same are told apart, always in the same way', async () => {
    const first = await toolsWith({ a: server('b__c'), a__b: server('c') })
    const second = await toolsWith({ a__b: server('c'), a: server('b__c') })
    assert.equal(new Set(first).size, 2)
    assert.ok(first.includes('mcp__a__b__c'))
    assert.deepEqual([...first].sort(), [...second].sort())
  })

  it('of two servers whose names would look the same, the second is not used', async () => {
    assert.deepEqual(await toolsWith({ 'my server': server('a'), my_server: server('b') }), ['mcp__my_server__a'])
  })

  it('a rule takes tools away', async () => {
    assert.deepEqual(
      await toolsWith({ a: server('x', 'y'), b: server('z') }, { disallowedTools: ['mcp__a__x', 'mcp__b'] }),
      ['mcp__a__y'],
    )
  })
})
