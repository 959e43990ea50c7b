import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { createMemoryStore } from './blobs.js'
import { LINKED_FOLDER_REASON } from './capture-file.js'
import type { RewindStep } from './plan-rewind.js'
import { removeHalfWrittenFiles, restoreCheckpointFiles } from './restore.js'

let root = ''
const store = createMemoryStore(10_000)
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-restore-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (name: string) => join(root, name)
const file = async (content: string, mode: number | undefined = 0o644): Promise<RewindStep['target']> => ({
  kind: 'file',
  blob: await store.keep(new TextEncoder().encode(content)),
  mode,
})
const nothing: RewindStep['target'] = { kind: 'nothing' }
/** A step from what stands there now. */
const step = async (name: string, target: RewindStep['target']): Promise<RewindStep> => ({
  path: at(name),
  target,
  found: await nodeFiles.lstat(at(name)),
})
const run = async (steps: RewindStep[]) =>
  (await restoreCheckpointFiles(steps, nodeFiles, store)).map(({ path, why, isLink }) => [
    path.slice(root.length + 1),
    why,
    isLink,
  ])

describe('what is put back', () => {
  it('is content and mode of a file that was changed', async () => {
    writeFileSync(at('a'), 'new')
    chmodSync(at('a'), 0o600)
    assert.deepEqual(await run([await step('a', await file('old', 0o755))]), [])
    assert.equal(readFileSync(at('a'), 'utf8'), 'old')
    assert.equal(statSync(at('a')).mode & 0o777, 0o755)
    assert.deepEqual(readdirSync(root), ['a'])
  })

  it('keeps the mode of the file in its place where none is known', async () => {
    writeFileSync(at('a'), 'new')
    chmodSync(at('a'), 0o640)
    const target = { ...(await file('old')), mode: undefined } as RewindStep['target']
    assert.deepEqual(await run([await step('a', target), await step('b', target)]), [])
    assert.equal(statSync(at('a')).mode & 0o777, 0o640)
    assert.equal(statSync(at('b')).mode & 0o777, 0o644)
  })

  it('is a file that was removed, with the folders above it', async () => {
    assert.deepEqual(await run([await step('x/y/a', await file('old'))]), [])
    assert.equal(readFileSync(at('x/y/a'), 'utf8'), 'old')
  })

  it('is the absence of what was made, files first and folders from the inside', async () => {
    mkdirSync(at('d/e'), { recursive: true })
    writeFileSync(at('d/e/a'), '')
    const steps = await Promise.all(['d', 'd/e', 'd/e/a'].map((name) => step(name, nothing)))
    assert.deepEqual(await run(steps), [])
    assert.deepEqual(readdirSync(root), [])
  })

  it('may turn a folder into a file, and a file into a folder', async () => {
    mkdirSync(at('was-file'))
    writeFileSync(at('was-file/in'), '')
    writeFileSync(at('was-folder'), '')
    const steps = [
      await step('was-file', await file('old')),
      await step('was-file/in', nothing),
      await step('was-folder', { kind: 'folder', mode: 0o750 }),
      await step('was-folder/in', await file('in')),
    ]
    assert.deepEqual(await run(steps), [])
    assert.equal(readFileSync(at('was-file'), 'utf8'), 'old')
    assert.equal(readFileSync(at('was-folder/in'), 'utf8'), 'in')
    assert.equal(statSync(at('was-folder')).mode & 0o777, 0o750)
  })

  it('is written before its folder becomes one that nothing can be written to', async () => {
    const steps = [await step('d', { kind: 'folder', mode: 0o555 }), await step('d/a', await file('old'))]
    assert.deepEqual(await run(steps), [])
    assert.equal(readFileSync(at('d/a'), 'utf8'), 'old')
    assert.equal(statSync(at('d')).mode & 0o777, 0o555)
    chmodSync(at('d'), 0o755)
  })

  it('is a folder without a mode, with whatever mode it gets', async () => {
    assert.deepEqual(await run([await step('d', { kind: 'folder', mode: undefined })]), [])
    assert.ok(statSync(at('d')).isDirectory())
  })
})

describe('what can not be put back', () => {
  it('is what would take a folder away that holds something else', async () => {
    mkdirSync(at('d'))
    writeFileSync(at('d/own'), 'mine')
    assert.deepEqual(await run([await step('d', nothing)]), [
      ['d', 'a folder with other files stands in its place', false],
    ])
    // A folder of ours may stay for what others put there.
    assert.deepEqual(await run([await step('d', { kind: 'nothing', folder: true })]), [])
    assert.equal(readFileSync(at('d/own'), 'utf8'), 'mine')
    assert.deepEqual(await run([await step('d', await file('old'))]), [
      ['d', 'a folder with other files stands in its place', false],
    ])
  })

  it('is a file that was changed after the plan was made', async () => {
    writeFileSync(at('a'), 'new')
    const planned = await step('a', await file('old'))
    rmSync(at('a'))
    writeFileSync(at('a'), 'newer still')
    assert.deepEqual(await run([planned]), [['a', 'it was changed or replaced meanwhile', true]])
    assert.equal(readFileSync(at('a'), 'utf8'), 'newer still')
  })

  it('is a file in whose place something was made', async () => {
    const planned = await step('a', await file('old'))
    writeFileSync(at('a'), 'new')
    assert.deepEqual(await run([planned]), [['a', 'something was made in its place meanwhile', false]])
    assert.equal(readFileSync(at('a'), 'utf8'), 'new')
  })

  it('is anything behind a link', async () => {
    mkdirSync(at('real'))
    writeFileSync(at('real/a'), 'theirs')
    writeFileSync(at('real/b'), 'theirs')
    const steps = [
      { ...(await step('real/a', await file('old'))), path: at('link/a') },
      { ...(await step('real/b', nothing)), path: at('link/b') },
    ]
    symlinkSync(at('real'), at('link'))
    assert.deepEqual(await run(steps), [
      ['link/b', LINKED_FOLDER_REASON, true],
      ['link/a', LINKED_FOLDER_REASON, true],
    ])
    assert.deepEqual(
      ['a', 'b'].map((name) => readFileSync(at(`real/${name}`), 'utf8')),
      ['theirs', 'theirs'],
    )
  })

  it('does not keep the others from it', async () => {
    writeFileSync(at('b'), 'new')
    const missing: RewindStep['target'] = { kind: 'file', blob: 'f'.repeat(64), mode: undefined }
    assert.deepEqual(await run([await step('a', missing), await step('b', await file('old'))]), [
      ['a', 'its kept copy is missing', false],
    ])
    assert.equal(readFileSync(at('b'), 'utf8'), 'old')
  })

  it('is not what is gone already', async () => {
    mkdirSync(at('d'))
    writeFileSync(at('a'), '')
    const steps = [await step('d', nothing), await step('a', nothing)]
    rmSync(at('d'), { recursive: true })
    rmSync(at('a'))
    assert.deepEqual(await run(steps), [])
  })
})

describe('half-written files', () => {
  it('of processes that are gone are removed, all others stay', async () => {
    const names = [
      ...['.kedge-1-abc.tmp', '.kedge-2-abc.tmp', 'x.kedge-1-abc.tmp', '.kedge-1-abc.tmp2'],
      ...['.kedge--abc.tmp', '.kedge-1-ABC.tmp', '.kedge-1-.tmp', 'a.ts'],
    ]
    for (const name of names) writeFileSync(at(name), '')
    await removeHalfWrittenFiles([root, at('nowhere'), at('a.ts')], nodeFiles, (pid) => pid === 2)
    assert.deepEqual(
      names.filter((name) => !existsSync(at(name))),
      ['.kedge-1-abc.tmp'],
    )
  })

  it('behind a link stay', async () => {
    mkdirSync(at('real'))
    writeFileSync(at('real/.kedge-1-abc.tmp'), '')
    symlinkSync(at('real'), at('link'))
    await removeHalfWrittenFiles([at('link')], nodeFiles, () => false)
    assert.ok(existsSync(at('real/.kedge-1-abc.tmp')))
  })
})
