import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../protocol/json.js'
import { listPrompts, listResources, listTools, MAX_TOOLS } from './server-lists.js'
import { cleanSchema } from './usable-schema.js'

/** Answers with one page after another, and keeps what it was asked with. */
function pages(...given: JsonObject[]) {
  const asked: (JsonObject | undefined)[] = []
  const ask = async (params: JsonObject | undefined) => {
    asked.push(params)
    return given[asked.length - 1] ?? {}
  }
  return { ask, asked }
}

test('pages are asked for until there is none, and a page that names itself again is the last', async () => {
  const { ask, asked } = pages(
    { tools: [{ name: 'a', inputSchema: { type: 'object' } }], nextCursor: '2' },
    { tools: [{ name: 'b', inputSchema: { type: 'object' } }], nextCursor: '2' },
  )
  const { entries, notes } = await listTools(ask)
  assert.deepEqual(
    entries.map(({ name }) => name),
    ['a', 'b'],
  )
  assert.deepEqual(asked, [undefined, { cursor: '2' }])
  assert.deepEqual(notes, [])
})

test('more than anybody needs is left out with a note; what has no name, too', async () => {
  const tools = Array.from({ length: MAX_TOOLS + 5 }, (_, i) => ({ name: `t${i}`, inputSchema: { type: 'object' } }))
  const { entries, notes } = await listTools(pages({ tools }).ask)
  assert.equal(entries.length, MAX_TOOLS)
  assert.match(notes.join(), /more than 1000 tools/)
  const nameless = await listTools(pages({ tools: [{ name: '' }, 7] }).ask)
  assert.deepEqual(nameless.entries, [])
  assert.match(nameless.notes.join(), /without a usable name/)
  assert.match((await listTools(pages({ tools: 'no' }).ask)).notes.join(), /isn't a list/)
})

test('as many as are taken are not too many; what is unusable leaves room for what comes after it', async () => {
  const tool = (at: number) => ({ name: `t${at}`, inputSchema: { type: 'object' } })
  const most = Array.from({ length: MAX_TOOLS }, (_, at) => tool(at))
  const exact = await listTools(pages({ tools: most }).ask)
  assert.deepEqual([exact.entries.length, exact.notes], [MAX_TOOLS, []])
  const more = await listTools(pages({ tools: most, nextCursor: 'x' }).ask)
  assert.match(more.notes.join(), /more than 1000 tools/)
  const mixed = await listTools(pages({ tools: [7, ...most.slice(1), tool(0)] }).ask)
  assert.deepEqual([mixed.entries.length, mixed.entries.at(-1)?.name, mixed.notes], [MAX_TOOLS, 't0', []])
})

test('a tool: hints only as true or false, its description without what nobody sees', async () => {
  const tool = {
    name: 'a',
    description: 'De\u202escribed',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true, destructiveHint: 'yes' },
    _meta: { 'anthropic/alwaysLoad': true, 'kedge/timeoutMs': 5 },
  }
  const [found] = (await listTools(pages({ tools: [tool] }).ask)).entries
  assert.equal(found?.description, 'Described')
  assert.deepEqual(found?.annotations, { readOnlyHint: true })
  assert.deepEqual([found?.alwaysLoad, found?.needsUser, found?.timeoutMs], [true, false, 5])
})

test('prompts and resources: a name for people also where there is none', async () => {
  const [prompt] = (await listPrompts(pages({ prompts: [{ name: 'p', arguments: [{ name: 'x' }, 1] }] }).ask)).entries
  assert.deepEqual(prompt, { name: 'p', description: '', arguments: [{ name: 'x', required: false }] })
  const [resource] = (await listResources(pages({ resources: [{ uri: 'a://b' }, { uri: '' }] }).ask)).entries
  assert.deepEqual(resource, { uri: 'a://b', name: 'a://b' })
})

test('a schema that the API would refuse is mended, or any input is taken', () => {
  const { schema, note } = cleanSchema({
    type: 'object',
    anyOf: [],
    $ref: '#/x',
    properties: { good: { type: 'string' }, 'no good': {}, odd: 7 },
    required: ['good', 'no good'],
  })
  assert.equal(note, undefined)
  assert.deepEqual(schema, { type: 'object', properties: { good: { type: 'string' } }, required: ['good'] })
  let deep: JsonObject = {}
  for (let i = 0; i < 100; i += 1) deep = { properties: { x: deep } }
  const round: JsonObject = { type: 'object' }
  round['self'] = round
  for (const bad of [undefined, [], { type: 'string' }, deep, round]) {
    const { schema: instead, note: why } = cleanSchema(bad)
    assert.deepEqual(instead, { type: 'object', properties: {} })
    assert.match(why ?? '', /any input is taken$/)
  }
})

test('a tool that is there twice is told of: only the first of them can be called', async () => {
  const tools = ['a', 'b', 'a'].map((name) => ({ name, inputSchema: { type: 'object' } }))
  const { notes } = await listTools(pages({ tools }).ask)
  assert.deepEqual(notes, ['it has more than one tool called a: only the first is used, give each its own name'])
  assert.deepEqual((await listTools(pages({ tools: tools.slice(0, 2) }).ask)).notes, [])
})
