/**
 * C37: agents can't be tested without spending money.
 * https://github.com/braintrustdata/braintrust-sdk-python/issues/68 · https://github.com/EdanStarfire/claudecode_webui/issues/559
 * https://github.com/nexu-io/open-design/issues/3241 · https://github.com/vm0-ai/vm0/issues/207
 * https://github.com/stefanhoelzl/codehydra/issues/655 · https://github.com/tyrchen/claude-agent-sdk-rs/issues/15
 *
 * T: a scripted model; record and replay at the model's boundary with secrets taken out; a strict replay fails when requests differ and
 * says how; two replays give the same messages; faults on demand; the calls of a run can be checked; it works through library and
 * command. (`kedge/testing`. ACP and HTTP: open.)
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { callsOf, collect, record, replay, startModelServer, testOptions } from 'kedge/testing'
import { stable } from '../e2e/both-ways.js'
import { bash, kedge, play, withModel } from '../support/stage.js'

test('C37 record once, replay as often as you like: the same messages each time, through library and command, and no secret in the file', async () => {
  await withModel([bash('echo one'), 'All done.'], {}, async ({ server, options }) => {
    const file = join(options.cwd, '..', 'cassette.jsonl')
    {
      await using recorder = await record({ to: file, upstream: server.url, apiKey: 'sk-ant-real-key-000111222333' })
      await using recorded = testOptions(recorder, { allowedTools: ['Bash'] })
      const run = await collect(query({ prompt: 'Go. sk-ant-api03-abcdefghijklmnop', options: recorded }))
      assert.equal(run.result?.subtype, 'success')
    }
    assert.doesNotMatch(readFileSync(file, 'utf8'), /sk-ant-real|abcdefghijklmnop/)
    const logs = []
    for (let n = 0; n < 2; n += 1) {
      await using player = await replay(file)
      await using own = testOptions(player, { allowedTools: ['Bash'] })
      const { messages } = await collect(query({ prompt: 'Go.', options: own }))
      logs.push(JSON.stringify(stable(messages, own)))
    }
    assert.equal(logs[0], logs[1])
    await using player = await replay(file)
    await using own = testOptions(player)
    const ended = await kedge(['-p', 'Go.', '--allowedTools', 'Bash'], own)
    assert.deepEqual([ended.code, ended.stdout.trim()], [0, 'All done.'], ended.stderr)
  })
})

test('C37 a strict replay fails when the request differs, and shows how', async () => {
  await withModel(['All done.'], {}, async ({ server, options }) => {
    const file = join(options.cwd, '..', 'cassette.jsonl')
    const ask = (prompt: string, env: Record<string, string | undefined>) =>
      collect(query({ prompt, options: { ...options, tools: [], env: { ...options.env, ...env } } }))
    {
      await using recorder = await record({ to: file, upstream: server.url, apiKey: 'sk-ant-real-key-000111222333' })
      await ask('What is recorded.', recorder.env())
    }
    const player = await replay(file, { match: 'body' })
    await ask('What is not.', { ...player.env(), CLAUDE_CODE_MAX_RETRIES: '0' })
    assert.throws(() => player.assertDone(), /no recorded exchange matches[\s\S]*differs at body\.messages/)
    await player.close()
  })
})

test('C37 faults on demand: a rate limit, a cut stream, slow tokens', async () => {
  const run = await play([
    { status: 429, headers: { 'retry-after-ms': '1' } },
    { text: 'Never whole.', cutAfterEvents: 3 },
    { text: 'Slow.', gapMs: 2, chunk: 1 },
  ])
  assert.equal(run.result?.subtype === 'success' && run.result.result, 'Slow.')
})

test('C37 the calls of a run can be checked at a glance', async () => {
  const run = await play([bash('echo one'), bash('exit 3', 'toolu_2'), 'Done.'], { allowedTools: ['Bash'] })
  assert.deepEqual(
    callsOf(run.messages).map(({ name, input, isError, text }) => [name, input, isError, text]),
    [
      ['Bash', { command: 'echo one' }, false, 'one'],
      ['Bash', { command: 'exit 3' }, true, 'Exit code 3'],
    ],
  )
})

test('C37 a model that was not told what to say fails the test', async () => {
  const server = await startModelServer(['One.'])
  const options = testOptions(server)
  await collect(query({ prompt: 'First.', options }))
  await collect(
    query({ prompt: 'Second.', options: { ...options, env: { ...options.env, CLAUDE_CODE_MAX_RETRIES: '0' } } }),
  )
  assert.throws(() => server.assertDone(), /no turn left/)
  await server.close()
  await options[Symbol.asyncDispose]()
})
