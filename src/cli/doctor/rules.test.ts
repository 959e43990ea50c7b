import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nodePlatform } from '../../platform/node-platform.js'
import { checkPermissionRules } from './rules.js'

type Settings = Parameters<typeof checkPermissionRules>[0]
type Layer = Settings['layers'][number]

const platform = nodePlatform()
/** Findings for layers of rules; a layer without a source is the user's. */
const check = (...layers: Partial<Layer>[]) => {
  const cwd = '/home/ada/project'
  const settings = {
    cwd,
    home: '/home/ada',
    configDir: '/home/ada/.claude',
    mode: 'default',
    allowBypass: false,
    allow: [],
    deny: [],
    additionalDirectories: [],
    tools: undefined,
    sandbox: undefined,
    layers: layers.map((layer) => ({ source: 'userSettings', root: cwd, ...layer })),
  }
  // What is not here is not looked at for rules.
  return checkPermissionRules(settings as unknown as Settings, platform)
}
const texts = async (...layers: Partial<Layer>[]) => (await check(...layers)).map(({ text }) => text)

describe('permission rules', () => {
  it('that do not meet are counted', async () => {
    assert.deepEqual(await check(), [{ check: 'permissions', state: 'ok', text: 'no rules, mode default' }])
    const layers = [
      { allow: ['Read', 'Bash(npm test)'] },
      { source: 'projectSettings', deny: ['Bash(curl:*)'] } as const,
    ]
    assert.deepEqual(await texts(...layers), ['3 rules, mode default'])
  })

  it('that never count are named with what comes first', async () => {
    const found = await check({ allow: ['Bash(npm test:*)'] }, { source: 'projectSettings', deny: ['Bash(npm:*)'] })
    assert.deepEqual(found, [
      {
        check: 'permissions',
        state: 'warn',
        fix: 'remove one of the two',
        text: 'the allow rule Bash(npm test:*) (userSettings) never applies: the deny rule Bash(npm:*) (projectSettings) comes first',
      },
    ])
  })

  const dead: [string, Partial<Layer>][] = [
    ['of a file', { allow: ['Read(/secrets/**)'], deny: ['Read(/secrets/**)'] }],
    ['of a file by an absolute path', { allow: ['Edit(//etc/hosts)'], deny: ['Edit(//etc/*)'] }],
    ['of a domain', { allow: ['WebFetch(domain:x.example)'], deny: ['WebFetch'] }],
    ['of a tool as a whole', { allow: ['Bash'], deny: ['Bash'] }],
    ['of an MCP tool', { allow: ['mcp__web__get'], deny: ['mcp__web'] }],
    ['that asks', { ask: ['Bash(npm:*)'], deny: ['Bash(npm:*)'] }],
    ['that allows what is asked about', { allow: ['Bash(git push:*)'], ask: ['Bash(git:*)'] }],
  ]
  for (const [name, layer] of dead) {
    it(`${name} never count beside their opposite`, async () => {
      const found = await texts(layer)
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0] ?? '', /never applies/)
    })
  }

  const alive: [string, Partial<Layer>][] = [
    ['narrower than what denies', { allow: ['Bash(npm:*)'], deny: ['Bash(npm publish:*)'] }],
    ['below the folder of their file', { allow: ['Read(/etc/**)'], deny: ['Read(//etc/**)'] }],
    ['of another tool', { allow: ['Read(/a)'], deny: ['Edit(/b)'] }],
    ['of a kind that is not looked at', { allow: ['SlashCommand(/x)', 'not a rule ('], deny: ['Bash'] }],
    ['that ask for what is allowed', { ask: ['Bash(npm:*)'], allow: ['Bash'] }],
  ]
  for (const [name, layer] of alive) {
    it(`${name} count`, async () => assert.doesNotMatch((await texts(layer)).join('\n'), /never applies/))
  }
})
