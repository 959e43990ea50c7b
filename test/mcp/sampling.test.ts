/** Sampling: a server puts a question to the session's model, where its configuration says so and permission is given. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { type CanUseTool, createSdkMcpServer, type Options, query, type SDKUserMessage, tool } from 'kedge'
import { collect, startModelServer, type Turn, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { openSession } from './session.js'

/** The reference server, which has a tool that samples for clients that say they can. */
const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')
const program = join(dirname(manifest), String(Object.values(JSON.parse(readFileSync(manifest, 'utf8')).bin)[0]))
const every = { command: process.execPath, args: [program, 'stdio'] }
const SAMPLE = 'mcp__every__trigger-sampling-request'
const PERMISSION = 'mcp__every__sampling.createMessage'
const asked = { prompt: 'How deep is the sea?', maxTokens: 77 }
const say = (text: string) => ({ content: [{ type: 'text' as const, text }] })
const hello = { role: 'user', content: { type: 'text', text: 'Hello?' } }

/** A server of the host that samples with what the model gives it, and says what came of it. */
const own = (sampling = true) =>
  createSdkMcpServer({
    name: 'own',
    sampling,
    tools: [
      tool('ask', 'Asks.', { type: 'object' }, async (params, { sendRequest }) =>
        sendRequest({ method: 'sampling/createMessage', params: { ...params } }).then(
          (result) => say(JSON.stringify(result)),
          (error: Error) => say(`Refused: ${error.message}`),
        ),
      ),
    ],
  })

/** A turn that calls a tool, with what the model says to the server in between. */
async function callAndSample(options: Options, name: string, input: object, ...answers: Turn[]) {
  await using session = await openSession({ allowedTools: ['mcp__own__ask', SAMPLE], ...options })
  if (options.mcpServers?.['every']) await session.ready('every')
  session.plan({ tools: [{ id: 'toolu_x', name, input: { ...input } }] }, ...answers, 'Done.')
  const { messages, result } = await session.say('Go.')
  const heard = JSON.stringify(messages.find((m) => m.type === 'user'))
  return { heard, result, requests: session.model.requests }
}

for (const isolation of isolationsOf('sampling: asked of canUseTool, answered by')) {
  test(`sampling: asked of canUseTool, answered by the model of the session, and paid by it (${isolation})`, async () => {
    const questions: unknown[] = []
    const canUseTool: CanUseTool = async (name, input) => {
      questions.push([name, input['maxTokens']])
      return { behavior: 'allow', updatedInput: input }
    }
    const mcpServers = { every: { ...every, sampling: true } }
    const answer = { text: 'Very deep.', usage: { input_tokens: 1000, output_tokens: 50 } }
    const { heard, result, requests } = await callAndSample(
      { isolation, mcpServers, canUseTool, allowedTools: [SAMPLE] },
      SAMPLE,
      asked,
      answer,
    )
    assert.deepEqual(questions, [[PERMISSION, 77]])
    assert.match(heard, /Very deep\./)
    const [, sampled] = requests
    assert.equal(sampled?.body.max_tokens, 77)
    assert.deepEqual(sampled?.body.tools, [])
    assert.match(JSON.stringify(sampled?.body.messages), /How deep is the sea\?/)
    assert.equal(requests.length, 3)
    const [usage] = Object.values(result.modelUsage)
    assert.ok(usage && usage.inputTokens >= 1000 && usage.outputTokens >= 50, JSON.stringify(usage))
  })
}

describe('sampling', () => {
  test('without `sampling` a server is not told of it, and refused with the error of the specification', async () => {
    await using session = await openSession({ mcpServers: { every } })
    const { tools = [] } = await session.ready('every')
    assert.ok(!tools.some(({ name }) => name === 'trigger-sampling-request'))
    const { heard, requests } = await callAndSample({ mcpServers: { own: own(false) } }, 'mcp__own__ask', {
      messages: [hello],
      maxTokens: 9,
    })
    assert.match(heard, /Refused: Sampling is not enabled/)
    assert.equal(requests.length, 2)
  })

  test('a no, and nobody to ask, are told to the server, and the model is not asked', async () => {
    const mcpServers = { every: { ...every, sampling: true } }
    const canUseTool: CanUseTool = async () => ({ behavior: 'deny', message: 'Not with my money.' })
    const denied = await callAndSample({ mcpServers, canUseTool }, SAMPLE, asked)
    assert.match(denied.heard, /Not with my money/)
    const alone = await callAndSample({ mcpServers }, SAMPLE, asked)
    assert.match(alone.heard, /haven't granted it/)
    const ruled = await callAndSample({ mcpServers, disallowedTools: [PERMISSION] }, SAMPLE, asked)
    assert.match(ruled.heard, /denied/)
    for (const { requests } of [denied, alone, ruled]) assert.equal(requests.length, 2)
  })

  test('rules: by its name, or by that of the server; whoever allows it may change the question', async () => {
    const mcpServers = { own: own() }
    const rule = 'mcp__own__sampling.createMessage'
    const input = { messages: [hello], maxTokens: 9, systemPrompt: 'Be brief.', stopSequences: ['STOP'] }
    for (const allowedTools of [['mcp__own__ask', rule], ['mcp__own']]) {
      const { heard, requests } = await callAndSample({ mcpServers, allowedTools }, 'mcp__own__ask', input, {
        text: 'one STOP two',
      })
      assert.match(heard, /\{\\"type\\":\\"text\\",\\"text\\":\\"one \\"\}/)
      assert.match(heard, /\\"stopReason\\":\\"stopSequence\\"/)
      assert.match(JSON.stringify(requests[1]?.body.system), /Be brief\./)
    }
    const canUseTool: CanUseTool = async (_name, question) => ({
      behavior: 'allow',
      updatedInput: { ...question, messages: [{ role: 'user', content: { type: 'text', text: 'Edited.' } }] },
    })
    const changed = await callAndSample({ mcpServers, canUseTool }, 'mcp__own__ask', input, { text: 'Yes.' })
    assert.match(JSON.stringify(changed.requests[1]?.body.messages), /Edited\./)
    assert.doesNotMatch(JSON.stringify(changed.requests[1]?.body.messages), /Hello\?/)
  })

  test('what is no question is refused before anybody is asked', async () => {
    const canUseTool: CanUseTool = async () => assert.fail('asked')
    await using session = await openSession({
      mcpServers: { own: own() },
      canUseTool,
      allowedTools: ['mcp__own__ask'],
    })
    for (const params of [
      { messages: [], maxTokens: 9 },
      { messages: [hello] },
      { messages: [hello], maxTokens: 0 },
      { messages: [hello], maxTokens: 9, toolChoice: { mode: 'any' } },
      { messages: [{ role: 'system', content: hello.content }], maxTokens: 9 },
      { messages: [{ role: 'assistant', content: hello.content }], maxTokens: 9 },
      { messages: [{ role: 'user', content: { type: 'audio', data: 'AAAA', mimeType: 'audio/wav' } }], maxTokens: 9 },
      { messages: [null], maxTokens: 9 },
    ]) {
      assert.match(
        (await session.call('mcp__own__ask', params)).text,
        /^Refused: (There|`maxTokens`|`toolChoice|The first message|A message|Content)/,
        JSON.stringify(params),
      )
    }
  })

  test('with tools: the model calls tools of the server, which runs them; rules and budget are those of any question', async () => {
    const tools = [
      { name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } },
    ]
    const call = { type: 'tool_use', id: 'toolu_add', name: 'add', input: { a: 1 } }
    const result = { type: 'tool_result', toolUseId: 'toolu_add', content: [{ type: 'text', text: '2' }] }
    const questions: unknown[] = []
    const canUseTool: CanUseTool = async (name, input) => {
      questions.push([name, Array.isArray(input['tools']) && input['tools'].length])
      return { behavior: 'allow', updatedInput: input }
    }
    const options = { mcpServers: { own: own() }, canUseTool }
    const first = { messages: [hello], maxTokens: 9, tools, toolChoice: { mode: 'required' } }
    const called = await callAndSample(options, 'mcp__own__ask', first, {
      text: 'I add.',
      tools: [{ id: 'toolu_add', name: 'add', input: { a: 1 } }],
    })
    assert.deepEqual(questions, [['mcp__own__sampling.createMessage', 1]])
    const { body } = called.requests[1] ?? assert.fail()
    assert.deepEqual(
      [body.tools, body.tool_choice],
      [[{ name: 'add', description: 'Adds.', input_schema: tools[0]?.inputSchema }], { type: 'any' }],
    )
    assert.match(called.heard, /\\"stopReason\\":\\"toolUse\\"/)
    assert.match(called.heard, /\\"text\\":\\"I add\.\\"\},\{\\"type\\":\\"tool_use\\",\\"id\\":\\"toolu_add\\"/)
    const messages = [hello, { role: 'assistant', content: [call] }, { role: 'user', content: [result] }]
    const next = await callAndSample(options, 'mcp__own__ask', { messages, maxTokens: 9, tools }, { text: 'Two.' })
    assert.match(JSON.stringify(next.requests[1]?.body.messages), /"tool_use_id":"toolu_add"/)
    assert.equal(next.requests[1]?.body.tool_choice, undefined)
    assert.match(next.heard, /Two\./)
  })

  test('a spent budget and a failure of the API are told to the server', async () => {
    const options = { mcpServers: { own: own() }, allowedTools: ['mcp__own'] }
    const input = { messages: [hello], maxTokens: 9 }
    const broke = await callAndSample({ ...options, maxBudgetUsd: 0.000001 }, 'mcp__own__ask', input)
    assert.equal(broke.result.subtype, 'error_max_budget_usd')
    assert.equal(broke.requests.length, 1)
    const failing = await callAndSample(options, 'mcp__own__ask', input, { status: 400 })
    assert.match(failing.heard, /Refused: .*400/)
    assert.equal(failing.result.subtype, 'success')
  })

  test('it ends with the call that it was for; without one there is none', async () => {
    const late: Promise<unknown>[] = []
    const question = { method: 'sampling/createMessage', params: { messages: [hello], maxTokens: 9 } }
    const server = createSdkMcpServer({
      name: 'own',
      sampling: true,
      tools: [
        tool('leave', 'Asks and does not wait.', {}, async (_, { sendRequest }) => {
          late.push(sendRequest(question).catch((error) => String(error)))
          return say('left')
        }),
        tool('later', 'Asks when its call is over.', {}, async (_, { sendRequest }) => {
          late.push(new Promise((resolve) => setTimeout(resolve, 200)).then(() => sendRequest(question)).catch(String))
          return say('left')
        }),
      ],
    })
    let requests = 0
    await using model = await startModelServer(({ prompt }) => {
      if (prompt.includes('Hello?')) return { text: 'Too late.', stallAfterEvents: 1 }
      const name = ['leave', 'later'][requests++]
      return name === undefined ? 'Done.' : { tools: [{ name: `mcp__own__${name}`, input: {} }] }
    })
    await using options = testOptions(model, { mcpServers: { own: server }, allowedTools: ['mcp__own'] })
    // The session is there until both have their answer.
    async function* heldOpen(): AsyncGenerator<SDKUserMessage> {
      yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '' }
      while (late.length < 2) await new Promise((resolve) => setTimeout(resolve, 10))
      await Promise.all(late)
    }
    const running = query({ prompt: heldOpen(), options })
    assert.equal((await collect(running)).error, undefined)
    const [left, later] = await Promise.all(late)
    assert.match(String(left), /over|Canceled/)
    assert.match(String(later), /No call is under way|over/)
  })
})
