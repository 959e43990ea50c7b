import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { nodeFiles } from '../../platform/files/files.js'
import { claudeCodeRecordPath } from '../../settings/settings-paths.js'
import type { Configuration } from '../configuration.js'
import { findConfiguredServers } from './server-sources.js'

let home: string
let cwd: string
let warnings: string[]
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-sources-')))
  cwd = join(home, 'project')
  mkdirSync(cwd)
  warnings = []
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const server = (command: string) => ({ command })

/** `name: scope` of each, with the command it has. */
async function found(changes: object = {}, plugins: object[] = []): Promise<string[]> {
  const settings = {
    home,
    cwd,
    configDir: join(home, '.claude'),
    mcpServers: {},
    strictMcp: false,
    trusted: true,
    sources: ['user', 'project', 'local'],
    projectServers: { disabled: [] },
    ...changes,
  } as unknown as Configuration
  const entries = await findConfiguredServers(settings, { plugins } as never, { files: nodeFiles } as never, (text) =>
    warnings.push(text),
  )
  return entries.map(({ name, scope, value }) => `${name}: ${scope} ${(value as { command: string }).command}`)
}

function write(path: string, value: unknown): void {
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
}
const own = (value: unknown) => write(join(home, '.claude.json'), value)
const project = (value: unknown) => write(join(cwd, '.mcp.json'), value)

describe('where servers come from', () => {
  test('nowhere', async () => {
    assert.deepEqual(await found(), [])
    assert.deepEqual(warnings, [])
  })

  test('the nearer place outdoes the farther, name by name', async () => {
    own({
      mcpServers: { a: server('user'), b: server('user'), c: server('user'), d: server('user') },
      projects: { [cwd]: { mcpServers: { a: server('local'), b: server('local'), c: server('local') } } },
    })
    project({ mcpServers: { a: server('project'), b: server('project'), e: server('project') } })
    const mcpServers = { a: server('host') }
    assert.deepEqual(await found({ mcpServers }), [
      ...['a: dynamic host', 'b: local local', 'c: local local', 'e: project project', 'd: user user'],
    ])
  })

  test('those of plugins are named after them', async () => {
    own({ mcpServers: { x: server('user') } })
    const plugins = [{ name: 'kit', mcpServers: { x: server('plugin') } }]
    assert.deepEqual(await found({}, plugins), ['x: user user', 'plugin:kit:x: dynamic plugin'])
  })

  test('only what the host names, if it wants so', async () => {
    own({ mcpServers: { x: server('user') } })
    project({ mcpServers: { y: server('project') } })
    const plugins = [{ name: 'kit', mcpServers: { x: server('plugin') } }]
    assert.deepEqual(await found({ strictMcp: true, mcpServers: { z: server('host') } }, plugins), ['z: dynamic host'])
  })

  test('only from the sources that were asked for', async () => {
    own({ mcpServers: { u: server('user') }, projects: { [cwd]: { mcpServers: { l: server('local') } } } })
    project({ mcpServers: { p: server('project') } })
    assert.deepEqual(await found({ sources: ['user'] }), ['u: user user'])
    assert.deepEqual(await found({ sources: ['local'] }), ['l: local local'])
    assert.deepEqual(await found({ sources: ['project'] }), ['p: project project'])
    assert.deepEqual(await found({ sources: [] }), [])
  })

  test('nothing of a folder that is not trusted', async () => {
    project({ mcpServers: { p: server('project') } })
    assert.deepEqual(await found({ trusted: false }), [])
  })

  test('of the project those that are enabled, and none that is disabled', async () => {
    project({ mcpServers: { a: server('x'), b: server('x'), c: server('x') } })
    const names = async (projectServers: object) => (await found({ projectServers })).map((line) => line[0])
    assert.deepEqual(await names({ disabled: [] }), ['a', 'b', 'c'])
    assert.deepEqual(await names({ disabled: ['b'] }), ['a', 'c'])
    assert.deepEqual(await names({ disabled: ['b'], enabled: ['a', 'b'] }), ['a'])
    assert.deepEqual(await names({ disabled: [], enabled: [] }), [])
  })

  test('another folder of settings has a file of its own', async () => {
    const configDir = join(home, 'elsewhere')
    assert.equal(claudeCodeRecordPath({ configDir, home }), join(configDir, '.claude.json'))
    assert.equal(claudeCodeRecordPath({ configDir: join(home, '.claude'), home }), join(home, '.claude.json'))
    mkdirSync(configDir)
    own({ mcpServers: { a: server('home') } })
    write(join(configDir, '.claude.json'), { mcpServers: { a: server('elsewhere') } })
    assert.deepEqual(await found({ configDir }), ['a: user elsewhere'])
  })
})

describe('files that can not be used', () => {
  const rows: [what: string, content: string, why: RegExp][] = [
    ['no JSON', '{"mcpServers": {', /JSON/],
    ['a list', '[]', /it holds no JSON object/],
    ['nothing', '', /./],
  ]
  for (const [what, content, why] of rows) {
    test(`${what}: a warning, and the others count`, async () => {
      own({ mcpServers: { a: server('user') } })
      project(content)
      assert.deepEqual(await found(), ['a: user user'])
      assert.equal(warnings.length, 1)
      assert.match(warnings[0] ?? '', /^Warning: .*\.mcp\.json: its MCP servers are not used: .*\n$/)
      assert.match(warnings[0] ?? '', why)
    })
  }

  test('a folder of that name, and a file that is too large', async () => {
    mkdirSync(join(cwd, '.mcp.json'))
    assert.deepEqual(await found(), [])
    rmSync(join(cwd, '.mcp.json'), { recursive: true })
    project(JSON.stringify({ mcpServers: {}, filler: 'x'.repeat(4 * 1024 * 1024) }))
    assert.deepEqual(await found(), [])
    assert.equal(warnings.length, 2)
    assert.match(warnings[1] ?? '', /(?:no plain|not a regular|a regular) file, or (?:is )?too large/)
  })

  test('servers that are none, and keys that every object has', async () => {
    project({ mcpServers: ['a'] })
    assert.deepEqual(await found(), [])
    own('{"projects": {"__proto__": {"mcpServers": {"x": {}}}}}')
    assert.deepEqual(await found({ cwd: '__proto__x' }), [])
    project('\ufeff{"mcpServers": {"a": {"command": "marked"}}}')
    assert.deepEqual(await found(), ['a: project marked'])
    assert.deepEqual(warnings, [])
  })
})
