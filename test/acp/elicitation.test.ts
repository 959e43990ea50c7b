/** Questions of MCP servers to the user: by form or page where the client has those, and said where it has not. */
import assert from 'node:assert/strict'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sampledTest as test } from '../support/tier.js'
import type { Wire } from './acp-schema.js'
import type { Kind } from './clients.js'
import { openRig } from './rig.js'
import { use } from './rows-turn.js'

// The tests run from a copy beside the sources, which has no servers in it.
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const server = join(root, 'test', 'acp', 'asking-server.mjs')

async function play(kind: Kind, tool: 'form' | 'page', answer?: (request: Wire) => unknown) {
  await using rig = await openRig(kind)
  if (answer) rig.person.elicitation = answer
  const asking = { name: 'asking', command: process.execPath, args: [server], env: [] }
  const session = await rig.begin({
    mcpServers: [asking],
    _meta: { claudeCode: { emitRawSDKMessages: true, options: { allowedTools: ['mcp__asking'] } } },
  })
  // Servers are connected in the background; the first turn may be over before.
  let played = await session.play([use(`mcp__asking__${tool}`, {}), 'Done.'])
  for (let tries = 0; tries < 50 && JSON.stringify(played.updates()).includes('No such tool'); tries += 1)
    played = await session.play([use(`mcp__asking__${tool}`, {}), 'Done.'])
  const end = played
    .updates('tool_call_update')
    .filter(({ status }) => status === 'completed' || status === 'failed')
    .at(-1)
  return { played, said: JSON.parse(end?.content[0].content.text ?? 'null') }
}

test('a form is shown as a form, and what is filled in gets back to the server', async () => {
  const { played, said } = await play('rich', 'form', () => ({ action: 'accept', content: { size: 'l', count: 2 } }))
  const [{ mode, message, requestedSchema }] = played.asked('elicitation/create')
  assert.deepEqual([mode, message], ['form', 'Which size?'])
  assert.deepEqual(requestedSchema.properties.size.oneOf, [
    { const: 's', title: 'Small' },
    { const: 'l', title: 'Large' },
  ])
  assert.deepEqual(said, { action: 'accept', content: { size: 'l', count: 2 } })
})

test('a page is shown as one; when the server says that it is done there, so do we', async () => {
  const { played, said } = await play('rich', 'page', () => ({ action: 'accept' }))
  assert.equal(said.action, 'accept')
  const done = played.heard.filter(({ message }) => message?.method === 'elicitation/complete')
  assert.deepEqual(
    done.map(({ message }) => message.params),
    [{ elicitationId: 'e1' }],
  )
  const told = played.heard.flatMap(({ message }) => message?.params?.message ?? [])
  const { mcp_server_name, elicitation_id } = told.find(({ subtype }) => subtype === 'elicitation_complete')
  assert.deepEqual([mcp_server_name, elicitation_id], ['asking', 'e1'])
})

test('a page is shown as one, and a no is a no', async () => {
  const { played, said } = await play('rich', 'page', () => ({ action: 'decline' }))
  const [{ mode, url }] = played.asked('elicitation/create')
  assert.deepEqual([mode, url], ['url', 'https://example.com/in'])
  assert.equal(said.action, 'decline')
})

test('without forms it is declined, and said; a page can be opened by hand', async () => {
  const form = await play('poor', 'form')
  assert.equal(form.said.action, 'decline')
  assert.match(JSON.stringify(form.played.updates('agent_thought_chunk')), /can't show forms/)
  const page = await play('poor', 'page')
  assert.match(JSON.stringify(page.played.asked('session/request_permission')), /https:\/\/example\.com\/in/)
  assert.equal(page.said.action, 'accept')
  assert.ok(!page.played.heard.some(({ message }) => message?.method === 'elicitation/complete'))
})
