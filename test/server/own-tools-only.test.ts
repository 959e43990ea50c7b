/** What "Put an agent in your web page" says of users who are not trusted: only your own tools, and no requests. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSdkMcpServer, tool } from 'kedge'
import { sampledTest as test } from '../support/tier.js'
import { serve } from './serving.js'

const OPTIONS = /`options: (\{ mcpServers: \{ shop \}.*? \})`/s

test('with the options of the page, own tools run, and nothing else runs or is asked about', async () => {
  const [, said = ''] = OPTIONS.exec(readFileSync('docs/agent-in-page.md', 'utf8')) ?? []
  const calls: unknown[] = []
  const price = tool('price', 'Returns the price of a product.', {}, async () => {
    calls.push('price')
    return { content: [{ type: 'text', text: '12 EUR' }] }
  })
  const shop = createSdkMcpServer({ name: 'shop', tools: [price] })
  const options = {
    mcpServers: { shop },
    tools: [],
    allowedTools: ['mcp__shop__*'],
    permissionMode: 'dontAsk',
  } as const
  assert.equal(
    said.replaceAll(/[\n> ]/g, ''),
    "{mcpServers:{shop},tools:[],allowedTools:['mcp__shop__*'],permissionMode:'dontAsk'}",
  )
  await using serving = await serve(
    [
      { tools: [{ name: 'mcp__shop__price', input: {} }] },
      { tools: [{ name: 'Bash', input: { command: 'touch made' } }] },
      { tools: [{ name: 'Read', input: { file_path: '/etc/hostname' } }] },
      { tools: [{ name: 'Write', input: { file_path: 'made', content: 'x' } }] },
      'It is 12 EUR.',
    ],
    { options: { ...options, tools: [], allowedTools: [...options.allowedTools] } },
  )
  const session = await serving.begin()
  await serving.send(session, 'p1', 'What does it cost?')
  const log = await serving.ended(session, 'p1')
  assert.deepEqual(calls, ['price'])
  assert.ok(log.every(({ kind }) => kind !== 'ask'))
  const results = log.flatMap(({ kind, data }) =>
    kind === 'message' && data.type === 'user' && Array.isArray(data.message.content)
      ? data.message.content.flatMap((block) => (block.type === 'tool_result' ? [block.is_error === true] : []))
      : [],
  )
  assert.deepEqual(results, [false, true, true, true])
  assert.ok(!existsSync(join(serving.options.cwd, 'made')))
})
