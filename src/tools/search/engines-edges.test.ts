/** The two engines agree about what is rare in random trees: binary data, long lines, encodings, links, broken requests. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { nodeClock } from '../../platform/clock.js'
import { nodeFiles } from '../../platform/files/files.js'
import { createProcessRunner } from '../../platform/processes/processes.js'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import { createBuiltInEngine } from './built-in-engine.js'
import { fileTypes } from './file-types.js'
import { createRipgrepEngine } from './ripgrep-engine.js'
import {
  comparePaths,
  type FoundText,
  MAX_SEARCH_RESULT_SIZE,
  type SearchFailure,
  type TextQuery,
} from './search-request.js'
import { createTestTrees, PLAIN_TEST_QUERY, unabortedTestSignal } from './test-trees.js'

const program = findRipgrep({ PATH: process.env['PATH'] })
const trees = createTestTrees()
after(trees.dispose)

describe('the two engines agree', { skip: !program }, () => {
  const processes = createProcessRunner()
  after(() => processes.close())
  const enginesFor = (home: string) => {
    const env = { PATH: process.env['PATH'], HOME: home }
    return [
      createBuiltInEngine({ files: nodeFiles, clock: nodeClock }, env),
      createRipgrepEngine(program ?? '', processes, env),
    ] as const
  }
  const both = enginesFor('/nonexistent')
  const modes = ['content', 'files_with_matches', 'count'] as const

  function inOrder(found: FoundText | SearchFailure) {
    return found.ok ? { ...found, files: found.files.sort(comparePaths) } : { ok: false }
  }

  async function agree(query: TextQuery, [own, theirs] = both): Promise<FoundText> {
    const expected = await theirs.text(query, unabortedTestSignal)
    assert.deepEqual(inOrder(await own.text(query, unabortedTestSignal)), inOrder(expected), JSON.stringify(query))
    assert.ok(expected.ok)
    return expected
  }

  it('about binary data, wherever it begins, in files that were named and in others', async () => {
    const filler = `${'y'.repeat(99)}\n`.repeat(700)
    const names = {
      'early.dat': 'needle\0\nneedle\n',
      'late.dat': `needle\n${filler}\0needle\n`,
      'later.dat': `${filler}needle\n${filler}needle\n${filler}\0needle\n`,
      'between.dat': `needle\n${filler}${filler}a\0b\n${filler}needle\n`,
      'long-line.dat': `needle\n${'z'.repeat(200_000)}\0\nneedle\n`,
    }
    let files = 0
    for (const [name, content] of Object.entries(names)) {
      // Each alone: what ripgrep makes of one depends on what the same thread has read before.
      const root = await trees.plant({ [name]: content })
      for (const below of ['', name]) {
        for (const mode of modes) {
          for (const pattern of ['needle', 'needle\\s*']) {
            const query = { ...PLAIN_TEST_QUERY, mode, pattern, multiline: pattern !== 'needle', base: root }
            files += (await agree({ ...query, root: join(root, below) })).files.length
          }
        }
      }
    }
    assert.ok(files > 20)
  })

  it('about long lines, encodings and bytes that are no text', async () => {
    const wide = Buffer.from('needle é\nx\n', 'utf16le')
    const root = await trees.plant({
      'long.txt': `needle ${'é'.repeat(300)}\nneedle\n${'x'.repeat(501)}\n`,
      'just.txt': [499, 500, 501, 500].map((length) => 'needle'.padEnd(length, 'x')).join('\n'),
      'wide-just.txt': [498, 499, 500].map((length) => 'é needle'.padEnd(length, 'x')).join('\r\n'),
      'wide.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
      'wider.txt': Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]),
      'marked.txt': '\ufeffneedle\n',
      'broken.txt': Buffer.from('needle \xff\n\xffneedle\n', 'latin1'),
      'dots.txt': 'needle\u2028x\u0085y\n',
    })
    for (const pattern of ['needle', '^needle', 'needle.', '.needle', 'needle\\W', '[^a]needle', 'needle\\s']) {
      for (const mode of modes) await agree({ ...PLAIN_TEST_QUERY, after: 1, mode, base: root, root, pattern })
    }
  })

  it('about links: passed by, unless they were asked for', async () => {
    const outside = await trees.plant({ 'secret.txt': 'needle\n' })
    const root = await trees.plant({ 'a.txt': 'needle\n' })
    await symlink(join(root, 'a.txt'), join(root, 'link.txt'))
    await symlink(join(outside, 'secret.txt'), join(root, 'file-out.txt'))
    await symlink(outside, join(root, 'folder-out'))
    await symlink('nowhere', join(root, 'dangling'))
    const query = { ...PLAIN_TEST_QUERY, base: root, pattern: 'needle' }
    const names = async (below: string) =>
      (await agree({ ...query, root: join(root, below) })).files.map(({ path }) => path.slice(root.length + 1))
    assert.deepEqual(await names(''), ['a.txt'])
    assert.deepEqual(await names('file-out.txt'), ['file-out.txt'])
    assert.deepEqual(await names('folder-out'), ['folder-out/secret.txt'])
    for (const pattern of ['*', '**/*.txt', 'folder-out/*', 'link.txt']) {
      const [own, theirs] = await Promise.all(
        both.map((engine) => engine.files({ root, pattern }, unabortedTestSignal)),
      )
      assert.deepEqual(own, theirs, pattern)
      assert.deepEqual(theirs?.ok && theirs.paths, pattern.startsWith('*') ? [join(root, 'a.txt')] : [], pattern)
    }
  })

  it("about the user's own ignore file, wherever git is told to look for it", async () => {
    const root = await trees.plant({
      '.git/HEAD': '',
      'a.own': 'needle\n',
      'b.txt': 'needle\n',
      'sub/c.own': 'needle\n',
    })
    const homes: Record<string, string>[] = [
      { '.config/git/ignore': '*.own\n' },
      { '.config/git/ignore': '/a.own\n' },
      { '.gitconfig': '[core]\n\texcludesFile = ~/mine\n', mine: '*.own', '.config/git/ignore': 'b.txt\n' },
      { '.config/git/config': '[core]\nexcludesfile="~/mine"\n', mine: 'sub/\n' },
    ]
    const sizes: number[] = []
    for (const files of homes) {
      const engines = enginesFor(await trees.plant(files))
      sizes.push((await agree({ ...PLAIN_TEST_QUERY, base: root, root, pattern: 'needle' }, engines)).files.length)
    }
    assert.deepEqual(sizes, [1, 2, 1, 2])
  })

  it('about what a broken request is', async () => {
    const root = await trees.plant({ a: 'a' })
    const broken: Partial<TextQuery>[] = [
      ...['(', ')', 'a\\nb', '[a', '[z-a]', 'a{2,1}', 'a{', '{', '*', '\\1', '(?=a)', '(?<!a)', '\\Z', '\\', '(?z)a'],
      ...['[\\b]', '[\\d-z]', '(?<n>a)(?<n>b)', 'interface{}', '[\\n]', '\\x0a', '(?)'],
    ].map((pattern) => ({ pattern }))
    broken.push({ type: 'zzz' }, { globs: ['['] }, { globs: ['{a'] }, { globs: ['a}'] }, { globs: ['a\\'] })
    for (const part of broken) {
      const query = { ...PLAIN_TEST_QUERY, base: root, root, pattern: 'a', ...part }
      const answers = await Promise.all(both.map((engine) => engine.text(query, unabortedTestSignal)))
      const isOk = answers.map((answer) => answer.ok)
      assert.deepEqual(isOk, [false, false], JSON.stringify(part))
    }
  })

  it('about the globs of file types', () => {
    const list = execFileSync(program ?? '', ['--no-config', '--type-list'], { encoding: 'utf8' })
    const known = list
      .trim()
      .split('\n')
      .map((row) => row.split(': '))
    assert.deepEqual(fileTypes(), new Map(known.map(([name = '', globs = '']) => [name, globs.split(', ')])))
  })

  it('about the beginning of what is too much to hold', async () => {
    const block = `${'x'.repeat(98)}\n`.repeat(20_000)
    const root = await trees.plant(Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, block])))
    const query: TextQuery = { ...PLAIN_TEST_QUERY, base: root, root, pattern: 'x' }
    for (const engine of both) {
      const found = await engine.text(query, unabortedTestSignal)
      assert.ok(found.ok && !found.complete)
      assert.deepEqual(
        found.files.slice(0, 3).map(({ path }) => path),
        ['a', 'b', 'c'].map((name) => join(root, name)),
      )
      assert.ok(found.files.reduce((sum, { block }) => sum + block.length, 0) <= MAX_SEARCH_RESULT_SIZE)
    }
    const single = await trees.plant({ huge: block.repeat(5) })
    const blocks = await Promise.all(
      both.map(async (engine) => {
        const found = await engine.text({ ...query, base: single, root: join(single, 'huge') }, unabortedTestSignal)
        assert.ok(found.ok && !found.complete && found.files.length === 1)
        return found.files[0]?.block ?? ''
      }),
    )
    const length = Math.min(...blocks.map((text) => text.length))
    assert.ok(length > MAX_SEARCH_RESULT_SIZE - 1000)
    assert.equal(blocks[0]?.slice(0, length), blocks[1]?.slice(0, length))
  })
})
