/** The stage as a face sees it: sessions, prompts, asks, the log. */
import assert from 'node:assert/strict'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Options } from 'kedge'
import { rewindAsRequested } from '../../src/hub/rewind.js'
import type { Ask } from '../../src/protocol/session-log/ask-types.js'
import type { LogItem } from '../../src/protocol/session-log/entries.js'
import { entriesOf, isEndOf, openHubStage, readUntil, story } from './hub-stage.js'

const write = (file_path: string, content = 'new\n') => ({ tools: [{ name: 'Write', input: { file_path, content } }] })
const ada = { name: 'Ada' }
const isAsk = (item: LogItem) => item.kind === 'ask'
const askIn = (items: readonly LogItem[]): Ask => {
  const last = items.at(-1)
  assert.ok(last?.kind === 'ask')
  return last.data
}

test('a prompt is taken, worked on and done; nothing runs before it', async () => {
  await using stage = await openHubStage(['Hello.'])
  const session = await stage.begin({ title: 'First' })
  assert.equal(stage.server.requests.length, 0)
  assert.deepEqual(await stage.hub.send(session, { id: 'a', content: 'Hi' }), { id: 'a', seq: 2, repeated: false })
  const items = await readUntil(
    stage.hub,
    session,
    (item) => item.kind === 'state' && item.data.status === 'idle' && item.seq > 2,
  )
  assert.deepEqual(story(items), [
    ...['state cwd status title', 'prompt queued a', 'system/init', 'state model mode'],
    ...['state status', 'prompt started a', 'assistant', 'result', 'prompt done a', 'state status'],
  ])
  assert.deepEqual(
    entriesOf(items).map(({ seq }) => seq),
    items.filter(({ kind }) => kind !== 'delta').map((_, n) => n + 1),
  )
  const { status, title, costUsd, isOpen } = await stage.hub.info(session)
  assert.deepEqual({ status, title, isOpen }, { status: 'idle', title: 'First', isOpen: true })
  assert.ok(costUsd > 0)
})

test('what a folder brings runs only when its user trusts it, or whoever opens the session says so', async () => {
  const settingSources = ['user', 'project', 'local'] as const
  await using stage = await openHubStage(['One.', 'Two.', 'Three.'], {
    options: { settingSources: [...settingSources] },
  })
  const { cwd } = stage.options
  mkdirSync(join(cwd, '.claude'))
  const hooks = { SessionStart: [{ hooks: [{ type: 'command', command: 'echo ran >> ran.txt' }] }] }
  writeFileSync(join(cwd, '.claude', 'settings.json'), JSON.stringify({ hooks }))
  const ran = async (options: Options) => {
    const session = await stage.begin({ options })
    await stage.hub.send(session, { id: session, content: 'Hi' })
    await readUntil(stage.hub, session, isEndOf(session))
    return existsSync(join(cwd, 'ran.txt')) ? readFileSync(join(cwd, 'ran.txt'), 'utf8').split('\n').length - 1 : 0
  }
  assert.equal(await ran({}), 0)
  assert.equal(await ran({ untrusted: false }), 1)
  await stage.hub.trustFolder(cwd)
  assert.equal(await ran({}), 2)
})

test('the same id twice is one prompt, also after a restart', async () => {
  await using stage = await openHubStage(['Once.'])
  const session = await stage.begin()
  const first = await stage.hub.send(session, { id: 'a', content: 'Hi' })
  assert.deepEqual(await stage.hub.send(session, { id: 'a', content: 'Hi' }), { ...first, repeated: true })
  await readUntil(stage.hub, session, isEndOf('a'))
  await stage.reopen()
  assert.deepEqual(await stage.hub.send(session, { id: 'a', content: 'Hi' }), { ...first, repeated: true })
  assert.equal(stage.server.requests.length, 1)
})

test('a prompt the agent refuses is refused when it is sent; one from a log ends, and the next comes', async () => {
  await using stage = await openHubStage(['Here.'])
  const session = await stage.begin()
  const blank = { type: 'text', text: ' ' } as const
  for (const content of ['', ' \n', [], [blank], [{ type: 'text', text: '' } as const]])
    await assert.rejects(stage.hub.send(session, { id: 'bad', content }), { code: 'invalid_option' })
  await stage.hub.end()
  const projects = join(stage.options.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects')
  const log = readdirSync(projects, { recursive: true, encoding: 'utf8' }).find((name) => name.endsWith('hub.log'))
  assert.ok(log)
  const prompt = { id: 'old', content: [{ type: 'text', text: '' }], when: 'queue' }
  const entry = { seq: 2, at: new Date().toISOString(), kind: 'prompt', data: { change: 'queued', prompt } }
  appendFileSync(join(projects, log), `${JSON.stringify(entry)}\n`)
  await stage.reopen()
  await stage.hub.resumeTurn(session)
  await stage.hub.send(session, { id: 'next', content: 'Hi' })
  const items = await readUntil(stage.hub, session, isEndOf('next'))
  const ends = story(items).filter((line) => /^prompt (done|removed|interrupted)/.test(line))
  assert.deepEqual(ends, ['prompt done old', 'prompt done next'])
})

test('prompts wait their turn and can be put in another order or taken out', async () => {
  await using stage = await openHubStage([write('a.txt'), 'One.', 'Three.'])
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'first' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  for (const id of ['2', '3', '4']) await stage.hub.send(session, { id, content: `prompt ${id}` })
  await stage.hub.reorder(session, ['3', '2'])
  await stage.hub.removePrompt(session, '2')
  await stage.hub.removePrompt(session, '4', ada)
  assert.deepEqual(
    (await stage.hub.queue(session)).map(({ id }) => id),
    ['3'],
  )
  await assert.rejects(stage.hub.removePrompt(session, '1'), { code: 'prompt_not_found' })
  await stage.hub.answer(session, ask.id, { kind: 'deny' }, ada)
  await readUntil(stage.hub, session, isEndOf('3'))
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /prompt 3/)
  assert.doesNotMatch(JSON.stringify(stage.server.requests.map(({ body }) => body)), /prompt [24]/)
})

test('a steer joins the running turn, and both have the one result', async () => {
  await using stage = await openHubStage([write('a.txt'), 'Both.'])
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'first' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  await stage.hub.send(session, { id: '2', content: 'and mind this', when: 'steer' })
  await stage.hub.answer(session, ask.id, { kind: 'allow' }, ada)
  const items = entriesOf(await readUntil(stage.hub, session, isEndOf('2')))
  const prompts = items.flatMap((entry) => (entry.kind === 'prompt' ? [entry.data] : []))
  assert.ok(prompts.some((change) => change.change === 'started' && change.id === '2' && change.joined))
  const results = prompts.flatMap((change) => (change.change === 'done' ? [change.result] : []))
  assert.equal(results.length, 2)
  assert.equal(new Set(results).size, 1)
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /mind this/)
})

test('an ask says what would happen and why, and is answered once', async () => {
  await using stage = await openHubStage([
    { tools: [{ name: 'Read', input: { file_path: 'a.txt' } }] },
    { tools: [{ name: 'Edit', input: { file_path: 'a.txt', old_string: 'old', new_string: 'new' } }] },
    'Done.',
  ])
  writeFileSync(join(stage.options.cwd, 'a.txt'), 'old\nkept\n')
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  const path = join(stage.options.cwd, 'a.txt')
  const texts = { oldText: 'old\nkept\n', newText: 'new\nkept\n' }
  assert.deepEqual(ask.preview, { type: 'diff', path, ...texts, added: 1, removed: 1 })
  assert.deepEqual(ask.why, { layer: 'tool', text: 'No rule allows this, and the permission mode is Ask first.' })
  assert.deepEqual(ask.agent, [])
  assert.deepEqual(
    ask.suggestions.map(({ rule, scope }) => ({ rule, scope })),
    [{ rule: 'all file edits', scope: 'session' }],
  )
  assert.equal((await stage.hub.info(session)).status, 'needs-you')
  assert.deepEqual(
    (await stage.hub.asks()).map(({ id }) => id),
    [ask.id],
  )
  await assert.rejects(stage.hub.answer(session, ask.id, { kind: 'allow', hash: 'other' }, ada), {
    code: 'invalid_answer',
  })
  await assert.rejects(stage.hub.answer(session, ask.id, { kind: 'approve' }, ada), { code: 'invalid_answer' })
  await assert.rejects(stage.hub.answer(session, 'none', { kind: 'allow' }, ada), { code: 'ask_not_found' })
  const both = await Promise.all([
    stage.hub.answer(session, ask.id, { kind: 'allow', hash: ask.tool?.hash ?? '' }, ada),
    stage.hub.answer(session, ask.id, { kind: 'deny' }, { name: 'Bob' }),
  ])
  assert.deepEqual(both, ['accepted', { already: ada }])
  await readUntil(stage.hub, session, isEndOf('1'))
  assert.equal(readFileSync(path, 'utf8'), 'new\nkept\n')
})

test('an interrupt withdraws the ask as a no, and the session goes on', async () => {
  await using stage = await openHubStage([write('a.txt'), 'Second.'])
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  await stage.hub.interrupt(session)
  const items = await readUntil(stage.hub, session, isEndOf('1'))
  assert.ok(items.some((item) => item.kind === 'withdrawn' && item.data.ask === ask.id))
  assert.deepEqual(await stage.hub.answer(session, ask.id, { kind: 'allow' }, ada), { already: 'withdrawn' })
  assert.equal(existsSync(join(stage.options.cwd, 'a.txt')), false)
  await stage.hub.send(session, { id: '2', content: 'on' })
  await readUntil(stage.hub, session, isEndOf('2'))
})

test('an ask nobody answers in time is a no', async () => {
  await using stage = await openHubStage([write('a.txt'), 'Then not.'], { askTimeoutMs: 20 })
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'go' })
  const items = await readUntil(stage.hub, session, isEndOf('1'))
  const withdrawn = items.find((item) => item.kind === 'withdrawn')
  assert.equal(withdrawn?.kind === 'withdrawn' && withdrawn.data.reason, 'No one answered in time.')
  assert.equal(existsSync(join(stage.options.cwd, 'a.txt')), false)
})

test('questions are answered by their texts, several choices as one', async () => {
  const option = (label: string) => ({ label, description: label })
  const questions = [
    { question: 'Which?', header: 'Which', multiSelect: true, options: [option('A'), option('B')] },
    { question: 'Why?', header: 'Why', multiSelect: false, options: [option('C'), option('D')] },
  ]
  await using stage = await openHubStage([{ tools: [{ name: 'AskUserQuestion', input: { questions } }] }, 'Thanks.'])
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'ask me' })
  const ask = askIn(await readUntil(stage.hub, session, isAsk))
  assert.equal(ask.kind, 'question')
  await stage.hub.answer(
    session,
    ask.id,
    { kind: 'answers', answers: { 'Which?': ['A', 'B'], 'Why?': 'because' } },
    ada,
  )
  await readUntil(stage.hub, session, isEndOf('1'))
  const { text } = stage.server.requests.at(-1)?.toolResults[0] ?? { text: '' }
  assert.match(text, /"Which\?"="A, B"/)
  assert.match(text, /"Why\?"="because"/)
})

test('a session that is closed stays stored, is listed, opened again and goes on', async () => {
  await using stage = await openHubStage(['One.', 'Two.'])
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'remember the number 7' })
  const before = await readUntil(stage.hub, session, isEndOf('1'), { deltas: false })
  await stage.hub.close(session)
  const listed = (await stage.hub.list()).sessions
  assert.deepEqual(
    listed.map(({ id, status, isOpen }) => ({ id, status, isOpen })),
    [{ id: session, status: 'done', isOpen: false }],
  )
  await stage.reopen()
  await stage.hub.send(session, { id: '2', content: 'which number?' })
  const after = await readUntil(stage.hub, session, isEndOf('2'), { deltas: false })
  assert.deepEqual(after.slice(0, before.length), before)
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /number 7/)
})

test('a session that is used while it is deleted is gone all the same', async () => {
  await using stage = await openHubStage(['One.'])
  const session = await stage.begin()
  await stage.hub.send(session, { id: 'a', content: 'Hi' })
  await readUntil(stage.hub, session, isEndOf('a'))
  const deleting = stage.hub.delete(session)
  // A page that reconnects, and a change that was sent before.
  const used = [stage.hub.info(session), stage.hub.change(session, { archived: true }), deleting]
  const outcomes = await Promise.allSettled(used)
  assert.deepEqual(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done')),
    ['session_not_found', 'session_not_found', 'done'],
  )
  await assert.rejects(stage.hub.info(session), { code: 'session_not_found' })
  assert.deepEqual((await stage.hub.list()).sessions, [])
})

test('a fork goes its own way; a deleted session is gone', async () => {
  await using stage = await openHubStage(['One.', 'Fork.'])
  const session = await stage.begin()
  await stage.hub.send(session, { id: '1', content: 'first' })
  await readUntil(stage.hub, session, isEndOf('1'))
  const fork = await stage.hub.fork(session)
  assert.notEqual(fork.id, session)
  await stage.hub.send(fork.id, { id: '1', content: 'in the fork' })
  await readUntil(stage.hub, fork.id, isEndOf('1'))
  assert.match(JSON.stringify(stage.server.requests.at(-1)?.body), /first.*in the fork/)
  await stage.hub.delete(session)
  await stage.hub.delete(session)
  assert.deepEqual(
    (await stage.hub.list()).sessions.map(({ id }) => id),
    [fork.id],
  )
  await assert.rejects(stage.hub.info(session), { code: 'session_not_found' })
})

test('titles, modes and archiving are changes in the log', async () => {
  await using stage = await openHubStage([write('a.txt'), 'Done.'])
  const session = await stage.begin()
  await stage.hub.change(session, { title: 'Named', mode: 'acceptEdits', by: ada })
  await stage.hub.send(session, { id: '1', content: 'go' })
  await readUntil(stage.hub, session, isEndOf('1'))
  // The mode let it through.
  assert.equal(readFileSync(join(stage.options.cwd, 'a.txt'), 'utf8'), 'new\n')
  const { title, mode, archived } = await stage.hub.change(session, { archived: true })
  assert.deepEqual({ title, mode, archived }, { title: 'Named', mode: 'acceptEdits', archived: true })
  assert.deepEqual((await stage.hub.list()).sessions, [])
  assert.equal((await stage.hub.list({ archived: true })).sessions.length, 1)
})

test('rewinding undoes files, the conversation, or both, after saying what', async () => {
  await using stage = await openHubStage(['Ready.', write('a.txt'), 'Written.', 'Again.'])
  const session = await stage.begin({ mode: 'acceptEdits' })
  await stage.hub.send(session, { id: '1', content: 'first' })
  await readUntil(stage.hub, session, isEndOf('1'))
  await stage.hub.send(session, { id: '2', content: 'write it' })
  const items = await readUntil(stage.hub, session, isEndOf('2'))
  const [message = ''] = items.flatMap(({ kind, data }) =>
    kind === 'prompt' && data.change === 'started' && data.id === '2' ? [data.message] : [],
  )
  const path = join(stage.options.cwd, 'a.txt')
  const plan = await rewindAsRequested(stage.hub, stage.hub, session, { message, what: 'both', dryRun: true })
  assert.deepEqual(plan.files, [path])
  assert.ok(plan.messages >= 2 && existsSync(path))
  assert.deepEqual(await rewindAsRequested(stage.hub, stage.hub, session, { message, what: 'both' }), plan)
  assert.equal(existsSync(path), false)
  await stage.hub.send(session, { id: '3', content: 'and now' })
  await readUntil(stage.hub, session, isEndOf('3'))
  const last = JSON.stringify(stage.server.requests.at(-1)?.body)
  assert.match(last, /first.*and now/)
  assert.doesNotMatch(last, /write it/)
})

test('an agent that can not start says so, and the next prompt tries again', async () => {
  await using stage = await openHubStage(['Works.'])
  const session = await stage.begin({
    options: { additionalDirectories: ['relative'], extraArgs: { 'no-such-flag': null } },
  })
  await stage.hub.send(session, { id: '1', content: 'go' })
  const items = await readUntil(stage.hub, session, (item) => item.kind === 'state' && item.data.status === 'error')
  assert.ok(items.some((item) => item.kind === 'prompt' && item.data.change === 'interrupted' && item.data.id === '1'))
  assert.match((await stage.hub.info(session)).error ?? '', /no-such-flag/)
  await stage.hub.open(session, {})
  await stage.hub.send(session, { id: '2', content: 'go' })
  await readUntil(stage.hub, session, isEndOf('2'))
  assert.equal((await stage.hub.info(session)).error, undefined)
})
