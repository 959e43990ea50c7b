/** Work that nobody waits for, by batches: the same loop, at half the price, with exactly one result. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Options, query, type SDKMessage } from 'kedge'
import { collect, startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { kedge } from '../first-hour/kedge.js'
import { bothWays } from './both-ways.js'
import { MODEL } from './play-fault.js'

const notes = ({ env }: TestOptions) => {
  try {
    const names = readdirSync(join(String(env['CLAUDE_CONFIG_DIR']), 'kedge-batches'))
    return names.filter((name) => !name.endsWith('.half'))
  } catch {
    return []
  }
}
const results = (messages: readonly SDKMessage[]) => messages.filter(({ type }) => type === 'result')

bothWays(
  'batch: tools run between batches, the price is half, and nothing is asked directly',
  () => [
    { tools: [{ name: 'Bash', input: { command: 'echo hi' } }], usage: { input_tokens: 1000, output_tokens: 10 } },
    { text: 'Done.', usage: { input_tokens: 2000, output_tokens: 10 }, expect: { toolResult: 'hi' } },
  ],
  { batch: true, allowedTools: ['Bash'], model: MODEL },
  async ({ options, server }) => {
    const { result, messages, error } = await collect(query({ prompt: 'Go.', options }))
    assert.equal(error, undefined)
    assert.equal(result?.subtype === 'success' && result.result, 'Done.')
    assert.equal(results(messages).length, 1)
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/v1/messages/batches', '/v1/messages/batches'],
    )
    assert.equal(result?.total_cost_usd.toFixed(9), (((3000 * 3 + 20 * 15) / 1e6) * 0.5).toFixed(9))
    assert.deepEqual(notes(options), [])
  },
)

test('kedge -p --batch prints the answer; an error of a batch is the error of the turn', async () => {
  const refused = { status: 400, error: { message: 'messages: no good' } }
  await using server = await startModelServer(['Hello.', refused])
  await using options = testOptions(server)
  const said = await kedge(['-p', '--batch', '--model', MODEL, 'Hi'], options)
  assert.deepEqual([said.code, said.stdout], [0, 'Hello.\n'])
  const failed = await kedge(['-p', '--batch', '--model', MODEL, 'Hi'], options)
  assert.equal(failed.code, 1)
  assert.match(failed.stderr, /messages: no good/)
})

test('an interrupt cancels the batch, and the turn ends with one result', async () => {
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => (asked = resolve))
  const never = new Promise<string>(() => {})
  await using server = await startModelServer(() => {
    asked()
    return never
  })
  await using options = testOptions(server, { model: MODEL, batch: true })
  const running = query({ prompt: 'Go.', options })
  void isAsked.then(() => running.interrupt())
  const { messages, result } = await collect(running)
  assert.deepEqual([results(messages).length, result?.terminal_reason], [1, 'aborted_streaming'])
  assert.ok(server.otherRequests.some(({ path }) => /^\/v1\/messages\/batches\/msgbatch_test_1\/cancel/.test(path)))
  assert.deepEqual(notes(options), [])
})

test('who was killed while waiting and asks the same again goes on waiting: nothing is asked or paid twice', async () => {
  let answer = (_text: string) => {}
  const later = new Promise<string>((resolve) => (answer = resolve))
  await using server = await startModelServer(() => later)
  await using options = testOptions(server, { model: MODEL, batch: true, isolation: 'process' })
  const { spawn } = await import('node:child_process')
  const { cli } = await import('../first-hour/kedge.js')
  const child = spawn(process.execPath, [cli, '-p', '--batch', '--model', MODEL, 'Wait.'], {
    cwd: options.cwd,
    env: options.env,
    stdio: 'ignore',
  })
  const gone = new Promise((resolve) => child.on('close', resolve))
  while (notes(options).length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGKILL')
  await gone
  answer('At last.')
  const said = await kedge(['-p', '--batch', '--model', MODEL, 'Wait.'], options)
  assert.deepEqual([said.code, said.stdout, server.requests.length], [0, 'At last.\n', 1], said.stderr)
  assert.deepEqual(notes(options), [])
})

test('batch is refused by name where there is none, and where the answer is to be streamed', async () => {
  await using server = await startModelServer([])
  const table: [Options, RegExp][] = [
    [{ model: 'practice' }, /batch: there are no batches of messages for the practice model/],
    [{ model: 'ollama/x', env: { OLLAMA_HOST: '127.0.0.1:9' } }, /batch: there are no batches of messages for ollama/],
    [
      { env: { CLAUDE_CODE_USE_BEDROCK: '1', AWS_BEARER_TOKEN_BEDROCK: 'k', AWS_REGION: 'us-east-1' } },
      /batch: there are no batches of messages for Amazon Bedrock/,
    ],
    [{ includePartialMessages: true }, /batch and includePartialMessages exclude each other/],
  ]
  for (const [more, reason] of table) {
    await using options = testOptions(server, { ...more, batch: true })
    const { error, result } = await (async () => collect(query({ prompt: 'Hi.', options })))().catch((error) => ({
      error,
      result: undefined,
    }))
    assert.match(`${String(error)} ${JSON.stringify(result)}`, reason)
  }
})
