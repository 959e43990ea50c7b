import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { describeReadFailure, describeWriteFailure, MAX_SETTINGS_BYTES, readSettingsText } from './read-file-text.js'
import { createTestSettings } from './test-settings.js'

const failure = (code: string) => Object.assign(new Error(`${code}: it failed`), { code })

async function read(make: (path: string) => void, files: Partial<typeof nodeFiles> = {}) {
  using folders = createTestSettings()
  const path = join(folders.cwd, 'settings.json')
  make(path)
  const found = await readSettingsText(path, { ...nodeFiles, ...files })
  if (found.kind === 'text') return `text: ${found.text}`
  return found.kind === 'unreadable' ? found.reason : found.kind
}

describe('the text of a settings file', () => {
  test('as it stands there, a mark at its start included', async () => {
    assert.equal(await read((path) => writeFileSync(path, '{"é": 1}\r\n')), 'text: {"é": 1}\r\n')
    assert.equal(await read((path) => writeFileSync(path, '\ufeff{}')), 'text: \ufeff{}')
    assert.equal(await read((path) => writeFileSync(path, '')), 'text: ')
  })

  test('with its real path, through links', async () => {
    using folders = createTestSettings()
    const [real, link] = [join(folders.cwd, 'real.json'), join(folders.cwd, 'link.json')]
    writeFileSync(real, '{}')
    symlinkSync('real.json', link)
    const found = await readSettingsText(link, nodeFiles)
    assert.ok(found.kind === 'text')
    assert.equal(found.real, real)
    assert.equal(found.stat.kind, 'file')
  })

  const rows: [what: string, make: (path: string) => void, said: string][] = [
    ['there is none', () => {}, 'absent'],
    ['a folder', (path) => mkdirSync(path), 'is not a file'],
    ['a pipe that nobody writes to', (path) => void execFileSync('mkfifo', [path]), 'is not a file'],
    ['a link that leads nowhere', (path) => symlinkSync('gone', path), 'is a link that leads nowhere'],
    ['a link to itself', (path) => symlinkSync(path, path), "can't be read (ELOOP)"],
    ['not UTF-8', (path) => writeFileSync(path, Buffer.from([0x7b, 0xff, 0x7d])), 'is not UTF-8 text'],
    [
      'too large',
      (path) => writeFileSync(path, ' '.repeat(MAX_SETTINGS_BYTES + 1)),
      `is larger than ${MAX_SETTINGS_BYTES} bytes`,
    ],
  ]
  for (const [what, make, said] of rows) test(what, async () => assert.equal(await read(make), said))

  test('just small enough', async () => {
    assert.equal(
      (await read((path) => writeFileSync(path, ' '.repeat(MAX_SETTINGS_BYTES)))).length,
      MAX_SETTINGS_BYTES + 'text: '.length,
    )
  })

  test('a file where a folder should be: there is none', async () => {
    using folders = createTestSettings()
    writeFileSync(join(folders.cwd, '.claude'), '')
    assert.deepEqual(await readSettingsText(join(folders.cwd, '.claude', 'settings.json'), nodeFiles), {
      kind: 'absent',
    })
  })

  test('a disk that fails, at the first look or the second', async () => {
    const failing = (code: string) => async () => {
      throw failure(code)
    }
    assert.equal(await read(() => {}, { realpath: failing('EIO') }), "can't be read (EIO)")
    assert.equal(
      await read(() => {}, { realpath: failing('ENOENT'), lstat: failing('EACCES') }),
      "can't be read (EACCES)",
    )
  })
})

describe('why not, in words', () => {
  test('the code, else what was said, without what plays with a terminal', () => {
    assert.equal(describeReadFailure(failure('EIO')), 'EIO')
    assert.equal(describeReadFailure(new Error('it is gone')), 'it is gone')
    assert.equal(describeReadFailure('text'), 'text')
    const odd = describeReadFailure(new Error(`\x1b[31m${'x'.repeat(1000)}`))
    assert.ok(!odd.includes('\x1b') && odd.length < 300)
  })

  test('of what could not be written', () => {
    assert.equal(describeWriteFailure(failure('ENOSPC')), 'the disk is full (ENOSPC)')
    assert.equal(describeWriteFailure(failure('EACCES')), 'permission denied (EACCES)')
    assert.equal(describeWriteFailure(failure('EROFS')), 'the disk can only be read (EROFS)')
    assert.equal(describeWriteFailure(failure('EMFILE')), 'EMFILE')
    assert.equal(describeWriteFailure(new Error('odd')), 'odd')
  })
})
