/** Streams as the vendors' documentation shows them mean here what they mean there; each file says where it is from. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { AssistantMessage } from '../../src/protocol/content.js'
import { PROVIDERS } from '../support/providers/all-providers.js'
import { chunkFrame } from '../support/providers/messages-family.js'
import { spokenClient } from '../support/providers/spoken-client.js'
import { startSpoken } from '../support/providers/spoken-server.js'

type Expected = Pick<AssistantMessage, 'id' | 'model' | 'stop_reason'> & {
  content: object[]
  /** input, cache read, output */
  tokens: [number, number, number]
}

const SONNET = 'claude-sonnet-4-5-20250929'
const HELLO: Expected = {
  id: 'msg_1nZdL29xx5MUA1yADyHTEsnf8uuvGGszyza',
  model: SONNET,
  stop_reason: 'end_turn',
  tokens: [25, 0, 15],
  content: [{ type: 'text', text: 'Hello!' }],
}
const THOUGHT = [
  ...['Let me solve this step by step:', '', '1. First break down 27 * 453', '2. 453 = 400 + 50 + 3'],
  ...['3. 27 * 400 = 10,800', '4. 27 * 50 = 1,350', '5. 27 * 3 = 81', '6. 10,800 + 1,350 + 81 = 12,231'],
].join('\n')
const SIGNATURE = 'EqQBCgIYAhIM1gbcDa9GJwZA2b3hGgxBdjrkzLoky3dl1pkiMOYds'
const PARIS = { type: 'tool_use', name: 'get_weather', input: { location: 'Paris, France' } }

const RECORDED: [file: string, provider: string, expected: Expected][] = [
  ['messages-text.sse', 'messages', HELLO],
  [
    'messages-tool.sse',
    'messages',
    {
      id: 'msg_014p7gG3wDgGV9EUtLvnow3U',
      model: SONNET,
      stop_reason: 'tool_use',
      tokens: [472, 0, 89],
      content: [
        { type: 'text', text: "Okay, let's check the weather for San Francisco, CA:" },
        {
          type: 'tool_use',
          id: 'toolu_01T1x1fJ34qAmk2tNTrN7Up6',
          name: 'get_weather',
          input: { location: 'San Francisco, CA', unit: 'fahrenheit' },
        },
      ],
    },
  ],
  [
    'messages-thinking.sse',
    'messages',
    {
      id: 'msg_01abcdefghijklmnop',
      model: SONNET,
      stop_reason: 'end_turn',
      tokens: [40, 0, 120],
      content: [
        { type: 'thinking', thinking: THOUGHT, signature: SIGNATURE },
        { type: 'text', text: '27 * 453 = 12,231' },
      ],
    },
  ],
  ['vertex-text.sse', 'vertex', { ...HELLO, id: 'msg_vrtx_01AbCdEfGhIjKlMnOpQrStUv' }],
  ['bedrock-text.jsonl', 'bedrock', HELLO],
  [
    'responses-text.sse',
    'responses',
    {
      id: 'resp_67c9fdcecf488190bdd9a0409de3a1ec07b8b0ad4e5eb654',
      model: 'gpt-4.1-2025-04-14',
      stop_reason: 'end_turn',
      tokens: [37, 0, 11],
      content: [{ type: 'text', text: 'Hi there! How can I assist you today?' }],
    },
  ],
  [
    'responses-call.sse',
    'responses',
    {
      id: 'resp_1234xyz',
      model: 'gpt-4.1',
      stop_reason: 'tool_use',
      tokens: [291, 0, 23],
      content: [{ ...PARIS, id: 'call_1234xyz' }],
    },
  ],
  [
    'chat-text.sse',
    'chat',
    {
      id: 'chatcmpl-123',
      model: 'gpt-4o-mini',
      stop_reason: 'end_turn',
      tokens: [0, 0, 0],
      content: [{ type: 'text', text: 'Hello' }],
    },
  ],
  [
    'chat-call.sse',
    'chat',
    {
      id: 'chatcmpl-123',
      model: 'gpt-4.1',
      stop_reason: 'tool_use',
      tokens: [82, 0, 17],
      content: [{ ...PARIS, id: 'call_DdmO9pD3xa9XTPNJ32zg2hcA' }],
    },
  ],
]

const read = (file: string) => readFileSync(`test/providers/documented/${file}`, 'utf8')

/** As it goes over the wire. */
function bytesOf(file: string): Buffer {
  if (!file.endsWith('.jsonl')) return Buffer.from(read(file))
  const [, ...events] = read(file).trim().split('\n')
  return Buffer.concat(events.map((event) => chunkFrame(JSON.parse(event))))
}

function providerOf(name: string, file: string) {
  const spoken = PROVIDERS.find((one) => one.name === name)
  assert.ok(spoken, name)
  return { ...spoken, frames: () => [bytesOf(file)] }
}

for (const [file, name, { tokens, ...expected }] of RECORDED)
  test(`${file} parses as documented, also byte by byte`, async () => {
    const answer = { blocks: [] }
    await using server = await startSpoken(providerOf(name, file), [{ answer }, { answer, pieceSize: 1 }])
    await using client = await spokenClient({ env: server.env() })
    for (const way of ['whole', 'byte by byte']) {
      const { outcome } = await client.ask({ partial: true })
      assert.ok(outcome.ok, JSON.stringify(outcome))
      const { id, model, stop_reason, content, usage } = outcome.message
      const plain = content.map((block) => {
        const { citations: _, ...rest } = { citations: null, ...block }
        return rest
      })
      assert.deepEqual({ id, model, stop_reason, content: plain }, expected, way)
      const { input_tokens, cache_read_input_tokens: cached, output_tokens } = usage
      assert.deepEqual([input_tokens, cached ?? 0, output_tokens], tokens, way)
    }
    assert.deepEqual(server.problems, [])
  })

test('messages-error.sse: what came before the error is void, and the answer is asked for again', async () => {
  const again = { blocks: [{ text: ['Hello.'] }] }
  await using server = await startSpoken(providerOf('messages', 'messages-error.sse'), [
    { answer: { blocks: [] } },
    { whole: again },
  ])
  await using client = await spokenClient({ env: server.env() })
  const { outcome } = await client.ask()
  assert.ok(outcome.ok)
  assert.deepEqual([outcome.streamed, server.asked.length], [false, 2])
  assert.match(JSON.stringify(outcome.message.content), /"Hello\."/)
})
