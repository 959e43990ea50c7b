import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BackgroundTask } from '../../engine/background-port.js'
import type { EngineRequest, ModelEvent } from '../../engine/ports.js'
import { createTestPorts, failureEvents, streamedModelEvents, textBlock } from '../../engine/test-ports.js'
import type { MessageParam } from '../../protocol/content.js'
import type { SummaryRequest } from '../../protocol/options.js'
import type { Summarize } from '../conversation.js'
import { createTestConversation, neverAborted, transcriptChain } from '../test-conversation.js'
import { compactNow, replaceBySummary, summarizeConversation } from './compact.js'
import { makeRoomInContext } from './make-room.js'

const user = (words: string): MessageParam => ({ role: 'user', content: [{ type: 'text', text: words }] })
const says = (words: string): MessageParam => ({ role: 'assistant', content: [textBlock(words)] })
const FACTS = { mtimeMs: 0, size: 0, hash: '', partial: false }
const TALK = [user('Build it.'), says('Done.')]
const CONTINUED = 'This conversation continues an earlier one that became too long. A summary of it:\n\nThe summary.'

type Setup = {
  messages?: MessageParam[]
  model?: ModelEvent[][]
  preCompact?: { block?: string; instructions?: string[] }
  summarize?: Summarize
  keepToolResults?: number
  env?: Record<string, string>
  files?: Record<string, string>
  overBudget?: boolean
  running?: BackgroundTask[]
  plan?: string[]
}

function start(setup: Setup = {}) {
  const {
    messages = TALK,
    model = [streamedModelEvents([textBlock('The summary.')])],
    preCompact = {},
    files = {},
  } = setup
  const log: string[] = []
  const { ports, requests } = createTestPorts({
    model,
    tools: [
      {
        name: 'Read',
        async execute({ input }) {
          const content = files[String(input['file_path'])]
          return content === undefined ? { ok: false, error: 'gone' } : { ok: true, content, output: {} }
        },
      },
    ],
    more: { overBudget: () => setup.overBudget ?? false },
  })
  const tools = ['Bash', 'Read'].map((name) => ({ name, description: '', input_schema: {} }))
  const world = createTestConversation(
    {
      ports,
      model: { current: () => 'big', contextWindow: () => 200_000, forPlans: () => undefined },
      offer: { offered: tools, definitions: () => tools },
      prompt: { system: 'Be exact.', append: undefined },
      permissions: { mode: () => 'default' },
      hooks: {
        preCompact: async (fields) => {
          log.push(`PreCompact ${fields.trigger} ${fields.custom_instructions}`)
          return { instructions: [], completed: ['hook_0'], ...preCompact }
        },
        postCompact: async ({ compact_summary }) => void log.push(`PostCompact ${compact_summary}`),
        sessionStart: async (source) => {
          log.push(`SessionStart ${source}`)
          return { context: ['from a hook'], said: [] }
        },
      },
      shared: {
        host: { summarize: setup.summarize },
        settings: { cwd: '/repo', keepToolResults: setup.keepToolResults },
        background: { table: { running: () => setup.running ?? [] } },
        plan: { reminders: () => setup.plan ?? [], readPlan: async () => undefined },
        live: { env: setup.env ?? {} },
        project: {
          skillListing: 'skills',
          instructions: [],
          instructionsText: () => 'rules',
          forgetNested: () => void log.push('forget nested'),
        },
      },
    },
    { messages },
  )
  const status = () =>
    world.sent.flatMap((one) => (one.type === 'system' && one.subtype === 'status' ? [one.status] : []))
  const informed = () =>
    world.sent.flatMap((one) => (one.type === 'system' && one.subtype === 'informational' ? [one.content] : []))
  return { ...world, log, requests: requests as EngineRequest[], status, informed }
}

test('a summary: hooks before, the model with the prompt and tools of the session, hooks after; the host sees that it goes on', async () => {
  const { conversation, log, requests, status } = start({ preCompact: { instructions: ['Keep dates.'] } })
  conversation.context.tokens = 900
  const compacted = await summarizeConversation(conversation, 'manual', 'Keep names.', neverAborted)
  assert.deepEqual(compacted, {
    ok: true,
    summary: 'The summary.',
    preTokens: 900,
    hooks: ['hook_0'],
    context: ['from a hook'],
  })
  assert.deepEqual(log, ['PreCompact manual Keep names.', 'SessionStart compact', 'PostCompact The summary.'])
  assert.deepEqual(status(), ['compacting', null])
  assert.deepEqual(
    requests[0]?.tools.map(({ name }) => name),
    ['Bash', 'Read'],
  )
  assert.deepEqual(requests[0]?.system, ['Be exact.'])
  assert.match(JSON.stringify(requests[0]?.messages.at(-1)), /Keep names\.\\n\\nKeep dates\./)
  assert.deepEqual(conversation.history.messages, TALK)
})

test('without anything said, or where a hook objects, nobody is asked', async () => {
  const empty = start({ messages: [] })
  assert.deepEqual(await summarizeConversation(empty.conversation, 'manual', null, neverAborted), {
    ok: false,
    problem: 'There is nothing to compact yet.',
  })
  const blocked = start({ preCompact: { block: 'Not now.' } })
  assert.deepEqual(await summarizeConversation(blocked.conversation, 'manual', null, neverAborted), {
    ok: false,
    problem: 'Not now.',
  })
  assert.deepEqual([empty.log, blocked.requests, blocked.status()], [[], [], []])
})

test('a model that fails leaves the session as it is: no hooks after it, and it is no longer compacting', async () => {
  const { conversation, log, status } = start({ model: [failureEvents('overloaded')] })
  const compacted = await summarizeConversation(conversation, 'auto', null, neverAborted)
  assert.deepEqual(compacted, { ok: false, problem: 'It failed: overloaded.' })
  assert.deepEqual([log, status()], [['PreCompact auto null'], ['compacting', null]])
})

test('a host that sums up itself gets its own copy, and its words count; its failure is told', async () => {
  const asked: SummaryRequest[] = []
  const { conversation, requests } = start({
    summarize: async (request) => {
      asked.push(request)
      request.messages.length = 0
      return 'The host’s own.'
    },
    preCompact: { instructions: ['Keep dates.'] },
  })
  const compacted = await summarizeConversation(conversation, 'manual', 'Keep names.', neverAborted)
  assert.ok(compacted.ok && compacted.summary === 'The host’s own.')
  assert.deepEqual(asked[0]?.instructions, ['Keep names.', 'Keep dates.'])
  assert.deepEqual([conversation.history.messages, requests], [TALK, []])
  for (const [thrown, problem] of [
    [new Error('no idea'), 'no idea'],
    ['odd', 'odd'],
  ] as const) {
    const failing = start({ summarize: () => Promise.reject(thrown) })
    assert.deepEqual(await summarizeConversation(failing.conversation, 'manual', null, neverAborted), {
      ok: false,
      problem,
    })
  }
})

test('the summary takes the place of all: with what hooks, skills, rules and files say, and then what comes next', async () => {
  const { conversation, lines, log } = start({ files: { '/repo/a.ts': 'A', '/repo/b.ts': 'B'.repeat(30_000) } })
  for (const path of ['/old', '/gone', '/repo/a.ts', '/repo/b.ts', '/x', '/y'])
    conversation.tools.readFiles.set(path, FACTS)
  Object.assign(conversation.toTell, { listing: ['skills'], instructions: ['rules'] })
  Object.assign(conversation.context, { tokens: 5, failedAt: 5, sent: {} })
  const next = [{ type: 'text' as const, text: 'Go on.' }]
  const compacted = { ok: true as const, summary: 'The summary.', preTokens: 5, context: ['from a hook'], hooks: [] }
  await replaceBySummary(conversation, compacted, 'auto', { next, signal: neverAborted })
  const [only, ...others] = conversation.history.messages
  assert.deepEqual([only?.role, others], ['user', []])
  const texts = (Array.isArray(only?.content) ? only.content : []).map((b) => (b.type === 'text' ? b.text : b.type))
  const reminder = (words: string) => `<system-reminder>\n${words}\n</system-reminder>`
  assert.deepEqual(texts, [
    CONTINUED,
    reminder('from a hook'),
    reminder('skills'),
    reminder('rules'),
    reminder('You have read these files too. Read them again before you edit them:\n- /old\n- /gone\n- /x\n- /y'),
    reminder('You had read /repo/a.ts before. It now reads:\nA'),
    reminder(
      `You had read /repo/b.ts before. It now begins as follows. Read it again before you edit it:\n${'B'.repeat(20_000)}`,
    ),
    'Go on.',
  ])
  const started = new Set()
  assert.deepEqual(conversation.context, { tokens: 0, failedAt: 0, sent: undefined, compacted: true, started })
  assert.deepEqual(conversation.toTell, { ended: [], pending: [], listing: [], instructions: [] })
  assert.deepEqual([conversation.tools.readFiles.size, log], [0, ['forget nested']])
  assert.deepEqual(
    transcriptChain(lines).map(([, line]) => line.slice(0, 30)),
    ['[compact_boundary]', `user: ${CONTINUED}`.slice(0, 30), 'user: <system-reminder>\nfrom a', 'user: Go on.'],
  )
  // A prompt that is taken out later leaves the summary where it is.
  assert.equal(conversation.turn.prompt?.parent, transcriptChain(lines).at(-1)?.[0])
})

test('what the session knows is told again: todo list, running tasks, the shell’s folder, plan mode', async () => {
  const task = (id: string, toolUseId: string) =>
    ({
      id,
      toolUseId,
      type: 'local_bash',
      description: 'Serve',
      command: 'npm run dev',
      status: 'running',
      outputFile: `/tmp/${id}.output`,
    }) as BackgroundTask
  const called: MessageParam = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'own', name: 'Bash', input: {} }],
  }
  const { conversation } = start({
    messages: [...TALK, called],
    running: [task('b1', 'own'), task('b2', 'of an agent')],
    plan: ['Plan mode is on.'],
  })
  conversation.turn.inLoop = true
  conversation.tools.todos = [
    { content: 'Look', status: 'completed', activeForm: 'Looking' },
    { content: 'Mend', status: 'in_progress', activeForm: 'Mending' },
  ]
  conversation.tools.shellCwd = '/repo/sub'
  const told = [
    'Your todo list:\n- [completed] Look\n- [in_progress] Mend',
    'Still running in the background, by task ID:\n- b1: command `npm run dev`; output: /tmp/b1.output',
    "The shell is in /repo/sub. The session's folder is /repo.",
    'Plan mode is on.',
  ].map((words) => `<system-reminder>\n${words}\n</system-reminder>`)
  const compacted = { ok: true as const, summary: 'The summary.', preTokens: 5, context: [], hooks: [] }
  // After the second compaction the conversation doesn't contain the call any more, but the task still runs.
  for (const _ of [1, 2]) {
    await replaceBySummary(conversation, compacted, 'auto', { next: [], signal: neverAborted })
    assert.deepEqual(textsOf(conversation.history.messages[0]).slice(3), told)
  }
})

const textsOf = ({ content } = user('')) =>
  (typeof content === 'string' ? [] : content).map((block) => (block.type === 'text' ? block.text : block.type))

test('a question that waits for its answer is not summed up: it follows the summary word for word', async () => {
  const { conversation, requests } = start({ messages: [...TALK, user('And now?')] })
  conversation.turn.inLoop = true
  assert.equal(await compactNow(conversation, 'near', 1000, neverAborted), true)
  assert.deepEqual(requests[0]?.messages.slice(0, 2), TALK)
  assert.doesNotMatch(JSON.stringify(requests[0]?.messages), /And now/)
  assert.equal(textsOf(conversation.history.messages[0]).at(-1), 'And now?')
})

test('in the middle of the work the model is told to go on, and what it was asked', async () => {
  const results: MessageParam = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'ok' }],
  }
  const { conversation } = start({ messages: [...TALK, results] })
  Object.assign(conversation.turn, { inLoop: true, asked: 'Build it.' })
  assert.equal(await compactNow(conversation, 'too-long', 1000, neverAborted), true)
  assert.match(
    textsOf(conversation.history.messages[0]).at(-1) ?? '',
    /^Continue .*\n\nThe request you are working on:\nBuild it\.$/s,
  )
})

test('between turns nothing follows; a question alone can’t be made shorter', async () => {
  const between = start({ messages: [...TALK, user('More')] })
  assert.equal(await compactNow(between.conversation, 'near', 1000, neverAborted), true)
  assert.equal(textsOf(between.conversation.history.messages[0]).at(-1)?.includes('rules'), true)
  const alone = start({ messages: [user('A very long question')] })
  alone.conversation.turn.inLoop = true
  assert.equal(await compactNow(alone.conversation, 'too-long', 1000, neverAborted), false)
  assert.deepEqual(alone.requests, [])
})

test('a compaction that failed is told, and not tried again before there is more', async () => {
  const { conversation, informed } = start({ model: [failureEvents('overloaded')] })
  conversation.context.tokens = 170_000
  assert.equal(await makeRoomInContext(conversation, 'near', neverAborted), false)
  assert.deepEqual(informed(), ['The conversation could not be compacted: It failed: overloaded.'])
  assert.deepEqual(conversation.history.messages, TALK)
  // Between the limit and the end of the window.
  assert.equal(conversation.context.failedAt, (167_000 + 200_000) / 2)
  assert.equal(await makeRoomInContext(conversation, 'near', neverAborted), false)
  assert.equal(informed().length, 1)
})

test('one that leaves too much is told by the next answer, and not made again at every step', async () => {
  const { conversation, requests } = start({
    model: Array.from({ length: 5 }, () => streamedModelEvents([textBlock('The summary.')])),
    env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '10' },
  })
  const made: number[] = []
  for (let tokens = 21_000; tokens <= 33_000; tokens += 1000) {
    conversation.context.tokens = tokens
    if (await makeRoomInContext(conversation, 'near', neverAborted)) made.push(tokens)
  }
  assert.deepEqual([made, requests.length], [[21_000, 28_000], 2])
})

test('one that was interrupted changes nothing and says nothing', async () => {
  const controller = new AbortController()
  const { conversation, informed } = start({
    summarize: async () => {
      controller.abort()
      return 'too late'
    },
  })
  assert.equal(await compactNow(conversation, 'near', 1000, controller.signal), false)
  assert.deepEqual([conversation.history.messages, informed()], [TALK, []])
})

test('room is made at the limit, not before; and not where it is off, empty or too dear', async () => {
  const table: [Setup, number, 'near' | 'too-long', boolean][] = [
    [{}, 166_999, 'near', false],
    [{}, 167_000, 'near', true],
    [{}, 0, 'too-long', true],
    [{ env: { DISABLE_COMPACT: '1' } }, 190_000, 'too-long', false],
    [{ messages: [] }, 190_000, 'near', false],
    [{ overBudget: true }, 190_000, 'near', false],
  ]
  for (const [setup, tokens, why, expected] of table) {
    const { conversation } = start(setup)
    conversation.context.tokens = tokens
    assert.equal(
      await makeRoomInContext(conversation, why, neverAborted),
      expected,
      JSON.stringify({ ...setup, tokens, why }),
    )
  }
})

test('where the host asked for it old results are left out first, and a summary is made only if that is not enough', async () => {
  const long = (id: string): MessageParam => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: id, content: 'x'.repeat(3600) }],
  })
  const messages = [user('Go'), says('1'), long('a'), says('2'), long('b')]
  const enough = start({ messages, keepToolResults: 1 })
  enough.conversation.context.tokens = 1500
  assert.equal(await compactNow(enough.conversation, 'near', 1000, neverAborted), true)
  assert.deepEqual([enough.requests, enough.conversation.history.messages.length], [[], 5])
  assert.ok(enough.conversation.context.tokens < 1000)
  const notEnough = start({ messages, keepToolResults: 1 })
  notEnough.conversation.context.tokens = 3000
  assert.equal(await compactNow(notEnough.conversation, 'near', 1000, neverAborted), true)
  assert.deepEqual([notEnough.requests.length, notEnough.conversation.history.messages.length], [1, 1])
  const nothingLong = start({ keepToolResults: 0 })
  await compactNow(nothingLong.conversation, 'near', 1000, neverAborted)
  assert.equal(nothingLong.requests.length, 1)
})
