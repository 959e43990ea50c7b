/** What servers suggest for arguments that a user types. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completable } from '@modelcontextprotocol/sdk/server/completable.js'
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { startRawServer, statelessReply } from './servers/raw-http.js'
import { openSession } from './session.js'

const TOWNS = ['Bergen', 'Berlin', 'Bonn']
const starting = (value: string, all = TOWNS) => all.filter((town) => town.startsWith(value))

test('completeMcpArgument (mcp_complete): suggestions for prompts and resource templates', async () => {
  const instance = new McpServer({ name: 'own', version: '1' })
  const argsSchema = {
    land: z.string(),
    town: completable(z.string(), (value, context) =>
      context?.arguments?.['land'] === 'Norway' ? ['Oslo'] : starting(value),
    ),
  }
  const say = (text: string) => ({ messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }] })
  instance.registerPrompt('visit', { argsSchema }, ({ town }) => say(town))
  const template = new ResourceTemplate('map://{town}', {
    list: undefined,
    complete: { town: (value) => starting(value) },
  })
  instance.registerResource('map', template, {}, async ({ href }) => ({ contents: [{ uri: href, text: 'map' }] }))
  await using session = await openSession({ mcpServers: { own: { type: 'sdk', name: 'own', instance } } })
  await session.ready('own')
  const complete = session.running.completeMcpArgument.bind(session.running)
  const town = { argument: 'town', value: 'Ber' }
  assert.deepEqual(await complete('own', { prompt: 'visit', ...town }), { values: ['Bergen', 'Berlin'] })
  assert.deepEqual(await complete('own', { uriTemplate: 'map://{town}', ...town }), { values: ['Bergen', 'Berlin'] })
  const others = { land: 'Norway' }
  assert.deepEqual(await complete('own', { prompt: 'visit', ...town, others }), { values: ['Oslo'] })
  await assert.rejects(complete('other', { prompt: 'visit', ...town }), /Server not found: other/)
  await assert.rejects(complete('own', { prompt: 'leave', ...town }), /own: .*leave/)
})

test('with 2026-07-28: hidden characters and endless lists are cut, and a server that completes nothing is not asked', async () => {
  const values = ['ok', 'h\u202eidden', 5, 'x'.repeat(2000), ...Array.from({ length: 200 }, (_, n) => `v${n}`)]
  const serverFor = (capabilities: object) =>
    startRawServer(
      statelessReply({ capabilities, reply: () => ({ result: { resultType: 'complete', completion: { values } } }) }),
    )
  await using server = await serverFor({ completions: {} })
  await using plain = await serverFor({})
  const http = (url: string) => ({ type: 'http' as const, url })
  await using session = await openSession({ mcpServers: { raw: http(server.url), plain: http(plain.url) } })
  await session.ready('raw')
  await session.ready('plain')
  const target = { prompt: 'p', argument: 'a', value: '' }
  const found = await session.running.completeMcpArgument('raw', target)
  assert.deepEqual([found.values.length, found.values.slice(0, 2), found.hasMore], [100, ['ok', 'v0'], true])
  assert.deepEqual(await session.running.completeMcpArgument('plain', target), { values: [] })
  assert.deepEqual(plain.of('completion/complete'), [])
})
