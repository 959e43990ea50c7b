/** Every example runs as it is, by itself, offline, and its assertions hold; so does the demo. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'

const EXAMPLES = readdirSync('examples').filter((name) => name.endsWith('.mjs'))

type Ended = { code: number | string | null | undefined; stdout: string; stderr: string }

/** With an empty home and no credentials. */
async function run(file: string): Promise<Ended & { left: string[] }> {
  await using options = testOptions({ env: () => ({}) })
  const temporary = options.env['TMPDIR'] ?? ''
  const ended = await new Promise<Ended>((resolve) => {
    execFile(process.execPath, [file], { env: options.env, timeout: 60_000 }, (error, stdout, stderr) => {
      resolve({ code: error ? error.code : 0, stdout, stderr })
    })
  })
  return { ...ended, left: readdirSync(temporary) }
}

describe('examples', { concurrency: 3 }, () => {
  test('are numbered from 01 to 14, and the start page lists each', () => {
    const numbers = Array.from({ length: 14 }, (_, index) => `${String(index + 1).padStart(2, '0')}-`)
    assert.deepEqual(
      EXAMPLES.map((name) => name.slice(0, 3)),
      numbers,
    )
    const start = readFileSync('docs/index.md', 'utf8')
    for (const name of EXAMPLES) assert.ok(start.includes(`(../examples/${name})`), name)
  })

  for (const name of EXAMPLES) {
    test(`${name} runs, asserts, cleans up, and is short`, async () => {
      const { code, stderr, left } = await run(join('examples', name))
      assert.deepEqual({ code, stderr, left }, { code: 0, stderr: '', left: [] })
      const source = readFileSync(join('examples', name), 'utf8')
      assert.match(source, /^ *assert/m)
      assert.ok(source.split('\n').length <= 60)
    })
  }

  test('the demo runs and finds everything as it should be', async () => {
    const { code, stdout, stderr, left } = await run(join('scripts', 'demo.mjs'))
    assert.deepEqual({ code, stderr, left }, { code: 0, stderr: '', left: [] })
    assert.match(stdout, /\n7\. The command line\n.*Everything was as it should be/s)
  })
})
