import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createTestContext, type TestContext } from '../test-context.js'
import type { Tool } from '../tool.js'
import { createMcpResourceTools, type McpResourcePort } from './mcp-resources.js'

let test: TestContext
beforeEach(async () => {
  test = await createTestContext()
})
afterEach(() => test.dispose())

const notes = { name: 'Notes', uri: 'notes://1', server: 'web' }
function start(more: Partial<McpResourcePort> = {}): { list: Tool; read: Tool } {
  const [list, read] = createMcpResourceTools({
    servers: () => ['web', 'files'],
    list: (server) => (server === 'files' ? [] : [notes]),
    read: async (server, uri) => ({ contents: [{ uri, text: `from ${server}` }] }),
    ...more,
  })
  assert.ok(list && read)
  return { list, read }
}

describe('resources of MCP servers', () => {
  it('are listed, all or those of one server', async () => {
    const { list } = start()
    assert.deepEqual(await list.execute({}, test.context), {
      ok: true,
      content: JSON.stringify([notes]),
      output: [notes],
    })
    assert.deepEqual(await list.execute({ server: 'files' }, test.context), { ok: true, content: '[]', output: [] })
  })

  it('are read', async () => {
    const output = { contents: [{ uri: 'notes://1', text: 'from web' }] }
    assert.deepEqual(await start().read.execute({ server: 'web', uri: 'notes://1' }, test.context), {
      ok: true,
      content: JSON.stringify(output),
      output,
    })
  })

  it('of a server that is not there are an error that names those that are', async () => {
    const { list, read } = start()
    const error = 'Server "wed" not found; there are: web, files.'
    assert.deepEqual(await list.execute({ server: 'wed' }, test.context), { ok: false, error })
    assert.deepEqual(await read.execute({ server: 'wed', uri: 'x' }, test.context), { ok: false, error })
    const none = await start({ servers: () => [] }).list.execute({ server: 'x'.repeat(5000) }, test.context)
    assert.deepEqual(none, { ok: false, error: `Server "${'x'.repeat(200)}" not found; none is connected.` })
  })

  it('that can not be read say why', async () => {
    const failing = (thrown: unknown) =>
      start({
        read: async () => {
          throw thrown
        },
      }).read.execute({ server: 'web', uri: 'x' }, test.context)
    assert.deepEqual(await failing(new Error('gone')), { ok: false, error: 'gone' })
    assert.deepEqual(await failing('gone'), { ok: false, error: 'gone' })
  })

  it('are only looked at, and stop when the call does', async () => {
    const { list, read } = start({
      read: async (_, __, signal) => {
        assert.equal(signal, test.context.signal)
        return { contents: [] }
      },
    })
    assert.deepEqual([list.isReadOnly({}), read.isReadOnly({ server: 'web', uri: 'x' })], [true, true])
    assert.ok((await read.execute({ server: 'web', uri: 'x' }, test.context)).ok)
  })
})
