/** A turn that another process left goes on: `continueTurn`, `parkAsks` and `yieldTurn()`, from a store and from files. */
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { InMemorySessionStore, type Options, query, type SDKMessage, type SessionStoreEntry } from 'kedge'
import { callsOf, collect, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { unwrapKedgeLine } from '../../src/sessions/kedge-lines.js'
import { projectKey } from '../../src/sessions/transcript-paths.js'

const SESSION = '5f3d1c1e-0000-4000-8000-000000000002'
const bash = (id: string, command: string) => ({ id, name: 'Bash', input: { command } })
const keyOf = ({ cwd }: TestOptions) => ({ projectKey: projectKey(cwd), sessionId: SESSION })
const linesOf = (store: InMemorySessionStore, options: TestOptions) => store.getEntries(keyOf(options))

/** A store with the lines of another up to one: what a process that was killed there had left. */
async function cutAfter(from: InMemorySessionStore, options: TestOptions, isLast: (line: Line) => boolean) {
  const entries = linesOf(from, options)
  const at = entries.findIndex((entry) => isLast(unwrapKedgeLine(entry) as Line))
  assert.ok(at >= 0)
  const store = new InMemorySessionStore()
  await store.append(keyOf(options), entries.slice(0, at + 1))
  return store
}
type Line = { type?: string; toolUseId?: string; message?: { content?: unknown } }
const isStart = (id: string) => (line: Line) => line.type === 'tool-start' && line.toolUseId === id
const holds = (type: string, id: string) => (line: Line) =>
  Array.isArray(line.message?.content) &&
  line.message.content.some((block) => block.type === type && (block.id === id || block.tool_use_id === id))
const ofType = (type: string, nth = 1) => {
  let seen = 0
  return (line: Line) => line.type === type && ++seen === nth
}

function resultsIn(messages: readonly SDKMessage[]) {
  return messages.flatMap((message) => (message.type === 'result' ? [message] : []))
}
const resultTexts = (entries: readonly SessionStoreEntry[]) =>
  Object.fromEntries(
    entries.flatMap((entry) => {
      const content = (entry as Line).message?.content
      if (!Array.isArray(content)) return []
      return content.flatMap((block) => (block.type === 'tool_result' ? [[block.tool_use_id, block.content]] : []))
    }),
  )

test('continueTurn: from every place where a turn was cut off it goes on to its one result', async () => {
  const calls = [
    bash('a', 'echo a >> ran'),
    bash('b', 'echo b >> ran'),
    { id: 'r', name: 'Read', input: { file_path: 'n' } },
  ]
  await using server = await startModelServer((request) => {
    const answered = request.toolResults.map(({ id }) => id)
    if (answered.includes('r')) return { text: 'Done.' }
    return {
      text: 'I begin.',
      tools: calls.map((call) =>
        call.name === 'Read' ? { ...call, input: { file_path: join(options.cwd, 'notes') } } : call,
      ),
    }
  })
  await using options = testOptions(server, { allowedTools: ['Bash', 'Read'], sessionId: SESSION })
  appendFileSync(join(options.cwd, 'notes'), 'milk\n')
  const ran = () => (existsSync(join(options.cwd, 'ran')) ? readFileSync(join(options.cwd, 'ran'), 'utf8') : '')
  const whole = new InMemorySessionStore()
  const first = await collect(query({ prompt: 'Go.', options: { ...options, sessionStore: whole } }))
  assert.deepEqual([first.result?.subtype, ran()], ['success', 'a\nb\n'])
  const { sessionId: _, ...rest } = options
  const goOn = async (name: string, isLast: (line: Line) => boolean) => {
    const before = { ran: ran(), requests: server.requests.length }
    const sessionStore = await cutAfter(whole, options, isLast)
    const run = await collect(query({ options: { ...rest, sessionStore, resume: SESSION, continueTurn: true } }))
    const [result, ...more] = resultsIn(run.messages)
    assert.deepEqual([result?.subtype, result?.terminal_reason, more], ['success', 'completed', []], name)
    assert.equal(result?.subtype === 'success' && result.result, 'Done.', name)
    const prompts = linesOf(sessionStore, options).filter(
      ({ type, isMeta, toolUseResult }) => type === 'user' && !isMeta && toolUseResult === undefined,
    )
    assert.equal(prompts.length, 1, `${name}: nobody said anything`)
    return {
      ran: ran().slice(before.ran.length),
      requests: server.requests.length - before.requests,
      told: resultTexts(linesOf(sessionStore, options)),
      notices: run.messages.flatMap((message) =>
        message.type === 'system' && message.subtype === 'informational' ? [message.code] : [],
      ),
    }
  }
  const unknown = /may or may not have taken effect\. Look before you repeat it/
  // After the prompt: the model is asked.
  const atPrompt = await goOn('prompt', (line) => line.type === 'user')
  assert.deepEqual([atPrompt.ran, atPrompt.requests], ['a\nb\n', 2])
  // In the middle of the answer: it is asked for again.
  const half = await goOn('half an answer', holds('tool_use', 'a'))
  assert.deepEqual([half.ran, half.requests], ['a\nb\n', 2])
  // The answer is whole, nothing was done.
  const answered = await goOn('answer', ofType('answer-end'))
  assert.deepEqual([answered.ran, answered.requests], ['a\nb\n', 1])
  // One may have run: that one is not run again.
  const begun = await goOn('begun', isStart('a'))
  assert.deepEqual([begun.ran, begun.requests], ['b\n', 1])
  assert.match(String(begun.told.a), unknown)
  // One is done, the next was not begun.
  const done = await goOn('one result', holds('tool_result', 'a'))
  assert.deepEqual([done.ran, done.requests], ['b\n', 1])
  // What only reads is run again, and that is told.
  const reads = await goOn('read begun', isStart('r'))
  assert.deepEqual([reads.ran, reads.requests, reads.notices], ['', 1, ['call_repeated']])
  assert.match(String(reads.told.r), /milk/)
  // All results are there: the model is asked.
  const results = await goOn('all results', holds('tool_result', 'r'))
  assert.deepEqual([results.ran, results.requests], ['', 1])
  // The last answer is whole: only the result was missing.
  const over = await goOn('last answer', ofType('answer-end', 2))
  assert.deepEqual([over.ran, over.requests], ['', 0])
})

test('continueTurn: a sub-agent that had begun is not sent again: it may have changed something', async () => {
  const helper = { description: 'A helper', prompt: 'Help.', subagent_type: 'general-purpose' }
  await using server = await startModelServer((request) => {
    if (JSON.stringify(request.body.messages[0]).includes('Help.')) {
      return request.toolResults.length > 0 ? 'Helped.' : { tools: [bash('inner', 'echo x >> ran')] }
    }
    return request.toolResults.length > 0 ? 'Done.' : { tools: [{ id: 'h', name: 'Task', input: helper }] }
  })
  await using options = testOptions(server, { allowedTools: ['Bash', 'Task'], sessionId: SESSION })
  const whole = new InMemorySessionStore()
  await collect(query({ prompt: 'Go.', options: { ...options, sessionStore: whole } }))
  const sessionStore = await cutAfter(whole, options, isStart('h'))
  const { sessionId: _, ...rest } = options
  const run = await collect(query({ options: { ...rest, sessionStore, resume: SESSION, continueTurn: true } }))
  assert.equal(run.result?.subtype, 'success')
  assert.equal(readFileSync(join(options.cwd, 'ran'), 'utf8'), 'x\n')
  assert.match(String(resultTexts(linesOf(sessionStore, options))['h']), /may or may not have taken effect/)
})

test('continueTurn: a prompt comes after the turn that goes on; without one to go on with, its result says so', async () => {
  await using server = await startModelServer(['First.', 'Second.'])
  await using options = testOptions(server, { sessionId: SESSION })
  const sessionStore = new InMemorySessionStore()
  await collect(query({ prompt: 'One.', options: { ...options, sessionStore } }))
  const { sessionId: _, ...rest } = options
  const resumed = { ...rest, sessionStore, resume: SESSION, continueTurn: true as const }
  const both = await collect(query({ prompt: 'Two.', options: resumed }))
  assert.deepEqual(
    resultsIn(both.messages).map((result) => result.subtype === 'success' && result.result),
    ['First.', 'Second.'],
  )
  const nothing = new InMemorySessionStore()
  await nothing.append(keyOf(options), [{ type: 'custom-title', customTitle: 'empty', sessionId: SESSION }])
  const none = await collect(query({ options: { ...resumed, sessionStore: nothing } }))
  assert.deepEqual([none.result?.error_code, resultsIn(none.messages).length], ['nothing_to_continue', 1])
})

test('parkAsks: the turn ends with what was finished, and goes on elsewhere with the answer; nothing is asked or run twice', async () => {
  const asks = [bash('a', 'echo a >> ran'), bash('b', 'echo b >> ran'), bash('c', 'echo c >> ran')]
  await using server = await startModelServer([{ text: 'I try.', tools: asks }, 'Done.'])
  await using options = testOptions(server, { sessionId: SESSION, parkAsks: true })
  const sessionStore = new InMemorySessionStore()
  const asked: unknown[] = []
  const parking: Options['canUseTool'] = async (_, __, { toolUseID, canPark }) => {
    asked.push([toolUseID, canPark])
    return toolUseID === 'a' ? { behavior: 'allow' } : { behavior: 'park' }
  }
  const first = await collect(query({ prompt: 'Go.', options: { ...options, sessionStore, canUseTool: parking } }))
  assert.deepEqual(asked, [
    ['a', true],
    ['b', true],
  ])
  assert.deepEqual(
    [first.result?.subtype, first.result?.terminal_reason, first.result?.is_error, first.error],
    ['error_during_execution', 'waiting', false, undefined],
  )
  assert.deepEqual(Object.keys(resultTexts(linesOf(sessionStore, options))), ['a'])

  const { sessionId: _, ...rest } = options
  const later: unknown[] = []
  const answering: Options['canUseTool'] = async (_, input, { toolUseID }) => {
    later.push(toolUseID)
    return toolUseID === 'b'
      ? { behavior: 'allow', updatedInput: { ...input, command: 'echo B >> ran' } }
      : { behavior: 'deny', message: 'not that' }
  }
  const second = await collect(
    query({ options: { ...rest, sessionStore, resume: SESSION, continueTurn: true, canUseTool: answering } }),
  )
  assert.deepEqual([later, second.result?.terminal_reason], [['b', 'c'], 'completed'])
  assert.equal(readFileSync(join(options.cwd, 'ran'), 'utf8'), 'a\nB\n')
  assert.deepEqual(callsOf(second.messages).length + server.requests.length, 2, 'the answer is not asked for again')
  assert.match(JSON.stringify(server.requests[1]?.body.messages.at(-1)), /"a".*"b".*not that/)
})

test('an answer that was given before the crash counts, and is not asked for again', async () => {
  await using server = await startModelServer([{ tools: [bash('a', 'echo a >> ran')] }, 'Done.', 'Done.'])
  await using options = testOptions(server, { sessionId: SESSION })
  const whole = new InMemorySessionStore()
  const canUseTool: Options['canUseTool'] = async (_, input) => ({
    behavior: 'allow',
    updatedInput: { ...input, command: 'echo changed >> ran' },
  })
  await collect(query({ prompt: 'Go.', options: { ...options, sessionStore: whole, canUseTool } }))
  const sessionStore = await cutAfter(whole, options, (line) => line.type === 'question-settled')
  const { sessionId: _, ...rest } = options
  const asked: Options['canUseTool'] = async () => assert.fail('asked again')
  const run = await collect(
    query({ options: { ...rest, sessionStore, resume: SESSION, continueTurn: true, canUseTool: asked } }),
  )
  assert.equal(run.result?.subtype, 'success')
  assert.equal(readFileSync(join(options.cwd, 'ran'), 'utf8'), 'changed\nchanged\n')
})

test('AskUserQuestion and ExitPlanMode are parked like any call; a prompt in place of the answer gives the call up', async () => {
  const questions = [
    {
      question: 'Which?',
      header: 'Which',
      multiSelect: false,
      options: [
        { label: 'A', description: 'a' },
        { label: 'B', description: 'b' },
      ],
    },
  ]
  await using server = await startModelServer([
    { tools: [{ id: 'q', name: 'AskUserQuestion', input: { questions } }] },
    { tools: [{ id: 'p', name: 'ExitPlanMode', input: { plan: 'Do it.' } }] },
    'I see.',
  ])
  await using options = testOptions(server, { sessionId: SESSION, parkAsks: true, permissionMode: 'plan' })
  const canUseTool: Options['canUseTool'] = async () => ({ behavior: 'park' })
  const parked = await collect(query({ prompt: 'Go.', options: { ...options, canUseTool } }))
  assert.equal(parked.result?.terminal_reason, 'waiting')
  const { sessionId: _, ...rest } = options
  const resumed = { ...rest, resume: SESSION, continueTurn: true as const }
  const answered: Options['canUseTool'] = async (name, input) =>
    name === 'AskUserQuestion'
      ? { behavior: 'allow', updatedInput: { ...input, answers: { 'Which?': 'B' } } }
      : { behavior: 'park' }
  const again = await collect(query({ options: { ...resumed, canUseTool: answered } }))
  assert.equal(again.result?.terminal_reason, 'waiting')
  assert.match(JSON.stringify(server.requests[1]?.body.messages.at(-1)), /B/)
  // Somebody says something else instead.
  const { continueTurn: __, ...plain } = resumed
  const other = await collect(query({ prompt: 'Never mind.', options: { ...plain, canUseTool } }))
  assert.equal(other.result?.subtype === 'success' && other.result.result, 'I see.')
  assert.match(JSON.stringify(server.requests[2]?.body.messages.at(-1)), /It was not run.*Never mind/)
})

test('in the same session a prompt after a parked turn gives the call up too', async () => {
  await using server = await startModelServer([{ tools: [bash('a', 'touch ran')] }, 'I see.'])
  await using options = testOptions(server, { parkAsks: true, canUseTool: async () => ({ behavior: 'park' }) })
  const running = query({ prompt: null, options })
  await running.send('Go.')
  const texts: unknown[] = []
  for await (const message of running) {
    if (message.type !== 'result') continue
    texts.push(message.terminal_reason)
    if (texts.length === 1) await running.send('Never mind.')
    else running.endInput()
  }
  assert.deepEqual(texts, ['waiting', 'completed'])
  assert.match(JSON.stringify(server.requests[1]?.body.messages.at(-1)), /still waiting.*Never mind/)
})

test('park is refused where nobody asked for parkAsks', async () => {
  await using server = await startModelServer([{ tools: [bash('a', 'touch ran')] }, 'Well.'])
  await using options = testOptions(server, { canUseTool: async () => ({ behavior: 'park' }) })
  const run = await collect(query({ prompt: 'Go.', options }))
  assert.ok(run.error instanceof Error)
  assert.match(run.error.message, /'park' only where `canPark` was told/)
  assert.ok(!existsSync(join(options.cwd, 'ran')))
})

test('yieldTurn: the running tool is finished, the next does not begin, the model is told nothing, and it goes on elsewhere', async () => {
  const calls = [bash('a', 'echo a >> ran'), bash('b', 'echo b >> ran')]
  await using server = await startModelServer([{ tools: calls }, 'Done.'])
  await using options = testOptions(server, { sessionId: SESSION })
  const sessionStore = new InMemorySessionStore()
  const yielded: boolean[] = []
  const running = query({
    prompt: 'Go.',
    options: {
      ...options,
      sessionStore,
      async canUseTool(_, __, { toolUseID }) {
        if (toolUseID === 'a') yielded.push(await running.yieldTurn())
        return { behavior: 'allow' }
      },
    },
  })
  const first = await collect(running)
  assert.deepEqual(
    [yielded, first.result?.terminal_reason, first.result?.is_error, first.error],
    [[true], 'yielded', false, undefined],
  )
  assert.equal(readFileSync(join(options.cwd, 'ran'), 'utf8'), 'a\n')
  const { sessionId: _, ...rest } = options
  const second = await collect(
    query({
      options: { ...rest, sessionStore, resume: SESSION, continueTurn: true, allowedTools: ['Bash'] },
    }),
  )
  assert.equal(second.result?.terminal_reason, 'completed')
  assert.equal(readFileSync(join(options.cwd, 'ran'), 'utf8'), 'a\nb\n')
  assert.doesNotMatch(JSON.stringify(server.requests[1]?.body.messages), /interrupt/i)
})

test('yieldTurn: before the next request, and not at all where no turn runs', async () => {
  await using server = await startModelServer([{ tools: [bash('a', 'echo a')] }, 'Done.'])
  await using options = testOptions(server, { sessionId: SESSION })
  const running = query({
    prompt: null,
    options: {
      ...options,
      canUseTool: async () => ({ behavior: 'allow' }),
      hooks: { PostToolUse: [{ hooks: [late] }] },
    },
  })
  async function late() {
    await running.yieldTurn()
    return {}
  }
  assert.equal(await running.yieldTurn(), false)
  await running.send('Go.')
  running.endInput()
  const first = await collect(running)
  assert.deepEqual([first.result?.terminal_reason, server.requests.length], ['yielded', 1])
  const { sessionId: _, ...rest } = options
  const second = await collect(query({ options: { ...rest, resume: SESSION, continueTurn: true } }))
  assert.equal(second.result?.subtype === 'success' && second.result.result, 'Done.')
})
