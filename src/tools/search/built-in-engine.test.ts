/** Searching in files of a workspace elsewhere: what can't be read, what takes too long, and what is broken. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileStat, WorkspaceFiles } from '../../platform/files/files.js'
import { createBuiltInEngine } from './built-in-engine.js'
import {
  MAX_SEARCH_RESULT_SIZE,
  SEARCH_INTERRUPTED_FAILURE,
  SEARCH_TOO_SLOW_FAILURE,
  type TextQuery,
} from './search-request.js'
import { PLAIN_TEST_QUERY, unabortedTestSignal } from './test-trees.js'

type Tree = Record<string, string | Error>

const failure = (code: string) => Object.assign(new Error(code), { code })
const statOf = (kind: FileStat['kind'], time: number): FileStat => ({
  kind,
  size: 0,
  mtimeMs: time,
  mode: 0o644,
  dev: 1,
  ino: 1,
  uid: 0,
  links: 1,
})

/** Each file is a second younger than the one before; an error is a file, or a folder by its slash, that can't be read. */
function filesOf(tree: Tree): WorkspaceFiles {
  const names = Object.keys(tree)
  const isFolder = (path: string) => names.some((name) => name.startsWith(path === '/' ? '/' : `${path}/`))
  const files: Partial<WorkspaceFiles> = {
    async stat(path) {
      const index = names.indexOf(path)
      if (index >= 0) return statOf('file', index * 1_000)
      return isFolder(path) ? statOf('directory', 0) : undefined
    },
    async entries(folder) {
      const shut = tree[`${folder}/`]
      if (shut instanceof Error) throw shut
      const prefix = folder === '/' ? '/' : `${folder}/`
      const below = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
      const own = [...new Set(below.map((name) => name.split('/', 1)[0] ?? ''))]
      return own.map((name) => ({ name, kind: isFolder(prefix + name) ? ('directory' as const) : ('file' as const) }))
    },
    realpath: async (path) => path,
    async snapshot(path, maxBytes) {
      const content = tree[path]
      if (content === undefined) throw failure('ENOENT')
      if (content instanceof Error) throw content
      const bytes = new TextEncoder().encode(content)
      const stat = { ...statOf('file', 0), size: bytes.length }
      return { stat, content: bytes.length > maxBytes ? undefined : bytes }
    },
  }
  // Searching reads, and does nothing else.
  return files as WorkspaceFiles
}

function engineOf(tree: Tree, ticks = 0) {
  let now = 0
  const monotonic = () => {
    now += ticks
    return now
  }
  const clock = { monotonic } as Parameters<typeof createBuiltInEngine>[0]['clock']
  return createBuiltInEngine({ files: filesOf(tree), clock }, {})
}

const query = (pattern: string, more: Partial<TextQuery> = {}): TextQuery => ({
  ...PLAIN_TEST_QUERY,
  root: '/w',
  base: '/w',
  pattern,
  ...more,
})

describe('files', () => {
  it('come with the newest first', async () => {
    const found = await engineOf({ '/w/z.ts': '', '/w/a.ts': '', '/w/m.md': '' }).files(
      { root: '/w', pattern: '*.ts' },
      unabortedTestSignal,
    )
    assert.deepEqual(found, {
      ok: true,
      complete: true,
      paths: ['/w/a.ts', '/w/z.ts'],
      unread: { shown: [], total: 0 },
    })
  })

  it('that can not be listed are told, with the words of the system where we know them', async () => {
    const tree = {
      '/w/a.ts': '',
      '/w/shut/x': '',
      '/w/shut/': failure('EACCES'),
      '/w/odd/x': '',
      '/w/odd/': failure('EIO'),
    }
    const found = await engineOf(tree).files({ root: '/w', pattern: '*.ts' }, unabortedTestSignal)
    assert.deepEqual(found, {
      ok: true,
      complete: true,
      paths: ['/w/a.ts'],
      unread: { shown: ['/w/odd: EIO', '/w/shut: Permission denied'], total: 2 },
    })
  })

  it('are asked for by a glob that can be read', async () => {
    assert.deepEqual(await engineOf({}).files({ root: '/w', pattern: '[' }, unabortedTestSignal), {
      ok: false,
      error: "unclosed character class; missing ']'",
    })
  })
})

describe('text', () => {
  it('is found, and what could not be read is told; what is gone meanwhile is not', async () => {
    const tree = {
      '/w/a': 'x needle\n',
      '/w/b': failure('EPERM'),
      '/w/c': failure('ENOENT'),
      '/w/d': new Error('no code'),
    }
    assert.deepEqual(await engineOf(tree).text(query('needle'), unabortedTestSignal), {
      ok: true,
      complete: true,
      files: [{ path: '/w/a', count: 0, block: '1:x needle', time: 0 }],
      unread: { shown: ['/w/b: Operation not permitted', '/w/d: Error: no code'], total: 2 },
    })
  })

  it('has the newest file first where only files are asked for', async () => {
    const tree = { '/w/a': 'x', '/w/b': 'y', '/w/c': 'x' }
    const found = await engineOf(tree).text(query('x', { mode: 'files_with_matches' }), unabortedTestSignal)
    assert.deepEqual(found.ok && found.files.map(({ path, time }) => [path, time]), [
      ['/w/c', 2_000],
      ['/w/a', 0],
    ])
  })

  it('is searched in a file that is named, whatever globs and ignore files say', async () => {
    const tree = { '/w/.ignore': '*', '/w/a.md': 'x\n' }
    const found = await engineOf(tree).text(query('x', { root: '/w/a.md', globs: ['*.ts'] }), unabortedTestSignal)
    assert.equal(found.ok && found.files.length, 1)
    const around = await engineOf(tree).text(query('x'), unabortedTestSignal)
    assert.equal(around.ok && around.files.length, 0)
  })

  it('is not searched in folders of version control', async () => {
    const tree = { '/w/.git/config': 'x', '/w/.hg/x': 'x', '/w/a/.svn/x': 'x', '/w/.hidden/x': 'x' }
    const found = await engineOf(tree).text(query('x'), unabortedTestSignal)
    assert.deepEqual(found.ok && found.files.map(({ path }) => path), ['/w/.hidden/x'])
  })

  it('stops when more was found than can be held, with whole lines', async () => {
    const line = `${'x'.repeat(99)}\n`
    const half = line.repeat(Math.ceil(MAX_SEARCH_RESULT_SIZE / 2 / 100))
    const found = await engineOf({ '/w/a': half, '/w/b': half, '/w/c': half }).text(query('x'), unabortedTestSignal)
    assert.ok(found.ok)
    assert.equal(found.complete, false)
    assert.deepEqual(
      found.files.map(({ path }) => path),
      ['/w/a', '/w/b'],
    )
    assert.match(found.files[1]?.block ?? '', /\n\d+:x{99}$/)
  })

  it('of broken requests is a failure with the reason', async () => {
    const error = async (more: Partial<TextQuery>, pattern = 'x') => {
      const found = await engineOf({ '/w/a': 'x' }).text(query(pattern, more), unabortedTestSignal)
      return found.ok ? 'found' : found.error
    }
    assert.match(await error({}, '('), /unclosed group/)
    assert.match(await error({ type: 'nonsense' }), /^unrecognized file type: nonsense$/)
    assert.match(await error({ globs: ['{a'] }), /unclosed alternate group/)
    // Also where the globs are of no use.
    assert.match(await error({ globs: ['{a'], root: '/w/a' }), /unclosed alternate group/)
  })
})

describe('a search', () => {
  it('that takes too long is given up', async () => {
    assert.deepEqual(
      await engineOf({ '/w/a': 'x' }, 61_000).text(query('x'), unabortedTestSignal),
      SEARCH_TOO_SLOW_FAILURE,
    )
    assert.deepEqual(
      await engineOf({ '/w/a': 'x' }, 61_000).files({ root: '/w', pattern: '*' }, unabortedTestSignal),
      SEARCH_TOO_SLOW_FAILURE,
    )
  })

  it('that was interrupted before it began does not begin', async () => {
    assert.deepEqual(await engineOf({ '/w/a': 'x' }).text(query('x'), AbortSignal.abort()), SEARCH_INTERRUPTED_FAILURE)
  })

  it('is left at once, though the disk does not answer', async () => {
    const controller = new AbortController()
    const files = { ...filesOf({}), stat: () => new Promise<never>(() => {}) }
    const clock = { monotonic: () => 0 } as Parameters<typeof createBuiltInEngine>[0]['clock']
    const found = createBuiltInEngine({ files, clock }, {}).text(query('x'), controller.signal)
    controller.abort()
    assert.deepEqual(await found, SEARCH_INTERRUPTED_FAILURE)
  })

  it('that fails for a reason nobody thought of throws: that is a bug', async () => {
    const files = { ...filesOf({}), stat: () => Promise.reject(new Error('bug')) }
    const clock = { monotonic: () => 0 } as Parameters<typeof createBuiltInEngine>[0]['clock']
    await assert.rejects(createBuiltInEngine({ files, clock }, {}).text(query('x'), unabortedTestSignal), /bug/)
  })
})
