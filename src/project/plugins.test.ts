// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of plugins
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { findCommandOrSkill } from './load-project.js'
import { skillNames, slashCommandNames } from './project-listing.js'
import { createTestProject, type TestProject } from './test-project.js'

describe('plugins', () => {
  let test: TestProject
  beforeEach(async () => {
    test = await createTestProject()
  })
  afterEach(() => test.dispose())

  const manifest = (fields: object) => JSON.stringify({ name: 'plug', ...fields })

  it('bring everything under their name, wherever it stands in them', async () => {
    await test.write({
      'p/.claude-plugin/plugin.json': manifest({
        version: '1.0.0',
        commands: ['./more', 'single.md'],
        agents: './extra/agent.md',
        skills: ['./one-skill'],
        outputStyles: './styles',
        hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'inline' }] }] },
        mcpServers: { inline: { command: '${CLAUDE_PLUGIN_ROOT}/server', args: ['${CLAUDE_PLUGIN_ROOT}', '$&'] } },
      }),
      'p/commands/usual.md': 'x',
      'p/commands/ns/deep.md': 'x',
      'p/more/other.md': 'x',
      'p/single.md': 'x',
      'p/skills/s/SKILL.md': '---\ndescription: d\n---\nx',
      'p/one-skill/SKILL.md': '---\ndescription: d\n---\nx',
      'p/agents/a.md': '---\nname: a\ndescription: d\n---\nx',
      'p/extra/agent.md': '---\nname: b\ndescription: d\n---\nx',
      'p/styles/st.md': 'Be odd.',
      'p/hooks/hooks.json': '{"description":"d","hooks":{"Stop":[]}}',
      'p/.mcp.json': '{"mcpServers":{"file":{"type":"http","url":"https://x.test"}}}',
    })
    const project = await test.load({ pluginDirs: ['./p'], sources: [] })
    assert.deepEqual(slashCommandNames(project, []), [
      ...['plug:ns:deep', 'plug:usual', 'plug:other', 'plug:single', 'plug:s', 'plug:one-skill'],
    ])
    assert.deepEqual(
      project.agents.map(({ name, origin }) => `${name} ${origin}`),
      ['plug:a plugin', 'plug:b plugin'],
    )
    assert.equal(project.outputStyles.at(-1)?.name, 'plug:st')
    assert.deepEqual(test.tidy(project.plugins), [
      {
        name: 'plug',
        path: '<project>/p',
        hooks: [
          { file: '<project>/p/hooks/hooks.json', value: { Stop: [] } },
          {
            file: '<project>/p/.claude-plugin/plugin.json',
            value: { PreToolUse: [{ hooks: [{ type: 'command', command: 'inline' }] }] },
          },
        ],
        mcpServers: {
          file: { type: 'http', url: 'https://x.test' },
          inline: { command: '<project>/p/server', args: ['<project>/p', '$&'] },
        },
      },
    ])
    assert.deepEqual(project.problems, [])
    const deep = findCommandOrSkill(project, 'plug:ns:deep')
    assert.deepEqual([deep?.pluginRoot, deep?.within], [join(test.root, 'p'), join(test.root, 'p')])
  })

  it('need no manifest, no trust and no source', async () => {
    await test.write({ 'bare/commands/c.md': 'x', ours: '-> bare' })
    const project = await test.load({ pluginDirs: [join(test.root, 'ours')], sources: [], isTrusted: () => false })
    assert.deepEqual(slashCommandNames(project, []), ['bare:c'])
    assert.deepEqual(test.tidy(project.plugins), [{ name: 'bare', path: '<project>/ours', hooks: [], mcpServers: {} }])
  })

  it('that can’t be used are told, and the others are', async () => {
    await test.write({
      file: 'x',
      'json/.claude-plugin/plugin.json': '{"name":',
      'list/.claude-plugin/plugin.json': '[]',
      'name/.claude-plugin/plugin.json': '{"name":"a b"}',
      'hooks/hooks/hooks.json': '{oops',
      'servers/.mcp.json': '[]',
      'twin/.claude-plugin/plugin.json': '{"name":"good"}',
      'good/commands/c.md': 'x',
    })
    const pluginDirs = ['nowhere', 'file', 'json', 'list', 'name', 'hooks', 'servers', 'good', 'twin']
    const project = await test.load({ pluginDirs })
    assert.deepEqual(slashCommandNames(project, []), ['good:c'])
    assert.deepEqual(test.tidy(project.problems).sort(), [
      '<project>/file: is no folder, so there is no plugin to load.',
      "<project>/hooks/hooks/hooks.json: isn't a JSON object, or nested too deeply. The plugin is not used.",
      "<project>/json/.claude-plugin/plugin.json: isn't a JSON object, or nested too deeply. The plugin is not used.",
      "<project>/list/.claude-plugin/plugin.json: isn't a JSON object, or nested too deeply. The plugin is not used.",
      "<project>/name: the plugin is not used: a name has letters, digits, '-', '_' and '.', and at most 64 characters.",
      '<project>/nowhere: is no folder, so there is no plugin to load.',
      "<project>/servers/.mcp.json: isn't a JSON object, or nested too deeply. The plugin is not used.",
      '<project>/twin: there is another plugin named good. This one is not used.',
    ])
  })

  it('stay inside their folder', async () => {
    await test.write({
      'p/.claude-plugin/plugin.json': manifest({
        commands: ['../outside', '/etc', 'a/../../outside', 5, './link', 'ok'],
        agents: { a: 'b' },
      }),
      'outside/x.md': 'x',
      'p/link': '-> ../outside',
      'p/ok/fine.md': 'x',
      'p/commands/out.md': '-> ../../outside/x.md',
      'p/skills': '-> ../outside',
    })
    const project = await test.load({ pluginDirs: ['p'] })
    assert.deepEqual([...slashCommandNames(project, []), ...skillNames(project)], ['plug:fine'])
    const file = '<project>/p/.claude-plugin/plugin.json'
    assert.deepEqual(
      test.tidy(project.problems).sort(),
      [
        ...Array(4).fill(`${file}: 'commands' has a path that does not stay in the plugin. It is not used.`),
        `${file}: 'agents' must be a path or a list of paths. It is not used.`,
        '<project>/p/commands/out.md: is a link that leads out of <project>/p. It is not used.',
        '<project>/p/link: is a link that leads out of <project>/p. It is not used.',
        '<project>/p/skills: is a link that leads out of <project>/p. It is not used.',
      ].sort(),
    )
  })

  it('whose hooks lead out of them are not used at all', async () => {
    await test.write({
      'p/hooks/hooks.json': '-> ../../elsewhere.json',
      'elsewhere.json': '{}',
      'p/commands/c.md': 'x',
    })
    const project = await test.load({ pluginDirs: ['p'] })
    assert.deepEqual([project.plugins, project.commands], [[], []])
  })

  it('keep their names to themselves', async () => {
    await test.write({
      'plug/commands/c.md': 'x',
      '.claude/commands/plug/d.md': 'pretends',
      '.claude/commands/plug.md': 'x',
    })
    const project = await test.load({ pluginDirs: ['plug'] })
    assert.deepEqual(slashCommandNames(project, []), ['plug', 'plug:c'])
    assert.deepEqual(test.tidy(project.problems), [
      '<project>/.claude/commands/plug/d.md: is not used: names that begin with plug: are those of the plugin plug.',
    ])
  })

  it('may not hold JSON of any depth', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    await test.write({ 'p/.mcp.json': `{"mcpServers":{"x":${deep}}}`, 'q/hooks/hooks.json': `{"hooks":${deep}}` })
    const { plugins, problems } = await test.load({ pluginDirs: ['p', 'q'] })
    assert.deepEqual([plugins.length, problems.length], [0, 2])
  })
})
