/**
 * An agent is killed with SIGKILL: around every write to its session, and at random moments. Every message it had sent is in the
 * file, the file loads, the session goes on, and what was cut off is told. `npm run test:long` does all of it.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { transcriptFolderOfProject, transcriptPathInFolder } from '../../src/sessions/transcript-paths.js'
import { Random } from '../fuzz/random.js'
import { sampledTest as test } from '../support/tier.js'
import { acknowledged, ask, FLAGS, lookAround, type Message } from './stage.js'

const LONG = Boolean(process.env.KEDGE_LONG)
const SEED = Number(process.env.KEDGE_SEED ?? 1)
const doomedAgent = fileURLToPath(new URL('./doomed-agent.js', import.meta.url))
// This file runs from .build/test/sessions.
const cli = fileURLToPath(new URL('../../../dist/kedge.cjs', import.meta.url))
const WATCHDOG_MS = 60_000
const KILLS = LONG ? 1_000 : 3

type World = { cwd: string; env: Record<string, string | undefined>; sessionId: string }

/** Runs a program; `onLine` may kill it. Resolves with the messages it had written. */
async function run(
  args: string[],
  { cwd, env }: Pick<World, 'cwd' | 'env'>,
  input = '',
  onOutput: (kill: () => void, messages: readonly Message[]) => void = () => {},
): Promise<{ messages: Message[]; signal: string | null }> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['pipe', 'pipe', 'ignore'] })
  const kill = () => void child.kill('SIGKILL')
  const watchdog = setTimeout(kill, WATCHDOG_MS)
  const messages: Message[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    // What a killed agent had written completely is what its host had read.
    for (const line of lines) messages.push(JSON.parse(line) as Message)
    onOutput(kill, messages)
  })
  child.stdin.on('error', () => {}).end(input)
  onOutput(kill, messages)
  const signal = await new Promise<string | null>((resolve) => child.on('close', (_, name) => resolve(name)))
  clearTimeout(watchdog)
  return { messages, signal }
}

/** Nothing that was acknowledged is lost, and the session goes on. */
async function checkSession(name: string, { cwd, env, sessionId }: World, messages: readonly Message[]): Promise<void> {
  const path = transcriptPathInFolder(
    transcriptFolderOfProject({ configDir: env.CLAUDE_CONFIG_DIR ?? '', cwd }),
    sessionId,
  )
  const sent = acknowledged(messages)
  const saved = existsSync(path) ? readFileSync(path, 'utf8') : ''
  for (const uuid of sent) assert.ok(saved.includes(`"uuid":"${uuid}"`), `${name}: ${uuid} was sent, but is not there`)
  if (saved === '') return
  const again = await ask('Go on.', { cwd, env, argv: ['--resume', sessionId] })
  assert.deepEqual(
    [again.code, again.result?.is_error],
    [0, false],
    `${name}: ${again.result?.errors?.join() ?? again.stderr}`,
  )
  assert.equal(again.sessionId, sessionId)
  const torn = saved.slice(saved.lastIndexOf('\n') + 1)
  if (torn !== '') assert.match(again.stderr, /Note: the session file ends in the middle of line \d+/, name)
  const now = readFileSync(path, 'utf8')
  for (const line of now.trim().split('\n'))
    assert.doesNotThrow(() => JSON.parse(line), `${name}: ${line.slice(0, 100)}`)
  for (const uuid of sent) assert.ok(now.includes(`"uuid":"${uuid}"`), `${name}: ${uuid} got lost on the way`)
}

function freshId(random: Random): string {
  const hex = (length: number) => Array.from({ length }, () => random.int(16).toString(16)).join('')
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`
}

for (const kind of ['new', 'resumed', 'resumed with a torn end', 'copied'] as const) {
  test(`kill -9 around every write of a ${kind} session`, async () => {
    await using server = await startModelServer(lookAround)
    await using options = testOptions(server)
    writeFileSync(join(options.cwd, 'notes.txt'), 'milk\n')
    const random = new Random(SEED)
    const folder = transcriptFolderOfProject({ configDir: options.env.CLAUDE_CONFIG_DIR ?? '', cwd: options.cwd })
    /** False: it was over before its n-th write. */
    const attempt = async (nth: number, when: string) => {
      const name = `${kind}, ${when} write ${nth}`
      const sessionId = freshId(random)
      const world = { cwd: options.cwd, env: options.env, sessionId }
      const source = kind === 'copied' ? freshId(random) : sessionId
      if (kind !== 'new') await ask('Begin.', { ...world, argv: ['--session-id', source] })
      if (kind === 'resumed with a torn end')
        appendFileSync(transcriptPathInFolder(folder, source), '{"parentUuid":"torn')
      const before = kind === 'new' ? '' : readFileSync(transcriptPathInFolder(folder, source), 'utf8')
      const copy = kind === 'copied' ? ['--fork-session', '--session-id', sessionId] : []
      const argv = kind === 'new' ? ['--session-id', sessionId] : ['--resume', source, ...copy]
      const plan = JSON.stringify({ prompt: 'Look.', argv, nth, when })
      const { messages, signal } = await run([doomedAgent, plan], world)
      if (signal === null) return false
      if (kind === 'copied') assert.equal(readFileSync(transcriptPathInFolder(folder, source), 'utf8'), before, name)
      // A copy that was cut off is not there; the same copy can be made again.
      const isThere = existsSync(transcriptPathInFolder(folder, sessionId))
      if (kind === 'copied' && !isThere) {
        const again = await ask('Look.', { ...world, argv })
        assert.deepEqual([again.code, again.sessionId, again.stderr], [0, sessionId, ''], name)
        return true
      }
      await checkSession(name, world, messages)
      return true
    }
    let kills = 0
    if (LONG) {
      let nth = 1
      for (; await attempt(nth, 'before'); nth += 1) {
        for (const when of ['half', 'after']) assert.ok(await attempt(nth, when), `${when} ${nth}`)
        kills += 3
      }
      process.stderr.write(`${kind}: killed before, within and after each of ${nth - 1} writes\n`)
    } else {
      for (let i = 0; i < 3; i += 1)
        if (await attempt(1 + random.int(12), random.pick(['before', 'half', 'after']))) kills += 1
    }
    assert.ok(kills >= (LONG ? 33 : 2), `${kills} kills`)
  })
}

test('S19: kill -9 at random moments of a conversation loses nothing that was sent', async () => {
  await using server = await startModelServer(lookAround)
  await using options = testOptions(server)
  writeFileSync(join(options.cwd, 'notes.txt'), 'milk\n')
  const random = new Random(SEED)
  const prompt = (text: string) =>
    `${JSON.stringify({ type: 'user', session_id: '', message: { role: 'user', content: text }, parent_tool_use_id: null })}\n`
  let kills = 0
  let sent = 0
  for (let round = 0; kills < KILLS && round < 10 * KILLS; round += 1) {
    const sessionId = freshId(random)
    const world = { cwd: options.cwd, env: options.env, sessionId }
    // The first is killed while it certainly works; the others may be quicker than their end.
    const count = round === 0 ? 1 : random.int(13)
    const delay = round === 0 ? 0 : random.int(count === 0 ? 200 : 40)
    const { messages, signal } = await run(
      [cli, ...FLAGS, '--session-id', sessionId],
      world,
      [1, 2, 3].map((n) => prompt(`Look ${n}.`)).join(''),
      (kill, seen) => {
        if (seen.length < count) return
        if (delay === 0) kill()
        else setTimeout(kill, delay)
      },
    )
    if (signal === 'SIGKILL') kills += 1
    sent += acknowledged(messages).length
    await checkSession(`round ${round}, after ${count} messages and ${delay} ms`, world, messages)
  }
  process.stderr.write(`${kills} kills, ${sent} messages sent before them, none lost\n`)
  assert.equal(kills, KILLS)
  assert.ok(sent > kills, `${sent} messages`)
})

test('a tool that was running when the agent was killed is not run again, and the model is told', async () => {
  await using server = await startModelServer(({ toolResults, index }) => {
    if (index > 0) return toolResults.map((result) => `${result.isError}: ${result.text}`).join()
    return { tools: [{ name: 'Bash', input: { command: 'echo x >> ran; sleep 3' } }] }
  })
  await using options = testOptions(server)
  const sessionId = '22222222-2222-4222-8222-222222222222'
  const message = { role: 'user', content: 'Run.' }
  const line = JSON.stringify({ type: 'user', session_id: '', message, parent_tool_use_id: null })
  const ran = join(options.cwd, 'ran')
  await run([cli, ...FLAGS, '--session-id', sessionId], options, `${line}\n`, (kill, seen) => {
    if (seen.length > 0) return
    const timer = setInterval(() => {
      if (!existsSync(ran)) return
      clearInterval(timer)
      kill()
    }, 10)
    timer.unref()
  })
  let stderr = ''
  const note = (text: string) => {
    stderr += text
  }
  const resumed = await collect(query({ prompt: 'And?', options: { ...options, resume: sessionId, stderr: note } }))
  assert.match(stderr, /Note: 1 tool call\(s\) had no result and were marked as interrupted/)
  assert.match(resumed.result?.subtype === 'success' ? resumed.result.result : '', /true: This call was interrupted/)
  assert.equal(readFileSync(ran, 'utf8'), 'x\n')
})
