/** Which servers may be used, and what is to be done about calls of single tools, whatever the permission mode. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { McpServerConfig, McpServerToolPolicy, Options } from 'kedge'
import { done, rawTool, startRawServer, statelessReply } from './servers/raw-http.js'
import { openSession } from './session.js'

const serve = () =>
  startRawServer(statelessReply({ tools: ['a', 'b', 'c', 'd'].map((name) => rawTool(name)), reply: () => done('ran') }))

async function open(url: string, tools: McpServerToolPolicy[] | undefined, options: Options = {}) {
  const asked: string[] = []
  const session = await openSession({
    mcpServers: { raw: { type: 'http', url, ...(tools ? { tools } : {}) } },
    canUseTool: async (name) => {
      asked.push(name)
      return { behavior: 'deny', message: 'Not now.' }
    },
    ...options,
  })
  return { session, asked }
}

test('tools: always_allow is not asked for, always_ask is in every mode, always_deny is not there', async () => {
  await using server = await serve()
  const policies: McpServerToolPolicy[] = [
    { name: 'a', permission_policy: 'always_allow' },
    { name: 'b', permission_policy: 'always_ask' },
    { name: 'c', permission_policy: 'always_deny' },
    { name: 'd', permission_policy: 'always_allow', org_max_permission: 'ask' },
  ]
  const { session, asked } = await open(server.url, policies)
  await using _ = session
  assert.equal((await session.call('mcp__raw__a')).text, 'ran')
  assert.equal((await session.call('mcp__raw__b')).text, 'Not now.')
  assert.match((await session.call('mcp__raw__c')).text, /No such tool available: mcp__raw__c/)
  assert.equal((await session.call('mcp__raw__d')).text, 'Not now.')
  assert.deepEqual(asked, ['mcp__raw__b', 'mcp__raw__d'])
  const offered = session.model.requests[0]?.body.tools
    ?.map(({ name }) => name)
    .filter((name) => name.startsWith('mcp'))
  assert.deepEqual(offered, ['mcp__raw__a', 'mcp__raw__b', 'mcp__raw__d'])

  const bypass = await open(server.url, policies, {
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    env: { ...process.env, IS_SANDBOX: '1' },
  })
  await using other = bypass.session
  assert.equal((await other.call('mcp__raw__b')).text, 'Not now.')
  assert.deepEqual(bypass.asked, ['mcp__raw__b'])
})

test('tools: a deny rule of the session comes before always_allow; a policy that does not exist is an error', async () => {
  await using server = await serve()
  const allow: McpServerToolPolicy[] = [{ name: 'a', permission_policy: 'always_allow' }]
  const { session } = await open(server.url, allow, { disallowedTools: ['mcp__raw__a'] })
  await using _ = session
  assert.match((await session.call('mcp__raw__a')).text, /No such tool|denied/i)
  const wrong = [{ name: 'a', permission_policy: 'allways_deny' }] as unknown as McpServerToolPolicy[]
  const { session: refused } = await open(server.url, wrong)
  await using __ = refused
  const { error } = await refused.until('raw', ({ status }) => status === 'failed')
  assert.match(error ?? '', /`tools` has a policy that does not exist: use always_allow/)
})

test('setMcpPermissionModeOverride (mcp_set_permission_mode_override): calls of that server are asked for in bypassPermissions, until it is taken back', async () => {
  await using server = await serve()
  const { session, asked } = await open(server.url, undefined, {
    permissionMode: 'bypassPermissions',
    allowDangerouslySkipPermissions: true,
    env: { ...process.env, IS_SANDBOX: '1' },
  })
  await using _ = session
  assert.equal((await session.call('mcp__raw__a')).text, 'ran')
  assert.deepEqual(await session.running.setMcpPermissionModeOverride('raw', 'default'), {})
  assert.equal((await session.call('mcp__raw__a')).text, 'Not now.')
  assert.deepEqual(await session.running.setMcpPermissionModeOverride('raw', null), {})
  assert.equal((await session.call('mcp__raw__a')).text, 'ran')
  assert.deepEqual(asked, ['mcp__raw__a'])
  const { warning } = await session.running.setMcpPermissionModeOverride('rwa', 'auto')
  assert.equal(warning, "There's no MCP server named rwa.")
})

const local: McpServerConfig = { command: process.execPath, args: ['--version'] }
const denied = '`deniedMcpServers` of the settings names it'
const missing = '`allowedMcpServers` of the settings does not name it'
const cases: [
  title: string,
  settings: object,
  server: (url: string) => McpServerConfig,
  problem: string | undefined,
][] = [
  ['by name', { deniedMcpServers: [{ serverName: 'raw' }] }, (url) => ({ type: 'http', url }), denied],
  ['by command', { deniedMcpServers: [{ serverCommand: [process.execPath, '--version'] }] }, () => local, denied],
  ['not another command', { deniedMcpServers: [{ serverCommand: [process.execPath] }] }, () => local, undefined],
  [
    'by address',
    { deniedMcpServers: [{ serverUrl: 'http://localhost:*/*' }] },
    (url) => ({ type: 'http', url }),
    denied,
  ],
  [
    'deny wins',
    { deniedMcpServers: [{ serverName: 'raw' }], allowedMcpServers: [{ serverName: 'raw' }] },
    (url) => ({ type: 'http', url }),
    denied,
  ],
  ['not on the list', { allowedMcpServers: [{ serverName: 'x' }] }, (url) => ({ type: 'http', url }), missing],
  ['an empty list', { allowedMcpServers: [] }, () => local, missing],
  [
    'a name where addresses are listed',
    { allowedMcpServers: [{ serverName: 'raw' }, { serverUrl: 'https://*.example.com/*' }] },
    (url) => ({ type: 'http', url }),
    missing,
  ],
  [
    'on the list',
    { allowedMcpServers: [{ serverUrl: '*://localhost:*/mcp' }] },
    (url) => ({ type: 'http', url }),
    undefined,
  ],
]
for (const [title, settings, config, problem] of cases) {
  test(`allowedMcpServers and deniedMcpServers: ${title}`, async () => {
    await using server = await serve()
    await using session = await openSession({
      settings: JSON.stringify(settings),
      mcpServers: { raw: config(server.url) },
    })
    const { error = '' } = await session.until('raw', ({ status }) => status !== 'pending')
    if (problem === undefined) assert.doesNotMatch(error, /McpServers/)
    else assert.equal(error, `Not usable: ${problem}.`)
    assert.equal(server.seen.length > 0, problem === undefined && 'url' in config(server.url))
  })
}
