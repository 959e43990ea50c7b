import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  deleteSession,
  foldSessionSummary,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  type HookInput,
  listSessions,
  listSubagents,
  type Options,
  query,
  renameSession,
  type SDKMessage,
  type SDKUserMessage,
  startup,
  tagSession,
  unstable_v2_createSession,
  unstable_v2_prompt,
  unstable_v2_resumeSession,
} from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { isolationsOf } from '../support/tier.js'
import { bothWays, kinds } from './both-ways.js'

function transcripts({
  env = {},
}: Options): Map<
  string,
  { type: string; uuid?: string; parentUuid?: string | null; message?: { content: unknown } }[]
> {
  const folder = join(env.CLAUDE_CONFIG_DIR ?? '', 'projects')
  if (!existsSync(folder)) return new Map()
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => [
        name.split('/').at(-1)?.replace('.jsonl', '') ?? '',
        readFileSync(join(folder, name), 'utf8')
          .trim()
          .split('\n')
          // What a line of ours is carried by is not looked at here.
          .map((line) => JSON.parse(line).kedge ?? JSON.parse(line)),
      ]),
  )
}

bothWays(
  'a session is on disk as a chain, under the id of its messages',
  () => [{ text: 'Look.', tools: [{ id: 'toolu_g', name: 'Glob', input: { pattern: '*' } }] }, 'Done.'],
  {},
  async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    const lines = transcripts(options).get(run.result?.session_id ?? '') ?? []
    assert.deepEqual(
      lines.map(({ type }) => type),
      [
        ...['queue-operation', 'queue-operation', 'user', 'cost-open', 'assistant', 'assistant', 'cost-entry'],
        ...['answer-end', 'tool-start', 'user', 'cost-open', 'assistant', 'cost-entry', 'answer-end'],
      ],
    )
    const chain = lines.filter(({ uuid }) => uuid)
    assert.deepEqual(
      chain.map(({ parentUuid }) => parentUuid),
      [null, ...chain.slice(0, -1).map(({ uuid }) => uuid)],
    )
    const sent = run.messages.flatMap((m) => (m.type === 'assistant' || m.type === 'user' ? m.uuid : []))
    assert.deepEqual(
      chain.slice(1).map(({ uuid }) => uuid),
      sent,
    )
  },
)

bothWays(
  'resume goes on with the whole history in the same session',
  () => ['First.', 'Second.'],
  {},
  async ({ options, server }) => {
    const first = await collect(query({ prompt: 'One.', options }))
    const id = first.result?.session_id
    const second = await collect(query({ prompt: 'Two.', options: { ...options, resume: id } }))
    assert.equal(second.result?.session_id, id)
    assert.deepEqual(kinds(second.messages), ['system/init', 'assistant', 'result'])
    assert.deepEqual(
      server.requests[1]?.body.messages.map(({ role, content }) => [
        role,
        Array.isArray(content) && content[0]?.type === 'text' && content[0].text,
      ]),
      [
        ['user', 'One.'],
        ['assistant', 'First.'],
        ['user', 'Two.'],
      ],
    )
    assert.equal(transcripts(options).size, 1)
  },
)

bothWays(
  'continue takes the latest session; forkSession leaves it as it was',
  () => ['First.', 'Second.', 'Third.'],
  {},
  async ({ options, server }) => {
    const first = await collect(query({ prompt: 'One.', options: { ...options, continue: true } }))
    const forked = await collect(query({ prompt: 'Two.', options: { ...options, continue: true, forkSession: true } }))
    assert.notEqual(forked.result?.session_id, first.result?.session_id)
    assert.equal(server.requests[1]?.body.messages.length, 3)
    assert.equal(transcripts(options).get(first.result?.session_id ?? '')?.length, 7)
    const third = await collect(query({ prompt: 'Three.', options: { ...options, resume: first.result?.session_id } }))
    assert.equal(third.error, undefined)
    assert.equal(server.requests[2]?.body.messages.length, 3)
  },
)

bothWays(
  'resumeSessionAt forgets what came after',
  () => ['First.', 'Second.', 'Third.'],
  {},
  async ({ options, server }) => {
    const first = await collect(query({ prompt: 'One.', options }))
    const resume = first.result?.session_id
    await collect(query({ prompt: 'Two.', options: { ...options, resume } }))
    const at = first.messages.find((m) => m.type === 'assistant')?.uuid
    await collect(query({ prompt: 'Three.', options: { ...options, resume, resumeSessionAt: at } }))
    assert.match(JSON.stringify(server.requests[2]?.body.messages), /One.*First.*Three/)
    assert.doesNotMatch(JSON.stringify(server.requests[2]?.body.messages), /Second/)
  },
)

bothWays(
  'what can not be resumed is an error result without init',
  () => [],
  {},
  async ({ options }) => {
    for (const [resume, text] of [
      [
        '99999999-2222-4333-8444-555555555555',
        /^No conversation found with session ID: 99999999-2222-4333-8444-555555555555$/,
      ],
      ['../../etc/passwd', /^No conversation found with session ID/],
    ] as const) {
      const run = await collect(query({ prompt: 'x', options: { ...options, resume } }))
      assert.deepEqual(kinds(run.messages), ['result'])
      assert.deepEqual(
        [run.result?.subtype, run.result?.is_error, run.result?.terminal_reason],
        ['error_during_execution', true, 'resume_failed'],
      )
      assert.match(run.result?.subtype === 'error_during_execution' ? (run.result.errors[0] ?? '') : '', text)
      assert.ok(run.error instanceof Error)
    }
  },
)

bothWays(
  'sessionId names the session, once; persistSession: false writes nothing',
  () => ['Hi.', 'Hi.'],
  {},
  async ({ options }) => {
    const sessionId = '11111111-2222-4333-8444-555555555555'
    const run = await collect(query({ prompt: 'x', options: { ...options, sessionId } }))
    assert.equal(run.result?.session_id, sessionId)
    let stderr = ''
    const again = await collect(
      query({
        prompt: 'x',
        options: {
          ...options,
          sessionId,
          stderr: (text) => {
            stderr += text
          },
        },
      }),
    )
    assert.deepEqual([again.messages, stderr], [[], `Error: Session ID ${sessionId} is already in use.\n`])
    assert.ok(again.error instanceof Error)
    await collect(query({ prompt: 'x', options: { ...options, persistSession: false } }))
    assert.equal(transcripts(options).size, 1)
  },
)

bothWays(
  'what a session cost counts on when it is resumed; a copy begins at nothing, and a budget is for one run',
  () => ['First.', 'Second.', 'Third.', 'Fourth.'],
  {},
  async ({ options }) => {
    const ask = async (extra: Options) => {
      const { result } = await collect(query({ prompt: 'x', options: { ...options, ...extra } }))
      const [model] = Object.values(result?.session_model_usage ?? result?.modelUsage ?? {})
      const cost = result?.session_total_cost_usd ?? result?.total_cost_usd ?? 0
      return { id: result?.session_id, cost, tokens: model?.inputTokens ?? 0, result }
    }
    const first = await ask({})
    assert.ok(first.cost > 0 && first.tokens > 0)
    const second = await ask({ resume: first.id })
    assert.ok(second.cost > 1.5 * first.cost && second.tokens > first.tokens)
    assert.ok((second.result?.usage.input_tokens ?? 0) < second.tokens, 'the usage of a result is that of its turn')
    const copy = await ask({ resume: first.id, forkSession: true })
    assert.ok(copy.cost < second.cost)
    const limited = await ask({ resume: first.id, maxBudgetUsd: second.cost })
    assert.equal(limited.result?.subtype, 'success', 'what was spent before is not spent again')
    const lines = transcripts(options).get(first.id ?? '') ?? []
    const entries = lines.flatMap((line) =>
      line.type === 'cost-entry' && 'costUSD' in line ? Number(line.costUSD) : [],
    )
    assert.ok(Math.abs(entries.reduce((sum, cost) => sum + cost, 0) - limited.cost) < 1e-9)
  },
)

bothWays(
  'a resumed session sends what the session before it sent, reminders included, and says nothing twice',
  () => [
    { tools: [{ id: 'toolu_r', name: 'Read', input: { file_path: 'sub/a.txt' } }] },
    'Read it.',
    'Second.',
    'Third.',
    'SUMMARY',
    'Fourth.',
    'Fifth.',
  ],
  { settingSources: ['project'] },
  async ({ options, server }) => {
    mkdirSync(join(options.cwd, 'sub'))
    writeFileSync(join(options.cwd, 'CLAUDE.md'), 'TOP-RULE')
    writeFileSync(join(options.cwd, 'sub', 'CLAUDE.md'), 'SUB-RULE')
    writeFileSync(join(options.cwd, 'sub', 'a.txt'), 'NOTED')
    const additionalContext = async (input: HookInput) => ({
      hookSpecificOutput: { hookEventName: 'UserPromptSubmit' as const, additionalContext: `HINT-${promptOf(input)}` },
    })
    const hooks = { UserPromptSubmit: [{ hooks: [additionalContext] }] }
    const ask = (prompt: string, more: Options = {}) =>
      collect(query({ prompt, options: { ...options, hooks, ...more } }))
    const { result } = await ask('First.')
    const more = { resume: result?.session_id ?? '' }
    await ask('Go on.', more)
    await ask('And on.', more)
    /** What request `n` begins with is all that request `n - 1` held. */
    const begins = (n: number) => {
      const [before, after] = [n - 1, n].map((i) => withoutMarks(server.requests[i]?.body.messages ?? []))
      assert.deepEqual(after?.slice(0, before?.length), before, `request ${n}`)
      return JSON.stringify(after)
    }
    for (const n of [1, 2]) begins(n)
    const third = begins(3)
    for (const once of ['TOP-RULE', 'SUB-RULE', 'HINT-First', 'HINT-Go on', 'HINT-And on'])
      assert.equal(third.split(once).length, 2, `${once} in ${third}`)

    await ask('/compact', more)
    await ask('After.', more)
    await ask('Later.', more)
    const last = begins(6)
    assert.match(last, /SUMMARY[\s\S]*TOP-RULE[\s\S]*After\./)
    assert.equal(last.split('TOP-RULE').length, 2)
    const shown = await getSessionMessages(more.resume, { dir: options.cwd })
    assert.doesNotMatch(JSON.stringify(shown), /TOP-RULE|HINT/)
  },
)

function promptOf(input: HookInput): string {
  return 'prompt' in input && typeof input.prompt === 'string' ? input.prompt : ''
}

function withoutMarks(messages: readonly unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(messages, (key, value) => (key === 'cache_control' ? undefined : value)))
}

const refusal = (message: string) => ({ status: 400, error: { type: 'invalid_request_error', message } })
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

bothWays(
  'a picture or a prompt that the API rejects does not stay: it costs one turn, not the session',
  () => [
    refusal('messages.0.content.0.image.source.base64: Could not process image'),
    'Second.',
    refusal('prompt is too long: 210000 tokens > 200000 maximum'),
    'SUMMARY',
    refusal('prompt is too long: 210000 tokens > 200000 maximum'),
    'Fourth.',
    'Fifth.',
  ],
  {},
  async ({ options, server }) => {
    const image = {
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: 'image/png' as const, data: PIXEL },
    }
    const prompts = [[image, { type: 'text' as const, text: 'Look at it.' }], 'And now?', 'TOO-LONG', 'Better?']
    const messages: SDKMessage[] = []
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
    for await (const message of query({ prompt: oneByOne(), options })) {
      messages.push(message)
      if (message.type === 'result') answered()
    }
    const results = messages.flatMap((m) => (m.type === 'result' ? [[m.is_error, 'result' in m && m.result]] : []))
    assert.deepEqual(
      results.map(([isError]) => isError),
      [true, false, true, false],
    )
    assert.equal(messages.filter((m) => m.type === 'system' && m.subtype === 'informational').length, 2)
    const resume = messages.findLast((m) => m.type === 'result')?.session_id ?? ''
    await collect(query({ prompt: 'Last.', options: { ...options, resume } }))
    const sent = server.requests.map(({ body }) => JSON.stringify(body.messages))
    assert.doesNotMatch(sent[1] ?? '', /"image"|Look at it/)
    assert.match(sent[1] ?? '', /sent a message here that the API refused[\s\S]*And now\?/)
    for (const later of sent.slice(5)) {
      assert.doesNotMatch(later, /"image"|Look at it|TOO-LONG/)
      assert.match(later, /SUMMARY[\s\S]*Better\?/)
    }
    assert.match(sent[6] ?? '', /Fourth\.[\s\S]*Last\./)
  },
)

bothWays(
  'a picture that a tool gave and the API refuses is left out, also when the session is resumed',
  () => [
    { tools: [{ id: 'toolu_p', name: 'Read', input: { file_path: 'p.png' } }] },
    refusal('messages.2.content.0: Could not process image'),
    'Second.',
    'Third.',
  ],
  {},
  async ({ options, server }) => {
    writeFileSync(join(options.cwd, 'p.png'), Buffer.from(PIXEL, 'base64'))
    const first = await collect(query({ prompt: 'Look.', options }))
    assert.equal(first.result?.is_error, true)
    assert.match(JSON.stringify(server.requests[1]?.body.messages), /"image"/)
    const resume = first.result?.session_id ?? ''
    for (const prompt of ['And now?', 'Once more.']) await collect(query({ prompt, options: { ...options, resume } }))
    for (const { body } of server.requests.slice(2)) {
      const sent = JSON.stringify(body.messages)
      assert.doesNotMatch(sent, /"image"/)
      assert.match(sent, /toolu_p[\s\S]*The API refused what stood here[\s\S]*And now\?/)
    }
  },
)

test('requests that failed or were aborted are entries of the ledger on disk, and counted after a resume', async () => {
  await using server = await startModelServer([{ text: 'Never finished', stallAfterEvents: 3 }, 'Second.'])
  await using options = testOptions(server, { model: 'claude-sonnet-4-5-20250929', includePartialMessages: true })
  const controller = new AbortController()
  const sessionId = '66666666-6666-4666-8666-666666666666'
  await assert.rejects(async () => {
    const aborted = query({ prompt: 'x', options: { ...options, sessionId, abortController: controller } })
    for await (const message of aborted) if (message.type === 'stream_event') controller.abort()
  })
  const spent = () => (transcripts(options).get(sessionId) ?? []).filter(({ type }) => type === 'cost-entry')
  const watchdog = Date.now() + 10_000
  while (spent().length === 0 && Date.now() < watchdog) await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(
    spent().map((entry) => ('ok' in entry ? entry.ok : undefined)),
    [false],
  )
  const resumed = await collect(query({ prompt: 'y', options: { ...options, resume: sessionId } }))
  const last = spent().at(-1)
  const own = last && 'costUSD' in last ? Number(last.costUSD) : 0
  assert.ok((resumed.result?.session_total_cost_usd ?? 0) > own, 'the tokens of the aborted request count too')
})

test('a read-only place for sessions: the run goes on in memory and says so once', async () => {
  await using server = await startModelServer(['Hi.'])
  let stderr = ''
  await using options = testOptions(server, {
    env: { CLAUDE_CONFIG_DIR: '/proc/no-such-place' },
    stderr: (text) => {
      stderr += text
    },
  })
  const run = await collect(query({ prompt: 'x', options }))
  assert.equal(run.error, undefined)
  assert.equal(stderr.match(/can't be saved/g)?.length, 1)
  assert.deepEqual(kinds(run.messages).slice(0, 2), ['system/init', 'system/informational'])
})

for (const isolation of isolationsOf('v2: send and stream, resume, prompt')) {
  test(`v2: send and stream, resume, prompt (${isolation})`, async () => {
    await using server = await startModelServer(['V2 A.', 'V2 B.', 'V2 resumed.', 'V2 one-shot.'])
    await using base = testOptions(server, { isolation })
    const options = { ...base, model: 'claude-sonnet-4-5-20250929' }
    let id = ''
    {
      await using session = unstable_v2_createSession(options)
      assert.throws(() => session.sessionId, { message: 'Session ID not available until after receiving messages' })
      await session.send('first')
      assert.equal((await collect(session.stream())).result?.type, 'result')
      id = session.sessionId
      await session.send('second')
      const second = await collect(session.stream())
      assert.deepEqual(kinds(second.messages), ['system/init', 'assistant', 'result'])
      session.close()
      await assert.rejects(session.send('x'), { message: 'Cannot send to closed session' })
    }
    const resumed = unstable_v2_resumeSession(id, options)
    assert.equal(resumed.sessionId, id)
    await resumed.send('third')
    await collect(resumed.stream())
    resumed.close()
    assert.equal(server.requests[2]?.body.messages.length, 5)
    const result = await unstable_v2_prompt('one-shot', options)
    assert.equal(result.subtype === 'success' && result.result, 'V2 one-shot.')
    assert.match(server.requests[0]?.system ?? '', /software engineering agent/)
  })

  test(`startup() makes an agent ready before its prompt (${isolation})`, async () => {
    await using server = await startModelServer(['Warm.'])
    await using options = testOptions(server, { isolation })
    const warm = await startup({ options })
    const run = await collect(warm.query('Hi.'))
    assert.equal(run.result?.subtype === 'success' && run.result.result, 'Warm.')
    assert.throws(() => warm.query('again'), /already used/)
    await using unused = await startup({ options })
    unused.close()
  })
}

test('the functions for stored sessions, as they are shipped', async () => {
  await using server = await startModelServer(['First.', 'Second.', 'Third.'])
  await using options = testOptions(server)
  const run = await collect(query({ prompt: 'Fix the login test', options }))
  const id = run.result?.session_id ?? ''
  const { CLAUDE_CONFIG_DIR: before } = process.env
  process.env.CLAUDE_CONFIG_DIR = options.env.CLAUDE_CONFIG_DIR
  try {
    assert.deepEqual(
      (await listSessions({ dir: options.cwd })).map(({ sessionId, summary }) => [sessionId, summary]),
      [[id, 'Fix the login test']],
    )
    await renameSession(id, 'Login')
    await tagSession(id, 'bug')
    const info = await getSessionInfo(id)
    assert.deepEqual([info?.customTitle, info?.tag, info?.cwd], ['Login', 'bug', options.cwd])
    const messages = await getSessionMessages(id)
    assert.deepEqual(
      messages.map(({ type, uuid }) => [type, uuid]),
      [
        ['user', messages[0]?.uuid],
        ['assistant', run.messages.find(({ type }) => type === 'assistant')?.uuid],
      ],
    )
    assert.deepEqual([await listSubagents(id), await getSubagentMessages(id, 'nobody')], [[], []])
    const copy = await forkSession(id, { upToMessageId: messages[0]?.uuid })
    const resumed = await collect(query({ prompt: 'Again.', options: { ...options, resume: copy.sessionId } }))
    assert.equal(resumed.result?.session_id, copy.sessionId)
    assert.deepEqual(
      server.requests[1]?.body.messages.map(({ role }) => role),
      ['user'],
      'only what was copied, with the new prompt',
    )
    assert.equal((await getSessionInfo(copy.sessionId))?.customTitle, 'Login (fork)')
    const more = await collect(query({ prompt: 'More.', options: { ...options, resume: id } }))
    assert.equal(more.result?.subtype, 'success')
    assert.equal((await getSessionInfo(id))?.customTitle, 'Login')
    await deleteSession(id)
    assert.deepEqual(
      (await listSessions()).map(({ sessionId }) => sessionId),
      [copy.sessionId],
    )
    const data = foldSessionSummary(undefined, { projectKey: 'p', sessionId: id }, [{ type: 'tag', tag: 'x' }], {
      mtime: 7,
    })
    assert.deepEqual([data.sessionId, data.mtime], [id, 7])
  } finally {
    if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR
    else process.env.CLAUDE_CONFIG_DIR = before
  }
})

test('env and home decide where a session lives', async () => {
  await using server = await startModelServer(['Hi.', 'Hi.'])
  const place = mkdtempSync(join(tmpdir(), 'kedge-config-'))
  await using options = testOptions(server, { env: { CLAUDE_CONFIG_DIR: undefined, CLAUDE: place } })
  await collect(query({ prompt: 'x', options }))
  assert.equal(readdirSync(join(place, 'projects')).length, 1)
  await using home = testOptions(server, { env: { CLAUDE_CONFIG_DIR: undefined } })
  await collect(query({ prompt: 'x', options: home }))
  assert.equal(readdirSync(join(home.env.HOME ?? '', '.claude', 'projects')).length, 1)
})
