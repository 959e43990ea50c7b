/**
 * Without a network: what is wrong is said with the first request that fails, not after the last retry, on a terminal and in
 * pipes of every format. (That one attempt to connect ends after 10 s is shown in `node-http.test.ts`.)
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startModelServer, type TestOptions, testOptions } from 'kedge/testing'
import { cli, kedge, noTerminal, onTerminal, quoted } from './kedge.js'

const RETRY = (n: number) => `127.0.0.1:1 refuses connections (ECONNREFUSED), try ${n} of 2 in `
const ERROR = 'API Error: Connection error. 127.0.0.1:1: ECONNREFUSED'
/** Proxies that are set are not on the way to this computer; those that are, are named in `test/network`. */
const FIX = 'Nothing listens at 127.0.0.1:1. Start that endpoint, or correct or unset ANTHROPIC_BASE_URL.'

/** Nothing listens at that port. The variable that makes tests hear everything is off: users do not have it. */
async function offline(run: (options: TestOptions) => Promise<void>): Promise<void> {
  const proxies = { HTTPS_PROXY: 'http://proxy.example:8080', all_proxy: 'socks5://proxy.example' }
  const silent = { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', CLAUDE_CODE_MAX_RETRIES: '2', KEDGE_NOTICES: '' }
  const server = await startModelServer([])
  try {
    await using options = testOptions(server, { env: { ...proxies, ...silent } })
    await run(options)
  } finally {
    // Not `await using`: the model is never asked.
    await server.close()
  }
}

/** Where each text stands, which must be in this order. */
function assertInOrder(text: string, parts: readonly string[]): void {
  const places = parts.map((part) => text.indexOf(part))
  assert.ok(!places.includes(-1), `${parts[places.indexOf(-1)]} is missing in ${JSON.stringify(text)}`)
  assert.deepEqual(
    places,
    [...places].sort((a, b) => a - b),
  )
}

test(
  'on a terminal every retry is on the screen before the error, which comes with its fix',
  {
    skip: noTerminal,
  },
  () =>
    offline(async (options) => {
      const { code, stdout } = await onTerminal(`${quoted([process.execPath, cli, '-p', 'Hi.'])} < /dev/null`, options)
      assert.equal(code, 1)
      assertInOrder(stdout, [RETRY(1), RETRY(2), ERROR, FIX])
      // The line of progress is gone when the error comes.
      assert.equal(stdout.slice(stdout.lastIndexOf('\u001b[K') + 3).split('\r\n')[0], ERROR)
    }),
)

for (const format of ['text', 'json', 'stream-json']) {
  test(`in a pipe (${format}) every retry is said on stderr`, () =>
    offline(async (options) => {
      const flags = ['--output-format', format, ...(format === 'stream-json' ? ['--verbose'] : [])]
      const { code, stdout, stderr } = await kedge(['-p', 'Hi.', ...flags], options)
      assert.equal(code, 1)
      assertInOrder(stderr, [`Note: ${RETRY(1)}`, `Note: ${RETRY(2)}`])
      assertInOrder(format === 'text' ? stderr : stdout, [ERROR, FIX])
      assert.ok(!stdout.includes('api_retry'), 'a reader that did not ask for them gets no lines that 0.2.50 lacks')
    }))
}

test('who asked for the lines of retries gets those, and nothing on stderr', () =>
  offline(async (options) => {
    const flags = ['--output-format', 'stream-json', '--verbose', '--include-notices']
    const { stdout, stderr } = await kedge(['-p', 'Hi.', ...flags], options)
    const lines: { subtype?: string; attempt?: number }[] = stdout
      .split('\n')
      .flatMap((line) => (line ? JSON.parse(line) : []))
    const retries = lines.filter(({ subtype }) => subtype === 'api_retry')
    assert.deepEqual([retries.map(({ attempt }) => attempt), stderr], [[1, 2], ''])
  }))
