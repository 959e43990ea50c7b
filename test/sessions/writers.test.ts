/** Two who want to write to one session: the second is told, may go on in a copy, and no line is ever spliced. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { deleteSession, KedgeError, query, type SDKUserMessage } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { transcriptFolderOfProject, transcriptPathInFolder } from '../../src/sessions/transcript-paths.js'
import { isolationsOf } from '../support/tier.js'
import { FLAGS } from './stage.js'

const LONG = Boolean(process.env.KEDGE_LONG)
const cli = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))

type Place = { cwd: string; env: Record<string, string | undefined> }

const pathOf = ({ cwd, env }: Place, id: string) =>
  transcriptPathInFolder(transcriptFolderOfProject({ configDir: env.CLAUDE_CONFIG_DIR ?? '', cwd }), id)

/** A conversation that stays open until it is told to end. */
function openConversation(options: Place & Parameters<typeof query>[0]['options']) {
  let end = () => {}
  const over = new Promise<void>((resolve) => {
    end = resolve
  })
  const prompt = async function* (): AsyncGenerator<SDKUserMessage> {
    yield { type: 'user', session_id: '', message: { role: 'user', content: 'First.' }, parent_tool_use_id: null }
    await over
  }
  const running = query({ prompt: prompt(), options })
  return { running, end }
}

for (const isolation of isolationsOf('session_in_use: the second of two writers')) {
  test(`session_in_use: the second of two writers is told who has it, and may go on in a copy (${isolation})`, async () => {
    await using server = await startModelServer(({ index }) => `Answer ${index}.`)
    await using options = testOptions(server, { isolation })
    const { running, end } = openConversation(options)
    let sessionId = ''
    for await (const message of { [Symbol.asyncIterator]: () => ({ next: () => running.next() }) }) {
      if (message.type !== 'result') continue
      sessionId = message.session_id
      break
    }
    const second = await collect(query({ prompt: 'Second.', options: { ...options, resume: sessionId } }))
    const text = second.result?.subtype === 'error_during_execution' ? second.result.errors[0] : ''
    assert.match(text ?? '', new RegExp(`^Session ${sessionId} is in use by process \\d+ on .*forkSession: true`))
    assert.deepEqual([second.result?.terminal_reason, second.result?.error_code], ['resume_failed', 'session_in_use'])
    assert.ok(second.error instanceof KedgeError && second.error.message.endsWith(text ?? ''))
    if (isolation === 'in-process') {
      assert.equal(second.error.code, 'session_in_use')
      assert.match(text ?? '', /Another query of this program has it open: close\(\) that one, or end its input/)
    }

    const copy = await collect(
      query({ prompt: 'Copy.', options: { ...options, resume: sessionId, forkSession: true } }),
    )
    assert.equal(copy.result?.subtype, 'success')
    assert.notEqual(copy.result?.session_id, sessionId)
    const reading = await collect(
      query({ prompt: 'Read.', options: { ...options, resume: sessionId, persistSession: false } }),
    )
    assert.equal(reading.result?.subtype, 'success', 'who writes nothing disturbs nobody')
    end()
    await collect(running)
    const third = await collect(query({ prompt: 'Third.', options: { ...options, resume: sessionId } }))
    assert.equal(third.result?.subtype, 'success')
    assert.deepEqual(
      readdirSync(dirname(pathOf(options, sessionId))).filter((name) => !name.endsWith('.jsonl')),
      [],
    )
  })
}

test('a query that was just left lets go of its session soon enough for the next', async () => {
  await using server = await startModelServer(({ index }) => `Answer ${index}.`)
  await using options = testOptions(server)
  let sessionId: string | undefined
  for (let round = 0; round < 5; round += 1) {
    const resume = sessionId === undefined ? {} : { resume: sessionId }
    for await (const message of query({ prompt: `Prompt ${round}.`, options: { ...options, ...resume } })) {
      if (message.type !== 'result') continue
      assert.equal(message.subtype, 'success')
      sessionId = message.session_id
      break
    }
  }
})

test('two that choose the same new id: the second is refused', async () => {
  await using server = await startModelServer(({ index }) => `Answer ${index}.`)
  await using options = testOptions(server)
  const sessionId = '33333333-3333-4333-8333-333333333333'
  let stderr = ''
  const note = (text: string) => {
    stderr += text
  }
  const both = await Promise.all(
    [1, 2].map((n) => collect(query({ prompt: `Prompt ${n}.`, options: { ...options, sessionId, stderr: note } }))),
  )
  assert.deepEqual(both.map(({ result }) => result?.subtype).sort(), ['success', undefined])
  assert.match(stderr, new RegExp(`^Error: Session ID ${sessionId} is already in use\\.$`, 'm'))
})

test('S41: a session that is open is not removed', async () => {
  await using server = await startModelServer(['First.'])
  await using options = testOptions(server)
  const { running, end } = openConversation(options)
  const first = await running.next()
  const sessionId = first.value && 'session_id' in first.value ? String(first.value.session_id) : ''
  const { CLAUDE_CONFIG_DIR: before } = process.env
  process.env.CLAUDE_CONFIG_DIR = options.env.CLAUDE_CONFIG_DIR
  try {
    await assert.rejects(deleteSession(sessionId), { code: 'session_in_use' })
    assert.equal(existsSync(pathOf(options, sessionId)), true)
    end()
    await collect(running)
    await deleteSession(sessionId)
    assert.equal(existsSync(pathOf(options, sessionId)), false)
  } finally {
    if (before === undefined) delete process.env.CLAUDE_CONFIG_DIR
    else process.env.CLAUDE_CONFIG_DIR = before
  }
})

test('lines that others add while a session writes are never spliced', async () => {
  await using server = await startModelServer(({ index, toolResults }) =>
    toolResults.length > 0 || index % 2 === 1
      ? `${'Long answer. '.repeat(500)}${index}`
      : { text: 'Look.', tools: [{ name: 'Glob', input: { pattern: '*' } }] },
  )
  await using options = testOptions(server)
  const program = `
    const { renameSession } = await import(${JSON.stringify(new URL('../../../dist/index.js', import.meta.url).href)})
    for (let i = 0; ; i += 1) {
      await renameSession(process.argv[1], 'Title ' + i + ' ' + 'x'.repeat(i % 3000)).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, i % 7))
    }`
  const sessionId = '44444444-4444-4444-8444-444444444444'
  const other = spawn(process.execPath, ['--input-type=module', '-e', program, sessionId], {
    env: { ...options.env, PATH: process.env.PATH },
    stdio: 'ignore',
  })
  const closed = new Promise((resolve) => other.on('close', resolve))
  try {
    const isInterrupted = () => readFileSync(pathOf(options, sessionId), 'utf8').includes('"custom-title"')
    // On a busy machine the other one begins late.
    for (let round = 0; round < (LONG ? 50 : 4) || !isInterrupted(); round += 1) {
      const which = round === 0 ? { sessionId } : { resume: sessionId }
      const run = await collect(query({ prompt: `Prompt ${round}.`, options: { ...options, ...which } }))
      assert.equal(run.result?.subtype, 'success')
    }
  } finally {
    other.kill('SIGKILL')
    await closed
  }
  const lines = readFileSync(pathOf(options, sessionId), 'utf8').split('\n')
  assert.equal(lines.pop(), '')
  // Who sees half of what another is just writing begins a new line: an empty one, which nobody minds.
  const types = new Set(lines.filter((line) => line !== '').map((line): unknown => JSON.parse(line).type))
  assert.ok(types.has('custom-title') && types.has('assistant'))
})

test('a disk that is really full: half a line is written, the session goes on and says so, the next one mends it', async () => {
  await using server = await startModelServer(({ index }) => `${'Much text. '.repeat(400)}${index}`)
  await using options = testOptions(server)
  const sessionId = '55555555-5555-4555-8555-555555555555'
  const line = JSON.stringify({
    type: 'user',
    session_id: '',
    message: { role: 'user', content: 'x' },
    parent_tool_use_id: null,
  })
  // No file may grow beyond 4 KB: the kernel takes what fits and refuses the rest.
  const script = 'trap "" XFSZ; ulimit -f 4; exec "$@"'
  const args = [process.execPath, cli, ...FLAGS, '--session-id', sessionId]
  const child = spawn('bash', ['-c', script, 'bash', ...args], { cwd: options.cwd, env: options.env, stdio: 'pipe' })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += chunk))
  child.stderr.on('data', (chunk) => (stderr += chunk))
  child.stdin.end(`${line}\n`)
  const code = await new Promise((resolve) => child.on('close', resolve))
  assert.deepEqual([code, stderr.match(/can't be saved any more/g)?.length], [0, 1], stderr)
  assert.match(stdout, /"subtype":"informational","content":"This session can't be saved/)
  assert.match(stdout, /"type":"result","subtype":"success"/)
  const path = pathOf(options, sessionId)
  assert.equal(readFileSync(path).length, 4096)
  let note = ''
  const told = (text: string) => {
    note += text
  }
  const next = await collect(query({ prompt: 'y', options: { ...options, resume: sessionId, stderr: told } }))
  assert.equal(next.result?.subtype, 'success')
  assert.match(note, /Note: the session file ends in the middle of line \d+: \d+ bytes were dropped/)
  for (const one of readFileSync(path, 'utf8').trim().split('\n')) assert.doesNotThrow(() => JSON.parse(one))
})
