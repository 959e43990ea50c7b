/** Lines on stdin that are no JSON, no message or no sense, each by its id. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { query } from 'kedge'
import { collect, type ModelRequest, startModelServer } from 'kedge/testing'
import { eventually } from '../support/eventually.js'
import { sampledTest as test } from '../support/tier.js'
import {
  type Agent,
  heldTurn,
  isQuestion,
  isResult,
  isStuck,
  type Line,
  lastToolResults,
  readTranscript,
  startAgent,
  success,
  user,
  WATCHDOG_MS,
} from './agent-process.js'

const MIB = 1024 * 1024
const tiny = (id: string) => `{"type":"control_request","request_id":"${id}","request":{"subtype":"interrupt"}}\n`
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const image = (source: object) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', ...source } })

/** A message is refused with one result that says why; the next one is answered as if it had not come. */
async function refusesThenGoesOn(agent: Agent, bad: object | string, why: RegExp): Promise<void> {
  const before = agent.server.requests.length
  await agent.write(`${typeof bad === 'string' ? bad : JSON.stringify(bad)}\n`)
  const result = await agent.take(isResult)
  assert.equal(result.subtype, 'error_during_execution')
  assert.deepEqual([result.is_error, result.terminal_reason, result.errors?.length], [true, 'invalid_input', 1])
  assert.match(String(result.errors?.[0]), why)
  assert.ok(JSON.stringify(result).length < 5000, 'the report repeats the input')
  assert.equal(agent.server.requests.length, before, 'the model was asked')
  assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
}

/** DECISIONS A12: one text on stderr, one result that names the line, exit 1; what was said before is kept and can be resumed. */
async function endsTheSession(bad: string | Uint8Array, problem: RegExp): Promise<void> {
  await using agent = await startAgent(['Noted.'])
  assert.equal((await agent.turn('Remember the number 7.')).result, 'Noted.')
  await agent.write(bad)
  await agent.send(user('This comes too late.'))
  const result = await agent.take(isResult)
  assert.deepEqual(
    [result.subtype, result.is_error, result.terminal_reason],
    ['error_during_execution', true, 'invalid_input'],
  )
  assert.match(String(result.errors?.[0]), /^Error parsing streaming input line: line 3 is not a JSON object: /)
  assert.match(String(result.errors?.[0]), problem)
  await agent.finish({ code: 1 })
  assert.equal(agent.lines.filter(isResult).length, 2)
  assert.equal(agent.stderr().match(/^Error parsing streaming input line: /gm)?.length, 1)
  assert.ok(agent.stderr().length < 1000, agent.stderr())

  await using server = await startModelServer(['It was 7.'])
  const options = { ...agent.options, env: { ...agent.options.env, ...server.env() }, resume: result.session_id }
  const run = await collect(query({ prompt: 'Which number?', options }))
  assert.equal(run.error, undefined)
  const [said] = server.requests
  assert.deepEqual(
    said?.body.messages.map(({ role }) => role),
    ['user', 'assistant', 'user'],
  )
  assert.equal(said?.opening, 'Remember the number 7.')
}

test('N01 an empty line is ignored, without any output', async () => {
  await using agent = await startAgent([], { initialize: false })
  await agent.write('\n\r\n   \n\t\n\n')
  await agent.finish()
  assert.deepEqual([agent.lines, agent.stderr()], [[], ''])
})

test('N03 plain text ends the session with an error result, exit 1 and a whole transcript (DECISIONS A12)', () =>
  endsTheSession('hello\n', /hello/))

test('N03 plain text while a turn runs: the turn gets its result too, and nothing is lost (DECISIONS A12)', async () => {
  const held = heldTurn()
  await using agent = await startAgent([held.step])
  await agent.send(user('Go.'))
  await held.asked
  await agent.write('hello\n')
  await agent.finish({ code: 1 })
  const reasons = agent.lines.filter(isResult).map(({ terminal_reason: reason }) => reason)
  assert.deepEqual(reasons, ['aborted_streaming', 'invalid_input'])
})

test('N05 two objects on one line: neither is used (DECISIONS A12)', () =>
  endsTheSession(`${JSON.stringify(user('one'))}${JSON.stringify(user('two'))}\n`, /JSON/))

test('N08 a `type` of the wrong kind is reported, and the session goes on', async () => {
  await using agent = await startAgent(['Still here.'])
  const bad: unknown[] = [1, {}, [], null, true, { toString: 1 }]
  for (const type of bad) await agent.send({ ...user('no'), type })
  await agent.write('{}\n')
  assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
  await agent.finish()
  assert.equal(agent.stderr().match(/^Ignored: .*`type`/gm)?.length, bad.length + 1)
  assert.equal(agent.server.requests[0]?.body.messages.length, 1)
})

test('N09 of duplicate keys the last counts, for the check and for the use', async () => {
  const call = { tools: [{ name: 'Bash', input: { command: 'touch made' } }] }
  await using agent = await startAgent(['Yes.', call, 'Done.'])
  const rest = '"message":{"role":"assistant","role":"user","content":"no","content":"hi"}'
  await agent.write(`{"type":"user","type":"control_response",${rest}}\n`)
  await agent.write(`{"type":"control_response","type":"user",${rest}}\n`)
  assert.equal((await agent.take(isResult)).result, 'Yes.')
  assert.equal(agent.server.requests[0]?.prompt, 'hi')
  await agent.send(user('Make it.'))
  const { request_id: id } = await agent.take(isQuestion)
  const answer = `{"behavior":"allow","behavior":"deny","message":"no","message":"not this"}`
  await agent.write(
    `{"type":"control_response","response":{"subtype":"success","request_id":"${id}","response":${answer}}}\n`,
  )
  await agent.take(isResult)
  assert.deepEqual(lastToolResults(agent), ['not this'])
  await agent.finish()
})

for (const [kind, unit] of [
  ['ASCII', 'x'],
  ['three-byte characters', '漢'],
] as const) {
  test(`N11 a 100 MiB line without newline (${kind}) is dropped, reported and never buffered`, async () => {
    await using agent = await startAgent(['Still here.'])
    const piece = Buffer.from(unit.repeat(Math.floor(MIB / Buffer.byteLength(unit))))
    await agent.write('{"type":"user","message":{"role":"user","content":"')
    for (let sent = 0; sent < 100 * MIB; sent += piece.length) await agent.write(piece)
    await refusesThenGoesOn(agent, '"}}', /^line 2 was dropped: line of \d+ characters is over the limit of 33554432$/)
    await agent.finish()
  })
}

test('N11 a 100 MiB line that never ends: dropped with a note at the end of the input', async () => {
  await using agent = await startAgent([])
  const piece = Buffer.alloc(MIB, 'x')
  for (let i = 0; i < 100; i++) await agent.write(piece)
  await agent.finish()
  assert.match(agent.stderr(), /^Note: the input ended inside line 2; it was dropped \(line of 104857600 characters/)
})

test('N13 10,000 nested arrays as a line: an error, no stack overflow (DECISIONS A12)', () =>
  endsTheSession(`${'['.repeat(10_000)}${']'.repeat(10_000)}\n`, /not a JSON object/))

for (const depth of [10_000, 100_000]) {
  const nested = `${'['.repeat(depth)}${']'.repeat(depth)}`
  test(`N13 ${depth} nested arrays inside messages are refused or ignored, and the session goes on`, async () => {
    await using agent = await startAgent(Array(3).fill('Still here.'))
    const message = (content: string) => `{"type":"user","message":{"role":"user","content":${content}}}`
    await refusesThenGoesOn(agent, message(nested), /content\[0\]/)
    await refusesThenGoesOn(agent, message(`[{"type":"text","text":"hi","deep":${nested}}]`), /content\[0\].*deep/)
    await agent.write(`{"type":"keep_alive","deep":${nested}}\n`)
    await agent.write(
      `{"type":"control_request","request_id":"deep","request":{"subtype":"mcp_set_servers","servers":${nested}}}\n`,
    )
    assert.equal((await agent.take(({ response }) => response?.request_id === 'deep')).response?.subtype, 'error')
    assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
    await agent.finish()
  })
}

/** What Linux counts of a process; elsewhere nothing is waited for. */
function bytesRead({ child }: Agent): number {
  if (process.platform !== 'linux') return Number.POSITIVE_INFINITY
  return Number(/rchar: (\d+)/.exec(readFileSync(`/proc/${child.pid}/io`, 'utf8'))?.[1])
}

test('N15 a multi-byte character split over two reads is decoded whole', async () => {
  await using agent = await startAgent(['Yes.', 'Yes.'])
  const text = 'né 漢 🎉'
  const bytes = Buffer.from(`${JSON.stringify(user(text))}\n`)
  const cuts = [bytes.indexOf('é') + 1, bytes.indexOf('漢') + 2, bytes.indexOf('🎉') + 1, bytes.indexOf('🎉') + 3]
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    const before = bytesRead(agent)
    await agent.write(bytes.subarray(from, cut))
    await eventually('this piece is read before the next one comes', () => bytesRead(agent) >= before + cut - from)
    from = cut
  }
  await agent.take(isResult)
  for (const byte of bytes) await agent.write(Uint8Array.of(byte))
  await agent.take(isResult)
  await agent.finish()
  assert.deepEqual(
    agent.server.requests.map(({ prompt }) => prompt),
    [text, text],
  )
})

test('N18 a lone CR is a blank inside a line', async () => {
  await using agent = await startAgent(['Yes.'])
  await agent.write(`\r${JSON.stringify(user('hi')).replaceAll(',"', '\r,\r"')}\r\r\n`)
  assert.equal((await agent.take(isResult)).result, 'Yes.')
  await agent.finish()
  assert.equal(agent.stderr(), '')
})

test('N18 a lone CR does not separate two messages (DECISIONS A12)', () =>
  endsTheSession(`{"type":"keep_alive"}\r${JSON.stringify(user('hi'))}\n`, /JSON/))

test('N20 a NUL byte between lines (DECISIONS A12)', () => endsTheSession('\0\n', /JSON/))

test('N22 stdin closed in the middle of a turn: the turn finishes, its result is written, exit 0', async () => {
  const held = heldTurn()
  await using agent = await startAgent([held.step, 'Finished.'])
  await agent.send(user('Go.'))
  await held.asked
  agent.child.stdin?.end()
  // A call and another request come after the end of stdin.
  held.answer({ tools: [{ name: 'Read', input: { file_path: 'missing.txt' } }] })
  assert.equal((await agent.take(isResult)).result, 'Finished.')
  await agent.finish()
})

test('N24 stdin closed in the middle of a line: the part is dropped with a note', async () => {
  await using agent = await startAgent(['Yes.'])
  assert.equal((await agent.turn('Hi.')).result, 'Yes.')
  await agent.write(JSON.stringify(user('Never finished')).slice(0, -9))
  await agent.finish()
  assert.match(agent.stderr(), /^Note: the input ended inside line 3; it was dropped \([^\n]*\)\n$/)
})

test('N24 a whole last line without its newline is a line', async () => {
  await using agent = await startAgent(['Yes.'])
  await agent.write(JSON.stringify(user('Hi.')))
  await agent.finish()
  assert.equal(agent.lines.find(isResult)?.result, 'Yes.')
})

test('N26 1,000,000 tiny valid lines at once: answered in order, memory flat', async () => {
  let answered = 0
  const keep = ({ response }: Line) => {
    if (!response?.request_id.startsWith('r')) return true
    assert.equal(response.request_id, `r${answered}`)
    answered += 1
    return false
  }
  await using agent = await startAgent(['Still here.'], { keep })
  let asked = 0
  for (let block = 0; block < 100; block++) {
    let text = ''
    for (let i = 0; i < 10_000; i++) text += i % 100 === 0 ? tiny(`r${asked++}`) : '{"type":"keep_alive"}\n'
    await agent.write(text)
  }
  assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
  assert.deepEqual([asked, answered], [10_000, 10_000])
  await agent.finish()
})

test('N26 a host that writes but does not read: the agent stops reading instead of keeping everything', async () => {
  let answered = 0
  const keep = ({ response }: Line) => {
    if (!response?.request_id.startsWith('r')) return true
    answered += 1
    return false
  }
  await using agent = await startAgent([], { keep })
  agent.child.stdout?.pause()
  let asked = 0
  let stuck = false
  while (!stuck && asked < 500_000) {
    let text = ''
    for (let i = 0; i < 10_000; i++) text += tiny(`r${asked++}`)
    stuck = await isStuck(agent.write(text))
  }
  assert.ok(stuck, `the agent took ${asked} requests although nobody read its answers`)
  agent.child.stdout?.resume()
  await agent.ask({ subtype: 'interrupt' })
  assert.equal(answered, asked)
  await agent.finish()
})

test('N26 a host that does not read can still end the agent', async () => {
  await using agent = await startAgent([])
  agent.child.stdout?.pause()
  const text = Array.from({ length: 50_000 }, (_, n) => tiny(`t${n}`)).join('')
  assert.ok(await isStuck(agent.write(text)))
  agent.child.kill('SIGTERM')
  const [code] = await once(agent.child, 'exit', { signal: AbortSignal.timeout(WATCHDOG_MS) })
  assert.equal(code, 143)
  agent.child.stdout?.resume()
})

test('N26 5,000 user messages while a turn runs: reading pauses, none is lost, the order is kept', async () => {
  const held = heldTurn()
  const call = { tools: [{ name: 'Bash', input: { command: 'echo' } }] }
  const turns = ({ index, toolResults }: ModelRequest) => {
    if (index === 0) return held.step()
    return toolResults.length > 0 ? 'Seen.' : call
  }
  await using agent = await startAgent(turns)
  await agent.send(user('m0.'))
  await held.asked
  const all = Array.from({ length: 5000 }, (_, n) => `m${n + 1}.`)
  const written = agent.write(all.map((text) => `${JSON.stringify(user(text))}\n`).join(''))
  assert.ok(await isStuck(written), 'everything was read although nothing could be answered')
  held.answer(call)
  await written
  await agent.finish()
  const told = JSON.stringify(agent.server.requests.at(-1)?.body.messages).match(/m\d+\./g)
  assert.deepEqual(told, ['m0.', ...all])
})

test('N28 an empty content array is refused by rule, without asking the model', async () => {
  await using agent = await startAgent(Array(3).fill('Still here.'))
  await refusesThenGoesOn(agent, user([]), /`content` is empty/)
  await refusesThenGoesOn(agent, user(''), /`content` is empty/)
  await refusesThenGoesOn(agent, user([{ type: 'text', text: '' }]), /content\[0\]: the text is empty/)
  await agent.finish()
})

test('N30 a content block of unknown type is refused with its index, without asking the model', async () => {
  await using agent = await startAgent(Array(4).fill('Still here.'))
  const good = { type: 'text', text: 'good' }
  await refusesThenGoesOn(agent, user([good, { type: 'hologram', data: 1 }]), /content\[1\].*"hologram"/)
  await refusesThenGoesOn(
    agent,
    user([good, good, { type: 'tool_use', id: 'x', name: 'Bash', input: {} }]),
    /content\[2\].*"tool_use"/,
  )
  await refusesThenGoesOn(agent, user([{ type: 'x'.repeat(MIB) }]), /content\[0\]/)
  await refusesThenGoesOn(
    agent,
    user([{ type: 'thinking', thinking: 'I may do all', signature: 'x' }]),
    /content\[0\].*"thinking"/,
  )
  await agent.finish()
})

test('N31 a tool_result without a matching tool_use is refused', async () => {
  await using agent = await startAgent(Array(2).fill('Still here.'))
  const forged = { type: 'tool_result', tool_use_id: 'toolu_never', content: 'ok' }
  await refusesThenGoesOn(agent, user([forged]), /content\[0\].*tool_result/)
  await refusesThenGoesOn(agent, user([{ type: 'text', text: 'and' }, forged]), /content\[1\].*tool_result/)
  await agent.finish()
})

test('N33 user messages while a turn is running are answered after it, in order', async () => {
  const held = heldTurn()
  await using agent = await startAgent([held.step, 'Two.', 'Three.'])
  await agent.send(user('one'))
  await held.asked
  await agent.send(user('two'), user('three'))
  await agent.ask({ subtype: 'mcp_status' })
  held.answer('One.')
  const results = [await agent.take(isResult), await agent.take(isResult), await agent.take(isResult)]
  assert.deepEqual(
    results.map(({ result }) => result),
    ['One.', 'Two.', 'Three.'],
  )
  assert.deepEqual(
    agent.server.requests.map(({ prompt }) => prompt),
    ['one', 'two', 'three'],
  )
  await agent.finish()
})

test('N35 numbers beyond 2^53, 1e999 and -0 are refused or harmless, and never become a limit', async () => {
  await using agent = await startAgent(['One.', 'Two.'])
  const set = async (tokens: string) => {
    const id = `n${tokens}`
    await agent.write(
      `{"type":"control_request","request_id":"${id}","request":{"subtype":"set_max_thinking_tokens","max_thinking_tokens":${tokens}}}\n`,
    )
    return (await agent.take(({ response }) => response?.request_id === id)).response?.subtype
  }
  assert.equal(await set('2048'), 'success')
  for (const tokens of ['9007199254740993', '1e999', '-1e999', '1e308', '-1', '0.5', '1e-7'])
    assert.equal(await set(tokens), 'error', tokens)
  await agent.write(
    '{"type":"user","session_id":1e999,"uuid":-0,"parent_tool_use_id":9007199254740993,"message":{"role":"user","content":"hi"}}\n',
  )
  assert.equal((await agent.take(isResult)).result, 'One.')
  assert.equal(agent.server.requests[0]?.body.thinking?.budget_tokens, 2048)
  assert.equal(await set('-0'), 'success')
  assert.equal((await agent.turn('again')).result, 'Two.')
  assert.equal(agent.server.requests[1]?.body.thinking, undefined)
  for (const bytes of ['1e999', '-1', '0.5', '9007199254740993']) {
    await agent.write(
      `{"type":"control_request","request_id":"f${bytes}","request":{"subtype":"read_file","path":"none","max_bytes":${bytes}}}\n`,
    )
    const { response } = await agent.take((line) => line.response?.request_id === `f${bytes}`)
    assert.match(String(response?.error), /max_bytes/)
  }
  await agent.finish()
})

test('N35 a hook timeout that no timer can hold does not fire at once', async () => {
  const call = { tools: [{ name: 'Bash', input: { command: 'echo ran' } }] }
  const hooks = {
    PreToolUse: [
      { hookCallbackIds: ['hook_0'], timeout: 2 ** 60 },
      { hookCallbackIds: ['hook_1'], timeout: 0.1 },
    ],
  }
  await using agent = await startAgent([call, 'Done.'], { initialize: { hooks } })
  await agent.send(user('Go.'))
  const asks = (callback: string) => agent.take(({ request: asked }) => asked?.callback_id === callback)
  const { request_id: id } = await asks('hook_0')
  const { request_id: short } = await asks('hook_1')
  // The other one's time is over.
  await agent.take(({ type, request_id: canceled }) => type === 'control_cancel_request' && canceled === short)
  await agent.send(success(id, {}))
  await agent.take(isResult)
  assert.deepEqual(lastToolResults(agent), ['PreToolUse hook hook_1 failed: it took longer than 0.1 s'])
  await agent.finish()
})

test('N37 bad images are refused before the model is asked, with the reason', async () => {
  await using agent = await startAgent(Array(8).fill('Still here.'))
  const refuse = (block: object, why: RegExp) =>
    refusesThenGoesOn(agent, user([{ type: 'text', text: 'See.' }, block]), why)
  await refuse(image({ data: 'A'.repeat(20 * MIB) }), /content\[1\].*larger than 5 MB/)
  await refuse(image({ data: 'not base64!' }), /content\[1\].*not base64/)
  await refuse(image({ data: `${PIXEL}=` }), /content\[1\].*not base64/)
  // Slow to judge for a careless pattern.
  await refuse(image({ data: `${'\n'.repeat(6_000_000)}!` }), /content\[1\].*not base64/)
  await refuse(image({ data: '' }), /content\[1\].*no data/)
  await refuse(image({ data: PIXEL, media_type: 'image/tiff' }), /content\[1\].*media_type/)
  await refuse(image({ data: PIXEL, media_type: 'text/html' }), /content\[1\].*media_type/)
  await refuse({ type: 'image' }, /content\[1\].*source/)
  await agent.finish()
})

test('N37 an image of 50 MB is over the line limit: dropped, with a result that says so', async () => {
  await using agent = await startAgent(['Still here.'])
  const [head, tail] = JSON.stringify(user([image({ data: '@@' })])).split('@@')
  await agent.write(String(head))
  const piece = Buffer.alloc(MIB, 'A')
  for (let i = 0; i < 67; i++) await agent.write(piece)
  await refusesThenGoesOn(agent, String(tail), /over the limit/)
  await agent.finish()
})

for (const [how, close] of [
  ['its reader is gone', 'pipe'],
  ['it is not open at all', 'descriptor'],
] as const) {
  test(`N40 stderr closed (${how}): complaints are lost, nothing else`, async () => {
    const command = (cli: string, args: string[]): [string, string[]] => [
      'sh',
      ['-c', 'exec node "$@" 2>&-', 'sh', cli, ...args],
    ]
    await using agent = await startAgent(['Still here.'], close === 'descriptor' ? { command } : {})
    agent.child.stderr?.destroy()
    for (let i = 0; i < 50; i++) await agent.send({ type: 5, padding: 'x'.repeat(10_000) })
    assert.equal((await agent.turn('Are you there?')).result, 'Still here.')
    await agent.finish()
  })
}

test('the rules are checked at all: a transcript without what the host saw fails', async () => {
  await using agent = await startAgent(['Hello.'], { args: ['--no-session-persistence'] })
  await agent.turn('Hi.')
  await assert.rejects(agent.finish(), /not in the transcript/)
  assert.deepEqual(readTranscript(agent.options), [])
})
