import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { spawnPrivately, splitPrivateVariables } from './private-environment.js'

test('keys are taken out, places and names stay', () => {
  const env = {
    ANTHROPIC_API_KEY: 'a',
    GITHUB_TOKEN: 'b',
    DB_PASSWORD: 'c',
    aws_secret_access_key: 'd',
    GOOGLE_CREDENTIALS: 'e',
    ANTHROPIC_CUSTOM_HEADERS: 'f',
    ANTHROPIC_AUTH_TOKEN: 'g',
    PATH: '/bin',
    SSH_AUTH_SOCK: '/s',
    XAUTHORITY: '/x',
    GIT_AUTHOR_NAME: 'Ada',
    NO_TOKEN: undefined,
    HOME: '/h',
  }
  const { shown, hidden } = splitPrivateVariables(env) ?? assert.fail()
  assert.deepEqual(Object.values(hidden).sort(), ['a', 'b', 'c', 'd', 'e', 'f', 'g'])
  assert.deepEqual(Object.keys(shown).sort(), [
    ...['GIT_AUTHOR_NAME', 'HOME', 'KEDGE_PRIVATE_FD', 'NO_TOKEN', 'PATH', 'SSH_AUTH_SOCK', 'XAUTHORITY'],
  ])
  assert.equal(shown['KEDGE_PRIVATE_FD'], '3')
  assert.equal(splitPrivateVariables({ PATH: '/bin' }), undefined)
})

const CHILD = `
  const fd = process.env.KEDGE_PRIVATE_FD
  const told = fd === undefined ? null : JSON.parse(require('node:fs').readFileSync(Number(fd), 'utf8'))
  process.stdout.write(JSON.stringify({ told, key: process.env.A_KEY ?? null, plain: process.env.PLAIN }))
`

async function told(env: Record<string, string>) {
  const child = spawnPrivately(spawn)(process.execPath, ['-e', CHILD], { env })
  child.stdin.end()
  const chunks: Buffer[] = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}

test('they arrive as they were, and are not in the environment', { skip: process.platform === 'win32' }, async () => {
  const long = 'x'.repeat(200_000)
  const env = { A_KEY: 'ä\n"', B_TOKEN: long, PLAIN: 'p' }
  assert.deepEqual(await told(env), { told: { A_KEY: 'ä\n"', B_TOKEN: long }, key: null, plain: 'p' })
})

test('without a key there is no pipe', async () => {
  assert.deepEqual(await told({ PLAIN: 'p' }), { told: null, key: null, plain: 'p' })
})

test('a child that is gone, or was never there, is no error of the pipe', async () => {
  const ends: unknown[] = []
  for (const program of ['true', 'no-such-program']) {
    const child = spawnPrivately(spawn)(program, [], {
      env: { PATH: process.env['PATH'], A_KEY: 'x'.repeat(1_000_000) },
    })
    const failure = new Promise((resolve) => child.once('error', ({ message }) => resolve(message)))
    ends.push(await Promise.race([failure, new Promise((resolve) => child.once('close', resolve))]))
  }
  // Not EPIPE, which is what writing to a child that is gone ends with.
  assert.deepEqual(ends, [0, 'spawn no-such-program ENOENT'])
})
