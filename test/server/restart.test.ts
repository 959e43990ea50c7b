/** The program ends, in order or not, and starts again: what was there is there, what was cut says so, nothing runs twice. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Ask } from '../../src/protocol/session-log/ask-types.js'
import type { LogEntry } from '../../src/protocol/session-log/entries.js'
import { sampledTest as test } from '../support/tier.js'
import { newHome, type Program, startProgram } from './program.js'
import { isEndOf } from './serving.js'

async function begin(program: Program, cwd: string): Promise<string> {
  return (await program.call('POST', '/v1/sessions', { cwd })).json.id
}

async function log(program: Program, session: string): Promise<LogEntry[]> {
  return (await program.call('GET', `/v1/sessions/${session}/log?limit=10000`)).json.entries
}

/** Asks again until it is so. */
async function until<T>(look: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const openAsk = (program: Program) => until<Ask>(async () => (await program.call('GET', '/v1/asks')).json.asks[0])

test('a session whose last turn failed is listed as such, after a restart as well, and until the next turn starts', async () => {
  using home = newHome()
  const listed = async (program: Program) =>
    (await program.call('GET', '/v1/sessions')).json.sessions.map(({ lastTurn }: { lastTurn?: string }) => lastTurn)
  await using program = await startProgram(home)
  const { id } = (await program.call('POST', '/v1/sessions', { cwd: home.project, model: 'pratice' })).json
  await program.call('POST', `/v1/sessions/${id}/prompts`, { id: '1', content: 'hello' })
  await until(async () => (await log(program, id)).find(isEndOf('1')))
  assert.deepEqual(await listed(program), ['failed'])
  await program.end('SIGTERM')
  await using again = await startProgram(home)
  assert.deepEqual(await listed(again), ['failed'])
  assert.equal((await again.call('GET', `/v1/sessions/${id}`)).json.lastTurn, 'failed')
  await again.call('PATCH', `/v1/sessions/${id}`, { model: 'practice' })
  await again.call('POST', `/v1/sessions/${id}/prompts`, { id: '2', content: 'hello' })
  await until(async () => (await log(again, id)).find(isEndOf('2')))
  assert.deepEqual(await listed(again), [undefined])
})

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
  test(`${signal}: sessions, logs, queues and asks are there again, and the answer is still wanted`, async () => {
    using home = newHome()
    const before = await startProgram(home, '--drain-seconds', '5')
    const session = await begin(before, home.project)
    const path = `/v1/sessions/${session}`
    await before.call('POST', `${path}/prompts`, { id: '1', content: 'create notes.txt with Buy milk' })
    const ask = await openAsk(before)
    await before.call('POST', `${path}/prompts`, { id: '2', content: 'hello' })
    const told = await log(before, session)
    // An ask that waits does not hold up the end.
    assert.equal(await before.end(signal), signal === 'SIGKILL' ? null : 0)

    const program = await startProgram(home)
    assert.deepEqual((await program.call('GET', '/v1/asks')).json.asks, [ask])
    const entries = await log(program, session)
    assert.deepEqual(entries.slice(0, told.length), told)
    assert.deepEqual(
      entries.map(({ seq }) => seq),
      entries.map((_, n) => n + 1),
    )
    const ends = entries.filter(isEndOf('1')).map(({ data }) => (data as { change: string }).change)
    assert.deepEqual(ends, ['interrupted'])
    const { prompts } = (await program.call('GET', `${path}/prompts`)).json
    assert.deepEqual(
      prompts.map(({ id }: { id: string }) => id),
      ['2'],
    )
    assert.equal(existsSync(join(home.project, 'notes.txt')), false)
    assert.deepEqual((await program.call('POST', `${path}/prompts`, { id: '1', content: 'again' })).json.repeated, true)
    const answered = await program.call('POST', `${path}/asks/${ask.id}/answer`, { kind: 'allow' })
    assert.equal(answered.status, 204)
    assert.equal((await program.call('POST', `${path}/asks/${ask.id}/answer`, { kind: 'allow' })).status, 409)
    await until(async () => (await log(program, session)).find(isEndOf(`answer-${ask.id}`)))
    await program.end('SIGKILL')
  })
}

test('SIGTERM: nothing new is taken, a running turn may end, and readers are told', async () => {
  using home = newHome()
  const program = await startProgram(home, '--drain-seconds', '20')
  const session = await begin(program, home.project)
  const path = `/v1/sessions/${session}`
  await program.call('PATCH', path, { mode: 'acceptEdits' })
  await program.call('POST', `${path}/prompts`, { id: '1', content: 'run sleep 1' })
  await until(async () => ((await program.call('GET', path)).json.status === 'running' ? true : undefined))
  const over = program.end('SIGTERM')
  const refused = await until(async () => {
    const reply = await program.call('POST', `${path}/prompts`, { id: 'late', content: 'hi' })
    return reply.status === 503 ? reply : undefined
  })
  assert.equal(refused.json.code, 'draining')
  assert.equal((await program.call('GET', '/readyz')).status, 503)
  assert.equal((await program.call('GET', '/healthz')).status, 200)
  assert.equal(await over, 0)
  await using again = await startProgram(home)
  const ends = (await log(again, session)).filter(isEndOf('1')).map(({ data }) => (data as { change: string }).change)
  assert.deepEqual(ends, ['done'])
  await again.end('SIGKILL')
})

test('a second server over the same sessions is refused while the first one runs', async () => {
  using home = newHome()
  const program = await startProgram(home)
  await assert.rejects(
    startProgram(home),
    /^Error: exit code 1: error: Another server has the sessions in \S+ \(process \d+ on \S+\)\. Use that one, stop it, or set CLAUDE_CONFIG_DIR to another folder\.\n$/,
  )
  assert.equal((await program.call('GET', '/healthz')).status, 200)
  await program.end('SIGKILL')
})

test('the command line of kedge serve: what can not be is refused by name', async () => {
  using home = newHome()
  const refused = async (pattern: RegExp, ...flags: string[]) => assert.rejects(startProgram(home, ...flags), pattern)
  await refused(/needs --token/, '--host', '0.0.0.0')
  await refused(/--allow-remote/, '--host', '0.0.0.0', '--token', 'a-token-of-my-own-1')
  await refused(/at least 16 characters/, '--token', 'short')
  await refused(/--port must be between 0 and 65535, got http\./, '--port', 'http')
  await refused(/unknown option '--prot'\n\(Did you mean --port\?\)/, '--prot', '1')
  await refused(/ENOENT/, '--root', '/no/such/folder')
})

test('started by hand: the token is in a file of its own, and in no output', async () => {
  using home = newHome()
  const program = await startProgram(home)
  const file = join(home.root, '.claude', 'server', 'token')
  assert.equal(readFileSync(file, 'utf8').trim(), program.token)
  await program.call('GET', `/v1/sessions?text=${program.token}`)
  assert.equal(program.log().includes(program.token), false)
  assert.equal(await program.end('SIGTERM'), 0)
})

test('a port that is taken ends the program with one sentence that says what to do', async () => {
  using home = newHome()
  await using program = await startProgram(home)
  using other = newHome()
  const { port } = new URL(program.url)
  const taken = `error: Can't listen on 127.0.0.1:${port}, because another program uses the port (EADDRINUSE)`
  await assert.rejects(startProgram(other, '--port', port), {
    message: `exit code 1: ${taken}: choose another with --port.\n`,
  })
})
