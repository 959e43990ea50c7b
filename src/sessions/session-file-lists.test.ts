import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import {
  listProjectFolders,
  readSessionInfoFromFile,
  readSessionInfosFromFiles,
  sessionFiles,
} from './session-file-lists.js'
import {
  createTestSessionsFolder,
  formatTestTranscript,
  testAssistantLine,
  testLineId,
  testUserLine,
} from './test-sessions.js'
import { transcriptPathInFolder } from './transcript-paths.js'

type Folder = ReturnType<typeof createTestSessionsFolder>

/** The n-th session, written in the n-th second. */
function put({ folder, write }: Folder, n: number, content: string): void {
  const path = write(content, transcriptPathInFolder(folder, testLineId(n)))
  utimesSync(path, n, n)
}

const label = (type: string, fields: object) => JSON.stringify({ type, sessionId: testLineId(1), ...fields })
const describeOne = async (content: string, options = {}) => {
  using folder = createTestSessionsFolder()
  put(folder, 1, content)
  const [session] = await sessionFiles(nodeFiles, [folder.folder])
  return session && (await readSessionInfoFromFile(nodeFiles, session, options))
}

describe('files of sessions', () => {
  test('the newest first, nothing else', async () => {
    using folder = createTestSessionsFolder()
    for (const n of [2, 3, 1]) put(folder, n, 'x')
    folder.write('x', join(folder.folder, 'notes.jsonl'))
    folder.write('x', join(folder.folder, `${testLineId(9)}.txt`))
    mkdirSync(join(folder.folder, `${testLineId(8)}.jsonl`))
    const found = await sessionFiles(nodeFiles, [folder.folder, join(folder.root, 'none')])
    assert.deepEqual(
      found.map(({ sessionId, mtimeMs, size }) => [sessionId, mtimeMs, size]),
      [3, 2, 1].map((n) => [testLineId(n), n * 1000, 1]),
    )
  })

  test('one that is in two folders counts once, as it was written last', async () => {
    using folder = createTestSessionsFolder()
    const second = join(folder.root, 'projects', 'second')
    mkdirSync(second)
    put(folder, 1, 'old')
    utimesSync(folder.write('newer', transcriptPathInFolder(second, testLineId(1))), 7, 7)
    for (const folders of [
      [folder.folder, second],
      [second, folder.folder],
    ]) {
      const found = await sessionFiles(nodeFiles, folders)
      assert.deepEqual(
        found.map(({ mtimeMs, size }) => [mtimeMs, size]),
        [[7000, 5]],
      )
    }
  })

  test('folders of all working directories, also behind links', async () => {
    using folder = createTestSessionsFolder()
    const projects = join(folder.root, 'projects')
    folder.write('x', join(projects, 'file'))
    symlinkSync(folder.folder, join(projects, 'linked'))
    assert.deepEqual(
      (await listProjectFolders(nodeFiles, folder.root)).sort(),
      [folder.folder, join(projects, 'linked')].sort(),
    )
    assert.deepEqual(await listProjectFolders(nodeFiles, join(folder.root, 'none')), [])
  })
})

describe('what is told of a session', () => {
  test('its first prompt, folder and branch', async () => {
    const info = await describeOne(
      formatTestTranscript([testUserLine(1, 'Mend the bug'), testAssistantLine(2, 'Done.', { gitBranch: 'fix' })]),
    )
    assert.equal(info?.summary, 'Mend the bug')
    assert.equal(info?.cwd, '/project')
    assert.equal(info?.gitBranch, 'fix')
    assert.equal(info?.lastModified, 1000)
  })

  test('a title outdoes the prompt, the last one the others', async () => {
    const lines = [testUserLine(1, 'Mend the bug'), label('custom-title', { customTitle: 'A' })]
    assert.equal((await describeOne(formatTestTranscript(lines)))?.customTitle, 'A')
    const more = [...lines, testAssistantLine(2, 'x'), label('custom-title', { customTitle: 'B' })]
    assert.equal((await describeOne(formatTestTranscript(more)))?.summary, 'B')
  })

  test('of a long file the beginning and the end are enough', async () => {
    const filler = Array.from({ length: 300 }, (_, n) => testAssistantLine(n + 2, 'y'.repeat(1000)))
    const end = [label('tag', { tag: 'later' }), testAssistantLine(400, 'z', { gitBranch: 'end' })]
    const info = await describeOne(formatTestTranscript([testUserLine(1, 'Begin'), ...filler, ...end]))
    assert.deepEqual([info?.summary, info?.tag, info?.gitBranch], ['Begin', 'later', 'end'])
  })

  test('a first prompt that is longer than the first look', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(200_000) } }
    const prompt = testUserLine(1, [image, { type: 'text', text: 'What is this?' }])
    assert.equal(
      (await describeOne(formatTestTranscript([prompt, testAssistantLine(2, 'A cat.')])))?.summary,
      'What is this?',
    )
  })

  test('torn and damaged lines do no harm', async () => {
    const lines = ['{"type":"user","message"', 'not JSON', '', testUserLine(1, 'Begin'), '{"type":"tag","tag":']
    assert.equal((await describeOne(formatTestTranscript(lines)))?.summary, 'Begin')
  })

  test('nothing to show', async () => {
    assert.equal(await describeOne(''), undefined)
    assert.equal(await describeOne('not JSON\n'), undefined)
  })

  test('those of programs are left out, if nobody wants them', async () => {
    const content = formatTestTranscript([testUserLine(1, 'Begin', { entrypoint: 'sdk-ts' })])
    assert.equal((await describeOne(content))?.summary, 'Begin')
    assert.equal(await describeOne(content, { includeProgrammatic: false }), undefined)
    const own = formatTestTranscript([testUserLine(1, 'Begin', { entrypoint: 'cli' })])
    assert.equal((await describeOne(own, { includeProgrammatic: false }))?.summary, 'Begin')
  })

  test('a file that is gone meanwhile', async () => {
    using folder = createTestSessionsFolder()
    const gone = {
      sessionId: testLineId(1),
      path: transcriptPathInFolder(folder.folder, testLineId(1)),
      mtimeMs: 1,
      size: 1,
    }
    assert.equal(await readSessionInfoFromFile(nodeFiles, gone), undefined)
  })
})

describe('pages', () => {
  test('as many as asked for, of those that have something to show', async () => {
    using folder = createTestSessionsFolder()
    for (let n = 1; n <= 30; n += 1)
      put(folder, n, n % 3 === 0 ? 'empty\n' : formatTestTranscript([testUserLine(1, `Prompt ${n}`)]))
    const files = await sessionFiles(nodeFiles, [folder.folder])
    const page = async (limit?: number, offset?: number) =>
      (await readSessionInfosFromFiles(nodeFiles, files, { limit, offset })).map(({ summary }) =>
        Number(summary.slice(7)),
      )
    const all = Array.from({ length: 30 }, (_, n) => 30 - n).filter((n) => n % 3 !== 0)
    assert.deepEqual(await page(), all)
    assert.deepEqual(await page(3), all.slice(0, 3))
    assert.deepEqual(await page(5, 2), all.slice(2, 7))
    assert.deepEqual(await page(0, 18), all.slice(18))
    assert.deepEqual(await page(-1), all)
    assert.deepEqual(await page(2, -5), all.slice(0, 2))
    assert.deepEqual(await page(10, 100), [])
  })

  test('no more files are opened than needed', async () => {
    using folder = createTestSessionsFolder()
    for (let n = 1; n <= 40; n += 1) put(folder, n, formatTestTranscript([testUserLine(1, `Prompt ${n}`)]))
    let opened = 0
    const files = {
      ...nodeFiles,
      open: (path: string) => {
        opened += 1
        return nodeFiles.open(path)
      },
    }
    await readSessionInfosFromFiles(files, await sessionFiles(files, [folder.folder]), { limit: 5 })
    assert.equal(opened, 8)
  })
})
