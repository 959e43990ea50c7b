import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import { nodeFiles } from '../platform/files/files.js'
import type { Instruction, Project } from './project.js'
import { createTestProject, type TestProject } from './test-project.js'

describe('instructions', () => {
  let test: TestProject
  beforeEach(async () => {
    test = await createTestProject()
  })
  afterEach(() => test.dispose())

  const texts = ({ instructions }: { instructions: readonly Instruction[] }) =>
    instructions.map(({ text }) => text.trim())
  const problems = (project: Project) => test.tidy(project.problems)

  it('come from the outermost folder in, the user’s first', async () => {
    const managed = join(test.home, '../managed.md')
    await test.write({
      '../../managed.md': 'managed',
      '~/.claude/CLAUDE.md': 'user',
      '~/CLAUDE.md': 'home',
      'CLAUDE.md': 'root',
      '.claude/CLAUDE.md': 'root own',
      'CLAUDE.local.md': 'root local',
      'sub/CLAUDE.md': 'sub',
      'sub/.claude/CLAUDE.md': 'sub own',
      'sub/.claude/rules/b.md': 'rule b',
      'sub/.claude/rules/a/a.md': 'rule a',
      'sub/CLAUDE.local.md': 'sub local',
      'sub/below/CLAUDE.md': 'not yet',
    })
    const project = await test.load({ cwd: join(test.root, 'sub'), managedInstructions: [managed] })
    assert.deepEqual(texts(project), [
      ...[
        'managed',
        'user',
        'home',
        'root',
        'root own',
        'root local',
        'sub',
        'sub own',
        'rule a',
        'rule b',
        'sub local',
      ],
    ])
    assert.deepEqual(
      project.instructions.map(({ kind }) => kind),
      ['Managed', 'User', ...Array(3).fill('Project'), 'Local', ...Array(4).fill('Project'), 'Local'],
    )
    assert.deepEqual(project.problems, [])
  })

  it('may be AGENTS.md where there is no CLAUDE.md', async () => {
    await test.write({
      'AGENTS.md': 'root agents',
      'sub/CLAUDE.md': 'sub',
      'sub/AGENTS.md': 'not used',
      'sub/in/AGENTS.md': 'in agents',
      'sub/in/own/.claude/CLAUDE.md': 'own',
      'sub/in/own/AGENTS.md': 'not used',
    })
    const project = await test.load({ cwd: join(test.root, 'sub/in/own') })
    assert.deepEqual(texts(project), ['root agents', 'sub', 'in agents', 'own'])
  })

  it('may be links inside the project, each file once', async () => {
    await test.write({ 'AGENTS.md': 'one text', 'CLAUDE.md': '-> AGENTS.md', '.claude/CLAUDE.md': '-> ../AGENTS.md' })
    assert.deepEqual(texts(await test.load()), ['one text'])
  })

  it('are never links out of the project, unless they are the user’s own', async () => {
    await test.write({
      '~/.ssh/id_rsa': 'SECRET',
      '~/dotfiles/CLAUDE.md': 'dotfile @~/.ssh/id_rsa',
      '~/.claude/CLAUDE.md': '-> ../dotfiles/CLAUDE.md',
      'CLAUDE.md': '-> ../.ssh/id_rsa',
      '.claude/rules': '-> ../../.ssh',
      'CLAUDE.local.md': '-> /dev/zero',
      'AGENTS.md': 'not a fallback for a file that is there',
      '~/CLAUDE.md': '-> .ssh/id_rsa',
    })
    const project = await test.load()
    // The user's own file may import what it likes; ~/CLAUDE.md is a link inside of its folder.
    assert.deepEqual(texts(project), ['dotfile @~/.ssh/id_rsa', 'SECRET'])
    assert.deepEqual(project.instructions[1]?.kind, 'User')
    assert.deepEqual(problems(project), [
      '<project>/CLAUDE.md: is a link that leads out of <project>. It is not used.',
      '<project>/.claude/rules: is a link that leads out of <project>. It is not used.',
      '<project>/CLAUDE.local.md: is a link that leads out of <project>. It is not used.',
    ])
  })

  it('above the project are used only if they are the user’s or the administrator’s', async () => {
    await test.write({ '~/CLAUDE.md': 'somebody else’s', 'CLAUDE.md': 'the project’s' })
    const open: typeof nodeFiles.open = async (path) => {
      const opened = await nodeFiles.open(path)
      return { ...opened, stat: { ...opened.stat, uid: 4242 } }
    }
    const project = await test.load({ files: { ...nodeFiles, open } })
    assert.deepEqual(texts(project), ['the project’s'])
    assert.deepEqual(problems(project), [
      '~/CLAUDE.md: belongs to another user and lies above your project. It is not used.',
    ])
  })

  it('lose comments that stand alone, and keep the others', async () => {
    await test.write({
      'CLAUDE.md':
        'a <!-- inline -->\n<!-- block\n@secret.md -->\nb\n```\n<!-- code -->\n```\n  <!-- one --> rest\n<!-- open\nc\n',
      'secret.md': 'not imported',
    })
    assert.deepEqual(texts(await test.load()), ['a <!-- inline -->\nb\n```\n<!-- code -->\n```\n rest\n<!-- open\nc'])
  })

  it('lose characters nobody can see', async () => {
    await test.write({ 'CLAUDE.md': 'a\u202eb\u{e0041}\u{e0042}c\u200bd 👩‍💻\tx\n' })
    const project = await test.load()
    assert.deepEqual(texts(project), ['abcd 👩‍💻\tx'])
    assert.deepEqual(problems(project), ['<project>/CLAUDE.md: 4 invisible characters were left out.'])
  })

  it('that can’t be used are told, and nothing else is lost', async () => {
    await test.write({
      'CLAUDE.md': 'x'.repeat(256 * 1024 + 1),
      '.claude/CLAUDE.md': 'a\0b',
      'CLAUDE.local.md': '-> nowhere',
      'sub/CLAUDE.md': 'fine',
      'sub/CLAUDE.local.md': '   \n',
    })
    await mkdir(join(test.root, 'sub/.claude/CLAUDE.md'), { recursive: true })
    const project = await test.load({ cwd: join(test.root, 'sub') })
    assert.deepEqual(texts(project), ['fine'])
    assert.deepEqual(problems(project), [
      '<project>/CLAUDE.md: is larger than 256 KiB. It is not used.',
      '<project>/.claude/CLAUDE.md: is not UTF-8 text. It is not used.',
      '<project>/CLAUDE.local.md: is a link that leads nowhere. It is not used.',
      '<project>/sub/.claude/CLAUDE.md: is not a file. It is not used.',
    ])
  })

  it('are bounded together', async () => {
    const many = Array.from({ length: 4 }, (_, index) => [
      `.claude/rules/${index}.md`,
      `${index}${'x'.repeat(150_000)}`,
    ])
    await test.write({ ...Object.fromEntries(many), 'CLAUDE.local.md': 'short' })
    const project = await test.load()
    assert.deepEqual(
      texts(project).map((text) => text[0]),
      ['0', '1', 's'],
    )
    assert.equal(project.problems.length, 2)
    assert.match(project.problems[0] ?? '', /2\.md: is not used: all instructions together are too long/)
  })

  describe('that import others', () => {
    it('are followed by them, each once and five deep', async () => {
      await test.write({
        'CLAUDE.md':
          'See @docs/a.md, (@docs/b.md) and @docs/c1.md.\n- @~/x.md @docs/sp\\ ace.md @missing.md @docs @scope/pkg a@docs/a2.md\n',
        'docs/a.md': 'A @b.md @a.md',
        'docs/b.md': 'B @../CLAUDE.md @a.md',
        ...Object.fromEntries(
          Array.from({ length: 8 }, (_, at) => [`docs/c${at + 1}.md`, `C${at + 1} @c${at + 2}.md`]),
        ),
        'docs/sp ace.md': 'SPACE',
        'docs/a2.md': 'no',
      })
      const project = await test.load()
      assert.deepEqual(
        texts(project).map((text) => text.split(' ')[0]),
        ['See', 'A', 'B', 'C1', 'C2', 'C3', 'C4', 'C5', 'SPACE'],
      )
      assert.deepEqual(test.tidy(project.instructions[2]), {
        path: '<project>/docs/b.md',
        text: 'B @../CLAUDE.md @a.md',
        kind: 'Project',
        reason: 'include',
        importedBy: '<project>/docs/a.md',
      })
      assert.deepEqual(problems(project), [
        '<project>/docs/c5.md: imports c6.md, which would be import number 6 in a row. It is not followed.',
      ])
    })

    it('are followed only inside the project', async () => {
      await test.write({
        '~/secret.md': 'SECRET',
        'CLAUDE.md': `@../secret.md @~/secret.md @link.md @${join(test.home, 'secret.md')} @folder/secret.md`,
        'link.md': '-> ../secret.md',
        folder: '-> ..',
      })
      const project = await test.load()
      assert.equal(project.instructions.length, 1)
      const told = (word: string) =>
        `<project>/CLAUDE.md: imports ${word}, which lies outside of <project>. It is not followed; your own CLAUDE.md can import it.`
      assert.deepEqual(
        problems(project),
        ['../secret.md', '~/secret.md', 'link.md', '~/secret.md', 'folder/secret.md'].map(told),
      )
    })

    it('are not followed where a rule keeps a file from being read', async () => {
      await test.write({ 'CLAUDE.md': '@.env @ok.md', '.env': 'KEY=1', 'ok.md': 'fine' })
      const project = await test.load({ mayRead: (path) => !path.endsWith('.env') })
      assert.deepEqual(texts(project), ['@.env @ok.md', 'fine'])
      assert.deepEqual(problems(project), [
        '<project>/CLAUDE.md: imports .env, which your rules keep from being read. It is not followed.',
      ])
    })

    it('always come to an end, and never leave the project', async () => {
      const names = ['CLAUDE.md', 'a.md', 'd/b.md', 'd/e/c.md', 'CLAUDE.local.md']
      const references = [
        'a.md',
        './d/b.md',
        'd/e/c.md',
        '../a.md',
        '../../CLAUDE.md',
        '../../../out.md',
        '~/out.md',
        'l.md',
        '/etc/passwd',
      ]
      await test.write({ '~/out.md': 'OUT', 'l.md': '-> ../out.md', 'd/l.md': '-> ../../out.md' })
      const file = fc.array(fc.constantFrom(...references), { maxLength: 6 })
      const world = fc.array(file, { minLength: names.length, maxLength: names.length })
      await fc.assert(
        fc.asyncProperty(world, async (files) => {
          const written = names.map((name, at) => [
            name,
            [...(files[at] ?? []), 'text'].map((one) => `@${one}`).join(' '),
          ])
          await test.write(Object.fromEntries(written))
          const { instructions } = await test.load()
          assert.equal(new Set(instructions.map(({ path }) => path)).size, instructions.length)
          for (const { path, text } of instructions) {
            assert.ok(names.map((name) => join(test.root, name)).includes(path), path)
            assert.ok(!text.includes('OUT'))
          }
        }),
        { numRuns: byTier({ quick: 10, all: 40, long: 2000 }) },
      )
    })
  })

  describe('of folders below', () => {
    it('are given when a file there is touched, once', async () => {
      await test.write({
        'CLAUDE.md': 'root',
        'a/CLAUDE.md': 'a @x.md',
        'a/x.md': 'imported',
        'a/b/AGENTS.md': 'b',
        'a/b/CLAUDE.local.md': 'b local',
        'c/CLAUDE.md': 'c',
      })
      const project = await test.load()
      const touch = async (path: string) => texts(await project.nestedInstructions(join(test.root, path)))
      assert.deepEqual(await touch('top.ts'), [])
      const both = await Promise.all([touch('a/b/f.ts'), touch('a/b/g.ts')])
      assert.deepEqual(both, [['a @x.md', 'imported', 'b', 'b local'], []])
      assert.deepEqual(await touch('a/h.ts'), [])
      assert.deepEqual(await touch('../elsewhere/f.ts'), [])
      const found = await project.nestedInstructions(join(test.root, 'c/not/there/yet.ts'))
      assert.deepEqual(test.tidy(found), {
        instructions: [{ path: '<project>/c/CLAUDE.md', text: 'c', kind: 'Project', reason: 'nested_traversal' }],
        problems: [],
      })
      project.forgetNestedInstructions()
      assert.deepEqual(await touch('a/f.ts'), ['a @x.md', 'imported'])
    })

    it('of another repository are marked and import nothing from around it; those of packages are not used', async () => {
      await test.write({
        'node_modules/p/CLAUDE.md': 'package',
        'vendor/repo/.git/HEAD': 'x',
        'vendor/repo/CLAUDE.md': 'vendored',
        out: '-> ../outside',
        '~/outside/CLAUDE.md': 'outside',
      })
      const asked: string[] = []
      const isTrusted = (folder: string) => {
        asked.push(test.tidy(folder))
        return folder === test.root
      }
      const project = await test.load({ isTrusted })
      await test.write({
        'vendor/repo/src/AGENTS.md': 'deeper @../../../out.md @../in.md',
        'vendor/repo/in.md': 'inside',
        'out.md': 'outside of the repository',
      })
      const touch = async (path: string) => test.tidy(await project.nestedInstructions(join(test.root, path)))
      assert.deepEqual(await touch('node_modules/p/index.js'), { instructions: [], problems: [] })
      assert.deepEqual(await touch('vendor/repo/src/index.js'), {
        instructions: [
          ...['CLAUDE.md', 'src/AGENTS.md'].map((name) => ({
            path: `<project>/vendor/repo/${name}`,
            kind: 'Project',
            reason: 'nested_traversal',
            untrusted: true,
            text: name === 'CLAUDE.md' ? 'vendored' : 'deeper @../../../out.md @../in.md',
          })),
          {
            path: '<project>/vendor/repo/in.md',
            text: 'inside',
            kind: 'Project',
            reason: 'include',
            importedBy: '<project>/vendor/repo/src/AGENTS.md',
            untrusted: true,
          },
        ],
        problems: [
          '<project>/vendor/repo/src/AGENTS.md: imports ../../../out.md, which lies outside of <project>/vendor/repo. It is not followed; your own CLAUDE.md can import it.',
        ],
      })
      assert.deepEqual(await touch('vendor/repo/other.js'), { instructions: [], problems: [] })
      assert.deepEqual(await touch('out/file.ts'), {
        instructions: [],
        problems: ['<project>/out/CLAUDE.md: is a link that leads out of <project>. It is not used.'],
      })
      assert.deepEqual(asked, ['<project>', '<project>/vendor/repo'])
    })
  })

  describe('with patterns', () => {
    it('wait for a file they are about', async () => {
      await test.write({
        '.claude/rules/ts.md': '---\npaths:\n  - "src/**/*.{ts,tsx}"\n  - "*.mts"\n---\nts rule @extra.md\n',
        '.claude/rules/extra.md': '---\npaths: nothing\n---\nextra',
        '.claude/rules/bad.md': '---\npaths: {a: b}\n---\nbad',
        '.claude/rules/open.md': '---\npaths: "[src/**"\n---\nbad',
        '.claude/rules/broken.md': '---\noops\n---\nbad',
        'sub/.claude/rules/sub.md': '---\npaths: "*.py, lib/*.{py,pyi}"\n---\nsub rule\n',
        '~/.claude/rules/mine.md': '---\npaths: ["docs/**"]\n---\nmy rule\n',
      })
      const project = await test.load()
      assert.deepEqual(project.instructions, [])
      assert.deepEqual(problems(project), [
        "<project>/.claude/rules/bad.md:2: 'paths' must be a list of at most 100 patterns. The file is not used.",
        "<project>/.claude/rules/broken.md:2: is no 'key: value'; put text with several lines behind 'key: |' and indent it. The file is not used.",
        "<project>/.claude/rules/open.md:2: 'paths' must be a list of at most 100 patterns. The file is not used.",
      ])
      const touch = async (path: string) => texts(await project.nestedInstructions(join(test.root, path)))
      assert.deepEqual(await touch('src/x.js'), [])
      assert.deepEqual(await touch('other/x.mts'), [])
      const [first, ...rest] = (await project.nestedInstructions(join(test.root, 'src/deep/x.tsx'))).instructions
      assert.deepEqual(test.tidy(first), {
        path: '<project>/.claude/rules/ts.md',
        text: 'ts rule @extra.md\n',
        kind: 'Project',
        reason: 'path_glob_match',
      })
      assert.equal(rest.length, 1)
      assert.deepEqual(await touch('x.mts'), [])
      assert.deepEqual(await touch('sub/lib/x.pyi'), ['sub rule'])
      assert.deepEqual(await touch('docs/a/b.md'), ['my rule'])
      project.forgetNestedInstructions()
      assert.deepEqual(await touch('sub/x.py'), ['sub rule'])
    })
  })
})
