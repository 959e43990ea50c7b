/** `--plain`: everything is read out in lines, and each question can be answered with one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PlainSession } from '../../src/terminal/plain/plain-conversation.js'
import { assistant, CWD, result, type ScriptedSession, scriptSession, toolResult } from './scripted-session.js'
import { quiet, testClock, testMachine } from './stage.js'

type Plain = {
  scripted: ScriptedSession
  talk: PlainSession
  files: Map<string, string>
  /** Types a line, and returns what is printed because of it. */
  line(text: string): Promise<string>
  /** What was printed since the last time. */
  printed(): Promise<string>
}

async function openPlain(prepare: (scripted: ScriptedSession) => void = () => {}): Promise<Plain> {
  const scripted = scriptSession()
  prepare(scripted)
  const clock = testClock()
  const files = new Map<string, string>()
  let out = ''
  const talk = new PlainSession({
    args: { settings: {}, prompt: '', session: { kind: 'new' }, isFork: false, isPlain: true, isServed: false },
    backend: scripted.backend,
    machine: testMachine(clock, files),
    cwd: CWD,
    wanted: undefined,
    write(text) {
      out += text
    },
  })
  const printed = async () => {
    await quiet()
    const text = out
    out = ''
    return text
  }
  await talk.open(scripted.client)
  return {
    scripted,
    talk,
    files,
    printed,
    async line(text) {
      await quiet()
      // Long after the question was read out.
      clock.move(5000)
      talk.line(text)
      return printed()
    },
  }
}

async function asked(plain: Plain, ask: Parameters<ScriptedSession['ask']>[0]): Promise<string> {
  plain.scripted.ask(ask)
  return plain.printed()
}

const BASH = { name: 'Bash', input: { command: 'npm test' }, hash: 'h1', useId: 't1' }
const PREVIEW = { type: 'command' as const, command: 'npm test', parts: [] }

test('a turn is lines from beginning to end, without escapes', async () => {
  const plain = await openPlain()
  assert.match(await plain.printed(), /^Ready: type a prompt and press Enter\./)
  await plain.line('make it')
  assert.deepEqual(plain.scripted.done, [{ what: 'send', with: { content: 'make it', when: undefined } }])
  plain.scripted.add({ kind: 'state', data: { status: 'running' } })
  plain.scripted.add({ kind: 'prompt', data: { change: 'started', id: 'id-1', message: 'm' } })
  plain.scripted.message(assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }]))
  plain.scripted.message(toolResult('t1', 'built'))
  plain.scripted.says('It is **made**.\n')
  plain.scripted.message(result())
  plain.scripted.add({ kind: 'state', data: { status: 'idle' } })
  const text = await plain.printed()
  assert.equal(text, '(working)\n> make it\n\n* Bash make\n  ` built\n\nIt is made.\n(done)\n')
})

test('a list that can be searched on a screen has numbers here, and a number chooses: /resume', async () => {
  const plain = await openPlain()
  const other = '99999999-2222-4333-8444-555555555555'
  const text = await plain.line('/resume')
  assert.match(text, /> 1 Another one\n.*\/home\/ada\/other/)
  assert.doesNotMatch(text, /search|esc/)
  assert.match(await plain.line('another'), /Please type the number of your answer\./)
  assert.match(await plain.line('2'), /Please type the number of your answer\./)
  await plain.line('1')
  assert.deepEqual(plain.scripted.done, [{ what: 'open', with: other }])
})

test('the twelfth of a long list is chosen with 12', async () => {
  const uuid = (n: number) => `u-${n}-1-1-1` as const
  const plain = await openPlain((scripted) => {
    scripted.stored = Array.from({ length: 15 }, (_, n) => ({
      type: 'user' as const,
      uuid: uuid(n + 1),
      session_id: 's',
      parent_tool_use_id: null,
      message: { role: 'user', content: `prompt ${n + 1}` },
      parent_agent_id: null,
    }))
  })
  assert.match(await plain.line('/rewind'), /12 prompt 4/)
  assert.match(await plain.line('12'), /prompt 4[\s\S]*1 The conversation/)
  await plain.line('1')
  assert.deepEqual(plain.scripted.done.at(-1), { what: 'rewind', with: { message: uuid(4), what: 'conversation' } })
})

const ANSWERS: [string, object][] = [
  ['1', { hash: 'h1', kind: 'allow' }],
  ['yes', { hash: 'h1', kind: 'allow' }],
  ['Y', { hash: 'h1', kind: 'allow' }],
  ['stop', { kind: 'deny', stop: true }],
  ['back', { kind: 'deny', stop: true }],
]
for (const [line, answer] of ANSWERS)
  test(`a permission is answered with ${line}`, async () => {
    const plain = await openPlain()
    assert.match(
      await asked(plain, { tool: BASH, preview: PREVIEW }),
      /Run this command\?[\s\S]*npm test[\s\S]*1 Allow once/,
    )
    await plain.line(line)
    assert.deepEqual(plain.scripted.answers, [{ ask: 'ask-1', answer }])
  })

for (const line of ['maybe', '0', '9', '1 2', ''])
  test(`a permission is not answered with ${JSON.stringify(line)}, and that is said`, async () => {
    const plain = await openPlain()
    await asked(plain, { tool: BASH, preview: PREVIEW })
    assert.match(await plain.line(line), /Please type the number of your answer\./)
    assert.deepEqual(plain.scripted.answers, [])
    assert.deepEqual(plain.scripted.done, [])
  })

test('a no with words: the next line is what it should do instead', async () => {
  const plain = await openPlain()
  await asked(plain, { tool: BASH, preview: PREVIEW })
  assert.match(
    await plain.line('no'),
    /what should the agent do instead\?[\s\S]*\(type your answer; "back" goes back\)/,
  )
  assert.match(await plain.line('back'), /Run this command\?/)
  await plain.line('n')
  await plain.line('use make')
  assert.deepEqual(plain.scripted.answers, [{ ask: 'ask-1', answer: { kind: 'deny', message: 'use make' } }])
})

test('several answers in one line; one number too high changes nothing', async () => {
  const plain = await openPlain()
  const options = ['S', 'M', 'L'].map((label) => ({ label, description: '' }))
  const questions = [{ question: 'Which sizes?', header: 'Sizes', multiSelect: true, options }]
  const tool = { name: 'AskUserQuestion', input: { questions }, hash: 'h', useId: 't' }
  assert.match(await asked(plain, { kind: 'question', tool }), /such as: 1 3/)
  assert.match(await plain.line('1 7'), /Please type the number/)
  await plain.line('3, 1')
  assert.deepEqual(plain.scripted.answers[0]?.answer, { kind: 'answers', answers: { 'Which sizes?': ['L', 'S'] } })
})

test('! and # work as on a screen', async () => {
  const plain = await openPlain()
  assert.match(await plain.line('!ls'), /! ls\n {2}ran ls\n/)
  await plain.line('and now?')
  assert.match(JSON.stringify(plain.scripted.done.at(-1)?.with), /<shell-command>.*ran ls.*and now\?/)
  assert.match(await plain.line('# tabs'), /Remember this where\?/)
  await plain.line('1')
  assert.equal(plain.files.get(`${CWD}/CLAUDE.md`), '- tabs\n')
})

test('SIGINT stops a turn, and ends it where none runs; other signals end it', async () => {
  const plain = await openPlain()
  plain.scripted.add({ kind: 'state', data: { status: 'running' } })
  await plain.printed()
  plain.talk.stop('SIGINT', 130)
  assert.deepEqual(plain.scripted.done, [{ what: 'interrupt', with: 'turn' }])
  plain.talk.stop('SIGTERM', 143)
  assert.equal(await plain.talk.left, 143)
})
