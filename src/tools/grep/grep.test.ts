/** Grep on real trees, with ripgrep and without: every text the model and the host get to see. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTestTreeContext, TEST_SEARCH_ENGINES } from '../search/test-trees.js'
import type { TestContext } from '../test-context.js'
import { createGrepTool } from './grep.js'
import type { GrepInput, GrepOutput } from './grep-shapes.js'

const grepTool = createGrepTool({})

for (const [title, env] of Object.entries(TEST_SEARCH_ENGINES)) {
  describe(`Grep ${title}`, () => {
    let test: TestContext
    before(async () => {
      test = await createTestTreeContext(env, {
        'b.txt': 'gamma one\nx\ny\nz\ngamma two\n',
        'sub/deep/d.ts': 'const gamma = 1\n',
        'a.txt': 'alpha\nbeta\ngamma\n',
        '.hidden/h.txt': 'gamma\n',
        'sub/c.txt': 'Gamma\ngamma gamma\n',
        'ignored/i.txt': 'gamma\n',
        '.gitignore': 'ignored/\n',
        '.git/HEAD': 'gamma\n',
        '-e.txt': 'gamma\n',
      })
    })
    after(() => test.dispose())

    const grep = (input: GrepInput) => grepTool.execute(input, test.context)
    const files = (filenames: string[], more = {}) => ({
      mode: 'files_with_matches',
      filenames,
      numFiles: filenames.length,
      ...more,
    })
    const nothing = () => `[Searched ${test.folder}, without what git ignores. To find more: set -i to ignore case.]`
    const lines = (content: string, numLines: number, more = {}) => ({
      ok: true,
      content: content || `No matches found\n\n${nothing()}`,
      output: { mode: 'content', numFiles: 0, filenames: [], content, numLines, ...more },
    })
    const counts = (content: string, numFiles: number, numMatches: number, more = {}) => ({
      mode: 'count',
      numFiles,
      filenames: [],
      content,
      numMatches,
      ...more,
    })

    it('lists matching files, newest first', async () => {
      const all = ['-e.txt', 'sub/c.txt', '.hidden/h.txt', 'a.txt', 'sub/deep/d.ts', 'b.txt']
      assert.deepEqual(await grep({ pattern: 'gamma' }), {
        ok: true,
        content: `Found 6 files\n${all.join('\n')}`,
        output: files(all),
      })
      assert.deepEqual(await grep({ pattern: 'alpha' }), {
        ok: true,
        content: 'Found 1 file\na.txt',
        output: files(['a.txt']),
      })
      assert.deepEqual(await grep({ pattern: 'nothing' }), {
        ok: true,
        content: `No files found\n\n${nothing()}`,
        output: files([]),
      })
      assert.deepEqual(await grep({ pattern: 'gamma', head_limit: 2, offset: 1 }), {
        ok: true,
        content: 'Found 2 files\nsub/c.txt\n.hidden/h.txt\n\n[Showing 2 to 3 of 6 files]',
        output: files(all.slice(1, 3), { appliedLimit: 2, appliedOffset: 1 }),
      })
    })

    it('shows matching lines', async () => {
      const content = [
        '-e.txt:1:gamma',
        '.hidden/h.txt:1:gamma',
        'a.txt:3:gamma',
        'b.txt:1:gamma one',
        'b.txt:5:gamma two',
        'sub/c.txt:2:gamma gamma',
        'sub/deep/d.ts:1:const gamma = 1',
      ]
      const input: GrepInput = { pattern: 'gamma', output_mode: 'content' }
      assert.deepEqual(await grep(input), lines(content.join('\n'), 7))
      assert.deepEqual(
        await grep({ ...input, '-n': false, path: 'sub' }),
        lines('sub/c.txt:gamma gamma\nsub/deep/d.ts:const gamma = 1', 2),
      )
      assert.deepEqual(await grep({ ...input, pattern: 'nothing' }), lines('', 0))
      assert.deepEqual(await grep({ ...input, head_limit: 0 }), lines(content.join('\n'), 7))
      const page = content.slice(0, 2).join('\n')
      assert.deepEqual(await grep({ ...input, head_limit: 2 }), {
        ...lines(page, 2, { appliedLimit: 2 }),
        content: `${page}\n\n[Showing 1 to 2 of 7 lines]`,
      })
      assert.deepEqual(await grep({ ...input, offset: 9 }), {
        ...lines('', 0, { appliedOffset: 9 }),
        content: 'No matches found\n\n[Showing none of 7 lines]',
      })
    })

    it('shows context, and no name where only one file was searched', async () => {
      const input: GrepInput = { pattern: 'x|alpha', output_mode: 'content' }
      assert.deepEqual(
        await grep({ ...input, '-A': 1, '-B': 1 }),
        lines('a.txt:1:alpha\na.txt-2-beta\n--\nb.txt-1-gamma one\nb.txt:2:x\nb.txt-3-y', 6),
      )
      const one: GrepInput = { pattern: 'gamma', output_mode: 'content', path: 'b.txt' }
      assert.deepEqual(await grep({ ...one, '-C': 1 }), lines('1:gamma one\n2-x\n--\n4-z\n5:gamma two', 5))
      assert.deepEqual(await grep({ ...one, context: 1, '-n': false }), lines('gamma one\nx\n--\nz\ngamma two', 5))
      // The more general number wins.
      assert.deepEqual(await grep({ ...one, context: 0, '-C': 1 }), lines('1:gamma one\n5:gamma two', 2))
      assert.deepEqual(await grep({ ...one, '-C': 0, '-A': 1 }), lines('1:gamma one\n5:gamma two', 2))
      const odd = { '-B': 1.9, '-A': -1 }
      assert.deepEqual(await grep({ ...one, ...odd }), lines('1:gamma one\n--\n4-z\n5:gamma two', 4))
      assert.deepEqual(
        await grep({ ...one, pattern: 'x', '-C': 1e300 }),
        lines('1-gamma one\n2:x\n3-y\n4-z\n5-gamma two', 5),
      )
    })

    it('counts', async () => {
      const input: GrepInput = { pattern: 'gamma', output_mode: 'count' }
      assert.deepEqual(await grep({ ...input, path: 'sub' }), {
        ok: true,
        content: 'sub/c.txt:1\nsub/deep/d.ts:1\n\nFound 2 total occurrences across 2 files.',
        output: counts('sub/c.txt:1\nsub/deep/d.ts:1', 2, 2),
      })
      assert.deepEqual(await grep({ ...input, path: 'a.txt' }), {
        ok: true,
        content: 'a.txt:1\n\nFound 1 total occurrence across 1 file.',
        output: counts('a.txt:1', 1, 1),
      })
      assert.deepEqual(await grep({ ...input, pattern: 'nothing' }), {
        ok: true,
        content: `No matches found\n\nFound 0 total occurrences across 0 files.\n\n${nothing()}`,
        output: counts('', 0, 0),
      })
      assert.deepEqual(await grep({ ...input, head_limit: 1, path: 'sub' }), {
        ok: true,
        content: 'sub/c.txt:1\n\nFound 1 total occurrence across 1 file.\n\n[Showing 1 to 1 of 2 files]',
        output: counts('sub/c.txt:1', 1, 1, { appliedLimit: 1 }),
      })
    })

    it('narrows by glob, type and case, and looks across lines', async () => {
      const names = async (input: Omit<GrepInput, 'pattern'>, pattern = 'gamma') => {
        const outcome = await grep({ pattern, ...input })
        // Success carries this type, as the other tests show field by field.
        return outcome.ok ? (outcome.output as GrepOutput).filenames : outcome.error
      }
      assert.deepEqual(await names({ glob: '*.ts' }), ['sub/deep/d.ts'])
      assert.deepEqual(await names({ glob: 'sub/*.txt, *.ts' }), ['sub/c.txt', 'sub/deep/d.ts'])
      assert.deepEqual(await names({ glob: '*.{ts,md} a*' }), ['a.txt', 'sub/deep/d.ts'])
      assert.deepEqual(await names({ glob: '{a,{b,c}}.txt,*.ts' }), ['sub/c.txt', 'a.txt', 'sub/deep/d.ts', 'b.txt'])
      assert.deepEqual(await names({ type: 'ts' }), ['sub/deep/d.ts'])
      assert.deepEqual(await names({ '-i': true, path: 'sub', glob: 'c*' }, '^GAMMA$'), ['sub/c.txt'])
      assert.deepEqual(await names({ glob: '**/HEAD' }), [])
      const across: GrepInput = { pattern: 'alpha.beta', multiline: true, output_mode: 'content' }
      assert.deepEqual(await grep(across), lines('a.txt:1:alpha\na.txt:2:beta', 2))
    })

    it('begins where the shell stands, and names files outside in full', async () => {
      const { context, folder } = test
      const moved = { ...context, session: { ...context.session, shellCwd: join(folder, 'sub') } }
      assert.deepEqual(await grepTool.execute({ pattern: '^gamma' }, moved), {
        ok: true,
        content: 'Found 1 file\nc.txt',
        output: files(['c.txt']),
      })
      const outside = { pattern: 'alpha', path: '..' }
      assert.deepEqual(await grepTool.execute(outside, moved), {
        ok: true,
        content: `Found 1 file\n${folder}/a.txt`,
        output: files([`${folder}/a.txt`]),
      })
      assert.deepEqual(grepTool.facts(outside, moved), { kind: 'read', paths: [folder] })
    })

    it('T41 takes nothing for an option', async () => {
      assert.deepEqual(await grep({ pattern: 'gamma', path: '-e.txt', output_mode: 'content' }), lines('1:gamma', 1))
      assert.deepEqual(await grep({ pattern: '--files', output_mode: 'content' }), lines('', 0))
      const globbed = await grep({ pattern: 'gamma', glob: '--pre=cat', output_mode: 'content' })
      assert.match(
        globbed.ok ? String(globbed.content) : '',
        /^No matches found\n\n\[Searched .+, only "--pre=cat", .+, leave out glob\.\]$/,
      )
      const type = await grep({ pattern: 'gamma', type: '--pre=cat' })
      assert.match(type.ok ? '' : type.error, /^unrecognized file type: --pre=cat/)
      const odd = await createTestTreeContext(env, {
        '--pre=x': 'delta\n',
        '-f': 'delta\n',
        'new\nline': 'delta\n',
        'a:1:b': 'delta\n',
      })
      try {
        const content = '--pre=x:1:delta\n-f:1:delta\na:1:b:1:delta\nnew\nline:1:delta'
        const input: GrepInput = { pattern: 'delta', output_mode: 'content' }
        assert.deepEqual(await grepTool.execute(input, odd.context), lines(content, 4))
        assert.deepEqual(await grepTool.execute({ ...input, path: '--pre=x' }, odd.context), lines('1:delta', 1))
      } finally {
        await odd.dispose()
      }
    })

    it('leaves out what may not be read', async () => {
      const careful = createGrepTool({ deniedInside: async (root) => (path) => !path.startsWith(`${root}/sub/`) })
      const ask = (mode: GrepInput['output_mode']) =>
        careful.execute({ pattern: 'gamma', output_mode: mode, head_limit: 9 }, test.context)
      const both = ['sub/c.txt', 'sub/deep/d.ts']
      const limited = { appliedLimit: 9 }
      assert.deepEqual(await ask('files_with_matches'), {
        ok: true,
        content: `Found 2 files\n${both.join('\n')}`,
        output: files(both, limited),
      })
      assert.deepEqual(
        await ask('content'),
        lines('sub/c.txt:2:gamma gamma\nsub/deep/d.ts:1:const gamma = 1', 2, limited),
      )
      assert.deepEqual(await ask('count'), {
        ok: true,
        content: 'sub/c.txt:1\nsub/deep/d.ts:1\n\nFound 2 total occurrences across 2 files.',
        output: counts('sub/c.txt:1\nsub/deep/d.ts:1', 2, 2, limited),
      })
    })

    it('shows no more than a reader can use, and how to go on', async () => {
      const numbers = Array.from({ length: 5000 }, (_, i) => `number ${i + 1}`)
      const long = await createTestTreeContext(env, { 'n.log': numbers.join('\n') })
      try {
        const input: GrepInput = { pattern: 'number', path: 'n.log', output_mode: 'content' }
        const first = await grepTool.execute(input, long.context)
        assert.ok(first.ok && typeof first.content === 'string')
        // Success carries this type, as the other tests show field by field.
        const { numLines = 0 } = first.output as GrepOutput
        assert.ok(numLines > 1000 && numLines < 2500)
        const note = `[Showing 1 to ${numLines} of 5000 lines; set offset to ${numLines} for more, or narrow the search]`
        assert.ok(first.content.endsWith(`\n${numLines}:number ${numLines}\n\n${note}`))
        const next = await grepTool.execute({ ...input, offset: numLines, head_limit: 1 }, long.context)
        assert.ok(next.ok && typeof next.content === 'string')
        assert.ok(next.content.startsWith(`${numLines + 1}:number ${numLines + 1}\n`))
      } finally {
        await long.dispose()
      }
    })

    it('says what it knows of binary data', async () => {
      const binary = await createTestTreeContext(env, {
        'a.dat': 'gamma\0\n',
        'b.dat': `gamma\n${'x\n'.repeat(40_000)}\0\n`,
      })
      try {
        const ask = (input: Partial<GrepInput>) =>
          grepTool.execute({ pattern: 'gamma', output_mode: 'content', ...input }, binary.context)
        const met = (offset: number) => `(found "\\0" byte around offset ${offset})`
        assert.deepEqual(await ask({ path: 'a.dat' }), lines(`binary file matches ${met(5)}`, 1))
        const stopped = `b.dat: WARNING: stopped searching binary file after match ${met(80_006)}`
        assert.deepEqual(await ask({}), lines(`b.dat:1:gamma\n${stopped}`, 2))
      } finally {
        await binary.dispose()
      }
    })

    it('explains what it can not do', async () => {
      const where = `Note: your current working directory is ${test.folder}.`
      const missing = { ok: false, error: `Path does not exist: no. ${where}`, refused: true }
      assert.deepEqual(await grep({ pattern: 'x', path: 'no' }), missing)
      const device = { ok: false, error: 'Path is neither a file nor a directory: /dev/zero', refused: true }
      assert.deepEqual(await grep({ pattern: 'x', path: '/dev/zero' }), device)
      const long = await grep({ pattern: 'x', path: 'x'.repeat(5000) })
      assert.match(long.ok ? '' : long.error, /^ENAMETOOLONG/)
      const nul = { ok: false, error: 'The input contains a NUL character.', refused: true }
      assert.deepEqual(await grep({ pattern: 'a\0b' }), nul)
      const error = async (input: GrepInput) => {
        const outcome = await grep(input)
        return outcome.ok ? '' : outcome.error
      }
      assert.match(await error({ pattern: '(' }), /unclosed group|Unterminated group/)
      assert.match(await error({ pattern: 'x', type: 'zzz' }), /^unrecognized file type: zzz/)
      assert.match(await error({ pattern: 'x', glob: '[' }), /unclosed character class/)
    })

    it('T39 ends in time, whatever the pattern', async () => {
      const hard = await createTestTreeContext(env, { 'a.txt': `${'a'.repeat(5000)}b\n${'a'.repeat(40)}\n` })
      try {
        const input: GrepInput = { pattern: '(a+)+$', output_mode: 'content', multiline: false }
        const found = lines(`a.txt:2:${'a'.repeat(40)}`, 1)
        assert.deepEqual(await grepTool.execute(input, hard.context), found)
        assert.deepEqual(await grepTool.execute({ ...input, multiline: true }, hard.context), found)
      } finally {
        await hard.dispose()
      }
    })

    it('ends when it is aborted', async () => {
      const signal = AbortSignal.timeout(30)
      assert.deepEqual(await grepTool.execute({ pattern: 'zq', path: '/' }, { ...test.context, signal }), {
        ok: false,
        error: '[Request interrupted by user for tool use]',
      })
    })

    it('serves many sessions at once', async () => {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () => {
          const context = { ...test.context, signal: new AbortController().signal }
          return grepTool.execute({ pattern: 'alpha' }, context)
        }),
      )
      const one = { ok: true, content: 'Found 1 file\na.txt', output: files(['a.txt']) }
      assert.deepEqual(
        outcomes,
        outcomes.map(() => one),
      )
    })
  })
}
