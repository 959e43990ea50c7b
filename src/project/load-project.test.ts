import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { SlashCommand } from '../protocol/options.js'
import { findCommandOrSkill, findOutputStyle } from './load-project.js'
import type { ProjectFileAccess } from './project.js'
import {
  instructionsText,
  pluginsForInit,
  skillListing,
  skillNames,
  slashCommandNames,
  slashCommands,
} from './project-listing.js'
import { createTestProject, type TestProject } from './test-project.js'

const COMPACT: SlashCommand = { name: 'compact', description: 'Makes room.', argumentHint: '' }

describe('what a user, a project and plugins bring', () => {
  let test: TestProject
  beforeEach(async () => {
    test = await createTestProject()
  })
  afterEach(() => test.dispose())

  it('is listed as the recorded session of the original lists it', async () => {
    await test.write({
      'CLAUDE.md': 'PROJECT-MEMORY-MARKER\n',
      '~/.claude/CLAUDE.md': 'USER-MEMORY-MARKER\n',
      '.claude/commands/hello.md':
        '---\ndescription: Own hello command\nargument-hint: <name>\n---\nHello command body for $ARGUMENTS and $1.\n',
      '.claude/skills/myskill/SKILL.md':
        '---\nname: myskill\ndescription: Own skill description\n---\nSkill body marker.\n',
      '.claude/agents/helper.md': '---\nname: helper\ndescription: Own agent\n---\nHelp.\n',
      '.claude/output-styles/terse.md': '---\nname: Terse\ndescription: Own style\n---\nBe terse.\n',
      'plug/.claude-plugin/plugin.json': '{"name":"ourplug"}',
      'plug/commands/pcmd.md': '---\ndescription: Plugin cmd\n---\nPlugin command body.\n',
      'plug/skills/ps/SKILL.md': '---\nname: ps\ndescription: Plugin skill\n---\nPlugin skill body.\n',
      'plug/agents/pa.md': '---\nname: pa\ndescription: Plugin agent\n---\nHelp.\n',
    })
    const project = await test.load({ pluginDirs: ['plug'] })
    assert.deepEqual(slashCommandNames(project, [COMPACT]), [
      'myskill',
      'hello',
      'ourplug:pcmd',
      'ourplug:ps',
      'compact',
    ])
    assert.deepEqual(slashCommands(project, [COMPACT]), [
      { name: 'myskill', description: 'Own skill description (project)', argumentHint: '' },
      { name: 'hello', description: 'Own hello command (project)', argumentHint: '<name>' },
      { name: 'ourplug:pcmd', description: '(ourplug) Plugin cmd', argumentHint: '' },
      { name: 'ps', description: '(ourplug) Plugin skill', argumentHint: '' },
      COMPACT,
    ])
    assert.deepEqual(skillNames(project), ['myskill', 'ourplug:ps'])
    assert.deepEqual(
      project.agents.map(({ name }) => name),
      ['ourplug:pa', 'helper'],
    )
    assert.deepEqual(pluginsForInit(project), [{ name: 'ourplug', path: join(test.root, 'plug') }])
    assert.deepEqual(
      project.outputStyles.map(({ name }) => name),
      ['default', 'Explanatory', 'Learning', 'Terse'],
    )
    assert.equal(findOutputStyle(project, 'Terse')?.prompt, 'Be terse.')
    assert.deepEqual(test.tidy(project.instructions), [
      { path: '~/.claude/CLAUDE.md', text: 'USER-MEMORY-MARKER\n', kind: 'User', reason: 'session_start' },
      { path: '<project>/CLAUDE.md', text: 'PROJECT-MEMORY-MARKER\n', kind: 'Project', reason: 'session_start' },
    ])
    assert.deepEqual(project.problems, [])
    const told = `${skillListing(project)}\n${instructionsText(project.instructions)}`
    for (const part of [
      '- myskill: Own skill description',
      '- hello: Own hello command',
      '- ourplug:pcmd: Plugin cmd',
    ]) {
      assert.ok(told.includes(part), part)
    }
    assert.match(told, /USER-MEMORY-MARKER[\s\S]*PROJECT-MEMORY-MARKER/)
  })

  it('costs no file operation when nothing is asked for', async () => {
    const none = () => assert.fail('a file was looked at')
    const files: ProjectFileAccess = { entries: none, lstat: none, open: none, realpath: none }
    const project = await test.load({ sources: [], files })
    assert.deepEqual(test.tidy({ ...project, outputStyles: project.outputStyles.length }), {
      instructions: [],
      commands: [],
      skills: [],
      agents: [],
      outputStyles: 3,
      plugins: [],
      problems: [],
    })
    assert.deepEqual(await project.nestedInstructions(join(test.root, 'a/b.ts')), { instructions: [], problems: [] })
    assert.equal(skillListing(project), '')
    assert.equal(instructionsText([]), '')
  })

  it('comes only from the sources that are named', async () => {
    await test.write({
      '~/.claude/CLAUDE.md': 'user',
      'CLAUDE.md': 'project',
      'CLAUDE.local.md': 'local',
      '~/.claude/commands/u.md': 'x',
      '.claude/commands/p.md': 'x',
    })
    const of = async (...sources: ('user' | 'project' | 'local')[]) => {
      const { instructions, commands } = await test.load({ sources })
      return [...instructions.map(({ text }) => text), ...commands.map(({ name }) => name)]
    }
    assert.deepEqual(await of('user'), ['user', 'u'])
    assert.deepEqual(await of('project'), ['project', 'p'])
    assert.deepEqual(await of('local'), ['local'])
  })

  it('has names that nothing else takes', async () => {
    await test.write({
      '.claude/commands/compact.md': 'shadow',
      '.claude/commands/both.md': 'command',
      '.claude/skills/both/SKILL.md': '---\ndescription: skill\n---\nx',
      '.claude/commands/dup.md': 'project',
      '~/.claude/commands/dup.md': 'user',
      '.claude/agents/a.md': '---\nname: twin\ndescription: project\n---\nx',
      '~/.claude/agents/a.md': '---\nname: twin\ndescription: user\n---\nx',
      '.claude/agents/b.md': '---\nname: twin\ndescription: second\n---\nx',
      '.claude/output-styles/default.md': 'Be odd.',
      '.claude/skills/one/SKILL.md': '---\nname: both\ndescription: says it is another\n---\nx',
      '.claude/skills/two/SKILL.md': '---\nname: three\ndescription: free\n---\nx',
    })
    const project = await test.load()
    assert.deepEqual(
      slashCommands(project, []).map(({ name, description }) => `${name}: ${description}`),
      ['both: skill (project)', 'one: says it is another (project)', 'three: free (project)', 'dup: user (user)'],
    )
    assert.deepEqual(
      project.agents.map(({ definition }) => definition.description),
      ['project'],
    )
    assert.deepEqual(test.tidy(project.problems).sort(), [
      '<project>/.claude/agents/b.md: is not used: the name twin is taken.',
      '<project>/.claude/commands/both.md: is not used: the name both is taken.',
      '<project>/.claude/commands/compact.md: is not used: the name compact is taken.',
      '<project>/.claude/output-styles/default.md: is not used: the name default is taken.',
    ])
    assert.equal(findCommandOrSkill(project, 'three')?.name, 'two')
    assert.equal(findCommandOrSkill(project, 'two')?.name, 'two')
    assert.equal(findCommandOrSkill(project, 'compact'), undefined)
  })

  it('comes from the working directory and the folders above it, up to the repository', async () => {
    await test.write({
      'sub/.claude/commands/near.md': 'x',
      '.claude/commands/far.md': 'x',
      '.claude/commands/near.md': 'far',
      '~/.claude/commands/own.md': 'x',
      'sub/.claude/agents/n.md': '---\nname: near\ndescription: d\n---\nx',
      '.claude/skills/s/SKILL.md': '---\ndescription: d\n---\nx',
    })
    const project = await test.load({ cwd: join(test.root, 'sub'), sources: ['project'] })
    assert.deepEqual(
      project.commands.map(({ name, path }) => test.tidy(`${name} ${path}`)),
      ['near <project>/sub/.claude/commands/near.md', 'far <project>/.claude/commands/far.md'],
    )
    assert.deepEqual([...skillNames(project), ...project.agents.map(({ name }) => name)], ['s', 'near'])
    assert.deepEqual(project.problems, [])
  })

  it('keeps the user folder the user’s, also when the home folder is the working directory', async () => {
    await test.write({ '~/.claude/commands/own.md': 'x', '~/.claude/CLAUDE.md': 'mine', '~/CLAUDE.md': 'home' })
    await mkdir(join(test.home, '.git'))
    const asProject = await test.load({ cwd: test.home, sources: ['project'] })
    assert.deepEqual([asProject.commands, asProject.instructions.map(({ text }) => text)], [[], ['home']])
    await test.write({ '~/../link': '-> home' })
    const throughLink = await test.load({ cwd: join(test.home, '../link'), sources: ['project'] })
    assert.deepEqual([throughLink.commands, throughLink.instructions.map(({ text }) => text)], [[], ['home']])
    const both = await test.load({ cwd: test.home })
    assert.deepEqual(
      both.commands.map(({ origin }) => origin),
      ['user'],
    )
    assert.deepEqual(
      both.instructions.map(({ text, kind }) => `${kind} ${text}`),
      ['User mine', 'Project home'],
    )
  })
})
