/** Our own search gives the answers ripgrep gives: on random small trees, for every kind of question. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from 'fast-check'
import { nodeClock } from '../../platform/clock.js'
import { nodeFiles } from '../../platform/files.js'
import { nodeProcesses } from '../../platform/processes.js'
import { findRipgrep } from '../../platform/ripgrep.js'
import { createBuiltInEngine } from './built-in-engine.js'
import { fileTypeGlobs, fileTypeNames } from './file-types.js'
import { createRipgrepEngine } from './ripgrep-engine.js'
import type { TextQuery } from './search.js'

const env = { PATH: process.env['PATH'] }
const program = findRipgrep(env)
/** A few for every day, many when there is time. */
const runs = (few: number) => (process.env['KEDGE_LONG'] ? few * 40 : few)
const folders: string[] = []
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

async function createTree(files: Record<string, string | Uint8Array>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'kedge-search-')))
  folders.push(root)
  let time = 1_700_000_000
  for (const [name, content] of Object.entries(files)) {
    const path = join(root, name)
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, content)
      time += 1
      await utimes(path, time, time)
    } catch {
      // A random name may be a file here and a folder there: the first one stays.
    }
  }
  return root
}

const builtIn = createBuiltInEngine({ files: nodeFiles, clock: nodeClock })
const never = new AbortController().signal
const plain: Omit<TextQuery, 'root' | 'base' | 'pattern'> = {
  globs: [],
  ignoreCase: false,
  multiline: false,
  before: 0,
  after: 0,
  mode: 'content',
}

describe('the two engines agree', { skip: !program }, () => {
  const ripgrep = createRipgrepEngine(program ?? '', nodeProcesses, env)

  const name = fc.constantFrom('a', 'b', 'ab', '.h', 'a.txt', 'b.ts', 'c.md', '.d.txt', 'a b', '-e', 'nü.txt')
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', ' ', '.', '\r'), maxLength: 6 })
  const content = fc
    .tuple(fc.array(line, { maxLength: 7 }), fc.boolean())
    .map(([lines, open]) => lines.join('\n') + (open || lines.length === 0 ? '' : '\n'))
  const ignoreLine = fc.constantFrom(
    'a',
    '*.txt',
    '!a.txt',
    '/b',
    'a/',
    '**/ab',
    'a/**',
    '!b.ts',
    'a/*.md',
    '# x',
    '',
    'a/**/b',
    '.h',
    '\\a',
    '*.t[sx]*',
  )
  const ignoreFile = fc.array(ignoreLine, { maxLength: 3 }).map((lines) => lines.join('\n'))
  const glob = fc.constantFrom(
    '**/*.txt',
    '*.txt',
    'a/*',
    'a/**',
    '**',
    '**/a',
    '*',
    '{a,b}*',
    '*.{ts,md}',
    '[ab].*',
    '[!a].*',
    '?.txt',
    '.*',
    'a/**/b.ts',
    '/a*',
    '!*.txt',
    'a**',
    '**/a/**',
    'nü*',
    '\\a.txt',
    'a b/*',
  )
  const pattern = fc.constantFrom(
    'a',
    'ab',
    'A',
    'a.b',
    '^a',
    'b$',
    'a|b',
    'é',
    '[^a]',
    'a+b*',
    '\\.',
    '^$',
    '',
    '\\ba',
    '(a)(b)?',
    'a{2}',
    '\\s',
    '(?i)a',
    '[[:alpha:]]b',
    '\\w\\W',
    '\\<a\\-?',
    '[\\w.]b',
    '[^\\d]$',
    '\\ a|\\"',
  )
  const crossing = fc.constantFrom('a\\nb', 'a.b', 'a\\n', '\\na', '^a$', 'b[^b]*a', 'a', '\\n\\n', '(?s)a.*b')

  const tree = fc.record({
    files: fc.dictionary(path, content, { minKeys: 1, maxKeys: 8, noNullPrototype: true }),
    isRepository: fc.boolean(),
    ignores: fc.dictionary(
      fc.constantFrom('.gitignore', 'a/.gitignore', '.ignore', 'a/.rgignore', '.git/info/exclude'),
      ignoreFile,
      {
        maxKeys: 3,
        noNullPrototype: true,
      },
    ),
  })
  const plant = ({
    files,
    isRepository,
    ignores,
  }: {
    files: Record<string, string>
    isRepository: boolean
    ignores: Record<string, string>
  }) => createTree({ ...ignores, ...(isRepository ? { '.git/HEAD': 'a' } : {}), ...files })

  it('about file names', async () => {
    await fc.assert(
      fc.asyncProperty(tree, glob, async (planted, wanted) => {
        const root = await plant(planted)
        const query = { root, pattern: wanted }
        assert.deepEqual(await builtIn.files(query, never), await ripgrep.files(query, never))
      }),
      { numRuns: runs(25) },
    )
  })

  it('about text', async () => {
    const question = fc.record({
      search: fc.oneof(
        pattern.map((p) => ({ pattern: p, multiline: false })),
        crossing.map((p) => ({ pattern: p, multiline: true })),
      ),
      globs: fc.array(glob, { maxLength: 2 }),
      type: fc.option(fc.constantFrom('ts', 'md', 'txt'), { nil: undefined }),
      ignoreCase: fc.boolean(),
      before: fc.nat(2),
      after: fc.nat(2),
      mode: fc.constantFrom('content', 'files_with_matches', 'count'),
      below: fc.constantFrom('', 'a'),
    })
    await fc.assert(
      fc.asyncProperty(tree, question, async (planted, { search, below, ...rest }) => {
        const base = await plant({ ...planted, files: { 'a/x.txt': 'ab', ...planted.files } })
        const query: TextQuery = { ...rest, ...search, base, root: join(base, below) }
        const [own, theirs] = [await builtIn.text(query, never), await ripgrep.text(query, never)]
        // Which files match is the question there; how often is not told by both.
        const comparable = (found: typeof own) =>
          found.ok && query.mode === 'files_with_matches' ? found.files.map((file) => file.path) : found
        assert.deepEqual(comparable(own), comparable(theirs))
      }),
      { numRuns: runs(60) },
    )
  })

  it('about binary files, long lines, wide characters and links', async () => {
    const root = await createTree({
      'binary.txt': 'needle\0',
      'long.txt': `needle ${'é'.repeat(300)}\nneedle\n${'x'.repeat(501)}\n`,
      'wide.txt': new Uint8Array([0xff, 0xfe, ...Buffer.from('needle\n', 'utf16le')]),
      'broken.txt': Buffer.from('needle \xff\n', 'latin1'),
    })
    await symlink(join(root, 'long.txt'), join(root, 'link.txt'))
    await symlink('/etc', join(root, 'out'))
    for (const [below, mode] of [
      ['', 'content'],
      ['', 'count'],
      ['binary.txt', 'content'],
      ['binary.txt', 'count'],
      ['link.txt', 'content'],
    ] as const) {
      const query: TextQuery = { ...plain, after: 1, mode, base: root, root: join(root, below), pattern: 'needle' }
      assert.deepEqual(await builtIn.text(query, never), await ripgrep.text(query, never), `${below} ${mode}`)
    }
  })

  it('about what a broken request is', async () => {
    const root = await createTree({ a: 'a' })
    const broken: Partial<TextQuery>[] = [
      { pattern: '(' },
      { pattern: 'a\\nb' },
      { type: 'zzz' },
      { globs: ['['] },
      { globs: ['{a'] },
    ]
    for (const part of broken) {
      const query = { ...plain, base: root, root, pattern: 'a', ...part }
      const answers = [await builtIn.text(query, never), await ripgrep.text(query, never)]
      assert.deepEqual(
        answers.map((answer) => answer.ok),
        [false, false],
        JSON.stringify(part),
      )
    }
  })

  it('about the globs of file types', () => {
    const list = execFileSync(program ?? '', ['--no-config', '--type-list'], { encoding: 'utf8' })
    const known = new Map(
      list
        .trim()
        .split('\n')
        .map((row) => [row.split(': ')[0], row.split(': ')[1]?.split(', ')]),
    )
    assert.deepEqual(
      fileTypeNames.map((type) => [type, fileTypeGlobs(type)]),
      fileTypeNames.map((type) => [type, known.get(type)]),
    )
  })
})

describe('our own search', () => {
  it('stops a pattern that backtracks without end', async () => {
    const root = await createTree({ 'a.txt': `${'a'.repeat(60)}b\n` })
    const found = await builtIn.text({ ...plain, base: root, root, pattern: '(a+)+$' }, never)
    assert.match(found.ok ? '' : found.error, /^The pattern takes too long on .*a\.txt/)
  })

  it('ends when it is aborted', async () => {
    const root = await createTree({ 'a.txt': 'a\n' })
    const query: TextQuery = { ...plain, base: '/', root: '/', pattern: 'a' }
    const interrupted = { ok: false, error: '[Request interrupted by user for tool use]' }
    assert.deepEqual(await builtIn.text(query, AbortSignal.timeout(20)), interrupted)
    assert.deepEqual(await builtIn.files({ root, pattern: '*' }, AbortSignal.abort()), interrupted)
  })
})
