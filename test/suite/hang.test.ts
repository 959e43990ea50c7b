/** A test that hangs fails with its name; one that ends, or has more time by itself, does not. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const limit = pathToFileURL(join(process.cwd(), 'scripts', 'hang-limit.mjs')).href

test('what never ends is named, with what it waits for', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-hang-'))
  const file = join(folder, 'hanging.mjs')
  const wait = (ms: number) => `async () => new Promise((resolve) => setTimeout(resolve, ${ms}))`
  writeFileSync(
    file,
    `import '${limit}'
import { test } from 'node:test'
test('ends', () => {})
test('has more time', { timeout: 30_000 }, ${wait(300)})
test('never ends', ${wait(600_000)})
`,
  )
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = spawnSync(process.execPath, [file], { encoding: 'utf8', env: { ...env, KEDGE_HANG_MS: '100' } })
  rmSync(folder, { recursive: true })
  assert.match(run.stderr, /^hangs: .*hanging\.mjs › never ends: not over after its limit, waits for: .*Timeout/m)
  assert.equal(run.status, 1)
})

test('so is a hook that never ends, and a process that stays after its tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-hang-'))
  const run = (name: string, code: string) => {
    const file = join(folder, name)
    writeFileSync(file, `import '${limit}'\nimport { after, before, test } from 'node:test'\n${code}`)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    return spawnSync(process.execPath, [file], { encoding: 'utf8', env: { ...env, KEDGE_HANG_MS: '100' } })
  }
  const never = '() => new Promise((resolve) => setTimeout(resolve, 600_000))'
  const hook = run('hook.mjs', `before(${never})\ntest('waits for its hook', () => {})\n`)
  const staying = run('staying.mjs', `setInterval(() => {}, 600_000)\ntest('ends', () => {})\n`)
  rmSync(folder, { recursive: true })
  assert.match(hook.stderr, /^hangs: after the start of the process: a hook, or the end of the process/m)
  assert.match(staying.stderr, /^hangs: after .*staying\.mjs › ends: a hook, or the end of the process/m)
  assert.deepEqual([hook.status, staying.status], [1, 1])
})
