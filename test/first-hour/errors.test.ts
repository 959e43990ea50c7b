/**
 * The first things that go wrong for somebody new. Each ends the turn with one result that has a code and says what to do,
 * the library's error has both, and `kedge -p` prints them and exits with 1.
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe } from 'node:test'
import { ProcessExitError, query } from 'kedge'
import { collect, startModelServer, type TestOptions, type Turn, testOptions } from 'kedge/testing'
import { TEST_TLS } from '../../src/platform/web/test-web.js'
import { fixForInterface, userFailureText } from '../../src/protocol/shown/fix-words.js'
import { sampledTest as test } from '../support/tier.js'
import { cli, kedge, run } from './kedge.js'

const KEY = 'sk-ant-secret-0123456789'

type Case = {
  code: string
  /** The text that programs know, which stays as it is. */
  text: RegExp
  fix: RegExp
  turn?: Turn
  env?: Record<string, string | undefined>
  model?: string
}

describe('what goes wrong first', { concurrency: 4 }, () => {
  const cases: Record<string, Case> = {
    'no key': {
      code: 'not_authenticated',
      text: /^Not logged in · No API key was found\n/,
      fix: /^Set ANTHROPIC_API_KEY .*practice.*`npx kedge doctor`/,
      env: { ANTHROPIC_API_KEY: undefined },
    },
    'a misspelled model, without a key': {
      code: 'model_not_found',
      text: /^pratice isn't a model that Kedge knows\. Did you mean practice\?$/,
      fix: /^Set the option `model: 'practice'`\.$/,
      env: { ANTHROPIC_API_KEY: undefined },
      model: 'pratice',
    },
    'a misspelled service, without a key': {
      code: 'model_not_found',
      text: /^opnai isn't a service that Kedge knows\. Did you mean openai\?$/,
      fix: /^To use openai\/gpt-5, set the option `model`\.$/,
      env: { ANTHROPIC_API_KEY: undefined },
      model: 'opnai/gpt-5',
    },
    'a service without a key': {
      code: 'not_authenticated',
      text: /^Not logged in · No API key was found\nOPENAI_API_KEY isn't set\.$/,
      fix: /^Set OPENAI_API_KEY to a key of openai\. To try Kedge without a key, set the option `model: 'practice'`\.$/,
      env: { ANTHROPIC_API_KEY: undefined, OPENAI_API_KEY: undefined, ANTHROPIC_BASE_URL: undefined },
      model: 'openai/gpt-5',
    },
    'a bad key': {
      code: 'invalid_api_key',
      text: /^Invalid API key · Fix external API key$/,
      fix: /^127\.0\.0\.1:\d+ rejected the key of ANTHROPIC_API_KEY\. .*ANTHROPIC_BASE_URL\.$/,
      turn: { status: 401, error: { message: 'invalid x-api-key' } },
    },
    'a key that may not': {
      code: 'permission_denied',
      text: /^API Error: 403 \{/,
      fix: /^The key of ANTHROPIC_API_KEY isn't allowed to do this .*`npx kedge models`/,
      turn: { status: 403, error: { message: 'no' } },
    },
    'nobody listens': {
      code: 'connection_failed',
      text: /^API Error: Connection error\. 127\.0\.0\.1:1: ECONNREFUSED$/,
      fix: /^Nothing listens at 127\.0\.0\.1:1\. .*ANTHROPIC_BASE_URL\.$/,
      env: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' },
    },
    'a name that is not there': {
      code: 'connection_failed',
      text: /^API Error: Connection error\. no-such-host\.invalid:443: (ENOTFOUND|EAI_AGAIN)$/,
      fix: /^The name no-such-host\.invalid could not be resolved\. .*DNS/,
      env: { ANTHROPIC_BASE_URL: 'https://no-such-host.invalid' },
    },
    'a certificate nobody vouches for': {
      code: 'connection_failed',
      text: /^API Error: Connection error\. localhost:\d+: (DEPTH_ZERO_SELF_SIGNED_CERT|UNABLE_TO_VERIFY_LEAF_SIGNATURE)$/,
      fix: /^The certificate of localhost:\d+ isn't trusted\. Set NODE_EXTRA_CA_CERTS/,
      env: { ANTHROPIC_BASE_URL: 'tls' },
    },
    'TLS where there is none': {
      code: 'connection_failed',
      text: /^API Error: Connection error\. 127\.0\.0\.1:\d+: (EPROTO|ERR_SSL_\w+)$/,
      fix: /doesn't use TLS\. If that's intended, start ANTHROPIC_BASE_URL with http:/,
      env: { ANTHROPIC_BASE_URL: 'https' },
    },
    'a model that is not there': {
      code: 'model_not_found',
      text: /^API Error: 404 \{.*claude-9/,
      fix: /^127\.0\.0\.1:\d+ doesn't have the model claude-9\. To use one that it has, set the option `model` /,
      turn: { status: 404, error: { type: 'not_found_error', message: 'model: claude-9' } },
      model: 'claude-9',
    },
    'too many requests': {
      code: 'rate_limited',
      text: /^API Error: 429 \{/,
      fix: /^Wait a minute, send fewer requests/,
      turn: { status: 429, retryAfter: 1, error: { message: 'slow down' } },
    },
    'no money': {
      code: 'billing',
      text: /^API Error: 400 \{/,
      fix: /^Add credit/,
      turn: { status: 400, error: { message: 'Your credit balance is too low' } },
    },
    'a page in place of an answer': {
      code: 'unexpected_response',
      text: /^API Error: 200 from 127\.0\.0\.1:\d+ is not an answer of a model/,
      fix: /for example the login page of a network\. Open the address in a browser/,
      turn: { status: 200, rawBody: '<html>Welcome to the hotel</html>', contentType: 'text/html' },
    },
  }
  for (const [name, wrong] of Object.entries(cases)) {
    test(`${name}: error_code, error_fix, one result, exit code 1`, async () => {
      await using place = await open(wrong)
      const { options } = place
      const { results, result, error } = await collect(query({ prompt: 'Hi.', options }))
      assert.equal(results.length, 1)
      const text = result?.subtype === 'success' ? result.result : ''
      assert.match(text, wrong.text)
      assert.match(result?.error_fix ?? '', wrong.fix)
      assert.deepEqual([result?.is_error, result?.error_code], [true, wrong.code])
      assert.ok(error instanceof ProcessExitError)
      assert.equal(error.message, userFailureText(text))
      assert.deepEqual([error.code, error.errorCode, error.fix], ['process_exited', wrong.code, result?.error_fix])

      const args = ['-p', 'Hi.', ...(options.model ? ['--model', options.model] : [])]
      const { code, stdout, stderr } = await kedge(args, options)
      assert.deepEqual([code, stdout], [1, ''])
      const inShell = `${userFailureText(text)}\nFix: ${fixForInterface(result?.error_fix ?? '', 'shell')}\n`
      assert.equal(stderr.replace('req_test_2', 'req_test_1'), inShell)
      assert.doesNotMatch(stderr, /the option `|Not logged in/)
      assert.ok(!JSON.stringify([results, stderr]).includes(KEY))
    })
  }
})

/** A server, an endpoint and a key as the case wants them. */
async function open({ turn = 'Hello.', env = {}, model }: Case): Promise<AsyncDisposable & { options: TestOptions }> {
  const server = await startModelServer(() => turn)
  const secure = createServer(TEST_TLS, (_, response) => response.end())
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve))
  const url = {
    // A listening server of ours has such an address.
    tls: `https://localhost:${(secure.address() as AddressInfo).port}`,
    https: server.url.replace('http:', 'https:'),
  }[env['ANTHROPIC_BASE_URL'] ?? '']
  const options = testOptions(server, {
    ...(model ? { model } : {}),
    env: { ANTHROPIC_API_KEY: KEY, CLAUDE_CODE_MAX_RETRIES: '0', ...env, ...(url ? { ANTHROPIC_BASE_URL: url } : {}) },
  })
  return {
    options,
    async [Symbol.asyncDispose]() {
      await options[Symbol.asyncDispose]()
      await server.close()
      secure.close()
    },
  }
}

test('a command that has to try again says so each time, also where nobody watches', async () => {
  const busy = { status: 529, retryAfter: 0 }
  await using server = await startModelServer([busy, busy, 'Back.', busy, 'Back.'])
  await using options = testOptions(server)
  const { code, stdout, stderr } = await kedge(['-p', 'Hi.'], options)
  assert.deepEqual([code, stdout], [0, 'Back.\n'])
  const note = (n: number) => `Note: the API did not answer \\(529 overloaded\\), try ${n} of 10 in \\d+ s…\n`
  assert.match(stderr, new RegExp(`^${note(1)}${note(2)}$`))
  const json = await kedge(['-p', 'Hi.', '--output-format', 'json'], options)
  assert.equal(JSON.parse(json.stdout).result, 'Back.')
  assert.match(json.stderr, new RegExp(`^${note(1)}$`))
})

const noSmallDisk =
  spawnSync('bwrap', ['--dev-bind', '/', '/', '--size', '4096', '--tmpfs', '/mnt', 'true']).status === 0
    ? undefined
    : 'there is no bubblewrap that works here to make a small disk with'

test('a full disk: the answer comes, and once it is said that the session is not saved, and what to do', {
  skip: noSmallDisk,
}, async () => {
  await using server = await startModelServer(() => 'Hello.')
  // Asked for or not.
  await using options = testOptions(server, { env: { KEDGE_NOTICES: undefined } })
  const { HOME = '', CLAUDE_CONFIG_DIR = '' } = options.env
  // One page, which the folders of the session leave nothing of.
  const disk = ['--dev-bind', '/', '/', '--size', '4096', '--tmpfs', CLAUDE_CONFIG_DIR, '--', 'sh', '-c']
  const shell = `head -c 4096 /dev/zero > "$CLAUDE_CONFIG_DIR/full" && '${process.execPath}' '${cli}' -p Hi. "$@"`
  const args = ['--output-format', 'stream-json', '--verbose']
  const { code, stdout, stderr } = await run('bwrap', [...disk, shell, 'sh', ...args], options)
  const notice =
    /^This session can't be saved any more and goes on in memory only: ENOSPC.*\nFix: free some space .*CLAUDE_CONFIG_DIR/
  assert.match(stderr, new RegExp(`${notice.source}.*\n$`))
  const messages = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const told = messages.filter(({ subtype }) => subtype === 'informational')
  assert.deepEqual(
    told.map(({ code, level }) => [code, level]),
    [['session_not_saved', 'warning']],
  )
  assert.match(told[0].content, notice)
  const results = messages.filter(({ type }) => type === 'result')
  // What was asked for was done: sessions go on in memory.
  assert.deepEqual(
    results.map(({ result, is_error }) => [result, is_error]),
    [['Hello.', false]],
  )
  assert.equal(code, 0)
  assert.equal(existsSync(join(HOME, 'full')), false)
})

test('output to a full disk is an error with its fix, not a silent loss', {
  skip: !existsSync('/dev/full'),
}, async () => {
  await using server = await startModelServer(() => 'Hello.')
  await using options = testOptions(server)
  for (const args of ['--version', '--help', 'models', '-p Hi.', '-p Hi. --output-format stream-json --verbose']) {
    const { code, stderr } = await run('sh', ['-c', `'${process.execPath}' '${cli}' ${args} > /dev/full`], options)
    assert.equal(code, 1, args)
    assert.match(stderr, /Error: the output could not be written: ENOSPC.*\nFix: free some space/, args)
    assert.doesNotMatch(stderr, /^\s+at /m, args)
  }
})

test('an answer that a file took only a part of, or that nobody reads any more, is an error in every format', async () => {
  const text = 'word '.repeat(20_000)
  await using server = await startModelServer(() => text)
  await using options = testOptions(server)
  const ask = (rest: string) =>
    run('bash', ['-c', `'${process.execPath}' '${cli}' -p Hi. --verbose --no-session-persistence ${rest}`], options)
  for (const format of ['text', 'json', 'stream-json']) {
    const out = `--output-format ${format}`
    // The file may grow to 20 blocks: the first write is taken in part, which is no error yet.
    const cut = await run(
      'bash',
      [
        '-c',
        `ulimit -f 20; exec '${process.execPath}' '${cli}' -p Hi. --verbose --no-session-persistence ${out} > out`,
      ],
      options,
    )
    assert.deepEqual([cut.code, /^Error: the output could not be written: EFBIG/m.test(cut.stderr)], [1, true], format)
    const left = await ask(`${out} | true; exit \${PIPESTATUS[0]}`)
    assert.deepEqual(
      [left.code, left.stderr],
      [1, 'Error: the output could not be written: its reader is gone (EPIPE)\n'],
      format,
    )
    const whole = await ask(`${out} > out && cat out`)
    assert.deepEqual([whole.code, whole.stdout.includes(text)], [0, true], format)
  }
  const help = await run(
    'bash',
    ['-c', `'${process.execPath}' '${cli}' --help | true; exit \${PIPESTATUS[0]}`],
    options,
  )
  assert.deepEqual([help.code, help.stderr], [0, ''])
})
