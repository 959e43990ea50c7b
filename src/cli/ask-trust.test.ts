import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { createFlagReader, parseArgv } from '../protocol/option-table/parse-argv.js'
import { askForTrustFlag } from './ask-trust.js'
import { openTestTerminal, type TestTerminal } from './test-terminal.js'

let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())

const trust = (typed?: string, ...argv: string[]) => {
  const parsed = parseArgv(argv)
  assert.ok(parsed.ok)
  return terminal.hear(() => askForTrustFlag(createFlagReader(parsed.values)), typed)
}
const hooks = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'x' }] }] } }
const bring = () => terminal.write('project/.claude/settings.json', hooks)
const silent = (value: string[]) => ({ value, stdout: '', stderr: '' })

describe('trust in a folder', () => {
  it('is not asked for where it brings nothing', async () => {
    assert.deepEqual(await trust('y\n'), silent([]))
    terminal.write('project/README.md', 'hello')
    assert.deepEqual(await trust('y\n'), silent([]))
  })

  it('is not asked for where the flags say it, or leave its settings out', async () => {
    bring()
    assert.deepEqual(await trust('y\n', '--trust'), silent([]))
    assert.deepEqual(await trust('y\n', '--setting-sources', 'user'), silent([]))
    assert.deepEqual(await trust('y\n', '--setting-sources', ''), silent([]))
  })

  it('is missing where nobody can be asked, which is said in one line', async () => {
    bring()
    const { value, stderr } = await trust()
    assert.deepEqual(value, [])
    assert.match(
      stderr,
      /^Not used, because this folder is not trusted: .*\. Its deny and ask rules and its texts for the model are used\. .*\n$/,
    )
    assert.equal(stderr.split('\n').length, 2)
  })

  it('is asked for neither in a build nor where a program drives', async () => {
    bring()
    const driven = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    assert.match((await trust('y\n', ...driven)).stderr, /^Not used/)
    process.env.CI = '1'
    assert.match((await trust('y\n')).stderr, /^Not used/)
    // Neither yes nor no: better not ask.
    process.env.CI = 'github'
    assert.match((await trust('y\n')).stderr, /^Not used/)
    process.env.CI = 'false'
    assert.match((await trust('n\n')).stderr, /^This folder contains/)
  })

  for (const yes of ['y\n', 'Y\n', ' yes \n', 'YES']) {
    it(`is given with ${JSON.stringify(yes)}, and remembered`, async () => {
      bring()
      const first = await trust(yes)
      assert.deepEqual(first.value, ['--trust'])
      assert.match(first.stderr, /^This folder contains files that can run commands and instruct the agent:\n {2}/)
      assert.ok(first.stderr.endsWith(`Do you trust the files in ${terminal.project} and below? [y/N] `))
      assert.deepEqual(await trust(), silent(['--trust']))
    })
  }

  for (const no of ['', '\n', 'n\n', 'yep\n', 'y y\n', 'no, yes\n']) {
    it(`is not given with ${JSON.stringify(no)}, and asked for again`, async () => {
      bring()
      assert.deepEqual((await trust(no)).value, [])
      assert.equal(existsSync(join(terminal.home, '.claude', 'kedge-trust.json')), false)
      assert.match((await trust(no)).stderr, /^This folder contains/)
    })
  }

  it('in the home folder itself lasts for one run', async () => {
    terminal.write('home/CLAUDE.md', 'be kind')
    process.chdir(terminal.home)
    const { value, stderr } = await trust('y\n')
    assert.deepEqual(value, ['--trust'])
    assert.match(stderr, /Trusted for this run only: Kedge doesn.t store trust for a home folder/)
    terminal.write('home/.mcp.json', '{}')
    assert.match((await trust()).stderr, /^Not used, because this folder is not trusted: \.mcp\.json/)
  })

  it('is not missed by texts alone, and names what of other files is not used', async () => {
    terminal.write('project/CLAUDE.md', 'be kind')
    terminal.write('project/.claude/commands/plain.md', 'only text')
    assert.deepEqual(await trust(), silent([]))
    terminal.write('project/.claude/commands/go.md', '---\nmodel: opus\n---\nGo. !`ls`')
    terminal.write('project/.claude/agents/a.md', '---\nname: a\ndescription: d\nmcpServers: [x]\n---\nx')
    const { stderr } = await trust()
    const files = '.claude/commands/go.md (model, commands in its text), .claude/agents/a.md (mcpServers)'
    assert.ok(stderr.startsWith(`Not used, because this folder is not trusted: ${files}. `), stderr)
    assert.match((await trust('n\n')).stderr, /^This folder contains[\s\S]* {2}CLAUDE\.md\n/)
  })

  it('is given by a yes in Claude Code', async () => {
    bring()
    const projects = { [terminal.project]: { hasTrustDialogAccepted: true } }
    writeFileSync(join(terminal.home, '.claude.json'), JSON.stringify({ projects }), { mode: 0o600 })
    assert.deepEqual(await trust(), silent(['--trust']))
  })
})
