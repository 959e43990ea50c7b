/** Our own search gives the answers ripgrep gives: on random small trees, for every kind of question. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { nodeClock } from '../../platform/clock.js'
import { nodeFiles } from '../../platform/files/files.js'
import { createProcessRunner } from '../../platform/processes/processes.js'
import { findRipgrep } from '../../platform/processes/ripgrep.js'
import { createBuiltInEngine } from './built-in-engine.js'
import { createRipgrepEngine } from './ripgrep-engine.js'
import { comparePaths, type TextQuery } from './search-request.js'
import { createTestTrees, unabortedTestSignal } from './test-trees.js'

/** A few for every day, many when there is time. */
const runs = (few: number) => byTier({ quick: few / 5, all: few, long: few * 12 })
const trees = createTestTrees()
after(trees.dispose)

const program = findRipgrep({ PATH: process.env['PATH'] })

describe('the two engines agree', { skip: !program }, async () => {
  const home = await trees.plant({ '.config/git/ignore': 'own.txt\n/a/c.md\n' })
  const env = { PATH: process.env['PATH'], HOME: home }
  const processes = createProcessRunner()
  after(() => processes.close())
  const engines = [
    createBuiltInEngine({ files: nodeFiles, clock: nodeClock }, env),
    createRipgrepEngine(program ?? '', processes, env),
  ] as const

  async function agreeAboutText(query: TextQuery, message?: string): Promise<void> {
    const [own, theirs] = await Promise.all(engines.map((engine) => engine.text(query, unabortedTestSignal)))
    // The order of files is for the caller to make; an error is an error, in whatever words.
    const comparable = (found: typeof own) =>
      found?.ok ? { ...found, files: found.files.sort(comparePaths) } : { ok: false }
    assert.deepEqual(comparable(own), comparable(theirs), message)
  }

  const name = fc.constantFrom(
    ...[
      'a',
      'b',
      'ab',
      '.h',
      'a.txt',
      'b.ts',
      'c.md',
      '.d.txt',
      'a b',
      '-e',
      'nü.txt',
      '😀',
      'x\ny',
      '--null',
      'own.txt',
    ],
  )
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))
  const line = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'é', ' ', '.', '\r', '1', 'ſ'), maxLength: 6 })
  const text = fc
    .tuple(fc.array(line, { maxLength: 7 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, open]) => lines.join(end) + (open || lines.length === 0 ? '' : end))
  const bytes = fc
    .array(fc.constantFrom(0, 0x0a, 0x61, 0x62, 0xc3, 0xa9, 0xff), { maxLength: 12 })
    .map((values) => Uint8Array.from(values))
  const content = fc.oneof({ weight: 6, arbitrary: text }, { weight: 1, arbitrary: bytes })

  const globPart = fc.constantFrom(
    'a',
    'b',
    '*',
    '**',
    '?',
    '.',
    'txt',
    '[ab]',
    '[!a]',
    '{a,b}',
    '{a,{b,*}}',
    '\\a',
    'ü',
  )
  const glob = fc
    .tuple(
      fc.constantFrom('', '', '', '!', '/', '!/', '**/'),
      fc.array(fc.oneof({ weight: 3, arbitrary: globPart }, { weight: 1, arbitrary: fc.constant('/') }), {
        minLength: 1,
        maxLength: 5,
      }),
      fc.constantFrom('', '', '', '/', '/**', '*', '.txt'),
    )
    .map(([start, parts, end]) => start + parts.join('') + end)
  const usualGlob = fc.constantFrom(
    ...['*.txt', '**/*.txt', '*.{ts,md}', 'a/**', '!*.txt', '**', 'x*', 'a b/*', '[', '{a', 'a}'],
  )
  const anyGlob = fc.oneof(glob, usualGlob)
  const ignoreFile = fc
    .tuple(fc.array(fc.oneof(anyGlob, fc.constantFrom('# x', '', 'a/', 'a ', '\\!a', '!a.txt')), { maxLength: 4 }))
    .map(([lines]) => lines.join('\n'))

  const tree = fc.record({
    files: fc.dictionary(path, content, { minKeys: 1, maxKeys: 9, noNullPrototype: true }),
    repository: fc.constantFrom('', '.git/HEAD', '.jj/x', 'a/.git/HEAD'),
    ignores: fc.dictionary(
      fc.constantFrom('.gitignore', 'a/.gitignore', 'a/b/.gitignore', '.ignore', 'a/.rgignore', '.git/info/exclude'),
      ignoreFile,
      { maxKeys: 4, noNullPrototype: true },
    ),
  })
  type Tree = typeof tree extends fc.Arbitrary<infer T> ? T : never
  const plant = ({ files, repository, ignores }: Tree) =>
    trees.plant({ ...ignores, ...(repository ? { [repository]: 'a' } : {}), ...files })

  it('about file names', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.array(anyGlob, { minLength: 3, maxLength: 3 }), async (planted, globs) => {
        const root = await plant(planted)
        for (const pattern of globs) {
          for (const ignored of [false, true]) {
            const query = { root, pattern, ignored }
            const [own, theirs] = await Promise.all(engines.map((engine) => engine.files(query, unabortedTestSignal)))
            assert.deepEqual(own?.ok ? own : {}, theirs?.ok ? theirs : {}, `${pattern}: ${JSON.stringify(theirs)}`)
          }
        }
      }),
      { numRuns: runs(25) },
    )
  })

  const atom = fc.constantFrom(
    ...[
      'a',
      'b',
      'A',
      'é',
      '.',
      ' ',
      '\\.',
      '[ab]',
      '[^a]',
      '[a-c]',
      '[[:alpha:]]',
      '[^[:space:]b]',
      '\\w',
      '\\W',
      '\\d',
    ],
    ...[
      '\\s',
      '\\S',
      '\\D',
      '\\pL',
      '\\PL',
      '\\p{Lu}',
      '^',
      '$',
      '\\b',
      '\\B',
      '\\<',
      '\\>',
      '\\A',
      '\\z',
      '\\x61',
      '\\u{e9}',
    ],
    ...['[\\w.]', '[]a]', '[a-]', '\\-', 's', '[^\\W1]', '\\r'],
  )
  const times = fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,}', '{0,2}', '*?', '+?', '??')
  const regex: fc.Arbitrary<string> = fc.letrec((tie) => ({
    sequence: fc
      .array(
        fc
          .tuple(fc.oneof({ depthSize: 'small', withCrossShrink: true }, atom, tie('group')), times)
          .map(([part, count]) => `${String(part)}${count}`),
        { maxLength: 4 },
      )
      .map((parts) => parts.join('')),
    group: fc
      .tuple(fc.constantFrom('(', '(?:', '(?i:', '(?s-i:', '(?P<n>'), tie('sequence'), fc.constantFrom('', '|a', '|'))
      .map(([open, inside, other]) => `${open}${String(inside)}${other})`),
    pattern: fc
      .tuple(fc.constantFrom('', '', '', '(?i)', '(?s)'), tie('sequence'), fc.constantFrom('', '', '', '|b', '|'))
      .map(([flags, first, other]) => `${flags}${String(first)}${other}`),
  })).pattern as fc.Arbitrary<string>
  const crossing = fc
    .tuple(regex, fc.constantFrom('', '\\n', '\\s', '(?s:.)', '[^b]*'), regex)
    // Empty matches are counted by bytes there and by characters here.
    .map((parts) => `[ab\\n](?:${parts.join('')})`)

  const question = fc.record({
    search: fc.oneof(
      regex.map((pattern) => ({ pattern, multiline: false })),
      crossing.map((pattern) => ({ pattern, multiline: true })),
    ),
    globs: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(anyGlob, { maxLength: 2 })),
    type: fc.option(fc.constantFrom('ts', 'md', 'txt', 'all', 'zzz'), { nil: undefined, freq: 4 }),
    ignoreCase: fc.boolean(),
    before: fc.nat(2),
    after: fc.nat(2),
    mode: fc.constantFrom('content', 'files_with_matches', 'count'),
    below: fc.constantFrom('', '', 'a', 'a/x.txt'),
  })

  it('about text', async () => {
    await fc.assert(
      fc.asyncProperty(tree, fc.array(question, { minLength: 3, maxLength: 3 }), async (planted, questions) => {
        const base = await plant({ ...planted, files: { 'a/x.txt': 'ab\n', ...planted.files } })
        for (const { search, below, ...rest } of questions) {
          const query: TextQuery = { ...rest, ...search, base, root: join(base, below) }
          if (await nodeFiles.stat(query.root)) await agreeAboutText(query, JSON.stringify(query))
        }
      }),
      { numRuns: runs(40) },
    )
  })
})
