/** What the whole agent does with a provider, through `query()`: the same scripts and the same expectations for all. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSdkMcpServer, type Options, query, type SDKMessage, type SDKUserMessage, tool } from 'kedge'
import { collect } from 'kedge/testing'
import { z } from 'zod'
import type { Answer, Block } from '../support/model-api.js'
import type { Asked, Script, Spoken, SpokenServer, Step } from '../support/providers/spoken-server.js'

export type Place = { cwd: string; options: Options }
export type Ran = {
  messages: SDKMessage[]
  result: Extract<SDKMessage, { type: 'result' }> | undefined
  error: unknown
  server: SpokenServer
  spoken: Spoken
  place: Place
}
export type LoopScenario = {
  name: string
  script(place: Place): Script
  /** Before it starts. */
  prepare?(place: Place): void
  options?(place: Place): Options
  /** Absent: one prompt, `Go.` */
  run?(place: Place): Promise<SDKMessage[]>
  prompts?: readonly (string | SDKUserMessage['message']['content'])[]
  check(ran: Ran): void
}

export const say = (...text: string[]): Step => ({ answer: { blocks: [{ text }] } })
const answer = (blocks: Block[], more: Partial<Answer> = {}): Step => ({ answer: { blocks, ...more } })
let calls = 0
const call = (name: string, input: object, pieces = 1): Block => {
  const json = JSON.stringify(input)
  const size = Math.ceil(json.length / pieces)
  const parts = Array.from({ length: pieces }, (_, at) => json.slice(at * size, (at + 1) * size))
  calls += 1
  return { tool: name, id: `toolu_${calls}`, json: parts }
}
const tools = (...blocks: Block[]): Step => answer(blocks, { stopReason: 'tool_use' })

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const resultsIn = (asked: Asked | undefined) =>
  (asked?.messages ?? []).flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'))
const blocksIn = (asked: Asked | undefined, type: string) =>
  (asked?.messages ?? []).flatMap(({ content }) => content.filter((block) => block['type'] === type))
const textIn = (value: unknown) => JSON.stringify(value)

function succeeded({ result }: Ran, text?: string): void {
  assert.equal(result?.subtype, 'success', textIn(result))
  if (text !== undefined && result?.subtype === 'success') assert.equal(result.result, text)
}

const file = (name: string, content: string | Buffer) => (place: Place) => writeFileSync(join(place.cwd, name), content)
const reads =
  (...names: string[]) =>
  ({ cwd }: Place): Script => [
    tools(...names.map((name) => call('Read', { file_path: join(cwd, name) }))),
    say('Read.'),
  ]

export const LOOP_SCENARIOS: readonly LoopScenario[] = [
  {
    name: 'text',
    script: () => [say('Hello.')],
    check(ran) {
      succeeded(ran, 'Hello.')
      assert.equal(ran.server.asked[0]?.model, ran.spoken.models.sonnet)
    },
  },
  {
    name: 'text in many parts',
    script: () => [say(...'One two three four five.'.split(''))],
    check: (ran) => succeeded(ran, 'One two three four five.'),
  },
  {
    name: 'text in any alphabet, both ways',
    script: () => [say('Grüße', ' 🌍', ' 日本')],
    prompts: ['Schöne Grüße 🌍'],
    check(ran) {
      succeeded(ran, 'Grüße 🌍 日本')
      assert.match(textIn(ran.server.asked[0]?.messages), /Schöne Grüße 🌍/)
    },
  },
  {
    name: 'several blocks of text',
    script: () => [answer([{ text: ['One.'] }, { text: ['Two.'] }])],
    check(ran) {
      succeeded(ran)
      assert.match(textIn(ran.messages), /One\..*Two\./)
    },
  },
  {
    name: 'the system prompt',
    script: () => [say('Ok.')],
    options: () => ({ systemPrompt: 'You are Ada’s.' }),
    check: ({ server }) => assert.match(server.asked[0]?.system ?? '', /You are Ada’s\./),
  },
  {
    name: 'usage and cost',
    script: () => [answer([{ text: ['Ok.'] }], { outputTokens: 1000 })],
    check(ran) {
      succeeded(ran)
      const [usage] = Object.values(ran.result?.modelUsage ?? {})
      assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [10, 1000])
      // Names that tell nothing have no price.
      if (!['foundry', 'chat'].includes(ran.spoken.name)) assert.ok((ran.result?.total_cost_usd ?? 0) > 0.01)
    },
  },
  {
    name: 'one tool',
    prepare: file('a.txt', 'apples'),
    script: reads('a.txt'),
    check(ran) {
      succeeded(ran, 'Read.')
      assert.match(textIn(resultsIn(ran.server.asked[1])), /apples/)
    },
  },
  {
    name: 'the input of a tool in many parts',
    prepare: file('a.txt', 'apples'),
    script: ({ cwd }) => [tools(call('Read', { file_path: join(cwd, 'a.txt') }, 12)), say('Read.')],
    check: (ran) => assert.match(textIn(resultsIn(ran.server.asked[1])), /apples/),
  },
  {
    name: 'a tool without input',
    script: () => [tools({ tool: 'mcp__own__now', id: 'toolu_now', json: [] }), say('Ok.')],
    options: () => ({ mcpServers: { own: ownServer() }, allowedTools: ['mcp__own__now'] }),
    check: (ran) => assert.match(textIn(resultsIn(ran.server.asked[1])), /noon/),
  },
  {
    name: 'parallel tools',
    prepare(place) {
      file('a.txt', 'apples')(place)
      file('b.txt', 'pears')(place)
    },
    script: reads('a.txt', 'b.txt'),
    check(ran) {
      const results = resultsIn(ran.server.asked[1])
      assert.deepEqual(
        [results.length, /apples/.test(textIn(results[0])), /pears/.test(textIn(results[1]))],
        [2, true, true],
      )
    },
  },
  {
    name: 'text before a tool',
    prepare: file('a.txt', 'apples'),
    script: ({ cwd }) => [
      answer([{ text: ['Let me see.'] }, call('Read', { file_path: join(cwd, 'a.txt') })], { stopReason: 'tool_use' }),
      say('Ok.'),
    ],
    check(ran) {
      succeeded(ran, 'Ok.')
      assert.equal(blocksIn(ran.server.asked[1], 'tool_use').length, 1)
      assert.match(textIn(ran.server.asked[1]?.messages), /Let me see\./)
    },
  },
  {
    name: 'a tool that fails',
    script: reads('missing.txt'),
    check(ran) {
      assert.equal(resultsIn(ran.server.asked[1])[0]?.['is_error'], true)
      succeeded(ran)
    },
  },
  {
    name: 'a missing tool',
    script: () => [tools(call('Fly', {})), say('Ok.')],
    check: (ran) => assert.equal(resultsIn(ran.server.asked[1])[0]?.['is_error'], true),
  },
  {
    name: 'an input of invalid JSON',
    script: () => [tools({ tool: 'Read', id: 'toolu_x', json: ['{"file_path": '] }), say('Ok.')],
    check(ran) {
      succeeded(ran, 'Ok.')
      assert.equal(resultsIn(ran.server.asked.at(-1))[0]?.['is_error'], true)
    },
  },
  {
    name: 'a command',
    script: () => [tools(call('Bash', { command: 'echo from the shell' })), say('Ok.')],
    options: () => ({ allowedTools: ['Bash'] }),
    check: (ran) => assert.match(textIn(resultsIn(ran.server.asked[1])), /from the shell/),
  },
  {
    name: 'a denied tool',
    script: () => [tools(call('Write', { file_path: '/nowhere/x', content: 'x' })), say('Ok.')],
    options: () => ({
      disallowedTools: ['Bash'],
      canUseTool: async () => ({ behavior: 'deny', message: 'Not today.' }),
    }),
    check(ran) {
      assert.match(textIn(resultsIn(ran.server.asked[1])), /Not today/)
      assert.equal(ran.server.asked[0]?.tools.includes('Bash'), false)
    },
  },
  {
    name: 'a tool of the host (MCP)',
    script: () => [tools(call('mcp__own__double', { number: 21 })), say('Ok.')],
    options: () => ({ mcpServers: { own: ownServer() }, allowedTools: ['mcp__own__double'] }),
    check: (ran) => assert.match(textIn(resultsIn(ran.server.asked[1])), /42/),
  },
  {
    name: 'a hook that stops a tool',
    script: () => [tools(call('Read', { file_path: '/nowhere/x' })), say('Ok.')],
    options: () => ({
      hooks: {
        PreToolUse: [
          {
            hooks: [
              async () => ({
                hookSpecificOutput: {
                  hookEventName: 'PreToolUse',
                  permissionDecision: 'deny',
                  permissionDecisionReason: 'By hook.',
                },
              }),
            ],
          },
        ],
      },
    }),
    check: (ran) => assert.match(textIn(resultsIn(ran.server.asked[1])), /By hook/),
  },
  {
    name: 'many turns with tools',
    prepare: file('a.txt', 'apples'),
    script: ({ cwd }) => [
      ...Array.from({ length: 5 }, () => tools(call('Read', { file_path: join(cwd, 'a.txt') }))),
      say('Done.'),
    ],
    check(ran) {
      succeeded(ran, 'Done.')
      assert.deepEqual([ran.server.asked.length, resultsIn(ran.server.asked[5]).length], [6, 5])
    },
  },
  {
    name: 'a limit of turns',
    prepare: file('a.txt', 'apples'),
    script:
      ({ cwd }) =>
      () =>
        tools(call('Read', { file_path: join(cwd, 'a.txt') })),
    options: () => ({ maxTurns: 2 }),
    check: ({ result }) => assert.equal(result?.subtype, 'error_max_turns'),
  },
  {
    name: 'an image that a tool reads',
    prepare: file('a.png', Buffer.from(PNG, 'base64')),
    script: reads('a.png'),
    check(ran) {
      succeeded(ran, 'Read.')
      assert.match(textIn(resultsIn(ran.server.asked[1])), /"media_type":"image\/png"/)
    },
  },
  {
    name: 'an image in the prompt',
    script: () => [say('A dot.')],
    prompts: [
      [
        { type: 'text', text: 'What is it?' },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } },
      ],
    ],
    check(ran) {
      succeeded(ran, 'A dot.')
      assert.equal(blocksIn(ran.server.asked[0], 'image').length, 1)
    },
  },
  {
    name: 'thinking',
    script: () => [answer([{ thinking: ['Let me', ' think.'], signature: 'sig-1' }, { text: ['42.'] }])],
    options: () => ({ maxThinkingTokens: 2000 }),
    check(ran) {
      succeeded(ran, '42.')
      assert.equal(ran.server.asked[0]?.thinking, true)
      assert.match(textIn(ran.messages), /Let me think\./)
    },
  },
  {
    name: 'thinking goes back with its signature',
    prepare: file('a.txt', 'apples'),
    script: ({ cwd }) => [
      answer([{ thinking: ['Hm.'], signature: 'sig-1' }, call('Read', { file_path: join(cwd, 'a.txt') })], {
        stopReason: 'tool_use',
      }),
      say('Ok.'),
    ],
    options: () => ({ maxThinkingTokens: 2000 }),
    check: (ran) =>
      assert.deepEqual(blocksIn(ran.server.asked[1], 'thinking'), [
        { type: 'thinking', thinking: 'Hm.', signature: 'sig-1' },
      ]),
  },
  {
    name: 'no thinking if none is requested',
    script: () => [say('Ok.')],
    options: () => ({ thinking: { type: 'disabled' } }),
    check: ({ server }) => assert.equal(server.asked[0]?.thinking, false),
  },
  {
    name: 'raw events if requested',
    script: () => [say('He', 'llo.')],
    options: () => ({ includePartialMessages: true }),
    check(ran) {
      const deltas = ran.messages.flatMap((m) =>
        m.type === 'stream_event' && m.event.type === 'content_block_delta' ? [m.event.delta] : [],
      )
      assert.deepEqual(deltas.map((delta) => ('text' in delta ? delta.text : '')).join(''), 'Hello.')
    },
  },
  {
    name: 'a conversation of several prompts',
    script: () => [say('One.'), say('Two.')],
    prompts: ['First.', 'Second.'],
    check(ran) {
      succeeded(ran, 'Two.')
      const [first, second] = ran.server.asked
      // What was sent stays as it was: prompt caches live on that.
      assert.deepEqual(withoutMarks(second?.messages.slice(0, first?.messages.length)), withoutMarks(first?.messages))
      assert.match(textIn(second?.messages), /One\./)
    },
  },
  {
    name: 'a session that is resumed',
    script: () => [say('I am Ada.'), say('Ada.')],
    async run({ options }) {
      const first = await collect(query({ prompt: 'Who are you?', options }))
      const resume = first.result?.session_id ?? ''
      const second = await collect(query({ prompt: 'And again?', options: { ...options, resume } }))
      return [...first.messages, ...second.messages]
    },
    check: ({ server }) => assert.match(textIn(server.asked[1]?.messages), /Who are you\?.*I am Ada\..*And again\?/),
  },
  {
    name: 'a sub-agent',
    script: () => (asked) =>
      isSub(asked)
        ? say('Sub done.')
        : resultsIn(asked).length > 0
          ? say('All done.')
          : tools(call('Task', { description: 'd', prompt: 'SUB-JOB', subagent_type: 'general-purpose' })),
    check(ran) {
      succeeded(ran, 'All done.')
      assert.match(textIn(resultsIn(ran.server.asked.at(-1))), /Sub done\./)
    },
  },
  {
    name: 'a sub-agent with another model',
    script: () => (asked) =>
      isSub(asked)
        ? say('Sub done.')
        : resultsIn(asked).length > 0
          ? say('Ok.')
          : tools(call('Task', { description: 'd', prompt: 'SUB-JOB', subagent_type: 'small' })),
    options: () => ({ agents: { small: { description: 'd', prompt: 'p', model: 'haiku' } } }),
    check({ server, spoken }) {
      assert.deepEqual(
        server.asked.map(({ model }) => model),
        [spoken.models.sonnet, spoken.models.haiku, spoken.models.sonnet],
      )
    },
  },
  {
    name: 'structured output',
    script: () => [tools(call('StructuredOutput', { answer: 42 })), say('Done.')],
    options: () => ({ outputFormat: OUTPUT }),
    check({ result }) {
      assert.ok(result?.subtype === 'success')
      assert.deepEqual(result.structured_output, { answer: 42 })
    },
  },
  {
    name: 'structured output at the second try',
    script: () => [
      tools(call('StructuredOutput', { answer: 'x' })),
      tools(call('StructuredOutput', { answer: 7 })),
      say('Done.'),
    ],
    options: () => ({ outputFormat: OUTPUT }),
    check({ result, server }) {
      assert.ok(result?.subtype === 'success')
      assert.deepEqual([result.structured_output, resultsIn(server.asked[1])[0]?.['is_error']], [{ answer: 7 }, true])
    },
  },
  {
    name: 'compaction on request',
    script: () => [say('Blue.'), say('Summary: blue.'), say('Still blue.')],
    prompts: ['Which color?', '/compact', 'And now?'],
    check(ran) {
      assert.ok(ran.messages.some((m) => m.type === 'system' && m.subtype === 'compact_boundary'))
      assert.match(textIn(ran.server.asked[2]?.messages), /Summary: blue\./)
    },
  },
  {
    name: 'compaction if the API rejects the length',
    script: () => [say('Blue.'), { error: 'too_long' }, say('Summary: blue.'), say('Still blue.')],
    prompts: ['Which color?', 'And now?'],
    check(ran) {
      succeeded(ran, 'Still blue.')
      assert.ok(ran.messages.some((m) => m.type === 'system' && m.subtype === 'compact_boundary'))
    },
  },
  {
    name: 'an exhausted budget',
    script: () => () => answer([call('Bash', { command: 'true' })], { stopReason: 'tool_use', outputTokens: 5000 }),
    options: () => ({
      allowedTools: ['Bash'],
      maxBudgetUsd: 0.05,
      settings: JSON.stringify({
        modelPrices: { 'our-sonnet': { input: 3, output: 15 }, 'ollama/gpt-oss:120b': { input: 3, output: 15 } },
      }),
    }),
    check: ({ result }) => assert.equal(result?.subtype, 'error_max_budget_usd'),
  },
  {
    name: 'a response cut at its limit',
    script: () => [answer([{ text: ['Once upon'] }], { stopReason: 'max_tokens' }), say(' a time.')],
    check(ran) {
      succeeded(ran, 'Once upon a time.')
      assert.match(textIn(ran.server.asked[1]?.messages), /Once upon/)
    },
  },
  {
    name: 'a refused response',
    script: () => [answer([{ text: ['I can’t.'] }], { stopReason: 'refusal' })],
    check: ({ result, server }) => assert.deepEqual([result?.is_error, server.asked.length], [true, 1]),
  },
  {
    name: 'an interrupt during a response',
    script: () => [{ stall: { blocks: [{ text: ['Once upon', ' a time'] }] }, after: 5 }],
    async run({ options }) {
      const running = query({ prompt: stay('Tell.'), options: { ...options, includePartialMessages: true } })
      const messages: SDKMessage[] = []
      for await (const message of running) {
        messages.push(message)
        if (message.type === 'stream_event' && message.event.type === 'content_block_delta') await running.interrupt()
        if (message.type === 'result') break
      }
      return messages
    },
    check: ({ result }) => assert.equal(result?.subtype, 'error_during_execution'),
  },
  {
    name: 'the end of a query before the response',
    script: () => [{ stall: { blocks: [] }, after: 0 }],
    async run({ options }) {
      const abortController = new AbortController()
      const running = query({ prompt: 'Tell.', options: { ...options, abortController } })
      const messages: SDKMessage[] = []
      try {
        for await (const message of running) {
          messages.push(message)
          if (message.type === 'system' && message.subtype === 'init') abortController.abort()
        }
      } catch (error) {
        assert.match(String(error), /abort/i)
      }
      return messages
    },
    check: ({ messages }) => assert.ok(messages.length > 0),
  },
  {
    name: 'the model by alias, and changed during a session',
    script: () => [say('One.'), say('Two.')],
    options: () => ({ model: 'opus' }),
    async run({ options }) {
      let next = () => {}
      const waits = new Promise<void>((resolve) => {
        next = resolve
      })
      async function* prompts(): AsyncGenerator<SDKUserMessage> {
        yield userMessage('First.')
        await waits
        yield userMessage('Second.')
      }
      const running = query({ prompt: prompts(), options })
      const messages: SDKMessage[] = []
      for await (const message of running) {
        messages.push(message)
        if (message.type !== 'result') continue
        await running.setModel('haiku')
        next()
      }
      return messages
    },
    check: ({ server, spoken }) =>
      assert.deepEqual(
        server.asked.map(({ model }) => model),
        [spoken.models.opus, spoken.models.haiku],
      ),
  },
  {
    name: 'the list of models and the account',
    script: () => [say('Ok.')],
    async run({ options }) {
      const running = query({ prompt: stay('Hi.'), options })
      const models = await running.supportedModels()
      const account = await running.accountInfo()
      assert.ok(models.length >= 4)
      assert.ok(account.tokenSource !== 'none' || account.apiKeySource !== undefined, textIn(account))
      const isCloud = Object.keys(options.env ?? {}).some((name) => name.startsWith('CLAUDE_CODE_USE_'))
      assert.equal(account.apiProvider !== undefined, isCloud, textIn(account))
      const messages: SDKMessage[] = []
      for await (const message of running) {
        messages.push(message)
        if (message.type === 'result') break
      }
      return messages
    },
    check: (ran) => succeeded(ran, 'Ok.'),
  },
  {
    name: 'a final error ends with one result',
    script: () => [{ error: 'invalid', message: 'scripted: nonsense' }],
    check({ result, server }) {
      assert.ok(result?.is_error)
      assert.match(textIn(result), /nonsense/)
      assert.equal(server.asked.length, 1)
    },
  },
  {
    name: 'WebSearch is offered only if it works',
    script: () => [say('Ok.')],
    check({ server, spoken }) {
      assert.equal(server.asked[0]?.tools.includes('WebSearch'), !['bedrock', 'mantle'].includes(spoken.name))
    },
  },
  {
    name: 'the transcript is complete and contains no secret',
    script: () => [tools(call('Bash', { command: 'env' })), say('Ok.')],
    options: () => ({ allowedTools: ['Bash'] }),
    check({ messages, place, server }) {
      const id = messages.find((m) => m.type === 'result')?.session_id ?? ''
      const folder = String(place.options.env?.['CLAUDE_CONFIG_DIR'])
      const transcript = readFileSync(
        join(folder, 'projects', place.cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${id}.jsonl`),
        'utf8',
      )
      assert.match(transcript, /Ok\./)
      // What a command needs of AWS stays in its environment; keys that are for models alone do not.
      const keys = Object.entries(server.env()).filter(([name]) => /^ANTHROPIC_.*(?:KEY|TOKEN)$/.test(name))
      for (const [, value] of keys) assert.ok(!transcript.includes(value))
    },
  },
]

const OUTPUT = {
  type: 'json_schema' as const,
  schema: { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] },
}

function isSub({ messages }: Asked): boolean {
  return messages[0]?.role === 'user' && /SUB-JOB/.test(textIn(messages[0].content))
}

function ownServer() {
  return createSdkMcpServer({
    name: 'own',
    tools: [
      tool('double', 'Doubles.', { number: z.number() }, async ({ number }) => ({
        content: [{ type: 'text', text: String(number * 2) }],
      })),
      tool('now', 'The time.', {}, async () => ({ content: [{ type: 'text', text: 'noon' }] })),
    ],
  })
}

export function userMessage(content: SDKUserMessage['message']['content']): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' }
}

/** A prompt whose input stays open. */
async function* stay(text: string): AsyncGenerator<SDKUserMessage> {
  yield userMessage(text)
  await new Promise<void>((resolve) => setTimeout(resolve, 10_000).unref())
}

function withoutMarks(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (key, inner) => (key === 'cache_control' ? undefined : inner)))
}
