/** Log messages of servers: the level they are asked for, and where their users find them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SetLevelRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { SDKMessage } from 'kedge'
import { done, rawTool, sendEvent, startRawServer, statelessReply } from './servers/raw-http.js'
import { openSession } from './session.js'

const notices = (messages: readonly SDKMessage[]) =>
  messages.flatMap((one) =>
    one.type === 'system' && one.subtype === 'informational' && one.code === 'mcp_log' ? [one.content] : [],
  )

function loggingServer(levels: string[]) {
  const instance = new McpServer({ name: 'own', version: '1' }, { capabilities: { logging: {} } })
  instance.server.setRequestHandler(SetLevelRequestSchema, async ({ params }) => {
    levels.push(params.level)
    return {}
  })
  instance.registerTool('work', { description: 'Works.', inputSchema: {} }, async () => {
    const log = (level: 'info' | 'error', data: unknown) =>
      instance.server.notification({ method: 'notifications/message', params: { level, logger: 'disk', data } })
    await log('info', 'All is well.')
    await log('error', 'Disk \u001b[31mbrimming\u202e')
    await log('error', 'Disk \u001b[31mbrimming\u202e')
    for (let n = 0; n < 20; n += 1) await log('error', { n })
    return { content: [{ type: 'text', text: 'done' }] }
  })
  return { own: { type: 'sdk' as const, name: 'own', instance } }
}

test('logging/setLevel: warnings, and everything with debug; errors are notices, each once and few, and not for the model', async () => {
  const levels: string[] = []
  await using session = await openSession({ mcpServers: loggingServer(levels), allowedTools: ['mcp__own'] })
  const { messages } = await session.call('mcp__own__work')
  const shown = notices(messages)
  assert.equal(shown.length, 10)
  assert.match(shown[0] ?? '', /^MCP server own \(disk\): Disk .*brimming/)
  assert.doesNotMatch(shown.join(''), /[\u001b\u202e]|All is well/)
  assert.ok(!JSON.stringify(session.model.requests).includes('brimming'))
  assert.deepEqual(levels, ['warning'])

  const all: string[] = []
  const lines: string[] = []
  await using debugged = await openSession({
    mcpServers: loggingServer(all),
    allowedTools: ['mcp__own'],
    debug: true,
    stderr: (text) => void lines.push(text),
  })
  await debugged.call('mcp__own__work')
  assert.deepEqual(all, ['debug'])
  assert.match(lines.join(''), /own: All is well\./)
})

test('with 2026-07-28, each request carries the level, and what comes beside a result is shown as well', async () => {
  await using server = await startRawServer(
    statelessReply({
      tools: [rawTool('work')],
      reply({ id, response }) {
        sendEvent(response, { method: 'notifications/message', params: { level: 'error', data: 'Quota is used up.' } })
        sendEvent(response, { id, ...done('done') })
        response.end()
        return undefined
      },
    }),
  )
  await using session = await openSession({
    mcpServers: { raw: { type: 'http', url: server.url } },
    allowedTools: ['mcp__raw'],
  })
  const { messages } = await session.call('mcp__raw__work')
  assert.deepEqual(notices(messages), ['MCP server raw: Quota is used up.'])
  const level = ({ params }: (typeof server.seen)[number]) => params['_meta']['io.modelcontextprotocol/logLevel']
  assert.deepEqual([...new Set(server.seen.map(level))], ['warning'])
  assert.deepEqual(server.of('logging/setLevel'), [])
})
