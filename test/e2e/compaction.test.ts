/** A conversation that is summed up: on request, near the limit, and when the API finds it too long. And our other commands. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type HookInput, type Options, query, type SDKMessage, type SDKUserMessage } from 'kedge'
import { collect, type ModelRequest, type TestOptions, type Turn } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

async function talk(options: TestOptions, prompts: readonly string[], more: Options = {}): Promise<SDKMessage[]> {
  let answered = () => {}
  async function* oneByOne(): AsyncGenerator<SDKUserMessage> {
    for (const content of prompts) {
      const done = new Promise<void>((resolve) => {
        answered = resolve
      })
      yield { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' }
      await done
    }
  }
  const messages: SDKMessage[] = []
  for await (const message of query({ prompt: oneByOne(), options: { ...options, ...more } })) {
    messages.push(message)
    if (message.type === 'result') answered()
  }
  return messages
}

const full = (text: string, input_tokens = 199_000): Turn => ({ text, usage: { input_tokens } })

bothWays(
  '/compact: hooks, status, boundary and summary in the observed order; the model goes on with the summary',
  () => ['Blue it is.', 'SUMMARY: blue', 'Still blue.'],
  {},
  async ({ options, server }) => {
    const told: HookInput[] = []
    const hook = async (input: HookInput) => {
      told.push(input)
      return {}
    }
    const hooks = Object.fromEntries(
      (['PreCompact', 'PostCompact', 'SessionStart'] as const).map((event) => [event, [{ hooks: [hook] }]]),
    )
    const messages = await talk(options, ['Which color?', '/compact keep the colors', 'And now?'], { hooks })
    assert.deepEqual(kinds(messages).slice(3), [
      ...['system/status', 'system/status', 'system/init', 'system/compact_boundary', 'user', 'user', 'result'],
      ...['system/init', 'assistant', 'result'],
    ])
    const boundary = messages.find((m) => m.type === 'system' && m.subtype === 'compact_boundary')
    assert.ok(boundary?.type === 'system' && boundary.subtype === 'compact_boundary')
    assert.equal(boundary.compact_metadata.trigger, 'manual')
    assert.ok(boundary.compact_metadata.pre_tokens > 0)
    assert.deepEqual(
      told.map((input) => [
        input.hook_event_name,
        'trigger' in input ? input.trigger : 'source' in input ? input.source : '',
        'custom_instructions' in input ? input.custom_instructions : undefined,
      ]),
      [
        ['SessionStart', 'startup', undefined],
        ['PreCompact', 'manual', 'keep the colors'],
        ['SessionStart', 'compact', undefined],
        ['PostCompact', 'manual', undefined],
      ],
    )
    const [before, summary, after] = server.requests
    assert.match(JSON.stringify(summary?.body), /keep the colors/)
    // So that it comes from the provider's cache.
    const front = ({ system, tools, thinking, max_tokens } = before?.body ?? ({} as never)) => ({
      system,
      tools,
      thinking,
      max_tokens,
    })
    assert.deepEqual(front(summary?.body), front(before?.body))
    const text = JSON.stringify(after?.body.messages)
    assert.match(text, /SUMMARY: blue[\s\S]*And now\?/)
    assert.doesNotMatch(text, /Which color\?|Blue it is/)
  },
)

bothWays(
  'a resumed session begins with the summary',
  () => ['Blue it is.', 'SUMMARY: blue', 'Still blue.', 'Yes.'],
  {},
  async ({ options, server }) => {
    const messages = await talk(options, ['Which color?', '/compact', 'And now?'])
    const resume = messages[0]?.type === 'system' && messages[0].subtype === 'init' ? messages[0].session_id : ''
    await collect(query({ prompt: 'Sure?', options: { ...options, resume } }))
    const text = JSON.stringify(server.requests[3]?.body.messages)
    assert.match(text, /SUMMARY: blue[\s\S]*And now\?[\s\S]*Still blue[\s\S]*Sure\?/)
    assert.doesNotMatch(text, /Which color\?/)
  },
)

bothWays(
  'near the limit the conversation is summed up by itself, and files that were read are given again',
  () => [{ tools: [{ name: 'Read', input: { file_path: 'notes.txt' } }] }, full('Read.'), 'SUMMARY', 'Done.'],
  {},
  async ({ options, server }) => {
    writeFileSync(join(options.cwd, 'notes.txt'), 'NOTED\n')
    const messages = await talk(options, ['Read it.', 'Go on.'])
    assert.deepEqual(kinds(messages).slice(5), [
      ...['system/init', 'system/status', 'system/status', 'system/compact_boundary', 'user'],
      ...['assistant', 'result'],
    ])
    const text = JSON.stringify(server.requests[3]?.body.messages)
    assert.match(text, /SUMMARY[\s\S]*NOTED[\s\S]*Go on\./)
    assert.doesNotMatch(text, /Read it\./)
  },
)

bothWays(
  'a session that was near the limit when it ended is summed up when it is resumed',
  () => [full('Read.'), 'SUMMARY', 'Done.'],
  {},
  async ({ options, server }) => {
    const first = await collect(query({ prompt: 'Fill it.', options }))
    const resume = first.result?.session_id ?? ''
    const { messages } = await collect(query({ prompt: 'Go on.', options: { ...options, resume } }))
    const boundary = messages.find((m) => m.type === 'system' && m.subtype === 'compact_boundary')
    assert.ok(boundary?.type === 'system' && boundary.subtype === 'compact_boundary')
    assert.ok(boundary.compact_metadata.pre_tokens >= 199_000)
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /SUMMARY[\s\S]*Go on\./)
  },
)

bothWays(
  'in the middle of a turn, too; the turn goes on and has one result',
  () => [
    { tools: [{ name: 'Bash', input: { command: 'echo hi' } }], usage: { input_tokens: 190_000 } },
    'SUMMARY',
    'Done.',
  ],
  {},
  async ({ options, server }) => {
    const messages = await talk(options, ['Go.'])
    assert.equal(messages.filter((m) => m.type === 'result').length, 1)
    assert.ok(kinds(messages).includes('system/compact_boundary'))
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /SUMMARY[\s\S]*Continue the work/)
  },
)

bothWays(
  'after it the model knows its todo list, what runs, and where the shell is',
  () => [
    {
      tools: [
        { name: 'TodoWrite', input: { todos: [{ content: 'Mend', status: 'in_progress', activeForm: 'Mending' }] } },
        { name: 'Bash', input: { command: 'mkdir -p sub && cd sub' } },
        { name: 'Bash', input: { command: 'sleep 600', run_in_background: true } },
      ],
      usage: { input_tokens: 190_000 },
    },
    'SUMMARY',
    ({ body }: ModelRequest) => {
      const id = /- (b\w+): command `sleep 600`; output: /.exec(JSON.stringify(body.messages))?.[1]
      return { tools: [{ name: 'TaskStop', input: { task_id: id ?? 'unknown' } }] }
    },
    'Done.',
  ],
  { allowedTools: ['Bash'] },
  async ({ options, server }) => {
    await talk(options, ['Go.'])
    const after = JSON.stringify(server.requests[2]?.body.messages)
    assert.match(after, /Your todo list:\\n- \[in_progress\] Mend/)
    assert.match(after, /The shell is in [^.]*\/sub\./)
    assert.match(JSON.stringify(server.requests[3]?.body.messages), /Successfully stopped task/)
  },
)

bothWays(
  'a prompt that is too long for the API: one compaction and one retry',
  () => [
    'One.',
    {
      status: 400,
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    'SUMMARY',
    'Two.',
  ],
  {},
  async ({ options, server }) => {
    const messages = await talk(options, ['First.', 'Second.'])
    const result = messages.findLast((m) => m.type === 'result')
    assert.ok(result?.type === 'result' && result.subtype === 'success' && result.result === 'Two.')
    // What was asked last is not summed up.
    const text = JSON.stringify(server.requests[3]?.body.messages)
    assert.match(text, /SUMMARY[\s\S]*Second\./)
    assert.doesNotMatch(text, /First\./)
    assert.doesNotMatch(JSON.stringify(server.requests[2]?.body.messages), /Second\./)
  },
)

bothWays(
  'automatic compaction can be turned off, and made earlier',
  () => [full('One.'), 'Two.', full('One.', 30_000), 'SUMMARY', 'Two.'],
  {},
  async ({ options }) => {
    const off = { env: { ...options.env, DISABLE_AUTO_COMPACT: '1' } }
    assert.ok(!kinds(await talk(options, ['a', 'b'], off)).includes('system/compact_boundary'))
    const early = { env: { ...options.env, CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '10' } }
    assert.ok(kinds(await talk(options, ['a', 'b'], early)).includes('system/compact_boundary'))
  },
)

bothWays(
  'a PreCompact hook can hold it back; a summary that fails leaves everything as it was',
  () => ['One.', 'Two.', 'One.', { text: '' }, { text: '' }, 'Two.'],
  {},
  async ({ options, server }) => {
    const empty = await talk(options, ['/compact'])
    assert.match(JSON.stringify(empty), /<local-command-stderr>Error: There is nothing to compact yet/)
    const block = async () => ({ decision: 'block' as const, reason: 'not now' })
    const blocked = await talk(options, ['First.', '/compact', 'Second.'], {
      hooks: { PreCompact: [{ matcher: 'manual', hooks: [block] }] },
    })
    assert.match(JSON.stringify(blocked), /<local-command-stderr>Error: not now/)
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /First\.[\s\S]*One\.[\s\S]*Second\./)
    const failed = await talk(options, ['First.', '/compact', 'Second.'])
    assert.match(JSON.stringify(failed), /the model wrote no summary/)
    assert.match(JSON.stringify(server.requests[5]?.body.messages), /First\.[\s\S]*One\.[\s\S]*Second\./)
  },
)

bothWays(
  '/context, /cost, /model, /help and /clear answer without the model',
  () => ['One.', 'Two.'],
  {},
  async ({ options, server }) => {
    const messages = await talk(options, ['First.', '/context', '/cost', '/model haiku', '/help', '/clear', 'Second.'])
    const results = messages.flatMap((m) => (m.type === 'result' && m.subtype === 'success' ? [m.result] : []))
    const [, context, cost, model, help, clear, last] = results
    assert.match(context ?? '', /System prompt[\s\S]*Messages/)
    assert.match(cost ?? '', /^Total: \$/)
    assert.match(model ?? '', /haiku/)
    assert.match(help ?? '', /^\/compact <what to keep> {2}\S/m)
    assert.deepEqual([clear, last], ['The conversation was cleared.', 'Two.'])
    assert.equal(server.requests.length, 2)
    assert.doesNotMatch(JSON.stringify(server.requests[1]?.body.messages), /First\./)
    assert.match(String(server.requests[1]?.body.model), /haiku/)
    const shown = messages.filter((m) => m.type === 'user' && 'isReplay' in m && m.isReplay)
    assert.match(JSON.stringify(shown[0]), /<local-command-stdout>/)
  },
)

bothWays(
  'summarize: the host sums up in place of the model; one that fails leaves everything as it was',
  () => ['Blue it is.', 'Still blue.', 'And again.'],
  {},
  async ({ options, server }) => {
    const asked: unknown[] = []
    let works = true
    const messages = await talk(
      options,
      ['Which color?', '/compact keep colors', 'And now?', '/compact', 'Once more.'],
      {
        async summarize({ trigger, instructions, messages: said }) {
          asked.push([trigger, instructions, said.length])
          if (!works) throw new Error('out of ideas')
          works = false
          return 'OWN SUMMARY'
        },
      },
    )
    assert.deepEqual(asked, [
      ['manual', ['keep colors'], 2],
      ['manual', [], 2],
    ])
    assert.equal(server.requests.length, 3)
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /OWN SUMMARY[\s\S]*And now\?/)
    assert.match(JSON.stringify(messages), /<local-command-stderr>Error: out of ideas/)
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /OWN SUMMARY[\s\S]*Still blue[\s\S]*Once more/)
  },
)

bothWays(
  'keepToolResults: near the limit old results are left out before anything is summed up',
  () => [
    { tools: [{ id: 'old', name: 'Bash', input: { command: 'seq 1 8000' } }] },
    { tools: [{ id: 'new', name: 'Bash', input: { command: 'seq 1 3' } }], usage: { input_tokens: 172_000 } },
    'Done.',
  ],
  { keepToolResults: 1 },
  async ({ options, server }) => {
    const messages = await talk(options, ['Go.'])
    assert.ok(!kinds(messages).includes('system/compact_boundary'))
    const [, old, , last] = (server.requests[2]?.body.messages ?? []).slice(1)
    const [, before] = (server.requests[1]?.body.messages ?? []).slice(1)
    assert.match(JSON.stringify(before), /7999/)
    assert.match(JSON.stringify(old), /left out to make room/)
    assert.match(JSON.stringify(last), /1\\n2\\n3/)
  },
)

bothWays(
  '/clear holds when the session is resumed, whether anything followed or not',
  () => ['Blue.', 'Hi.', 'Red.', 'Green.', 'Hi.'],
  {},
  async ({ options, server }) => {
    for (const [prompts, request] of [
      [['Which color?', '/clear'], 1],
      [['Which color?', '/clear', 'Another?'], 4],
    ] as const) {
      const messages = await talk(options, prompts)
      const resume = messages[0]?.type === 'system' && messages[0].subtype === 'init' ? messages[0].session_id : ''
      await collect(query({ prompt: 'Go on.', options: { ...options, resume } }))
      const text = JSON.stringify(server.requests[request]?.body.messages)
      assert.match(text, /Go on\./)
      assert.doesNotMatch(text, /Which color/)
      assert.equal(/Another\?/.test(text), prompts.length === 3)
    }
  },
)

bothWays(
  'a prompt that was kept out of a summary is still there when the session is resumed',
  () => [
    'One.',
    {
      status: 400,
      error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
    },
    ...['SUMMARY', 'Two.', 'Three.'],
  ],
  {},
  async ({ options, server }) => {
    const messages = await talk(options, ['First.', 'Second.'])
    const resume = messages[0]?.type === 'system' && messages[0].subtype === 'init' ? messages[0].session_id : ''
    await collect(query({ prompt: 'Third.', options: { ...options, resume } }))
    assert.match(JSON.stringify(server.requests[4]?.body.messages), /SUMMARY[\s\S]*Second\.[\s\S]*Two\.[\s\S]*Third\./)
  },
)

bothWays(
  'a command that is interrupted by the time limit is no success, and the limit is told once',
  () => ['One.'],
  {},
  async ({ options }) => {
    const never = () => new Promise<never>(() => {})
    const hooks = { PreCompact: [{ hooks: [never] }] }
    const first = await collect(query({ prompt: 'First.', options }))
    const resume = first.result?.session_id ?? ''
    const run = await collect(query({ prompt: '/compact', options: { ...options, resume, hooks, timeoutMs: 1500 } }))
    const results = run.messages.flatMap((m) => (m.type === 'result' ? [m.terminal_reason] : []))
    assert.deepEqual(results, ['timeout'])
  },
)

bothWays(
  'SessionEnd hooks that outlast the time limit make no second result',
  () => ['One.'],
  {},
  async ({ options }) => {
    const settings = { hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: 'sleep 20' }] }] } }
    const { messages, error } = await collect(
      query({ prompt: 'Go.', options: { ...options, settings, timeoutMs: 2000 } }),
    )
    assert.equal(error, undefined)
    assert.equal(messages.filter((m) => m.type === 'result').length, 1)
  },
)

bothWays(
  'a sub-agent whose conversation is summed up still knows how many calls it made',
  () => [
    { tools: [{ name: 'Task', input: { description: 'd', prompt: 'JOB', subagent_type: 'general-purpose' } }] },
    { tools: [{ name: 'Bash', input: { command: 'echo one' } }] },
    { tools: [{ name: 'Bash', input: { command: 'echo two' } }], usage: { input_tokens: 199_000 } },
    'SUMMARY: two of three',
    { tools: [{ name: 'Bash', input: { command: 'echo three' } }] },
    'The agent is done.',
    'Done.',
  ],
  {},
  async ({ options, server }) => {
    const { messages } = await collect(query({ prompt: 'Go.', options }))
    assert.match(JSON.stringify(server.requests[4]?.body.messages), /SUMMARY: two of three/)
    assert.match(JSON.stringify(messages), /"totalToolUseCount":3/)
  },
)
