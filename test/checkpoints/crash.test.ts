/** S37: a rewind that is cut off anywhere is completed by the next one, and no file is ever seen half-written. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FileSystem, nodeFiles } from '../../src/platform/files/files.js'
import { byTier } from '../support/tier.js'
import { createStage, type Stage, treeOf } from './stage.js'

const STEP = byTier({ quick: 101, all: 41, long: 1 })
const child = fileURLToPath(new URL('./killed-child.js', import.meta.url))

/** A session with a turn that changed all kinds of things; `saved` is a copy of it all to begin again with. */
let stage: Stage
let saved: string
let wanted: Record<string, string>
/** Every content a file may have: before or after, never a part. */
let contents: Set<string>

before(async () => {
  stage = await createStage()
  mkdirSync(stage.at('sub/deep'), { recursive: true })
  for (const [name, size] of [
    ['a.txt', 10],
    ['sub/b.txt', 100_000],
    ['sub/deep/c.txt', 5],
    ['mode.sh', 20],
    ['was-a-file', 7],
  ] as const) {
    writeFileSync(stage.at(name), name.repeat(size))
  }
  mkdirSync(stage.at('many'))
  for (let i = 0; i < 36; i++) writeFileSync(stage.at('many', `${i}.txt`), `${i}`)
  chmodSync(stage.at('sub/deep'), 0o700)
  await stage.begin('m0')
  wanted = treeOf(stage.cwd)
  await stage.call('Write', { file_path: stage.at('new/by/us.txt'), content: 'new' })
  await stage.call('Read', { file_path: stage.at('a.txt') })
  await stage.call('Edit', { file_path: stage.at('a.txt'), old_string: 'a', new_string: 'b', replace_all: true })
  await stage.call('Bash', {
    command:
      'mv sub/b.txt moved.txt; rm -r sub many; echo more >> moved.txt; chmod 700 mode.sh; rm was-a-file; mkdir was-a-file; echo x > was-a-file/x',
  })
  const changed = treeOf(stage.cwd)
  assert.notDeepEqual(changed, wanted)
  contents = new Set(
    [...Object.values(wanted), ...Object.values(changed)].map((text) => text.replace(/^file \d+ /, '')),
  )
  saved = mkdtempSync(join(tmpdir(), 'kedge-saved-'))
  cpSync(stage.root, saved, { recursive: true, preserveTimestamps: true })
})
after(async () => {
  rmSync(saved, { recursive: true, force: true })
  await stage.dispose()
})

/** What the session is like before its rewind, at the very same place. */
function begin(): string {
  rmSync(stage.root, { recursive: true, force: true })
  // Keeps modes, which the copy of Node does not for folders.
  execFileSync('cp', ['-a', saved, stage.root])
  return realpathSync(stage.root)
}

function assertWhole(when: string): void {
  for (const [name, text] of Object.entries(treeOf(stage.cwd))) {
    if (text.startsWith('folder') || /(^|\/)\.kedge-[^/]*\.tmp$/.test(name)) continue
    assert.ok(contents.has(text.replace(/^file \d+ /, '')), `${name} is half-written ${when}`)
  }
}

test('killed at the n-th system call, for every n: the second run completes it, and nothing is left behind', () => {
  begin()
  const run = (limit: number) =>
    spawnSync(process.execPath, [child, stage.root, 'm0', String(limit)], { encoding: 'utf8', timeout: 60_000 })
  const whole = run(0)
  assert.equal(whole.status, 0, whole.stderr)
  const { calls, result } = JSON.parse(whole.stdout)
  assert.deepEqual(result, { canRewind: true })
  assert.deepEqual(treeOf(stage.cwd), wanted)
  assert.ok(calls >= 200, `${calls} system calls`)
  let killed = 0
  for (let n = 1; n <= calls; n += STEP) {
    begin()
    const cut = run(n)
    assert.equal(cut.signal, 'SIGKILL', `${n}: ${cut.stdout}${cut.stderr}`)
    killed += 1
    assertWhole(`after a kill at ${n}`)
    const again = run(0)
    assert.deepEqual(JSON.parse(again.stdout || '{}').result, { canRewind: true }, `${n}: ${again.stderr}`)
    assert.deepEqual(treeOf(stage.cwd), wanted, `after a kill at ${n}`)
  }
  process.stderr.write(`rewinds: ${killed} of ${calls} system calls were the last\n`)
})

test('the n-th operation of the file system fails, and all after it, for every n: the second run completes it', async () => {
  let isDone = false
  for (let n = 1; !isDone; n += STEP) {
    begin()
    const { files, hasFailed } = failing(n)
    const broken = await createStage({ root: stage.root, files })
    await broken.rewind('m0').catch(() => undefined)
    await broken.dispose()
    assertWhole(`after operation ${n} failed`)
    isDone = !hasFailed()
    const healthy = await createStage({ root: stage.root })
    assert.deepEqual(await healthy.rewind('m0'), { canRewind: true }, `${n}`)
    assert.deepEqual(treeOf(stage.cwd), wanted, `after operation ${n} failed`)
    assert.deepEqual((await healthy.rewind('m0', true)).filesChanged, [])
    await healthy.dispose()
  }
})

/** A file system on which everything fails from the n-th operation on. */
function failing(n: number): { files: FileSystem; hasFailed(): boolean } {
  let operations = 0
  const wrap = (operation: (...args: unknown[]) => unknown, isAsync: boolean) => {
    return (...args: unknown[]) => {
      operations += 1
      if (operations < n) return operation(...args)
      const error = Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
      if (!isAsync) throw error
      return Promise.reject(error)
    }
  }
  const entries = Object.entries(nodeFiles).map(([name, operation]) => [name, wrap(operation, !name.endsWith('Sync'))])
  return { files: Object.fromEntries(entries), hasFailed: () => operations >= n }
}

test('the session file is not needed twice: it is not changed by a rewind', async () => {
  begin()
  const before = readFileSync(stage.sessionFile, 'utf8')
  const fresh = await createStage({ root: stage.root })
  await fresh.rewind('m0')
  await fresh.dispose()
  assert.equal(readFileSync(stage.sessionFile, 'utf8'), before)
})
