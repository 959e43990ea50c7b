import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ToolDefinition } from '../../engine/ports.js'
import { createMainToolOffer, toolsInRequest } from './main-offer.js'

const tool = (name: string, description = ''): ToolDefinition => ({ name, description, input_schema: {} })
const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name)

/** Everything in `world` may be changed while it runs. */
function start(env: Record<string, string> = {}) {
  const world = {
    servers: [] as { definition: ToolDefinition; alwaysLoad: boolean }[],
    pending: [] as string[],
    instructions: [] as { server: string; text: string }[],
    hasResources: false,
    removed: [] as string[],
    messages: 0,
    references: false,
    window: 1000,
    env,
  }
  const offer = createMainToolOffer({
    own: [tool('Bash'), tool('Read'), tool('ToolSearch')],
    resourceTools: [tool('ListMcpResources')],
    servers: {
      definitions: () => world.servers,
      hasResources: () => world.hasResources,
      pending: () => world.pending,
      instructions: () => world.instructions,
    },
    permissions: { removedTools: (all) => all.filter((name) => world.removed.includes(name)) },
    model: {
      contextWindow: () => world.window,
      endpoint: () => ({ isOwn: true, isOfficial: false, takesReferences: world.references }),
    },
    env: () => world.env,
    messageCount: () => world.messages,
  })
  const bring = (...all: string[]) => {
    world.servers = all.map((name) => ({ definition: tool(name), alwaysLoad: false }))
    offer.update()
  }
  return { offer, world, bring, offered: () => names(offer.offered), deferred: () => names(offer.deferred) }
}

describe('what the main thread is offered', () => {
  test('its own tools, then those of servers, then those for resources', () => {
    const { bring, world, offered } = start()
    assert.deepEqual(offered(), ['Bash', 'Read', 'ToolSearch'])
    world.hasResources = true
    bring('mcp__a__x', 'mcp__a__y')
    assert.deepEqual(offered(), ['Bash', 'Read', 'ToolSearch', 'mcp__a__x', 'mcp__a__y', 'ListMcpResources'])
    world.hasResources = false
    bring()
    assert.deepEqual(offered(), ['Bash', 'Read', 'ToolSearch'])
  })

  test('the search only where there is something to find', () => {
    const { offer, bring, world } = start()
    assert.deepEqual(names(offer.definitions()), ['Bash', 'Read'])
    world.pending = ['slow']
    assert.deepEqual(names(offer.definitions()), ['Bash', 'Read', 'ToolSearch'])
    world.pending = []
    world.env = { ENABLE_TOOL_SEARCH: 'true' }
    bring('mcp__a__x')
    assert.deepEqual(names(offer.definitions()), ['Bash', 'Read', 'ToolSearch'])
    assert.deepEqual(names(toolsInRequest([tool('ToolSearch'), tool('Bash')], false)), ['Bash'])
  })

  test('by reference: the same definitions in every request, found or not, gone or not', () => {
    const { offer, bring, world } = start({ ENABLE_TOOL_SEARCH: 'true' })
    world.references = true
    bring('mcp__a__x', 'mcp__a__y')
    const first = offer.definitions()
    assert.deepEqual(first, [
      ...['Bash', 'Read', 'ToolSearch'].map((name) => tool(name)),
      ...['mcp__a__x', 'mcp__a__y'].map((name) => ({ ...tool(name), defer_loading: true })),
    ])
    offer.activate(['mcp__a__x'])
    bring('mcp__a__y')
    const then = offer.definitions()
    assert.ok(then.length === first.length && then.every((one, at) => one === first[at]))
  })

  test('not what a rule takes away', () => {
    const { offer, bring, world, offered } = start()
    world.removed = ['mcp__a__x']
    bring('mcp__a__x', 'mcp__a__y')
    assert.ok(!offered().includes('mcp__a__x') && offered().includes('mcp__a__y'))
    assert.equal(offer.isAllowed('mcp__a__x'), false)
    assert.equal(offer.isAllowed('mcp__a__y'), true)
  })

  test('narrowed, also for what comes later', () => {
    const { offer, bring, world, offered } = start()
    world.hasResources = true
    bring('mcp__a__x')
    offer.narrow((name) => name === 'Read' || name === 'mcp__a__y')
    assert.deepEqual(offered(), ['Read'])
    bring('mcp__a__x', 'mcp__a__y')
    assert.deepEqual(offered(), ['Read', 'mcp__a__y'])
    assert.equal(offer.isAllowed('Bash'), false)
  })

  test('changed by an edit, which an update keeps', () => {
    const { offer, bring, offered } = start()
    offer.change((tools) => [...tools, tool('StructuredOutput')])
    bring('mcp__a__x')
    assert.deepEqual(offered(), ['Bash', 'Read', 'ToolSearch', 'StructuredOutput', 'mcp__a__x'])
  })
})

describe('tools that are left for a search', () => {
  const long = (name: string) => ({ definition: tool(name, 'x'.repeat(300)), alwaysLoad: false })

  test('those of servers, where all of them are more than a tenth of the window', () => {
    const { world, offer, offered, deferred } = start()
    world.servers = [long('mcp__a__x')]
    offer.update()
    assert.deepEqual(deferred(), [])
    world.servers.push(long('mcp__a__y'))
    offer.update()
    assert.deepEqual(deferred(), ['mcp__a__x', 'mcp__a__y'])
    assert.deepEqual(offered(), ['Bash', 'Read', 'ToolSearch'])
  })

  const settings: [value: string, defers: boolean][] = [
    ['true', true],
    [' TRUE ', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['auto', false],
    ['auto:1', true],
    ['auto:0', true],
    ['auto:100', false],
    ['auto:999', false],
    ['nonsense', false],
  ]
  for (const [value, defers] of settings) {
    test(`ENABLE_TOOL_SEARCH=${value}: ${defers ? 'left' : 'offered'}`, () => {
      const { bring, deferred } = start({ ENABLE_TOOL_SEARCH: value })
      bring('mcp__a__x')
      assert.equal(deferred().length > 0, defers)
    })
  }

  test('not without a search, and not those that are always there', () => {
    const { world, offer, offered, deferred } = start({ ENABLE_TOOL_SEARCH: 'true' })
    world.servers = [long('mcp__a__x'), { definition: tool('mcp__b__y'), alwaysLoad: true }]
    offer.update()
    assert.deepEqual(deferred(), ['mcp__a__x'])
    assert.ok(offered().includes('mcp__b__y'))
    offer.change((tools) => tools.filter(({ name }) => name !== 'ToolSearch'))
    offer.update()
    assert.deepEqual(deferred(), [])
    assert.ok(offered().includes('mcp__a__x'))
  })

  test('what was found is offered from then on, and can be found again', () => {
    const { bring, offer, offered, deferred } = start({ ENABLE_TOOL_SEARCH: 'true' })
    bring('mcp__a__x', 'mcp__a__y')
    offer.activate(['mcp__a__y', 'mcp__a__gone'])
    assert.deepEqual(offered(), ['Bash', 'Read', 'ToolSearch', 'mcp__a__y'])
    assert.deepEqual(deferred(), ['mcp__a__x', 'mcp__a__y'])
    assert.deepEqual(names(offer.searchable()), ['mcp__a__x', 'mcp__a__y'])
  })

  test('a search finds nothing where all is offered, unless servers were on their way', () => {
    const { bring, offer, world } = start()
    bring('mcp__a__x')
    assert.deepEqual(offer.searchable(), [])
    world.pending = ['slow']
    offer.update()
    world.pending = []
    bring('mcp__a__x', 'mcp__slow__y')
    assert.deepEqual(names(offer.searchable()), ['mcp__a__x', 'mcp__slow__y'])
  })
})

describe('what the model is told of it', () => {
  test('once, until it changes or was forgotten', () => {
    const { bring, offer, world } = start({ ENABLE_TOOL_SEARCH: 'true' })
    assert.deepEqual(offer.reminders(), [])
    bring('mcp__a__x', 'mcp__a__y')
    world.messages = 4
    assert.deepEqual(offer.reminders(), ['Further tools, which ToolSearch makes available: mcp__a__x, mcp__a__y.'])
    world.messages = 8
    assert.deepEqual(offer.reminders(), [])
    world.messages = 1
    assert.equal(offer.reminders().length, 1)
    world.pending = ['slow', 'slower']
    assert.match(offer.reminders()[0] ?? '', /^MCP servers that are still starting: slow, slower\. .*\nFurther tools/)
  })

  test('when there is nothing any more, nothing', () => {
    const { offer, world } = start()
    world.pending = ['slow']
    assert.equal(offer.reminders().length, 1)
    world.pending = []
    assert.deepEqual(offer.reminders(), [])
  })

  test('a hundred names, then a number', () => {
    const { bring, offer } = start({ ENABLE_TOOL_SEARCH: 'true' })
    bring(...Array.from({ length: 130 }, (_, n) => `mcp__a__t${n}`))
    const [text = ''] = offer.reminders()
    assert.match(text, /mcp__a__t99 and 30 more\.$/)
    assert.ok(!text.includes('mcp__a__t100'))
  })
})
