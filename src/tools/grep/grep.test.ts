/** Grep on real trees, with ripgrep and without: every text the model and the host get to see. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTreeContext, engines } from '../search/test-tree.js'
import type { TestContext } from '../test-context.js'
import { grepTool } from './grep.js'
import type { GrepInput } from './input.js'
import type { GrepOutput } from './output.js'

for (const [title, env] of Object.entries(engines)) {
  describe(`Grep ${title}`, () => {
    let test: TestContext
    before(async () => {
      test = await createTreeContext(env, {
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
    const lines = (content: string, numLines: number, more = {}) => ({
      ok: true,
      content: content || 'No matches found',
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
      assert.deepEqual(await grep({ pattern: 'nothing' }), { ok: true, content: 'No files found', output: files([]) })
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
        content: 'No matches found\n\nFound 0 total occurrences across 0 files.',
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

    it('takes nothing for an option', async () => {
      assert.deepEqual(await grep({ pattern: 'gamma', path: '-e.txt', output_mode: 'content' }), lines('1:gamma', 1))
      assert.deepEqual(await grep({ pattern: '--files', output_mode: 'content' }), lines('', 0))
      assert.deepEqual(await grep({ pattern: 'gamma', glob: '--pre=cat', output_mode: 'content' }), lines('', 0))
    })

    it('explains what it can not do', async () => {
      const where = `Note: your current working directory is ${test.folder}.`
      const missing = { ok: false, error: `Path does not exist: no. ${where}`, refused: true }
      assert.deepEqual(await grep({ pattern: 'x', path: 'no' }), missing)
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

    it('ends in time, whatever the pattern', async () => {
      assert.equal((await grep({ pattern: '(g+)+$' })).ok, true)
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
