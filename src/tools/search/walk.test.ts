import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import { compareNewest, comparePaths, toUnreadFilesSummary } from './search-request.js'
import { type WalkOptions, walkFiles } from './walk.js'

let root: string
const unread: string[] = []

before(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-walk-')))
  const names = [
    'a.ts',
    'b.md',
    'src/x.ts',
    'src/deep/y.ts',
    'src/deep/z.md',
    'src-old/q.ts',
    'logs/a.log',
    '.hidden/h.ts',
  ]
  for (const name of names) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), '')
  }
  symlinkSync(join(root, 'src'), join(root, 'link'))
  symlinkSync(join(root, 'a.ts'), join(root, 'link.ts'))
  mkdirSync(join(root, '.git'))
  writeFileSync(join(root, '.gitignore'), 'logs\n*.md\n')
  writeFileSync(join(root, 'src/deep/.gitignore'), '!z.md\n')
})
after(() => rmSync(root, { recursive: true, force: true }))

async function paths(options: Partial<WalkOptions> = {}, files = nodeFiles): Promise<string[]> {
  unread.length = 0
  const found: string[] = []
  const onUnread = (path: string) => void unread.push(relative(root, path))
  const all = walkFiles(
    { root, base: root, globs: [], yieldToEventLoopIfDue: async () => {}, onUnread, ...options },
    files,
  )
  for await (const path of all) found.push(relative(root, path))
  return found.filter((path) => !path.endsWith('.gitignore'))
}

const EVERYTHING = [
  '.hidden/h.ts',
  'a.ts',
  'b.md',
  'logs/a.log',
  'src/deep/y.ts',
  'src/deep/z.md',
  'src/x.ts',
  'src-old/q.ts',
]

describe('a walk', () => {
  test('gives all files, no links and nothing behind them', async () => {
    assert.deepEqual([...(await paths())].sort(), [...EVERYTHING].sort())
  })

  test('goes through each folder by name', async () => {
    assert.deepEqual(await paths({ root: join(root, 'src') }), ['src/deep/y.ts', 'src/deep/z.md', 'src/x.ts'])
  })

  test('obeys ignore files, if told to', async () => {
    const found = await paths({ ignoreFiles: { env: {} } })
    assert.ok(!found.includes('b.md') && !found.includes('logs/a.log'))
    assert.ok(found.includes('src/deep/z.md') && found.includes('src/x.ts'))
  })

  test('globs choose, the last that matches decides', async () => {
    assert.deepEqual(await paths({ globs: ['*.md'] }), ['b.md', 'src/deep/z.md'])
    assert.deepEqual(await paths({ globs: ['*.md', '!b.md'] }), ['src/deep/z.md'])
    assert.deepEqual(await paths({ globs: ['!b.md', '*.md'] }), ['b.md', 'src/deep/z.md'])
    const without = await paths({ globs: ['!*.ts'] })
    assert.deepEqual(without, ['b.md', 'logs/a.log', 'src/deep/z.md'])
  })

  test('globs outrank ignore files and types', async () => {
    assert.deepEqual(await paths({ globs: ['*.md'], ignoreFiles: { env: {} } }), ['b.md', 'src/deep/z.md'])
    assert.deepEqual(await paths({ globs: ['b.md'], types: ['*.ts'] }), ['b.md'])
  })

  test('a folder that is left out is not looked into', async () => {
    const listed: string[] = []
    const entries: typeof nodeFiles.entries = (folder, ...more) => {
      listed.push(relative(root, folder))
      return nodeFiles.entries(folder, ...more)
    }
    await paths({ globs: ['!src'] }, { ...nodeFiles, entries })
    assert.deepEqual(listed.sort(), ['', '.git', '.hidden', 'logs', 'src-old'])
  })

  test('types choose among files', async () => {
    assert.deepEqual(await paths({ types: ['*.md', '*.log'] }), ['b.md', 'logs/a.log', 'src/deep/z.md'])
  })

  test('a glob with a slash begins at its base', async () => {
    assert.deepEqual(await paths({ globs: ['src/*.ts'] }), ['src/x.ts'])
    assert.deepEqual(await paths({ globs: ['/x.ts'], base: join(root, 'src'), root: join(root, 'src') }), ['src/x.ts'])
  })

  test('a broken glob is an error', async () => {
    await assert.rejects(paths({ globs: ['[z-a]'] }), SyntaxError)
  })

  test('a folder that can not be read is told, the rest is walked', async () => {
    const entries: typeof nodeFiles.entries = async (folder, ...more) => {
      if (folder.endsWith('deep')) throw Object.assign(new Error('no'), { code: 'EACCES' })
      return nodeFiles.entries(folder, ...more)
    }
    const found = await paths({ root: join(root, 'src') }, { ...nodeFiles, entries })
    assert.deepEqual([found, unread], [['src/x.ts'], ['src/deep']])
  })

  test('may be interrupted between any two', async () => {
    let turns = 0
    const yieldToEventLoopIfDue = async () => {
      turns += 1
      if (turns === 3) throw new Error('interrupted')
    }
    await assert.rejects(paths({ yieldToEventLoopIfDue }), /interrupted/)
  })
})

describe('orders', () => {
  const file = (path: string, time: number) => ({ path, time, count: 0, block: '' })

  test('by path: by code, not by language', () => {
    const sorted = ['b', 'a', 'Z', 'é', 'a/b', 'a-b', 'a'].map((path) => ({ path })).sort(comparePaths)
    assert.deepEqual(
      sorted.map(({ path }) => path),
      ['Z', 'a', 'a', 'a-b', 'a/b', 'b', 'é'],
    )
  })

  test('the newest first, of one time by path', () => {
    const sorted = [file('b', 1), file('c', 5), file('a', 1)].sort(compareNewest)
    assert.deepEqual(
      sorted.map(({ path }) => path),
      ['c', 'a', 'b'],
    )
  })

  test('of what could not be read the first five are shown, all are counted', () => {
    assert.deepEqual(toUnreadFilesSummary(['1', '2', '3', '4', '5', '6', '7']), {
      shown: ['1', '2', '3', '4', '5'],
      total: 7,
    })
    assert.deepEqual(toUnreadFilesSummary([]), { shown: [], total: 0 })
  })
})
