import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EngineRequest } from '../../engine/model-port.js'
import { failureEvents, testAssistantMessage, textBlock } from '../../engine/test-ports.js'
import { RpcRefusal } from '../../mcp/rpc.js'
import type { JsonObject } from '../../protocol/json.js'
import { createTestConversation } from '../test-conversation.js'
import { answerSampling, toSamplingPermissionName } from './sampling.js'

type Decision = { behavior: 'allow' } | { behavior: 'deny' | 'ask'; message: string }

function start({
  decision = { behavior: 'allow' } as Decision,
  answer = undefined as unknown,
  said = 'Four.',
  stopReason = 'end_turn' as never,
  events = undefined as unknown[] | undefined,
} = {}) {
  const requests: EngineRequest[] = []
  const asked: unknown[] = []
  const applied: unknown[] = []
  const { conversation } = createTestConversation({
    model: { current: () => 'my-model' } as never,
    ports: {
      permissions: {
        async decide(call: { name: string; input: object }) {
          asked.push([call.name, call.input])
          return decision
        },
        async ask(question: { warning?: string }) {
          asked.push(question.warning)
          return answer
        },
        apply: async (updates: unknown[]) => void applied.push(...updates),
      },
      model: {
        async *stream(request: EngineRequest) {
          requests.push(request)
          const outcome = { ok: true, message: testAssistantMessage([textBlock(said)], stopReason), streamed: true }
          yield* events ?? [{ type: 'end', outcome }]
        },
      },
    } as never,
  })
  const ask = (params: JsonObject, signal = new AbortController().signal) =>
    answerSampling('my web', params, conversation, signal)
  return { ask, requests, asked, applied }
}

const QUESTION = { messages: [{ role: 'user', content: { type: 'text', text: 'Two and two?' } }], maxTokens: 100 }

async function refusal(work: Promise<unknown>): Promise<[number, string]> {
  const error = await work.then(
    () => assert.fail('it was answered'),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof RpcRefusal, String(error))
  return [error.rpcCode, error.message]
}

describe('a question of a server', () => {
  test('goes to the session’s model, and the answer back', async () => {
    const { ask, requests, asked } = start()
    assert.deepEqual(await ask({ ...QUESTION, systemPrompt: 'Be brief.' }), {
      role: 'assistant',
      content: { type: 'text', text: 'Four.' },
      model: 'test-model',
      stopReason: 'endTurn',
    })
    const [{ model, system, messages, maxTokens, tools } = assert.fail()] = requests
    assert.deepEqual(
      { model, system, messages, maxTokens, tools },
      {
        model: 'my-model',
        system: ['Be brief.'],
        messages: [{ role: 'user', content: [{ type: 'text', text: 'Two and two?' }] }],
        maxTokens: 100,
        tools: [],
      },
    )
    assert.deepEqual((asked[0] as unknown[])[0], 'mcp__my_web__sampling.createMessage')
    assert.equal(toSamplingPermissionName('my web'), 'mcp__my_web__sampling.createMessage')
  })

  test('may hold several blocks, and images that the model takes', async () => {
    const { ask, requests } = start()
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' }
    await ask({ ...QUESTION, messages: [{ role: 'user', content: [{ type: 'text', text: 'What?' }, image] }] })
    assert.deepEqual(requests[0]?.messages[0]?.content, [
      { type: 'text', text: 'What?' },
      { type: 'image', source: { type: 'base64', data: 'AAAA', media_type: 'image/png' } },
    ])
  })

  test('gets as many tokens as there are, and whole ones', async () => {
    const { ask, requests } = start()
    await ask({ ...QUESTION, maxTokens: 10.9 })
    await ask({ ...QUESTION, maxTokens: 1e9 })
    assert.deepEqual(
      requests.map(({ maxTokens }) => maxTokens),
      [10, 64_000],
    )
  })

  const stops: [said: string, sequences: unknown, text: string, reason: string][] = [
    ['one STOP two', ['STOP'], 'one ', 'stopSequence'],
    ['one END two STOP', ['STOP', 'END'], 'one ', 'stopSequence'],
    ['one two', ['STOP'], 'one two', 'endTurn'],
    ['one', ['', 5, null], 'one', 'endTurn'],
    ['one', 'one', 'one', 'endTurn'],
  ]
  for (const [said, stopSequences, text, stopReason] of stops) {
    test(`cut at ${JSON.stringify(stopSequences)}: ${said}`, async () => {
      const answer = await start({ said }).ask({ ...QUESTION, stopSequences: stopSequences as never })
      assert.deepEqual([(answer['content'] as { text: string }).text, answer['stopReason']], [text, stopReason])
    })
  }

  test('why the model ended is told in the words of the protocol', async () => {
    assert.equal((await start({ stopReason: 'max_tokens' as never }).ask(QUESTION))['stopReason'], 'maxTokens')
    assert.equal((await start({ stopReason: 'refusal' as never }).ask(QUESTION))['stopReason'], 'refusal')
    assert.equal((await start({ stopReason: null as never }).ask(QUESTION))['stopReason'], 'endTurn')
  })

  test('a failure of the model is told in one line', async () => {
    const [code, said] = await refusal(start({ events: failureEvents('overloaded') }).ask(QUESTION))
    assert.deepEqual([code, said], [-32_603, 'It failed: overloaded.'])
    assert.deepEqual(await refusal(start({ events: [] }).ask(QUESTION)), [-32_603, 'Canceled.'])
  })
})

describe('permission for it', () => {
  test('denied by a rule: the model is not asked', async () => {
    const { ask, requests } = start({ decision: { behavior: 'deny', message: 'No.' } })
    assert.deepEqual(await refusal(ask(QUESTION)), [-1, 'No.'])
    assert.deepEqual(requests, [])
  })

  test('asked of the user, who is told at whose expense', async () => {
    const answer = { behavior: 'allow', input: { ...QUESTION, maxTokens: 7 }, updates: ['always'] }
    const { ask, requests, asked, applied } = start({ decision: { behavior: 'ask', message: 'May it?' }, answer })
    await ask(QUESTION)
    assert.match(String(asked[1]), /at your expense/)
    // What the host made of it is what is asked.
    assert.equal(requests[0]?.maxTokens, 7)
    assert.deepEqual(applied, ['always'])
  })

  test('what the host makes of it is looked at again', async () => {
    const answer = { behavior: 'allow', input: { messages: [] }, updates: [] }
    const { ask, requests } = start({ decision: { behavior: 'ask', message: 'May it?' }, answer })
    assert.equal((await refusal(ask(QUESTION)))[0], -32_602)
    assert.deepEqual(requests, [])
  })

  test('a no, and nobody to ask', async () => {
    const decision: Decision = { behavior: 'ask', message: 'Nobody was asked.' }
    const no = start({ decision, answer: { behavior: 'deny', message: 'Not now.' } })
    assert.deepEqual(await refusal(no.ask(QUESTION)), [-1, 'Not now.'])
    assert.deepEqual(await refusal(start({ decision }).ask(QUESTION)), [-1, 'Nobody was asked.'])
  })
})

describe('what makes no question is asked of nobody', () => {
  const user = (content: unknown) => [{ role: 'user', content }]
  const rows: [what: string, params: object][] = [
    ['tools that are no list', { ...QUESTION, tools: {} }],
    ['a tool without a name', { ...QUESTION, tools: [{ inputSchema: { type: 'object' } }] }],
    ['a tool without a schema', { ...QUESTION, tools: [{ name: 'add' }] }],
    [
      'two tools of one name',
      { ...QUESTION, tools: [1, 2].map(() => ({ name: 'a', inputSchema: { type: 'object' } })) },
    ],
    ['too many tools', { ...QUESTION, tools: Array.from({ length: 129 }, () => ({})) }],
    ['a choice of tools that does not exist', { ...QUESTION, toolChoice: { mode: 'any' } }],
    [
      'a call that the user makes',
      { ...QUESTION, messages: user({ type: 'tool_use', id: 'a', name: 'b', input: {} }) },
    ],
    ['a result without a call', { ...QUESTION, messages: user({ type: 'tool_result', content: [] }) }],
    [
      'a result with sound',
      { ...QUESTION, messages: user({ type: 'tool_result', toolUseId: 'a', content: [{ type: 'audio' }] }) },
    ],
    ['no number of tokens', { messages: QUESTION.messages }],
    ['no tokens', { ...QUESTION, maxTokens: 0 }],
    ['text for tokens', { ...QUESTION, maxTokens: '100' }],
    ['no messages', { ...QUESTION, messages: [] }],
    ['messages that are none', { ...QUESTION, messages: 'Two and two?' }],
    ['the model first', { ...QUESTION, messages: [{ role: 'assistant', content: { type: 'text', text: 'x' } }] }],
    ['a stranger', { ...QUESTION, messages: [{ role: 'system', content: { type: 'text', text: 'x' } }] }],
    ['null', { ...QUESTION, messages: [null] }],
    ['sound', { ...QUESTION, messages: user({ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }) }],
    ['an image of another kind', { ...QUESTION, messages: user({ type: 'image', data: 'A', mimeType: 'image/bmp' }) }],
    ['text that is none', { ...QUESTION, messages: user({ type: 'text', text: 5 }) }],
    ['nothing', { ...QUESTION, messages: user(undefined) }],
  ]
  for (const [what, params] of rows) {
    test(what, async () => {
      const { ask, asked, requests } = start()
      assert.equal((await refusal(ask(params as JsonObject)))[0], -32_602)
      assert.deepEqual([asked, requests], [[], []])
    })
  }

  test('an image that is too large', async () => {
    const data = 'A'.repeat(5 * 1024 * 1024 + 1)
    const { ask } = start()
    assert.equal(
      (await refusal(ask({ ...QUESTION, messages: user({ type: 'image', data, mimeType: 'image/png' }) } as never)))[0],
      -32_602,
    )
  })
})
