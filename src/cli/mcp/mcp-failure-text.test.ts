import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { explainMcpFailure } from './mcp-failure-text.js'

const where = '/home/ada/.claude.json (local)'
const explain = (error: string | undefined, config: object = {}) =>
  explainMcpFailure({ name: 'files', status: 'failed', ...(error !== undefined && { error }) }, { config, where })

describe('why an MCP server failed', () => {
  for (const [error, problem, fix] of [
    ['spawn npxx ENOENT', "the program npxx doesn't exist.", `correct \`command\` in ${where}, or install it.`],
    ['spawn ./x EACCES', "the program ./x can't be run.", `make it executable, or correct \`command\` in ${where}.`],
    [
      'connection failed (ECONNREFUSED)',
      'nothing listens at http://127.0.0.1:9/mcp.',
      `start the server, or correct \`url\` in ${where}.`,
    ],
    [
      'getaddrinfo ENOTFOUND x.invalid',
      'the name x.invalid could not be resolved.',
      `correct \`url\` in ${where}, or check the network and its DNS.`,
    ],
    ['something else', 'something else.', undefined],
  ] as const)
    it(error, () => {
      const explained = explain(error, { url: 'http://127.0.0.1:9/mcp' })
      assert.deepEqual([explained.problem, explained.fix], [`files failed: ${problem}`, fix])
    })

  it("keeps the server's output on separate lines", () => {
    assert.deepEqual(explain('exited with code 1\nno such module'), {
      problem: 'files failed:\nexited with code 1\nno such module',
    })
  })

  it('names the status when nothing more is known', () => {
    assert.deepEqual(explain(undefined), { problem: 'files failed.' })
    assert.deepEqual(explainMcpFailure({ name: 'web', status: 'needs-auth' }, {}), {
      problem: 'web needs authentication.',
    })
  })

  it('says where nothing is known of the configuration what it can', () => {
    assert.deepEqual(explainMcpFailure({ name: 'web', status: 'failed', error: 'connect ECONNREFUSED' }, {}), {
      problem: 'web failed: nothing listens at its address.',
      fix: 'start the server, or correct `url`.',
    })
  })
})
