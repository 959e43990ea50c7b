/** Strictness of scripts: what is not planned fails, what is not used fails, and failures reach the test. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelRequest } from './observed-request.js'
import { script } from './script.js'
import { startModelServer } from './server.js'
import { callServer, createHelloRequest, streamFromServer } from './test-client.js'
import type { Step } from './turn.js'

const ask = (server: { url: string }, content: string, rest: { model?: string; system?: string } = {}) =>
  streamFromServer(server, { messages: [{ role: 'user', content }], ...rest })

async function failing(turns: readonly Step[], ...prompts: string[]) {
  const server = await startModelServer(turns)
  const answers = []
  for (const prompt of prompts) answers.push(await ask(server, prompt))
  await server.close()
  return { server, answers }
}

test('a request after the last turn fails, with 500 and in assertDone()', async () => {
  const { server, answers } = await failing(['Only one.'], 'first', 'second')
  const message = 'The script has no turn left for request 1 (lane "main", 1 turns, all used); it asked: "second"'
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 500],
  )
  const refused = answers[1]
  assert.ok(refused)
  assert.deepEqual(JSON.parse(refused.text), {
    type: 'error',
    error: { type: 'api_error', message: `kedge/testing: ${message}` },
    request_id: 'req_test_2',
  })
  assert.equal(refused.headers['x-should-retry'], 'false')
  assert.throws(() => server.assertDone(), { message })
})

test('turns nobody asked for fail in assertDone(), each by name', async () => {
  function later() {
    return 'x'
  }
  const turns: Step[] = [
    'Used.',
    'A long text that goes on and on and on until it is cut',
    { thinking: 'hm', text: 'b', tools: [{ name: 'Read' }, { name: 'Edit' }] },
    { status: 429 },
    { noAnswer: 'reset' },
    { content: [{ type: 'redacted_thinking', data: 'x' }] },
    {},
    later,
  ]
  const { server } = await failing(turns, 'first')
  assert.throws(() => server.assertDone(), {
    message: [
      'The script has turns that were never asked for:',
      '  lane "main", turn 2: text "A long text that goes on and on and on …"',
      '  lane "main", turn 3: thinking, text "b", tools Read, Edit',
      '  lane "main", turn 4: status 429',
      '  lane "main", turn 5: no answer (reset)',
      '  lane "main", turn 6: content redacted_thinking',
      '  lane "main", turn 7: an empty answer',
      '  lane "main", turn 8: function later',
    ].join('\n'),
  })
})

test('leaving an await using scope asserts, for scripts and for servers', async () => {
  await assert.rejects(async () => {
    await using model = script(['Never asked.'])
    assert.deepEqual(model.requests, [])
  }, /never asked for/)
  await assert.rejects(async () => {
    await using server = await startModelServer(['Never asked.'])
    assert.deepEqual(server.requests, [])
  }, /never asked for/)
  await using used = script(['Hi'])
  await using server = await startModelServer(used)
  await ask(server, 'x')
})

test('an expectation that throws is a 500 for the agent and the same error for the test', async () => {
  const original = new Error('not what I expected')
  const { server, answers } = await failing(
    [
      {
        text: 'a',
        expect: () => {
          throw original
        },
      },
      { text: 'b', expect: async (request) => assert.equal(request.prompt, 'second') },
      { status: 529, expect: { prompt: 'something else' } },
    ],
    'first',
    'second',
    'third',
  )
  assert.deepEqual(
    answers.map(({ status }) => status),
    [500, 200, 500],
  )
  assert.throws(
    () => server.assertDone(),
    (error) => error === original,
  )
  assert.deepEqual(
    server.failures.map(({ message }) => message),
    ['not what I expected', 'request 2: prompt does not match "something else": "third"'],
  )
})

test('a step that throws, also something that is no error, fails', async () => {
  const { server, answers } = await failing(
    [
      () => {
        throw 'just a string'
      },
    ],
    'x',
  )
  assert.equal(answers[0]?.status, 500)
  assert.throws(() => server.assertDone(), { message: 'just a string' })
})

test('a turn or an option that cannot be played fails the test and not the process', async () => {
  const odd = await failing([{ text: 'x', headers: { 'bad name': 'x' } }], 'x')
  assert.equal(odd.answers[0]?.status, 500)
  assert.throws(() => odd.server.assertDone(), { code: 'ERR_INVALID_HTTP_TOKEN' })
  const server = await startModelServer([], {
    countTokens: () => {
      throw new Error('cannot count')
    },
  })
  const { status } = await callServer(`${server.url}/v1/messages/count_tokens`, { body: createHelloRequest() })
  await server.close()
  assert.equal(status, 500)
  assert.throws(() => server.assertDone(), { message: 'cannot count' })
})

test('matchers look at model, system, opening, prompt, tool results and tools', async () => {
  const request: ModelRequest = {
    index: 0,
    path: '/v1/messages',
    headers: {},
    body: { model: 'claude-test', max_tokens: 1, messages: [] },
    system: 'You are a test.',
    opening: 'Begin',
    prompt: 'Go on',
    toolResults: [{ id: 't1', text: 'found', isError: false }],
    tools: ['Read', 'Edit'],
    ended: Promise.resolve('complete'),
  }
  const all = {
    model: 'claude',
    system: /a test/,
    opening: 'Begin',
    prompt: /^Go/g,
    toolResult: 'fou',
    tools: ['Edit'],
  }
  await script([{ expect: all }]).answer(request)
  for (const wrong of [
    { model: 'gpt' },
    { system: /b test/ },
    { opening: 'Go on' },
    { prompt: /^go/ },
    { toolResult: 'lost' },
    { tools: ['Read', 'Bash'] },
  ]) {
    const field = Object.keys(wrong)[0]
    await assert.rejects(script([{ expect: { ...all, ...wrong } }]).answer(request), {
      name: 'AssertionError',
      message: new RegExp(`^request 0: ${field} does not match`),
    })
  }
})

test('a step can be made from the request, and may wait', async () => {
  await using server = await startModelServer([
    (request) => ({ text: `You said ${request.prompt}`, chunk: 99 }),
    async () => ({ status: 529, expect: { prompt: 'b' } }),
  ])
  assert.match((await ask(server, 'hello')).text, /You said hello/)
  assert.equal((await ask(server, 'b')).status, 529)
})

test('lanes keep conversations apart', async () => {
  const model = script(['main 1', 'main 2'], {
    lanes: {
      small: { when: { model: 'haiku' }, turns: () => 'small' },
      helper: { when: ({ system }) => system.includes('helper'), turns: ['helper 1', 'helper 2'] },
    },
  })
  const server = await startModelServer(model)
  const say = async (rest: { model?: string; system?: string }) => {
    const { text } = await ask(server, 'x', rest)
    return [...text.matchAll(/"text":"([^"]+)"/g)].map((match) => match[1]).join('')
  }
  const helper = { system: 'You are a helper' }
  assert.deepEqual(
    [await say({}), await say(helper), await say({ model: 'haiku-9' }), await say({ model: 'haiku-9' }), await say({})],
    ['main 1', 'helper 1', 'small', 'small', 'main 2'],
  )
  assert.throws(() => server.assertDone(), /lane "helper", turn 2: text "helper 2"$/)
  assert.equal(await say(helper), 'helper 2')
  server.assertDone()
  await say(helper)
  assert.throws(() => server.assertDone(), /no turn left for request 6 \(lane "helper", 2 turns, all used\)/)
  await server.close()
})

test("the array of turns stays the caller's", async () => {
  const turns = ['a']
  const model = script(turns)
  turns.push('b')
  await using server = await startModelServer(model)
  await ask(server, 'x')
  // A second turn would be left over.
  server.assertDone()
})
