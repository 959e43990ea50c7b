import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../protocol/json.js'
import type { SessionMcpServer } from './configured-server.js'
import type { ServerPrompt } from './lists/server-lists.js'
import { expandServerPrompt, promptCommands } from './prompt-commands.js'

/** Of a server its name, its prompts and what it answers are looked at. */
function server(name: string, prompts: readonly Partial<ServerPrompt>[], answer: JsonObject = {}) {
  const asked: unknown[] = []
  const connection = {
    offer: () => ({ prompts: prompts.map((one) => ({ name: 'p', description: '', arguments: [], ...one })) }),
    async request(method: string, params: JsonObject) {
      asked.push([method, params])
      return answer
    },
  }
  return { asked, server: { name, connection } as unknown as SessionMcpServer }
}
const ports = { keep: async () => '/kept/file', callMs: 5 }
const { signal } = new AbortController()
const named = (...names: string[]) => ({ arguments: names.map((name) => ({ name, required: false })) })

test('prompts are listed under names that can be typed, with their arguments as a hint', () => {
  const { server: one } = server('my server', [
    {
      name: 'do it',
      description: 'd',
      arguments: [
        { name: 'what', required: true },
        { name: 'why\n', required: false },
      ],
    },
    { name: 'p\u202e', description: '' },
  ])
  assert.deepEqual(promptCommands([one, server('none', []).server]), [
    { name: 'mcp__my_server__do_it', title: 'my server:do it (MCP)', description: 'd', argumentHint: '<what> [why]' },
    { name: 'mcp__my_server__p_', title: 'my server:p (MCP)', description: '', argumentHint: '' },
  ])
})

test('words go to one argument after another, quotes hold them together, the last takes the rest', async () => {
  const cases: [string, string[], Record<string, string>][] = [
    ['', ['a', 'b'], {}],
    ['one', ['a', 'b'], { a: 'one' }],
    ['one two three', ['a', 'b'], { a: 'one', b: 'two three' }],
    [`"one two" 'three four' five`, ['a', 'b', 'c'], { a: 'one two', b: 'three four', c: 'five' }],
    ['"" x', ['a', 'b'], { a: '', b: 'x' }],
    [`it's "open`, ['a', 'b'], { a: "it's", b: '"open' }],
    ['one two', [], {}],
    ['  one \n two  ', ['a'], { a: 'one two' }],
    [
      'x y',
      ['__proto__', 'b'],
      Object.fromEntries([
        ['__proto__', 'x'],
        ['b', 'y'],
      ]),
    ],
  ]
  for (const [text, names, wanted] of cases) {
    const { server: one, asked } = server('s', [{ name: 'p', ...named(...names) }])
    await expandServerPrompt([one], 'mcp__s__p', text, ports, signal)
    assert.deepEqual(asked, [['prompts/get', { name: 'p', arguments: wanted }]], text)
  }
})

test('the messages of a prompt become parts of one prompt; who speaks is said where it is not the user', async () => {
  const { server: one } = server('s', [{ name: 'p' }], {
    messages: [
      { role: 'user', content: { type: 'text', text: 'ask' } },
      { role: 'assistant', content: { type: 'text', text: 'said' } },
      'no message',
      { role: 'user', content: { type: 'text', text: '' } },
      { role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/mp3' } },
    ],
  })
  assert.deepEqual(await expandServerPrompt([one], 'mcp__s__p', '', ports, signal), [
    { type: 'text', text: 'ask' },
    { type: 'text', text: 'Assistant:' },
    { type: 'text', text: 'said' },
    { type: 'text', text: '[audio of type audio/mp3, 3 bytes, kept in /kept/file]' },
  ])
})

test('a prompt is found by the name people type, at its own server, and asked by its real one', async () => {
  const first = server('a', [{ name: 'other' }])
  const second = server('b', [{ name: 'my prompt' }], { messages: 'no list' })
  const servers = [first.server, second.server]
  assert.deepEqual(await expandServerPrompt(servers, 'mcp__b__my_prompt', '', ports, signal), [])
  assert.deepEqual(second.asked, [['prompts/get', { name: 'my prompt', arguments: {} }]])
  assert.equal(await expandServerPrompt(servers, 'mcp__a__my_prompt', '', ports, signal), undefined)
  assert.deepEqual(first.asked, [])
})

test('a hundred messages are enough', async () => {
  const messages = Array.from({ length: 120 }, (_, at) => ({ role: 'user', content: { type: 'text', text: `${at}` } }))
  const { server: one } = server('s', [{ name: 'p' }], { messages })
  const blocks = await expandServerPrompt([one], 'mcp__s__p', '', ports, signal)
  assert.deepEqual([blocks?.length, blocks?.at(-1)], [100, { type: 'text', text: '99' }])
})
