import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProcessRunResult, RunProcessOptions } from '../../platform/processes/process-runner.js'
import { McpError } from '../mcp-error.js'
import { runHeadersHelper } from './headers-helper.js'

function helper(end: Partial<ProcessRunResult> | Error) {
  const ran: RunProcessOptions[] = []
  const processes = {
    async run(options: RunProcessOptions) {
      ran.push(options)
      if (end instanceof Error) throw end
      return { exitCode: 0, signal: null, stdout: '', stderr: '', timedOut: false, ...end } as ProcessRunResult
    },
  }
  const env = { HOME: '/home/ada', CLAUDE_CODE_MCP_SERVER_NAME: 'another' }
  const run = () =>
    runHeadersHelper('print-token --for api', { name: 'api', url: 'https://x/mcp', cwd: '/repo', env, processes })
  return { ran, run }
}

test('the command line goes to a shell as it is, and knows what it is for', async () => {
  const { ran, run } = helper({ stdout: '{"Authorization": "Bearer t", "X-Team": "a"}\n' })
  assert.deepEqual(await run(), { Authorization: 'Bearer t', 'X-Team': 'a' })
  assert.deepEqual(ran, [
    {
      command: 'bash',
      args: ['-c', 'print-token --for api'],
      cwd: '/repo',
      env: { HOME: '/home/ada', CLAUDE_CODE_MCP_SERVER_NAME: 'api', CLAUDE_CODE_MCP_SERVER_URL: 'https://x/mcp' },
      timeoutMs: 10_000,
      maxBytes: 65_536,
    },
  ])
})

test('no headers are fine', async () => assert.deepEqual(await helper({ stdout: '{}' }).run(), {}))

const NO_OBJECT = 'headersHelper must print a JSON object of texts.'
const failures: [what: string, end: Partial<ProcessRunResult> | Error, message: RegExp | string][] = [
  ['it can not be started', new Error('spawn bash ENOENT'), 'headersHelper could not be started: spawn bash ENOENT'],
  ['it takes too long', { timedOut: true, exitCode: null }, 'headersHelper did not answer within 10 s.'],
  ['it fails', { exitCode: 3, stderr: ' no login\n' }, 'headersHelper ended with exit code 3: no login'],
  ['it prints nothing', { stdout: '' }, NO_OBJECT],
  ['it prints text', { stdout: 'Bearer t' }, NO_OBJECT],
  ['it prints a list', { stdout: '["a"]' }, NO_OBJECT],
  ['it prints null', { stdout: 'null' }, NO_OBJECT],
  ['one value is no text', { stdout: '{"A": "b", "N": 1}' }, NO_OBJECT],
  ['a name that is none', { stdout: '{"bad name": "x"}' }, /^headersHelper printed headers that can't be used: /],
  ['a value with a line break', { stdout: '{"A": "x\\nB: y"}' }, /^headersHelper printed headers that can't be used: /],
]
for (const [what, end, message] of failures) {
  test(`${what}: said, in words that can be acted on`, async () => {
    const said = await helper(end)
      .run()
      .then(
        () => assert.fail('it worked'),
        (error: unknown) => error,
      )
    assert.ok(said instanceof McpError)
    assert.equal(said.code, 'mcp_invalid_configuration')
    if (typeof message === 'string') assert.equal(said.message, message)
    else assert.match(said.message, message)
  })
}

test('what it printed is never repeated: it may be a key', async () => {
  for (const stdout of ['secret-key', '{"A": ["secret-key"]}', '{"A": "secret-key\\u0000"}']) {
    await assert.rejects(helper({ stdout }).run(), (error: Error) => !error.message.includes('secret-key'))
  }
  await assert.rejects(
    helper({ stdout: 'secret-key', exitCode: 1 }).run(),
    (error: Error) => !/secret/.test(error.message),
  )
})

test('of a long complaint the end is told', async () => {
  const { run } = helper({ exitCode: 1, stderr: `${'x'.repeat(5000)} the reason` })
  await assert.rejects(run(), (error: Error) => error.message.endsWith('the reason') && error.message.length < 300)
})
