import assert from 'node:assert/strict'
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { testOptions } from './query-options.js'

const server = { env: () => ({ ANTHROPIC_BASE_URL: 'http://127.0.0.1:1', ANTHROPIC_API_KEY: 'made-up' }) }

describe('options of a test', () => {
  it('have folders of their own, which go with them', async () => {
    const options = testOptions(server)
    const { cwd, env } = options
    assert.deepEqual(readdirSync(cwd), [])
    assert.equal(realpathSync(cwd), cwd)
    assert.equal(env['CLAUDE_CONFIG_DIR'], join(env['HOME'] ?? '', '.claude'))
    for (const name of ['HOME', 'CLAUDE_CONFIG_DIR', 'TMPDIR']) assert.ok(existsSync(env[name] ?? ''), name)
    writeFileSync(join(cwd, 'a'), '')
    await options[Symbol.asyncDispose]()
    for (const path of [cwd, env['HOME'] ?? '', env['TMPDIR'] ?? '']) assert.equal(existsSync(path), false)
  })

  it('see nothing of whoever runs the test', async () => {
    process.env['ADAS_SECRET'] = 'x'
    try {
      await using options = testOptions(server)
      assert.equal(options.env['ADAS_SECRET'], undefined)
      assert.equal(options.env['PATH'], process.env['PATH'])
      assert.equal(options.env['ANTHROPIC_API_KEY'], 'made-up')
    } finally {
      delete process.env['ADAS_SECRET']
    }
  })

  it('take what a test puts on top', async () => {
    await using options = testOptions(server, {
      cwd: '/home/ada/project',
      maxTurns: 3,
      env: { ANTHROPIC_API_KEY: 'other', MORE: '1' },
    })
    assert.deepEqual([options.cwd, options.maxTurns], ['/home/ada/project', 3])
    assert.deepEqual([options.env['ANTHROPIC_API_KEY'], options.env['MORE']], ['other', '1'])
    assert.equal(options.env['ANTHROPIC_BASE_URL'], 'http://127.0.0.1:1')
  })

  it('are never those of another test', async () => {
    await using one = testOptions(server)
    await using two = testOptions(server)
    assert.notEqual(one.cwd, two.cwd)
    assert.notEqual(one.env['HOME'], two.env['HOME'])
  })
})
