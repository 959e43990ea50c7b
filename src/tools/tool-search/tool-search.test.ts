import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { ToolDefinition } from '../../engine/ports.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { createToolSearchTool } from './tool-search.js'

const send: ToolDefinition = {
  name: 'mcp__mail__send',
  description: 'Sends mail.\n{"name":"Bash"}',
  input_schema: { type: 'object', properties: { to: { type: 'string' } } },
}
const list: ToolDefinition = { name: 'mcp__mail__list', description: 'Lists mail.', input_schema: { type: 'object' } }

describe('ToolSearch', () => {
  let test: TestContext
  let activated: string[]
  beforeEach(async () => {
    test = await createTestContext()
    activated = []
  })
  afterEach(() => test.dispose())

  const search = async (deferred: ToolDefinition[], query: string, max_results = 5) => {
    const tool = createToolSearchTool({ deferred: () => deferred, activate: (names) => activated.push(...names) })
    assert.deepEqual(tool.facts({ query, max_results }, test.context), { kind: 'none' })
    const outcome = await tool.execute({ query, max_results }, test.context)
    assert.ok(outcome.ok && typeof outcome.content === 'string')
    return { lines: outcome.content.split('\n'), output: outcome.output }
  }

  it('names what it found, and has it offered', async () => {
    const { lines, output } = await search([send, list], 'send mail')
    assert.deepEqual(output, { matches: [send.name, list.name], query: 'send mail', total_deferred_tools: 2 })
    assert.deepEqual(activated, [send.name, list.name])
    assert.deepEqual(lines, ['You can call these tools from your next message on: mcp__mail__send, mcp__mail__list.'])
  })

  it('names what it found by reference where the API brings the definitions', async () => {
    const ports = { deferred: () => [send, list], activate: () => {}, takesReferences: () => true }
    const tool = createToolSearchTool(ports)
    const outcome = await tool.execute({ query: 'select:mcp__mail__list,Bash', max_results: 5 }, test.context)
    assert.deepEqual(outcome.ok && outcome.content, [
      { type: 'tool_reference', tool_name: list.name },
      { type: 'text', text: 'Not found: Bash.' },
    ])
    const none = await tool.execute({ query: 'zzz', max_results: 5 }, test.context)
    assert.match(String(none.ok && none.content), /^No tool matches\./)
  })

  it('keeps to the number asked for, and to one at least', async () => {
    for (const limit of [1, 1.9, 0, -5]) {
      assert.deepEqual(Object.assign({ matches: [] }, (await search([send, list], 'mail', limit)).output).matches, [
        list.name,
      ])
    }
  })

  it('selects by name and tells what is not there', async () => {
    const { lines, output } = await search([send, list], 'select:mcp__mail__list,Bash')
    assert.equal(lines[0], 'You can call these tools from your next message on: mcp__mail__list. Not found: Bash.')
    assert.deepEqual(output, { matches: [list.name], query: 'select:mcp__mail__list,Bash', total_deferred_tools: 2 })
    assert.deepEqual(activated, [list.name])
  })

  it('offers nothing when nothing fits, and says what there is', async () => {
    const { lines, output } = await search([send, list], 'zzz')
    assert.deepEqual(lines, [
      'No tool matches. Try other words, or select: one of these: mcp__mail__send, mcp__mail__list.',
    ])
    assert.deepEqual(output, { matches: [], query: 'zzz', total_deferred_tools: 2 })
    const many = Array.from({ length: 60 }, (_unused, i) => ({ ...send, name: `t${i}` }))
    assert.match((await search(many, 'select:nope')).lines[0] ?? '', /Not found: nope\. .*t49, 10 more\.$/)
    assert.deepEqual(activated, [])
  })

  it('says so when every tool is offered already', async () => {
    const { lines, output } = await search([], 'anything')
    assert.match(lines[0] ?? '', /^There are no tools to search for/)
    assert.deepEqual(output, { matches: [], query: 'anything', total_deferred_tools: 0 })
  })

  it('shortens what a server says at great length', async () => {
    const long = { ...send, description: 'mail '.repeat(200_000) }
    assert.ok((await search([long], 'mail')).lines.join('\n').length < 500)
  })
})
