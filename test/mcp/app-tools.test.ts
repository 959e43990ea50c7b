/** Tools that a server keeps to the model, or to the user interface it shows (MCP Apps, `visibility`). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSdkMcpServer, tool } from 'kedge'
import { openSession } from './session.js'

const shown = (name: string, visibility?: string[]) => ({
  ...tool(name, 'Looks', { type: 'object', properties: {} }, async () => ({
    content: [{ type: 'text', text: `did ${name}` }],
  })),
  _meta: { ui: { resourceUri: 'ui://desk/view', ...(visibility && { visibility }) } },
})

test('a tool for the interface alone is not there for the model, even by its name; one for the model not for the interface', async () => {
  const tools = [shown('both'), shown('theirs', ['app']), shown('ours', ['model'])]
  await using session = await openSession({
    mcpServers: { desk: createSdkMcpServer({ name: 'desk', tools }) },
    allowedTools: ['mcp__desk'],
  })
  await session.ready('desk')
  const byModel = async (name: string) => (await session.call(`mcp__desk__${name}`)).text
  const byApp = async (name: string) => JSON.stringify((await session.running.callMcpAppTool('desk', name, {})).content)
  assert.deepEqual([await byModel('both'), await byModel('ours')], ['did both', 'did ours'])
  assert.doesNotMatch(await byModel('theirs'), /did theirs/)
  assert.match(await byApp('both'), /did both/)
  assert.match(await byApp('theirs'), /did theirs/)
  assert.match(await byApp('ours'), /keeps the tool ours to the model/)
})
