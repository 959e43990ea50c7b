/** Glob on real trees, with ripgrep and without. */
import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTreeContext, engines } from '../search/test-tree.js'
import type { TestContext } from '../test-context.js'
import { globTool } from './glob.js'
import type { GlobInput } from './input.js'
import type { GlobOutput } from './output.js'

for (const [title, env] of Object.entries(engines)) {
  describe(`Glob ${title}`, () => {
    let test: TestContext
    before(async () => {
      test = await createTreeContext(env, {
        'b.txt': '',
        'sub/deep/d.ts': '',
        'a.txt': '',
        '.hidden/h.txt': '',
        'sub/c.txt': '',
        'ignored/i.txt': '',
        '.gitignore': 'ignored/',
        '.git/HEAD': '',
        '-e.txt': '',
      })
      await symlink('/etc', join(test.folder, 'etc'))
      await symlink(join(test.folder, 'a.txt'), join(test.folder, 'link.txt'))
    })
    after(() => test.dispose())

    async function glob(input: GlobInput) {
      const outcome = await globTool.execute(input, test.context)
      // The time it took is not for a test to know.
      if (!outcome.ok) return outcome
      assert.ok(typeof outcome.output === 'object' && outcome.output)
      return { ...outcome, output: { ...outcome.output, durationMs: 0 } }
    }
    const found = (names: string[]) => {
      const filenames = names.map((name) => join(test.folder, name))
      const output = { filenames, durationMs: 0, numFiles: names.length, truncated: false }
      return { ok: true, content: filenames.join('\n') || 'No files found', output }
    }

    it('lists files oldest first, hidden and ignored ones too, but no links', async () => {
      const all = ['b.txt', 'a.txt', '.hidden/h.txt', 'sub/c.txt', 'ignored/i.txt', '-e.txt']
      assert.deepEqual(await glob({ pattern: '**/*.txt' }), found(all))
      assert.deepEqual(await glob({ pattern: '*.txt' }), found(all))
      assert.deepEqual(await glob({ pattern: '*.ts' }), found(['sub/deep/d.ts']))
      assert.deepEqual(await glob({ pattern: 'sub/*' }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: '{a,b}.txt' }), found(['b.txt', 'a.txt']))
      assert.deepEqual(await glob({ pattern: '*.txt', path: 'sub' }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: '*.zip' }), found([]))
      assert.deepEqual(await glob({ pattern: 'etc/host*' }), found([]))
    })

    it('goes where the pattern points, and says so first', async () => {
      const { folder, context } = test
      const inside = { ...context, session: { ...context.session, shellCwd: join(folder, 'sub') } }
      const place = (input: GlobInput) => globTool.facts(input, inside)
      assert.deepEqual(
        [
          place({ pattern: '*.txt' }),
          place({ pattern: '../*.txt' }),
          place({ pattern: '/etc/host*' }),
          place({ pattern: '/etc/hosts' }),
          place({ pattern: '/*' }),
          place({ pattern: '~/x/*' }),
          place({ pattern: '*', path: '../..' }),
          place({ pattern: './deep/../../**/*.ts' }),
        ],
        [join(folder, 'sub'), folder, '/etc', '/etc', '/', join(folder, 'x'), dirname(folder), folder].map((path) => ({
          kind: 'read',
          paths: [path],
        })),
      )
      assert.deepEqual(await glob({ pattern: '../*.zip' }), found([]))
      assert.deepEqual(await glob({ pattern: `${folder}/sub/*.txt` }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: `${folder}/sub/c.txt` }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: './sub/*.txt' }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: `${folder}/nowhere/*.txt` }), found([]))
    })

    it('refuses folders that are none', async () => {
      const where = `Note: your current working directory is ${test.folder}.`
      const refused = (error: string) => ({ ok: false, error, refused: true })
      assert.deepEqual(await glob({ pattern: '*', path: 'no' }), refused(`Directory does not exist: no. ${where}`))
      assert.deepEqual(await glob({ pattern: '*', path: 'a.txt' }), refused('Path is not a directory: a.txt'))
      assert.deepEqual(await glob({ pattern: 'a\0b' }), refused('The input contains a NUL character.'))
    })

    it('explains a broken pattern', async () => {
      const outcome = await glob({ pattern: '[' })
      assert.match(outcome.ok ? '' : outcome.error, /unclosed character class/)
    })

    it('lists a hundred files and tells of the others', async () => {
      await mkdir(join(test.folder, 'many'))
      for (let i = 0; i < 130; i += 1) await writeFile(join(test.folder, `many/${i}.many`), '')
      const outcome = await globTool.execute({ pattern: '*.many' }, test.context)
      assert.ok(outcome.ok)
      // Success carries this type, as the other tests show field by field.
      const { filenames, numFiles, truncated } = outcome.output as GlobOutput
      assert.deepEqual([filenames.length, numFiles, truncated], [100, 100, true])
      const note = '(130 files match; the first 100 are listed. Narrow the pattern or the path to see the others.)'
      assert.equal(outcome.content, [...filenames, note].join('\n'))
    })

    it('ends when it is aborted', async () => {
      const outcome = await globTool.execute({ pattern: '/**/x' }, { ...test.context, signal: AbortSignal.timeout(30) })
      assert.deepEqual(outcome, { ok: false, error: '[Request interrupted by user for tool use]' })
    })
  })
}
