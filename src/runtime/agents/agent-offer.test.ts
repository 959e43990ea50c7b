import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ToolDefinition } from '../../engine/ports.js'
import type { AgentDefinition } from '../../protocol/options.js'
import type { ServerInstructions } from '../mcp/server-instructions.js'
import { createTestConversation } from '../test-conversation.js'
import type { AgentMcpServers } from './agent-mcp-servers.js'
import { createSubAgentToolOffer, describeServersToSubAgent } from './agent-offer.js'

const tool = (name: string): ToolDefinition => ({ name, description: '', input_schema: {} })
const names = (tools: readonly ToolDefinition[]) => tools.map(({ name }) => name)

function start(definition: Partial<AgentDefinition> = {}, own?: string[], also: string[] = []) {
  const world = {
    offered: [tool('Bash'), tool('Read')],
    deferred: [] as ToolDefinition[],
    hasMore: false,
    pending: [] as string[],
    instructions: [] as ServerInstructions[],
  }
  const { conversation } = createTestConversation({
    offer: {
      get offered() {
        return world.offered
      },
      get deferred() {
        return world.deferred
      },
      hasMore: () => world.hasMore,
      reminders: () => ['told'],
    } as never,
    shared: { mcp: { pending: () => world.pending, instructions: () => world.instructions } as never },
  })
  const servers = own && {
    tools: () => own.map(tool),
    owns: (name: string) => name.startsWith('mcp__own__'),
    instructions: () => own.map((text) => ({ server: 'own', text: `Use ${text}.`, owns: () => true })),
    problems: ['own: it is gone'],
  }
  const facts = {
    definition: { description: 'd', prompt: 'p', ...definition },
    alsoTools: also,
    own: servers as unknown as AgentMcpServers | undefined,
  }
  const offer = createSubAgentToolOffer(conversation, facts)
  return {
    offer,
    world,
    offered: () => names(offer.offered),
    tell: () => describeServersToSubAgent(conversation, facts, names(offer.offered)),
  }
}

describe('what an agent is offered', () => {
  test('what its parent has, what is left for a search included', () => {
    const { offered, world, offer } = start()
    world.deferred = [tool('mcp__a__x'), world.offered[0] ?? tool('')]
    assert.deepEqual(offered(), ['Bash', 'Read', 'mcp__a__x'])
    assert.deepEqual(offer.deferred, [])
    assert.deepEqual(offer.reminders(), ['told'])
  })

  test('narrowed by its definition, beside what it gets anyway', () => {
    assert.deepEqual(start({ tools: ['Read'] }).offered(), ['Read'])
    assert.deepEqual(start({ disallowedTools: ['Bash'] }).offered(), ['Read'])
    assert.deepEqual(start({ tools: ['Read'] }, undefined, ['Bash']).offered(), ['Bash', 'Read'])
  })

  test('what comes later stands last, what goes is gone', () => {
    const { offered, world } = start()
    offered()
    world.offered = [tool('mcp__a__new'), tool('Bash'), tool('Read')]
    assert.deepEqual(offered(), ['Bash', 'Read', 'mcp__a__new'])
    world.offered = [tool('Read'), tool('mcp__a__new')]
    assert.deepEqual(offered(), ['Read', 'mcp__a__new'])
    world.offered = [tool('Bash'), tool('Read')]
    assert.deepEqual(offered(), ['Read', 'Bash'])
  })

  test('its own servers outdo those of the session', () => {
    const { offered, world } = start({}, ['mcp__own__x'])
    world.offered.push(tool('mcp__own__x'), tool('mcp__own__session'), tool('mcp__a__y'))
    assert.deepEqual(offered(), ['Bash', 'Read', 'mcp__a__y', 'mcp__own__x'])
  })

  test('it has what is offered, and what a server may still bring', () => {
    const { offer } = start({ disallowedTools: ['mcp__b__y'] }, ['mcp__own__x'])
    assert.equal(offer.has('Bash'), true)
    assert.equal(offer.has('Write'), false)
    assert.equal(offer.has('mcp__a__later'), true)
    assert.equal(offer.has('mcp__b__y'), false)
    assert.equal(offer.has('mcp__own__x'), true)
    assert.equal(offer.has('mcp__own__gone'), false)
    assert.equal(start({ tools: ['Read'] }).offer.has('mcp__a__later'), false)
  })

  test('requests have a search only where its parent has more', () => {
    const { offer, world } = start()
    world.offered.push(tool('ToolSearch'))
    assert.ok(!names(offer.definitions()).includes('ToolSearch'))
  })
})

describe('what it is told of servers', () => {
  test('those that are starting, unless it wants certain tools; its own that can not be used', () => {
    const all = start()
    assert.deepEqual(all.tell(), [])
    all.world.pending = ['slow', 'slower']
    assert.match(all.tell()[0] ?? '', /still starting: slow, slower\./)
    const some = start({ tools: ['Read'] })
    some.world.pending = ['slow']
    assert.deepEqual(some.tell(), [])
    const any = start({ tools: ['*'] }, [])
    any.world.pending = ['slow']
    assert.equal(any.tell().length, 2)
    assert.equal(any.tell()[1], "An MCP server of yours can't be used: own: it is gone")
  })

  test('instructions of the servers whose tools it has, and of its own', () => {
    const instructions = ['notes', 'other'].map((server) => ({
      server,
      text: `Read ${server} first.`,
      owns: (name: string) => name.startsWith(`mcp__${server}__`),
    }))
    const some = start({}, ['mcp__own__x'])
    some.world.offered.push(tool('mcp__notes__read'))
    some.world.instructions = instructions
    const told = some.tell().at(-1) ?? ''
    assert.match(told, /words of the servers, not of the user/)
    assert.match(told, /\n- notes: Read notes first\.\n- own: Use mcp__own__x\.$/)
    const none = start({ tools: ['Read'] })
    none.world.offered.push(tool('mcp__notes__read'))
    none.world.instructions = instructions
    assert.deepEqual(none.tell(), [])
  })
})
