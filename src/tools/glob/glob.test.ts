/** Glob on real trees, with ripgrep and without. */
import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createTestTreeContext, TEST_SEARCH_ENGINES } from '../search/test-trees.js'
import type { TestContext } from '../test-context.js'
import { createGlobTool, type GlobInput, type GlobOutput } from './glob.js'

const globTool = createGlobTool({})

/** One level down: patterns that lead to the folder above must not search everybody's temporary files. */
async function createNested(env: Record<string, string>, files: Record<string, string>): Promise<TestContext> {
  const below = Object.entries(files).map(([name, text]) => [`project/${name}`, text])
  const above = await createTestTreeContext(env, Object.fromEntries(below))
  const folder = join(above.folder, 'project')
  const session = { ...above.context.session, shellCwd: folder }
  const context = { ...above.context, cwd: folder, directories: () => [folder], session }
  return { ...above, folder, context: { ...context, env: { ...context.env, HOME: folder } } }
}

for (const [title, env] of Object.entries(TEST_SEARCH_ENGINES)) {
  describe(`Glob ${title}`, () => {
    let test: TestContext
    before(async () => {
      test = await createNested(env, {
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
    const found = (names: string[], note = '') => {
      const filenames = names.map((name) => join(test.folder, name))
      const output = { filenames, durationMs: 0, numFiles: names.length, truncated: false }
      return { ok: true, content: `${names.join('\n') || 'No files found'}${note}`, output }
    }
    const nothing = (place: string, more = '') => found([], `\n\n[Searched ${place}.${more}]`)
    const anchored = ' A pattern with a slash starts there; put **/ in front for any depth.'

    it('lists files newest first, from the working directory on, hidden ones too, but neither ignored ones nor links', async () => {
      const all = ['-e.txt', 'sub/c.txt', '.hidden/h.txt', 'a.txt', 'b.txt']
      assert.deepEqual(await glob({ pattern: '**/*.txt' }), found(all))
      assert.deepEqual(await glob({ pattern: '*.txt' }), found(all))
      assert.deepEqual(await glob({ pattern: '*.ts' }), found(['sub/deep/d.ts']))
      assert.deepEqual(await glob({ pattern: 'sub/*' }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: '{a,b}.txt' }), found(['a.txt', 'b.txt']))
      assert.deepEqual(await glob({ pattern: '*.txt', path: 'sub' }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: '*.zip' }), nothing(test.folder))
      assert.deepEqual(await glob({ pattern: '*.zip', path: 'sub' }), nothing('sub'))
      const typo = ` There is no folder ${join(test.folder, 'sbu')}. Did you mean ${join(test.folder, 'sub')}?`
      assert.deepEqual(await glob({ pattern: 'sbu/*.txt' }), nothing(test.folder, typo))
      assert.deepEqual(await glob({ pattern: 'etc/host*' }), nothing(test.folder, anchored))
    })

    it('lists what git ignores, and its own files, where nothing else has that name', async () => {
      const note = '\n\n(Git ignores these files, or they are its own.)'
      assert.deepEqual(await glob({ pattern: 'ignored/*' }), found(['ignored/i.txt'], note))
      assert.deepEqual(await glob({ pattern: 'i.txt' }), found(['ignored/i.txt'], note))
      assert.deepEqual(await glob({ pattern: '.git/*' }), found(['.git/HEAD'], note))
      assert.deepEqual(await glob({ pattern: '*', path: 'ignored' }), found(['ignored/i.txt']))
      const all = await glob({ pattern: '**/*' })
      assert.doesNotMatch(all.ok ? String(all.content) : '', /^ignored|HEAD/m)
    })

    it('T38 goes where the pattern points, and says so first', async () => {
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
          place({ pattern: '/etc/../root/{a,b}/*' }),
          place({ pattern: '..' }),
          place({ pattern: '/etc*/x', path: 'deep' }),
        ],
        [
          ...[join(folder, 'sub'), folder, '/etc', '/etc', '/', join(folder, 'x'), dirname(folder), folder],
          ...['/root', dirname(folder), '/'],
        ].map((path) => ({ kind: 'read', paths: [path], from: join(folder, 'sub') })),
      )
      assert.deepEqual(await glob({ pattern: '../*.zip' }), nothing(dirname(folder)))
      assert.deepEqual(await glob({ pattern: `${folder}/sub/*.txt` }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: `${folder}/sub/c.txt` }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: './sub/*.txt' }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: './sub/*' }), found(['sub/c.txt']))
      assert.deepEqual(await glob({ pattern: `${folder}/sub/*` }), found(['sub/c.txt', 'sub/deep/d.ts']))
      assert.deepEqual(await glob({ pattern: '{../*,/etc/*}' }), nothing(folder, anchored))
      assert.deepEqual(await glob({ pattern: 'sub/../*.txt' }), nothing(folder, anchored))
      assert.deepEqual(
        await glob({ pattern: `${folder}/nowhere/*.txt` }),
        nothing('nowhere', ` There is no folder ${folder}/nowhere.`),
      )
    })

    it('refuses folders that are none', async () => {
      const where = `Note: your current working directory is ${test.folder}.`
      const refused = (error: string) => ({ ok: false, error, refused: true })
      assert.deepEqual(await glob({ pattern: '*', path: 'no' }), refused(`Directory does not exist: no. ${where}`))
      assert.deepEqual(await glob({ pattern: '*', path: 'a.txt' }), refused('Path is not a directory: a.txt'))
      const long = await glob({ pattern: '*', path: 'x'.repeat(5000) })
      assert.match(long.ok ? '' : long.error, /^ENAMETOOLONG/)
      assert.deepEqual(await glob({ pattern: `/${'x'.repeat(5000)}/*` }), found([]))
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
      const note =
        '(These are the 100 that changed last, of 130 files. Narrow the pattern, or name a folder in path, to see others.)'
      const names = filenames.map((path) => path.slice(test.folder.length + 1))
      assert.equal(outcome.content, `${names.join('\n')}\n\n${note}`)
    })

    it('takes nothing for an option, and a name for what it is', async () => {
      const odd = await createTestTreeContext(env, {
        '--pre=x': '',
        '!not': '',
        '#no': '',
        'a}b ': '',
        'new\nline': '',
      })
      const names = async (pattern: string) => {
        const outcome = await globTool.execute({ pattern }, odd.context)
        // Success carries this type, as the other tests show field by field.
        const paths = outcome.ok ? (outcome.output as GlobOutput).filenames : [outcome.error]
        return paths.map((path) => path.slice(odd.folder.length + 1))
      }
      try {
        assert.deepEqual(await names('--pre=*'), ['--pre=x'])
        for (const name of ['--pre=x', '!not', '#no', 'a}b ', 'new\nline']) {
          assert.deepEqual(await names(`./${name}`), [name])
          assert.deepEqual(await names(`${odd.folder}/${name}`), [name])
        }
        assert.deepEqual(await names(`${odd.folder}/!n*`), ['!not'])
      } finally {
        await odd.dispose()
      }
    })

    it('leaves out what may not be read', async () => {
      const isDenied = (path: string) => path.endsWith('/a.txt') || path.includes('/many/')
      const careful = createGlobTool({ deniedInside: async () => isDenied })
      const outcome = await careful.execute({ pattern: '*' }, test.context)
      assert.ok(outcome.ok)
      // Success carries this type, as the other tests show field by field.
      const { filenames, truncated } = outcome.output as GlobOutput
      const names = ['-e.txt', '.gitignore', 'sub/c.txt', '.hidden/h.txt', 'sub/deep/d.ts', 'b.txt']
      assert.deepEqual([filenames, truncated], [names.map((name) => join(test.folder, name)), false])
    })

    it('ends when it is aborted', async () => {
      const outcome = await globTool.execute({ pattern: '/**/x' }, { ...test.context, signal: AbortSignal.timeout(30) })
      assert.deepEqual(outcome, { ok: false, error: '[Request interrupted by user for tool use]' })
    })
  })
}
