import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { isPlaceholder, PLACEHOLDER_FOLDER_MARKER_MTIMES } from '../files/file-places.js'
import { createMountPlaceholders } from './placeholders.js'

describe('placeholders', { skip: process.platform !== 'linux' && 'bubblewrap is for Linux' }, () => {
  let base = ''
  const at = (...names: string[]) => join(base, ...names)
  beforeEach(() => {
    base = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-placeholders-')))
    for (const name of ['project/sub', 'outside']) mkdirSync(at(name), { recursive: true })
  })
  afterEach(() => rmSync(base, { recursive: true, force: true }))
  const time = (path: string) => statSync(path).mtimeMs / 1000

  it('are empty folders with a mark, gone when the last who took them gives them back', async () => {
    const { take, give } = createMountPlaceholders()
    const paths = [at('project/.vscode'), at('project/sub/.envrc')]
    for (let i = 0; i < 2; i += 1) assert.deepEqual([...(await take(paths)).impossible], [])
    for (const path of paths)
      assert.deepEqual([isPlaceholder(statSync(path)), time(path)], [true, PLACEHOLDER_FOLDER_MARKER_MTIMES.own])
    await give(paths)
    assert.deepEqual(readdirSync(at('project')), ['.vscode', 'sub'])
    await give(paths)
    assert.deepEqual([readdirSync(at('project')), readdirSync(at('project/sub'))], [['sub'], []])
  })

  it('of another session are marked as shared; what is no placeholder is left alone', async () => {
    const [theirs, real] = [at('project/.vscode'), at('project/.idea')]
    for (const path of [theirs, real]) mkdirSync(path)
    utimesSync(theirs, PLACEHOLDER_FOLDER_MARKER_MTIMES.own, PLACEHOLDER_FOLDER_MARKER_MTIMES.own)
    const before = time(real)
    const { take, give } = createMountPlaceholders()
    await take([theirs, real])
    assert.deepEqual([time(theirs), time(real)], [PLACEHOLDER_FOLDER_MARKER_MTIMES.shared, before])
    await give([theirs, real])
    assert.deepEqual(readdirSync(at('project')), ['.idea', 'sub'])
  })

  it('are all or none: what was made goes when another one fails', async () => {
    writeFileSync(at('project/file'), '')
    const placeholders = createMountPlaceholders()
    await assert.rejects(placeholders.take([at('project/.vscode'), at('project/file/.envrc')]), { code: 'ENOTDIR' })
    assert.deepEqual(readdirSync(at('project')).sort(), ['file', 'sub'])
  })

  const swap = () => {
    renameSync(at('project/sub'), at('project/moved'))
    symlinkSync(at('outside'), at('project/sub'))
  }

  it('are not made behind a link', async () => {
    swap()
    const before = statSync(at('outside')).mtimeMs
    await assert.rejects(createMountPlaceholders().take([at('project/sub/.envrc')]), { code: 'ELOOP' })
    assert.deepEqual([readdirSync(at('outside')), statSync(at('outside')).mtimeMs], [[], before])
  })

  it('are not removed or marked behind a link that came since', async () => {
    const path = at('project/sub/.envrc')
    const { take, give } = createMountPlaceholders()
    await take([path])
    swap()
    // One that looks the same, of somebody else.
    mkdirSync(at('outside/.envrc'))
    utimesSync(at('outside/.envrc'), PLACEHOLDER_FOLDER_MARKER_MTIMES.own, PLACEHOLDER_FOLDER_MARKER_MTIMES.own)
    await give([path])
    await assert.rejects(createMountPlaceholders().take([path]), { code: 'ELOOP' })
    assert.equal(time(at('outside/.envrc')), PLACEHOLDER_FOLDER_MARKER_MTIMES.own)
  })

  it('that became a link are not marked through it', async () => {
    const path = at('project/.envrc')
    utimesSync(at('outside'), PLACEHOLDER_FOLDER_MARKER_MTIMES.own, PLACEHOLDER_FOLDER_MARKER_MTIMES.own)
    symlinkSync(at('outside'), path)
    const { take, give } = createMountPlaceholders()
    await take([path])
    await give([path])
    assert.deepEqual(
      [time(at('outside')), readdirSync(at('project'))],
      [PLACEHOLDER_FOLDER_MARKER_MTIMES.own, ['.envrc', 'sub']],
    )
  })
})
