/** What a person reads when a query goes wrong: the cause, a name, and lines that can be read. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { query } from 'kedge'
import { collect } from 'kedge/testing'
import { bothWays } from './both-ways.js'

bothWays(
  'what is thrown after an error result says its cause; only a process says first how it ended',
  () => [{ status: 400, error: { type: 'invalid_request_error', message: 'messages: too odd' } }],
  {},
  async ({ options }) => {
    const { error, result } = await collect(query({ prompt: 'Hi.', options }))
    assert.ok(error instanceof Error)
    const cause = result?.subtype === 'success' ? result.result : ''
    assert.match(cause, /too odd/)
    const before = options.isolation === 'process' ? 'Claude Code process exited with code 1: ' : ''
    assert.deepEqual([error.name, error.message], ['Error', `${before}${cause}`])
  },
)

test('an agent in this process that never began says why, and calls itself no process', async () => {
  const { error } = await collect(query({ prompt: 'Hi.', options: { extraArgs: { zzz: null }, stderr: () => {} } }))
  assert.match(String(error), /^Error: error: unknown option '--zzz'/)
})

test('an error that nobody catches shows a line that can be read and the names of functions', async () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'kedge-readable-'))
  try {
    const program = join(folder, 'program.mjs')
    const library = JSON.stringify(join(process.cwd(), 'dist', 'index.js'))
    writeFileSync(program, `import { query } from ${library}\nquery({ prompt: 'x', options: { maxTurns: 'many' } })\n`)
    const env = { ...process.env, NODE_OPTIONS: '' }
    const stderr = await new Promise<string>((resolve) =>
      execFile(process.execPath, [program], { env }, (_, __, text) => resolve(text)),
    )
    assert.match(stderr, /^ConfigurationError: maxTurns must be an integer of at least 0, got a string\.$/m)
    assert.match(stderr, /^ {4}at checkShapes /m)
    for (const line of stderr.split('\n')) assert.ok(line.length < 300, line.slice(0, 300))
  } finally {
    rmSync(folder, { recursive: true })
  }
})
