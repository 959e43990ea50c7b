import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodePlatform } from '../../platform/node-platform.js'
import { openTestTerminal, type TestTerminal } from '../test-terminal.js'
import { checkMcpServerFiles } from './config-files.js'
import { checkSettingsFiles, type DoctorTarget } from './settings-check.js'

let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())

const platform = nodePlatform()
const place = (more: Partial<DoctorTarget> = {}): DoctorTarget => ({
  cwd: terminal.project,
  home: terminal.home,
  configDir: `${terminal.home}/.claude`,
  env: {},
  trusted: true,
  ...more,
})

describe('settings files', () => {
  const check = (more?: Partial<DoctorTarget>) => checkSettingsFiles(place(more), platform)

  it('that are not there are not spoken of', async () => {
    assert.deepEqual(
      (await check()).filter(({ file }) => file?.startsWith(terminal.home)),
      [],
    )
  })

  it('that are right are named', async () => {
    const user = terminal.write('home/.claude/settings.json', '{}')
    const local = terminal.write('project/.claude/settings.local.json', '{"permissions":{"allow":["Read"]}}')
    const found = await check()
    for (const text of [user, local])
      assert.ok(found.some((one) => one.check === 'settings' && one.state === 'ok' && one.text === text))
  })

  it('with a mistake that stops sessions fail, with the place of it', async () => {
    const path = terminal.write('home/.claude/settings.json', '{\n  "permissions": {\n    "deny": "Bash"\n  }\n}\n')
    const [wrong, ...more] = (await check()).filter(({ file }) => file === path)
    assert.deepEqual(more, [])
    assert.equal(wrong?.state, 'fail')
    assert.equal(wrong?.line, 3)
    assert.equal(wrong?.key, 'permissions.deny')
    assert.equal(wrong?.fix, 'correct it; until then no session starts here')
    assert.ok(!(await check()).some(({ text }) => text === path), 'it is not right as well')
  })

  it('with something unknown are a warning, without a fix', async () => {
    const path = terminal.write('project/.claude/settings.json', '{"color": "red"}')
    const [wrong] = (await check()).filter(({ file }) => file === path)
    assert.equal(wrong?.state, 'warn')
    assert.equal(wrong && 'fix' in wrong, false)
  })
})

describe('files of MCP servers', () => {
  const check = (more?: Partial<DoctorTarget>) => checkMcpServerFiles(place(more), platform)

  it('that are not there are not spoken of', async () => assert.deepEqual(await check(), []))

  it('that are right are named', async () => {
    const project = terminal.write('project/.mcp.json', { mcpServers: { a: { command: 'x' } } })
    const own = terminal.write('home/.claude.json', { numStartups: 3 })
    assert.deepEqual(await check(), [
      { check: 'mcp', state: 'ok', text: project },
      { check: 'mcp', state: 'ok', text: own },
    ])
  })

  it('name the server that is wrong, and the place', async () => {
    const file = terminal.write(
      'project/.mcp.json',
      '{\n  "mcpServers": {\n    "good": {"command": "x"},\n    "bad": {"url": "https://x"}\n  }\n}',
    )
    assert.deepEqual(await check(), [
      {
        check: 'mcp',
        state: 'warn',
        file,
        line: 4,
        key: 'mcpServers.bad',
        text: `${file}:4:5: the server bad: a server with \`url\` needs \`type\`: "http" or "sse"`,
        fix: 'correct or remove it; `kedge mcp test bad` tries it',
      },
    ])
  })

  it('of the user are looked at for all projects', async () => {
    const file = terminal.write('home/.claude.json', {
      mcpServers: { one: 7 },
      projects: { '/home/ada/project': { mcpServers: { two: {} } }, odd: 7 },
    })
    assert.deepEqual(
      (await check()).map(({ key, file: at }) => [key, at]),
      [
        ['mcpServers.one', file],
        ['mcpServers.two', file],
      ],
    )
  })

  it('miss variables of the environment', async () => {
    terminal.write('project/.mcp.json', { mcpServers: { a: { command: `\${TOOL}` } } })
    assert.match((await check())[0]?.text ?? '', /needs the environment variable TOOL/)
    assert.equal((await check({ env: { TOOL: 'x' } }))[0]?.state, 'ok')
  })

  const broken: [string, RegExp][] = [
    ['', /:1:1: not valid JSON: /],
    ['{"mcpServers": {,}}', /:1:17: not valid JSON: /],
    ['{"mcpServers": {}, }', /:1:\d+: not valid JSON: /],
    ['{\n  // why\n}', /:2:3: not valid JSON: /],
  ]
  for (const [content, problem] of broken) {
    it(`that are no JSON fail: ${JSON.stringify(content)}`, async () => {
      const file = terminal.write('project/.mcp.json', content)
      const [found, ...more] = await check()
      assert.deepEqual(more, [])
      assert.deepEqual([found?.state, found?.file], ['fail', file])
      assert.match(found?.text ?? '', problem)
      assert.equal(found?.fix, 'correct it; until then none of its servers are used')
    })
  }

  it('with a name that garbles a terminal do not', async () => {
    terminal.write('project/.mcp.json', { mcpServers: { 'a\u001b[2J': 7 } })
    assert.doesNotMatch(JSON.stringify(await check()), /\\u001b/)
  })
})
