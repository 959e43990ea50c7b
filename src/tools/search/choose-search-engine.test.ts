/** Who searches, and what happens when something is in the way: no ripgrep, a broken one, folders that can't be read. */
import assert from 'node:assert/strict'
import { chmod, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { nodeClock } from '../../platform/clock.js'
import { type FileSystem, nodeFiles } from '../../platform/files/files.js'
import { createProcessRunner, type ProcessRunner } from '../../platform/processes/processes.js'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import { createTestContext } from '../test-context.js'
import { createBuiltInEngine } from './built-in-engine.js'
import { chooseSearchEngine } from './choose-search-engine.js'
import { appendNotes, unreadFilesText } from './result-notes.js'
import { createRipgrepEngine } from './ripgrep-engine.js'
import { type TextQuery, toUnreadFilesSummary } from './search-request.js'
import { createTestTrees, PLAIN_TEST_QUERY, unabortedTestSignal } from './test-trees.js'

const trees = createTestTrees()
after(trees.dispose)
const program = findRipgrep({ PATH: process.env['PATH'] })
const query = (root: string): TextQuery => ({ ...PLAIN_TEST_QUERY, base: root, root, pattern: 'needle' })
const nothing = { shown: [], total: 0 }

describe('a ripgrep that does not work', () => {
  const programs = {
    crashes: '#!/bin/sh\nkill -SEGV $$\n',
    'ends with a code of its own': '#!/bin/sh\necho "rg: wrong machine" >&2\nexit 126\n',
    'is no program': '\x7fELF nonsense',
  }
  for (const [title, source] of Object.entries(programs)) {
    it(`${title}: our own engine answers`, async () => {
      const root = await trees.plant({ 'bin/rg': source, 'tree/a.txt': 'needle\n' })
      await chmod(join(root, 'bin/rg'), 0o755)
      const test = await createTestContext({ env: { PATH: join(root, 'bin'), USE_BUILTIN_RIPGREP: '0' } })
      try {
        const engine = chooseSearchEngine(test.context)
        const tree = join(root, 'tree')
        const path = join(tree, 'a.txt')
        assert.deepEqual(await engine.text(query(tree), unabortedTestSignal), {
          ok: true,
          complete: true,
          unread: nothing,
          files: [{ path, count: 0, block: '1:needle', time: 0 }],
        })
        assert.deepEqual(await engine.files({ root: tree, pattern: '*' }, unabortedTestSignal), {
          ok: true,
          complete: true,
          unread: nothing,
          paths: [path],
        })
      } finally {
        await test.dispose()
      }
    })
  }
})

it('files that something else stands in for are searched through it, not on the disk', async () => {
  const root = await trees.plant({ 'a.txt': 'nothing yet\n', 'b.txt': 'needle on the disk\n' })
  const test = await createTestContext({ env: { PATH: process.env['PATH'] } })
  try {
    const buffers = new Map([
      [join(root, 'a.txt'), 'needle in the buffer\n'],
      [join(root, 'b.txt'), 'gone\n'],
    ])
    const files: FileSystem = {
      ...nodeFiles,
      async snapshot(path, maxBytes) {
        const found = await nodeFiles.snapshot(path, maxBytes)
        return { ...found, content: Buffer.from(buffers.get(path) ?? '') }
      },
    }
    const engine = chooseSearchEngine({ ...test.context, platform: { ...test.context.platform, files } })
    assert.deepEqual(await engine.text(query(root), unabortedTestSignal), {
      ok: true,
      complete: true,
      unread: nothing,
      files: [{ path: join(root, 'a.txt'), count: 0, block: '1:needle in the buffer', time: 0 }],
    })
    const found = await engine.files({ root, pattern: '*' }, unabortedTestSignal)
    assert.deepEqual(found.ok && [...found.paths].sort(), [...buffers.keys()])
  } finally {
    await test.dispose()
  }
})

describe('what ripgrep complains about', { skip: !program }, () => {
  const processes = createProcessRunner()
  after(() => processes.close())
  const engine = createRipgrepEngine(program ?? '', processes, {})

  it('is told without advice that nobody can follow', async () => {
    const root = await trees.plant({ a: 'a' })
    const error = async (pattern: string) => {
      const found = await engine.text({ ...query(root), pattern }, unabortedTestSignal)
      return found.ok ? '' : found.error
    }
    assert.equal(
      await error('a(?=b)'),
      'regex parse error:\n    (?:a(?=b))\n        ^^^\nerror: look-around, including look-ahead and look-behind, is not supported',
    )
    assert.equal(
      await error('a\\nb'),
      'the literal "\\n" is not allowed in a regex\nSet multiline to match across lines.',
    )
  })

  it('is no error when it is about ignore files, or nothing was left to search', async () => {
    const root = await trees.plant({ '.gitignore': '{a\n', '.git/HEAD': '', 'sub/a.txt': 'x' })
    const found = { ok: true, complete: true, files: [], unread: nothing }
    assert.deepEqual(await engine.text(query(join(root, 'sub')), unabortedTestSignal), found)
    assert.deepEqual(await engine.text({ ...query(root), globs: ['*.zip'] }, unabortedTestSignal), found)
  })
})

describe('what can not be read is told, and the rest is found', () => {
  const found = (root: string) => ({
    ok: true,
    complete: true,
    files: ['a.txt', 'z.txt'].map((name) => ({ path: join(root, name), count: 0, block: '1:needle', time: 0 })),
  })

  it('without ripgrep', async () => {
    const root = await trees.plant({
      'a.txt': 'needle\n',
      'huge.txt': 'needle\n',
      'locked/b.txt': 'needle\n',
      'z.txt': 'needle\n',
    })
    await truncate(join(root, 'huge.txt'), 65 * 1024 * 1024)
    const denied = () => Promise.reject(Object.assign(new Error('EACCES'), { code: 'EACCES' }))
    const entries = (path: string) => (path.endsWith('/locked') ? denied() : nodeFiles.entries(path))
    const engine = createBuiltInEngine({ files: { ...nodeFiles, entries }, clock: nodeClock }, {})
    const locked = `${join(root, 'locked')}: Permission denied`
    assert.deepEqual(await engine.text(query(root), unabortedTestSignal), {
      ...found(root),
      unread: { shown: [`${join(root, 'huge.txt')}: larger than 64 MB`, locked], total: 2 },
    })
    assert.deepEqual(await engine.files({ root, pattern: 'z*' }, unabortedTestSignal), {
      ok: true,
      complete: true,
      paths: [join(root, 'z.txt')],
      unread: { shown: [locked], total: 1 },
    })
  })

  it('with ripgrep', { skip: !program || process.platform === 'win32' }, async () => {
    const root = await trees.plant({
      'a.txt': 'needle\n',
      'locked.txt': 'needle\n',
      'locked/b.txt': 'needle\n',
      'z.txt': 'needle\n',
    })
    await chmod(root, 0o755)
    for (const name of ['locked', 'locked.txt']) await chmod(join(root, name), 0)
    const processes = createProcessRunner()
    try {
      const engine = createRipgrepEngine(program ?? '', unprivileged(processes), { PATH: process.env['PATH'] })
      const answer = await engine.text(query(root), unabortedTestSignal)
      assert.ok(answer.ok)
      answer.unread.shown.sort()
      const shown = ['locked.txt', 'locked'].map((name) => `${join(root, name)}: Permission denied`)
      assert.deepEqual(answer, { ...found(root), unread: { shown, total: 2 } })
    } finally {
      await processes.close()
      await chmod(join(root, 'locked'), 0o755)
    }
  })

  it('says so below the result', () => {
    assert.equal(unreadFilesText(toUnreadFilesSummary([])), '')
    assert.equal(
      appendNotes('a', unreadFilesText(toUnreadFilesSummary(['x: denied', 'y: denied']))),
      'a\n\n[Not everything could be read: x: denied; y: denied]',
    )
    assert.equal(
      unreadFilesText(toUnreadFilesSummary(['1', '2', '3', '4', '5', '6', '7'])),
      '[Not everything could be read: 1; 2; 3; 4; 5; and 2 more]',
    )
  })

  /** Root may read everything, so as root the program runs as nobody. */
  function unprivileged(processes: ProcessRunner): ProcessRunner {
    if (process.getuid?.() !== 0) return processes
    const prefix = ['--reuid=65534', '--regid=65534', '--clear-groups', '--']
    return {
      ...processes,
      run: ({ command, args, ...rest }) =>
        processes.run({ ...rest, command: 'setpriv', args: [...prefix, command, ...args] }),
    }
  }
})
