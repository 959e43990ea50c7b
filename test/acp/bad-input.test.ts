/** Every way a client can go wrong, by the id of its row where it has one: answered clearly, nothing runs that should not, life goes on. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, test } from 'node:test'
import { eventually } from '../support/eventually.js'
import { sampledTest } from '../support/tier.js'
import type { Wire } from './acp-schema.js'
import { select } from './clients.js'
import { held } from './held.js'
import { refuse, SILENT } from './raw-connection.js'
import { openRig, type Rig, type RigSetup, type Session } from './rig.js'
import { bash, callsOf, statusesOf, textsIn, use } from './rows-turn.js'

const NOTICES = { session: { notices: {} } }
const setup: RigSetup = { agentOnly: true, flavor: 'unstable', capabilities: NOTICES }
const rig = await openRig('raw', setup)
const { agent } = rig
/** Which tests run before one another, a seed decides. */
beforeEach(() => rig.calm())
const line = (message: object) => agent.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const answerTo = async (id: unknown, after = 0) =>
  (
    await agent.heard(
      `an answer to ${JSON.stringify(id)}`,
      ({ from, message }) => from === 'agent' && message?.id === id && !message.method,
      after,
    )
  ).message
const answersTo = (id: unknown, after: number) =>
  agent.tap.heard.slice(after).filter(({ from, message }) => from === 'agent' && message?.id === id && !message.method)
const isUsable = async () => assert.ok((await rig.request('session/list', {})).sessions)
const permission = (request: Wire) => select(request, 'allow_once')
const askedFor = (session: Session, after = 0) =>
  agent.heard(
    'a permission request',
    ({ message }) => message?.method === 'session/request_permission' && message.params.sessionId === session.id,
    after,
  )
const made = ({ cwd }: Session, name = 'made') => existsSync(join(cwd, name))
const touch = bash('touch made')

sampledTest('P02 a protocol version of 0, 999, a text, none: answered with the one it has', async () => {
  for (const protocolVersion of [0, 999, '1', undefined]) {
    const from = agent.tap.heard.length
    line({ id: `v-${protocolVersion}`, method: 'initialize', params: { protocolVersion, clientCapabilities: NOTICES } })
    const { result, error } = await answerTo(`v-${protocolVersion}`, from)
    assert.equal(result?.protocolVersion, 1, `${protocolVersion}: ${JSON.stringify(error)}`)
  }
})

sampledTest('P04 a line that is not JSON: -32700 with the id null, and the connection lives', async () => {
  for (const text of ['hello', '{"jsonrpc":"2.0","id":1,"method":"session/list"', '{}{}', '{"a":\u0000}', '"']) {
    const from = agent.tap.heard.length
    agent.write(`${text}\n`)
    assert.equal((await answerTo(null, from)).error.code, -32700, text)
  }
  await isUsable()
})

sampledTest('a batch, a number, a text, null: -32600 with the id null', async () => {
  for (const text of ['[]', '[{"jsonrpc":"2.0","id":5,"method":"session/list","params":{}}]', '7', '"text"', 'null']) {
    const from = agent.tap.heard.length
    agent.write(`${text}\n`)
    assert.equal((await answerTo(null, from)).error.code, -32600, text)
  }
  await isUsable()
})

sampledTest('P05 unknown methods and notifications', async () => {
  for (const method of ['no/such', '', 'session/', 'toString', '__proto__', 'session/update'])
    await assert.rejects(rig.request(method, {}), { code: -32601 }, method)
  const from = agent.tap.heard.length
  for (const method of ['no/such', '$/no_such', '_x', '__proto__']) await rig.notify(method, {})
  await isUsable()
  assert.deepEqual(
    agent.tap.heard.slice(from).filter(({ message }) => message.error),
    [],
  )
})

sampledTest('P07 ids that are null, fractions, huge or repeated: no answer is mixed up', async () => {
  const from = agent.tap.heard.length
  for (const id of [1.5, 1e300, -1, '', 'x'.repeat(10_000), 9_007_199_254_740_991]) {
    line({ id, method: 'session/list', params: { cwd: '/' } })
    assert.ok(await answerTo(id, from), String(id).slice(0, 20))
  }
  line({ id: 'twice', method: 'session/list', params: {} })
  line({ id: 'twice', method: '_no/such', params: {} })
  line({ id: 'twice', method: 'session/list', params: {} })
  await isUsable()
  const answers = answersTo('twice', from).map(({ message }) => message.error?.code ?? 'result')
  assert.ok(answers.length >= 1 && answers.length <= 3, String(answers))
  agent.write('{"jsonrpc":"2.0","id":null,"method":"session/list","params":{}}\n')
  await isUsable()
})

sampledTest(
  'P10 a hundred MCP servers, and one that is none: the bad one is reported, the session is there',
  async () => {
    const gone = (n: number) => ({ name: `gone-${n}`, command: '/no/such/program', args: [], env: [] })
    const mcpServers = [...Array.from({ length: 100 }, (_, n) => gone(n)), { name: 'bad-one', command: 7 }]
    const session = await rig.begin({ mcpServers })
    assert.equal((await session.play(['Here.'])).text(), 'Here.')
    await agent.heard(
      'a word about bad-one',
      ({ from, message }) => from === 'agent' && /bad-one/.test(JSON.stringify(message)),
    )
    await rig.request('session/delete', { sessionId: session.id })
  },
)

sampledTest('P11, P13 an unknown session: -32002, whatever its id looks like', async () => {
  for (const sessionId of ['no-such', '../../etc/passwd', '00000000-0000-4000-8000-000000000000', '__proto__']) {
    const at = { sessionId, cwd: rig.options.cwd, mcpServers: [] }
    await assert.rejects(rig.request('session/load', at), { code: -32002 }, sessionId)
    const prompt = [{ type: 'text', text: 'Hi.' }]
    await assert.rejects(rig.request('session/prompt', { sessionId, prompt }), { code: -32002 }, sessionId)
  }
})

sampledTest('P16 a link to a file outside of the folder is not read before somebody is asked', async () => {
  const secret = join(rig.options.env['HOME'] ?? '', 'secret.txt')
  writeFileSync(secret, 'the-secret-text')
  const session = await rig.begin()
  rig.person.permission = (request) => select(request, 'reject_once')
  const word = rig.model.plan([use('Read', { file_path: secret }), 'Then not.'])
  const link = { type: 'resource_link', uri: `file://${secret}`, name: 'secret.txt' }
  const played = await session.prompt([{ type: 'text', text: `Look. ${word}` }, link])
  assert.equal(played.asked('session/request_permission').length, 1)
  const requests = JSON.stringify(rig.model.requestsOf(word).map(({ body }) => body))
  assert.match(requests, /secret\.txt/)
  assert.doesNotMatch(requests, /the-secret-text/)
})

sampledTest('a prompt that says nothing, or with a broken image: -32602 at once, and the session lives', async () => {
  const session = await rig.begin()
  const image = (data: string) => ({ type: 'image', mimeType: 'image/png', data })
  const said = { type: 'text', text: 'Look.' }
  const blob = { type: 'resource', resource: { uri: 'file:///a.png', mimeType: 'image/png', blob: '%' } }
  const bad = [
    ...[[{ type: 'text', text: '' }], [{ type: 'text', text: ' \n' }], [image('')], [said, image('not base64!')]],
    ...[
      [said, image('QQ=')],
      [said, blob],
    ],
  ]
  for (const prompt of bad) {
    await assert.rejects(session.prompt(prompt), { code: -32602 }, JSON.stringify(prompt))
    const steer = rig.request('_session/steering', { sessionId: session.id, prompt })
    await assert.rejects(steer, { code: -32602 }, JSON.stringify(prompt))
  }
  // An empty text beside others is what editors send.
  const word = rig.model.plan(['Here.'])
  const link = { type: 'resource_link', uri: 'file:///a.txt', name: 'a.txt' }
  const played = await session.prompt([{ type: 'text', text: `Go. ${word}` }, link, { type: 'text', text: '' }])
  assert.equal(played.text(), 'Here.')
})

sampledTest(
  'session/new in a folder that is not there, in a file, with a NUL: -32602 there, and no session',
  async () => {
    const file = join(rig.options.cwd, 'a-file')
    writeFileSync(file, '')
    const count = async () => (await rig.request('session/list', {})).sessions.length
    const before = await count()
    for (const cwd of [join(rig.options.cwd, 'gone'), file, join(file, 'below'), '/tmp/\0'])
      await assert.rejects(rig.request('session/new', { cwd, mcpServers: [] }), { code: -32602 }, JSON.stringify(cwd))
    assert.equal(await count(), before)
  },
)

sampledTest('P18 cancel during a permission request: the tool never runs; a late yes changes nothing', async () => {
  for (const answer of ['cancelled', 'late', 'never']) {
    const session = await rig.begin()
    const from = agent.tap.heard.length
    rig.person.permission = () => SILENT
    const playing = session.play([touch])
    const { message } = await askedFor(session, from)
    await rig.notify('session/cancel', { sessionId: session.id })
    if (answer === 'cancelled') line({ id: message.id, result: { outcome: { outcome: 'cancelled' } } })
    const played = await playing
    assert.equal(played.response.stopReason, 'cancelled', answer)
    if (answer === 'late') line({ id: message.id, result: permission(message.params) })
    assert.equal(statusesOf(callsOf(played, 'Bash')).at(-1), 'failed')
    rig.person.permission = permission
    assert.equal((await session.play(['On.'])).text(), 'On.')
    assert.equal(made(session), false)
  }
})

sampledTest('P19 cancel while a tool runs: its processes are gone, the prompt is canceled', async () => {
  const session = await rig.begin()
  const playing = session.play([bash('(sleep 300 & echo $! > child); echo $$ > shell; sleep 300')])
  await session.update('tool_call_update', ({ status }) => status === 'in_progress')
  while (!made(session, 'shell')) await new Promise((resolve) => setTimeout(resolve, 20))
  await rig.notify('session/cancel', { sessionId: session.id })
  const played = await playing
  assert.equal(played.response.stopReason, 'cancelled')
  assert.equal(statusesOf(callsOf(played, 'Bash')).at(-1), 'failed')
  for (const name of ['child', 'shell']) {
    const pid = readFileSync(join(session.cwd, name), 'utf8').trim()
    while (existsSync(`/proc/${pid}`) && !/\) Z/.test(readStat(pid)))
      await new Promise((resolve) => setTimeout(resolve, 20))
  }
})

sampledTest('P21 a permission answered with an error, or in the wrong shape, is a no', async () => {
  const answers = [
    refuse(-32603, 'the editor is broken'),
    { outcome: { outcome: 'selected', optionId: 'no-such-option' } },
    { outcome: { outcome: 'selected' } },
    { outcome: { outcome: 'approved' } },
    { outcome: 'allow' },
    { optionId: 'allow_once' },
    {},
    null,
    'allow_once',
    [],
  ]
  const session = await rig.begin()
  for (const answer of answers) {
    rig.person.permission = () => answer
    // Whether the turn goes on after such a no is not said.
    let asked = 0
    const played = await session.play(() => (asked++ === 0 ? touch : 'Then not.'))
    assert.equal(statusesOf(callsOf(played, 'Bash')).at(-1), 'failed', JSON.stringify(answer))
    assert.equal(made(session), false, JSON.stringify(answer))
  }
  rig.person.permission = permission
})

sampledTest('an answer that comes twice counts once, and answers nobody asked for are ignored', async () => {
  const session = await rig.begin()
  const from = agent.tap.heard.length
  rig.person.permission = () => SILENT
  const playing = session.play([touch, 'Done.'])
  const { message } = await askedFor(session, from)
  const no = select(message.params, 'reject_once')
  line({ id: 'nobody-asked', result: permission(message.params) })
  line({ id: message.id, result: no })
  line({ id: message.id, result: permission(message.params) })
  assert.equal((await playing).response.stopReason, 'end_turn')
  assert.equal(made(session), false)
  rig.person.permission = permission
})

sampledTest('a second prompt while one runs waits, and both are answered in order', async () => {
  const session = await rig.begin()
  const first = held()
  const ends: string[] = []
  const one = session.play([first.step]).then((played) => ends.push(played.text()))
  await first.asked
  const two = session.play(['Second.']).then((played) => ends.push(played.response.stopReason))
  const three = session.play(['Third.']).then((played) => ends.push(played.response.stopReason))
  await isUsable()
  first.release('First.')
  await Promise.all([one, two, three])
  assert.deepEqual(ends, ['First.', 'end_turn', 'end_turn'])
  const texts = session.updates('agent_message_chunk').map(({ content }) => content.text)
  assert.equal(texts.join(''), 'First.Second.Third.')
})

sampledTest('a cancel that races the end: one answer each time, and a cancel of nothing is nothing', async () => {
  const session = await rig.begin()
  for (let n = 0; n < 8; n += 1) {
    const playing = session.play(() => 'Quick.')
    if (n % 2 === 0) await session.update('agent_message_chunk', undefined, agent.tap.heard.length)
    await rig.notify('session/cancel', { sessionId: session.id })
    assert.ok(['end_turn', 'cancelled'].includes((await playing).response.stopReason))
    await rig.notify('session/cancel', { sessionId: session.id })
  }
  await rig.notify('session/cancel', { sessionId: 'no-such' })
  assert.equal((await session.play(['Still.'])).response.stopReason, 'end_turn')
})

sampledTest('P25 without fs: files are read and written by the agent itself, by the same rules', async () => {
  const session = await rig.begin()
  writeFileSync(join(session.cwd, 'a.txt'), 'one\n')
  const played = await session.play([
    use('Read', { file_path: join(session.cwd, 'a.txt') }),
    use('Write', { file_path: join(session.cwd, 'b.txt'), content: 'two\n' }),
    'Done.',
  ])
  assert.deepEqual(
    played.heard.flatMap(({ from, message }) => (from === 'agent' && 'id' in message && message.method) || []),
    ['session/request_permission'],
  )
  assert.equal(readFileSync(join(session.cwd, 'b.txt'), 'utf8'), 'two\n')
})

sampledTest('P28 folders that are not absolute, or lead upwards: -32602', async () => {
  const { cwd } = rig.options
  for (const bad of ['relative', './x', '', `${cwd}/../../etc`, '~', 'C:relative'])
    await assert.rejects(rig.request('session/new', { cwd: bad, mcpServers: [] }), { code: -32602 }, bad)
  for (const bad of ['relative', `${cwd}/../..`]) {
    const params = { cwd, mcpServers: [], additionalDirectories: [bad] }
    await assert.rejects(rig.request('session/new', params), { code: -32602 }, bad)
  }
})

sampledTest('P30 more output than fits is cut between characters', async () => {
  const session = await rig.begin()
  const played = await session.play([bash(`yes 'é日本€' | head -c 300000`), 'Long.'])
  const texts = callsOf(played, 'Bash').map(({ content }) => textsIn(content))
  assert.ok(
    texts.some((text) => text.length > 1000),
    JSON.stringify(texts.map((text) => text.slice(0, 200))),
  )
  for (const text of texts) {
    assert.ok(text.length <= 66_000, `${text.length} characters`)
    assert.doesNotMatch(text, /\uFFFD/)
  }
})

sampledTest('P35 an unknown mode or option: an error, and nothing changes', async () => {
  const session = await rig.begin()
  const { id: sessionId } = session
  await assert.rejects(rig.request('session/set_mode', { sessionId, modeId: 'root' }), { code: -32602 })
  for (const [configId, value] of [
    ['mode', 'root'],
    ['no-such', 'x'],
    ['model', ''],
    ['sandbox', 'maybe'],
  ])
    await assert.rejects(rig.request('session/set_config_option', { sessionId, configId, value }), { code: -32602 })
  assert.deepEqual(session.updates('current_mode_update'), [])
  const { configOptions } = await rig.request('session/set_config_option', {
    sessionId,
    configId: 'mode',
    value: 'plan',
  })
  assert.equal(configOptions.find(({ id }: Wire) => id === 'mode').currentValue, 'plan')
})

sampledTest('P38 _meta that is huge or strange is ignored', async () => {
  const session = await rig.begin()
  const strange = JSON.parse(
    `{"__proto__":{"polluted":true},"claudeCode":7,"kedge":[null],"x":${JSON.stringify('y'.repeat(1e6))}}`,
  )
  const from = agent.tap.heard.length
  for (const _meta of [strange, { claudeCode: { options: 'all' } }, { terminal_output: [] }]) {
    const played = await session.play(['Fine.'], 'Hi.', { _meta })
    assert.equal(played.response.stopReason, 'end_turn')
    const other = await rig.begin({ _meta })
    assert.equal((await other.play(['Fine.'])).response.stopReason, 'end_turn')
  }
  // What is for us is refused by name.
  const odd = { claudeCode: { options: { model: { a: 1 } } } }
  await assert.rejects(rig.begin({ _meta: odd }), { code: -32602, message: /model/ })
  const sent = agent.tap.heard.slice(from).filter((heard) => heard.from === 'agent')
  assert.doesNotMatch(JSON.stringify(sent), /polluted|yyyyyyyyyy/)
})

sampledTest('content that is not for it: wrong blocks are refused by name, nothing is sent to the model', async () => {
  const session = await rig.begin()
  const asked = rig.model.server.requests.length
  for (const prompt of [
    [{ type: 'text' }],
    [{ type: 'hologram', data: 'x' }],
    [null],
    ['Hi.'],
    'Hi.',
    {},
    [{ type: 'image', data: 7 }],
  ])
    await assert.rejects(rig.request('session/prompt', { sessionId: session.id, prompt }), { code: -32602 })
  assert.equal(rig.model.server.requests.length, asked)
  assert.equal((await session.play(['Fine.'])).text(), 'Fine.')
})

sampledTest('a message of 33 MB is refused, and the next one is answered', async () => {
  const from = agent.tap.heard.length
  const before = agent.peak()
  const text = 'x'.repeat(33 * 1024 * 1024)
  line({ id: 'huge', method: 'session/prompt', params: { sessionId: 'x', prompt: [{ type: 'text', text }] } })
  await isUsable()
  const refused = agent.tap.heard.slice(from).filter((heard) => heard.from === 'agent' && heard.message?.error)
  assert.equal(refused.length, 1)
  assert.ok(agent.peak() - before < 200, `${before} → ${agent.peak()} MB`)
})

sampledTest('stdout that nobody reads for a while loses nothing, and memory stays bounded', async () => {
  const session = await rig.begin()
  const text = 'A line of some length that is repeated.\n'.repeat(25_000)
  const before = agent.peak()
  const { stdout } = agent.child
  assert.ok(stdout)
  stdout.pause()
  const playing = session.play([{ text, chunk: 1000 }])
  await eventually('what it writes piles up', () => stdout.readableLength >= stdout.readableHighWaterMark)
  stdout.resume()
  assert.equal((await playing).text(), text)
  assert.ok(agent.peak() - before < 200, `${before} → ${agent.peak()} MB`)
})

test('all of the above in one process: every message was as the schema says, no key and no stack trace was shown', async () => {
  const said = agent.tap.heard.filter(({ from }) => from === 'agent')
  assert.doesNotMatch(JSON.stringify(said), /sk-ant-test/)
  assert.doesNotMatch(JSON.stringify(said.flatMap(({ message }) => message?.error ?? [])), /\n\s+at /)
  await rig[Symbol.asyncDispose]()
  assert.doesNotMatch(agent.stderr(), /^\s+at .+:\d+:\d+/m)
})

sampledTest('P23 a client that leaves while it is asked: a no, everything is stopped, the process ends', async () => {
  const other = await openRig('raw', setup)
  const session = await other.begin()
  other.person.permission = (request) => (/sleep/.test(JSON.stringify(request)) ? permission(request) : SILENT)
  void session.play([bash('sleep 300', { run_in_background: true }), touch]).catch(() => {})
  const isTouch = ({ message }: Wire) =>
    message?.method === 'session/request_permission' && /touch/.test(JSON.stringify(message))
  await other.agent.heard('the question', isTouch)
  await other[Symbol.asyncDispose]()
  assert.equal(existsSync(join(session.cwd, 'made')), false)
})

sampledTest('P33 kill -9: nothing is left after five seconds', async () => {
  const other = await openRig('raw', setup)
  const session = await other.begin()
  const playing = session.play([bash('touch running; sleep 300')])
  playing.catch(() => {})
  while (!made(session, 'running')) await new Promise((resolve) => setTimeout(resolve, 20))
  await other.agent.kill('SIGKILL')
  await assert.rejects(playing)
  assert.deepEqual(await other.agent.leftBehind(), [])
  await endWithout(other)
})

sampledTest('a client that stops reading for good: the agent ends by itself', async () => {
  const other = await openRig('raw', setup)
  const session = await other.begin()
  void session.play([{ text: 'word '.repeat(20_000), chunk: 20 }]).catch(() => {})
  other.agent.child.stdout?.destroy()
  await once(other.agent.child, 'exit')
  assert.deepEqual(await other.agent.leftBehind(), [])
  await endWithout(other)
})

sampledTest('a client that says it can, and can not', async (t) => {
  const fs = { readTextFile: true, writeTextFile: true }
  const _meta = { kedge: { terminals: true } }
  await using other = await openRig('raw', { ...setup, capabilities: { fs, terminal: true, _meta } })

  await t.test(
    'P31 a terminal of the client that never ends: the turn goes on when its time is over, and with the session it is killed and released',
    async () => {
      const methods: string[] = []
      other.person.other = (method) => {
        methods.push(method)
        if (method === 'terminal/create') return { terminalId: 'term-1' }
        if (method === 'terminal/output') return { output: 'so far\n', truncated: false }
        return method === 'terminal/wait_for_exit' ? SILENT : {}
      }
      const session = await other.begin()
      const played = await session.play([bash('sleep 300', { timeout: 300 }), 'Given up.'])
      assert.equal(played.response.stopReason, 'end_turn')
      // A command that reaches its limit goes on in the background, wherever it runs.
      assert.equal(statusesOf(callsOf(played, 'Bash')).at(-1), 'in_progress')
      await other.request('session/close', { sessionId: session.id })
      await other.agent.heard('a release', ({ message }) => message?.method === 'terminal/release')
      assert.ok(methods.includes('terminal/kill'), String(methods))
    },
  )

  await t.test(
    'P40 a client that can write files by its own word, and then can not: the tool fails, nothing is written around it',
    async () => {
      const session = await other.begin()
      other.person.writeFile = () => refuse(-32603, 'read-only editor')
      const path = join(session.cwd, 'a.txt')
      const played = await session.play([use('Write', { file_path: path, content: 'x' }), 'Then not.'])
      const write = callsOf(played, 'Write')
      assert.equal(statusesOf(write).at(-1), 'failed')
      assert.match(JSON.stringify(write), /read-only editor/)
      assert.equal(existsSync(path), false)
    },
  )
})

/** Of one that is gone already. */
async function endWithout({ model, options }: Rig): Promise<void> {
  await model[Symbol.asyncDispose]()
  await options[Symbol.asyncDispose]()
}

function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
