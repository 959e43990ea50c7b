import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { skillListing, skillNames, slashCommandNames } from './project-listing.js'
import { createTestProject, type TestProject } from './test-project.js'

describe('files that describe', () => {
  let test: TestProject
  beforeEach(async () => {
    test = await createTestProject()
  })
  afterEach(() => test.dispose())

  it('commands', async () => {
    await test.write({
      '.claude/commands/full.md':
        '---\ndescription: Does it\nargument-hint: [a] [b]\nallowed-tools: [Read, "Bash(ls:*)"]\nmodel: haiku\ndisable-model-invocation: true\nother: 1\n---\nBody\n',
      '.claude/commands/team/deep/plain.md': '\n\n## First *line*\n\nmore\n',
      '.claude/commands/notes.txt': 'no command',
      '.claude/commands/.hidden.md': 'no command',
    })
    const { commands, problems } = await test.load({ sources: ['project'] })
    assert.deepEqual(test.tidy(commands), [
      {
        name: 'full',
        shownName: 'full',
        path: '<project>/.claude/commands/full.md',
        origin: 'project',
        description: 'Does it',
        argumentHint: '[a] [b]',
        within: '<project>',
        allowedTools: ['Read', 'Bash(ls:*)'],
        model: 'haiku',
        disableModelInvocation: true,
      },
      {
        name: 'team:deep:plain',
        shownName: 'team:deep:plain',
        path: '<project>/.claude/commands/team/deep/plain.md',
        origin: 'project',
        description: 'First *line*',
        argumentHint: '',
        within: '<project>',
      },
    ])
    assert.deepEqual(problems, [])
  })

  it('commands that are wrong, and lose nothing else', async () => {
    await test.write({
      '.claude/commands/good.md': 'x',
      '.claude/commands/yaml.md': '---\noops\n---\nx',
      '.claude/commands/tools.md': '---\nallowed-tools: {a: b}\n---\nx',
      '.claude/commands/flag.md': '---\ndisable-model-invocation: perhaps\n---\nx',
      '.claude/commands/hooks.md': '---\nhooks:\n  Stop:\n    - hooks: []\n---\nx',
      '.claude/commands/we ird.md': 'x',
      '.claude/commands/colon:x.md': 'x',
      '.claude/commands/rev\u202eersed.md': 'x',
      [`.claude/commands/${'x'.repeat(65)}.md`]: 'x',
      '.claude/commands/binary.md': '\xff\0',
    })
    const project = await test.load()
    assert.deepEqual(slashCommandNames(project, []), ['good', 'hooks'])
    const rule = "a name has letters, digits, '-', '_' and '.', and at most 64 characters."
    assert.deepEqual(test.tidy(project.problems).sort(), [
      '<project>/.claude/commands/binary.md: is not UTF-8 text. It is not used.',
      `<project>/.claude/commands/colon:x.md: is not used: ${rule}`,
      "<project>/.claude/commands/flag.md:2: 'disable-model-invocation' must be true or false. The file is not used.",
      `<project>/.claude/commands/rev\ufffdersed.md: is not used: ${rule}`,
      "<project>/.claude/commands/tools.md:2: 'allowed-tools' must be a list, or names divided by commas. The file is not used.",
      `<project>/.claude/commands/we ird.md: is not used: ${rule}`,
      `<project>/.claude/commands/${'x'.repeat(65)}.md: is not used: ${rule}`,
      "<project>/.claude/commands/yaml.md:2: is no 'key: value'; put text with several lines behind 'key: |' and indent it. The file is not used.",
    ])
  })

  it('skills', async () => {
    await test.write({
      '.claude/skills/full/SKILL.md':
        '---\nname: nice-name\ndescription: >\n  Does\n  it\nallowed-tools: Read\nuser-invocable: false\n---\nBody\n',
      '.claude/skills/full/scripts/run.md': 'no skill',
      '.claude/skills/quiet/SKILL.md': '---\ndescription: By hand\ndisable-model-invocation: true\n---\nx',
      '.claude/skills/plain/SKILL.md': 'Only text\n',
      '.claude/skills/odd-name/SKILL.md': '---\nname: "a b"\ndescription: d\n---\nx',
      '.claude/skills/empty/readme.md': 'x',
      '.claude/skills/loose.md': 'x',
      '.claude/skills/linked': '-> ../../shared/linked',
      'shared/linked/SKILL.md': '---\ndescription: Linked\n---\nx',
      '.claude/skills/out': '-> ../../../outside',
      '~/outside/SKILL.md': '---\ndescription: Outside\n---\nx',
    })
    const project = await test.load({ sources: ['project'] })
    assert.deepEqual(test.tidy(project.skills[0]), {
      name: 'full',
      shownName: 'nice-name',
      path: '<project>/.claude/skills/full/SKILL.md',
      origin: 'project',
      description: 'Does it',
      argumentHint: '',
      within: '<project>',
      allowedTools: ['Read'],
      folder: '<project>/.claude/skills/full',
      userInvocable: false,
    })
    assert.deepEqual(skillNames(project), ['full', 'linked', 'odd-name', 'plain', 'quiet'])
    assert.deepEqual(slashCommandNames(project, []), ['linked', 'odd-name', 'plain', 'quiet'])
    assert.deepEqual(skillListing(project).split('\n').slice(2), [
      '- full: Does it',
      '- linked: Linked',
      '- odd-name: d',
    ])
    assert.deepEqual(test.tidy(project.problems).sort(), [
      "<project>/.claude/skills/odd-name/SKILL.md: 'name' is not used: a name has letters, digits, '-', '_' and '.', and at most 64 characters.",
      '<project>/.claude/skills/out/SKILL.md: is a link that leads out of <project>. It is not used.',
      "<project>/.claude/skills/plain/SKILL.md: has no 'description', so the model is not told of it; only /name runs it.",
    ])
  })

  it('agents', async () => {
    await test.write({
      '.claude/agents/full.md': `---
name: Code Reviewer
description: "Use it when: code changes.\\nExample: x"
tools: Read, Grep
disallowedTools: [Bash]
model: opus
permissionMode: plan
mcpServers:
  - github
  - own: {command: npx, args: [-y]}
skills: pdf, docx
maxTurns: 5
background: true
effort: high
initialPrompt: Begin.
color: red
---

You review.
`,
      '.claude/agents/team/small.md': '---\nname: small\ndescription: Small\ntools: "*"\n---\nx',
      '.claude/agents/README.md': '# Our agents\n',
    })
    const { agents, problems } = await test.load()
    assert.deepEqual(test.tidy(agents), [
      {
        name: 'Code Reviewer',
        path: '<project>/.claude/agents/full.md',
        origin: 'project',
        definition: {
          description: 'Use it when: code changes.\nExample: x',
          prompt: 'You review.',
          tools: ['Read', 'Grep'],
          disallowedTools: ['Bash'],
          model: 'opus',
          mcpServers: ['github', { own: { command: 'npx', args: ['-y'] } }],
          skills: ['pdf', 'docx'],
          maxTurns: 5,
          background: true,
          effort: 'high',
          initialPrompt: 'Begin.',
          permissionMode: 'plan',
        },
      },
      {
        name: 'small',
        path: '<project>/.claude/agents/team/small.md',
        origin: 'project',
        definition: { description: 'Small', prompt: 'x' },
      },
    ])
    assert.deepEqual(problems, [])
  })

  it('agents that are wrong, or want more than they may', async () => {
    const agent = (fields: string) => `---\nname: x\ndescription: d\n${fields}\n---\np`
    await test.write({
      '.claude/agents/a.md': '---\ndescription: no name\n---\nx',
      '.claude/agents/b.md': '---\nname: no-description\n---\nx',
      '.claude/agents/c.md': agent('tools: {a: b}'),
      '.claude/agents/d.md': agent('permissionMode: auto'),
      '.claude/agents/e.md': agent('mcpServers: 5'),
      '.claude/agents/f.md': agent('maxTurns: many'),
      '.claude/agents/g.md': agent('permissionMode: bypassPermissions\neffort: xhigh'),
      '~/.claude/agents/own.md': '---\nname: own\ndescription: d\npermissionMode: acceptEdits\n---\np',
    })
    const { agents, problems } = await test.load()
    assert.deepEqual(
      agents.map(({ name, definition }) => ({ name, mode: definition.permissionMode })),
      [
        { name: 'own', mode: 'acceptEdits' },
        { name: 'x', mode: undefined },
      ],
    )
    assert.deepEqual(
      test
        .tidy(problems)
        .sort()
        .map((line) => line.replace('<project>/.claude/agents/', '')),
      [
        "a.md: 'name' is missing or can't be used: a name has letters, digits, '-', '_' and '.', and at most 64 characters. The file is not used.",
        "b.md: 'description' is missing. The file is not used.",
        "c.md:4: 'tools' must be a list, or names divided by commas. The file is not used.",
        "d.md:4: 'permissionMode' must be one of default, acceptEdits, plan, bypassPermissions, dontAsk, delegate. The file is not used.",
        "e.md:4: 'mcpServers' must be a list of names, or of maps with a name and its server. The file is not used.",
        "f.md:4: 'maxTurns' must be a whole number above 0. The file is not used.",
        'g.md: effort is not used: it is one of low, medium, high, max.',
        'g.md: permissionMode bypassPermissions is not used: only your own agents may have it.',
      ],
    )
  })

  it('output styles', async () => {
    await test.write({
      '.claude/output-styles/terse.md':
        '---\nname: Very Terse\ndescription: Short\nkeep-coding-instructions: true\n---\n\nBe terse.\n',
      '.claude/output-styles/plain.md': 'Be plain.',
      '.claude/output-styles/bad.md': '---\nkeep-coding-instructions: 5\n---\nx',
      '~/.claude/output-styles/plain.md': 'Be plain at home.',
    })
    const { outputStyles, problems } = await test.load()
    assert.deepEqual(test.tidy(outputStyles.slice(3)), [
      {
        name: 'plain',
        description: '',
        prompt: 'Be plain.',
        keepCodingInstructions: false,
        path: '<project>/.claude/output-styles/plain.md',
      },
      {
        name: 'Very Terse',
        description: 'Short',
        prompt: 'Be terse.',
        keepCodingInstructions: true,
        path: '<project>/.claude/output-styles/terse.md',
      },
    ])
    assert.deepEqual(test.tidy(problems), [
      "<project>/.claude/output-styles/bad.md:2: 'keep-coding-instructions' must be true or false. The file is not used.",
    ])
  })
})
