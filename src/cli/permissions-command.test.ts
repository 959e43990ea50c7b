import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { permissionsCommand } from './permissions-command.js'
import { openTestTerminal, type TestTerminal } from './test-terminal.js'

let terminal: TestTerminal
beforeEach(() => {
  terminal = openTestTerminal()
})
afterEach(() => terminal.close())

const run = (...args: string[]) => terminal.hear(() => permissionsCommand(args))
const explain = async (tool: string, input: object, ...more: string[]) => {
  const { value, stdout, stderr } = await run('explain', '--tool', tool, '--input', JSON.stringify(input), ...more)
  assert.deepEqual([value, stderr], [0, ''])
  return stdout
}
const bash = (command: string, ...more: string[]) => explain('Bash', { command }, ...more)
/** The first word of the answer. */
const verdict = (text: string) => text.split(' ')[0]

describe('kedge permissions', () => {
  const wrong: [string[], RegExp][] = [
    [[], /^Usage: kedge permissions COMMAND\n/],
    [['list'], /^error: unknown command 'kedge permissions list'\. Commands: explain\.\n/],
    [['explain'], /^error: --tool NAME and --input JSON are needed\.\n/],
    [['explain', '--tool', 'Bash'], /^error: --tool NAME and --input JSON are needed\.\n/],
    [['explain', '--tool', 'Bash', '--input', 'ls'], /^error: --input isn't a JSON object: ls\n/],
    [['explain', '--tool', 'Bash', '--input', '[]'], /^error: --input isn't a JSON object: \[\]\n/],
    [['explain', '--tool', 'Bash', '--input', 'null'], /^error: --input isn't a JSON object: null\n/],
    [['explain', '--tool', 'Bash', '--input', '\u001b[2J'], /^error: --input isn't a JSON object: \\u\{1b\}\[2J\n/],
    [['explain', '--tol', 'Bash'], /^error: unknown option '--tol'\n\(Did you mean --tool\?\)\n/],
    [['explain', 'npm', 'test'], /^error: kedge permissions explain doesn't take 'npm'\.\n/],
    [['explain', '--mode', 'yolo'], /^error: Cannot set permission mode: must be one of acceptEdits, /],
    [['explain', '--mode', 'auto'], /^error: Cannot set permission mode to auto, which Kedge does not support/],
  ]
  for (const [args, problem] of wrong) {
    it(`refuses ${JSON.stringify(args)}`, async () => {
      const { value, stdout, stderr } = await run(...args)
      assert.deepEqual([value, stdout], [1, ''])
      assert.match(stderr, problem)
    })
  }

  it('says how it is used', async () => {
    for (const [args, usage] of [
      [['explain', '--help'], /^Usage: kedge permissions explain --tool/],
      [['--help'], /^Usage: kedge permissions COMMAND/],
      [['help', 'explain'], /^Usage: kedge permissions explain --tool/],
    ] as const) {
      const { value, stdout } = await run(...args)
      assert.equal(value, 0)
      assert.match(stdout, usage)
    }
  })

  it('shows no more than the beginning of an input it can not read', async () => {
    const { stderr } = await run('explain', '--tool', 'Bash', '--input', 'x'.repeat(1000))
    assert.match(stderr, /: x{200}\n/)
  })
})

describe('an explanation', () => {
  it('names the rule that decides, and where it comes from', async () => {
    assert.match(
      await bash('npm test', '--allow', 'Bash(npm test:*)'),
      /^allow {2}Bash\n.*\n {2}rule: Bash\(npm test:\*\)/,
    )
    assert.match(await bash('npm test', '--deny', 'Bash(npm:*)'), /^deny {2}Bash\n.*\n {2}rule: Bash\(npm:\*\)/)
    assert.equal(verdict(await bash('npm test', '--allow', 'Bash', '--ask', 'Bash(npm:*)')), 'ask')
    assert.equal(verdict(await bash('npm test')), 'ask')
  })

  it('has a line for each part of a command', async () => {
    const text = await bash('ls && rm x', '--deny', 'Bash(rm:*)')
    assert.equal(verdict(text), 'deny')
    const lines = text.split('\n').filter((line) => /^ {2}(?:ls|rm x) /.test(line))
    assert.equal(lines.length, 2, text)
    assert.match(lines[0] ?? '', /^ {2}ls {4}allow {2}/)
    assert.match(lines[1] ?? '', /^ {2}rm x {2}deny {3}/)
  })

  it('is JSON for programs', async () => {
    const found = JSON.parse(await bash('npm test', '--allow', 'Bash(npm test)', '--json'))
    assert.equal(found.behavior, 'allow')
    assert.equal(found.rule, 'Bash(npm test)')
  })

  it('counts with the mode', async () => {
    const input = { file_path: join(terminal.project, 'a'), content: '' }
    assert.equal(verdict(await explain('Write', input)), 'ask')
    assert.equal(verdict(await explain('Write', input, '--mode', 'acceptEdits')), 'allow')
    assert.equal(verdict(await explain('Write', input, '--mode', 'dontAsk')), 'deny')
    assert.equal(verdict(await explain('Write', input, '--mode', 'bypassPermissions')), 'allow')
  })

  it('counts with the settings of the user, unless they are left out', async () => {
    terminal.write('home/.claude/settings.json', { permissions: { deny: ['Bash(npm:*)'] } })
    assert.match(await bash('npm test', '--allow', 'Bash'), /^deny[\s\S]*\(userSettings\)/)
    assert.equal(verdict(await bash('npm test', '--allow', 'Bash', '--setting-sources', '')), 'allow')
  })

  it('takes from a folder that is not trusted only what narrows', async () => {
    terminal.write('project/.claude/settings.json', {
      permissions: { allow: ['Bash(npm test)'], deny: ['Bash(curl:*)'] },
    })
    const quiet = async (command: string, ...more: string[]) => {
      const input = JSON.stringify({ command })
      return verdict((await run('explain', '--tool', 'Bash', '--input', input, ...more)).stdout)
    }
    assert.deepEqual([await quiet('npm test'), await quiet('curl x')], ['ask', 'deny'])
    assert.deepEqual([await quiet('npm test', '--trust'), await quiet('curl x', '--trust')], ['allow', 'deny'])
  })

  it('is about another folder when it is told', async () => {
    const other = join(terminal.project, 'sub')
    mkdirSync(other)
    const input = { file_path: join(terminal.project, 'a'), content: '' }
    const accept = ['--mode', 'acceptEdits', '--cwd', 'sub']
    assert.equal(verdict(await explain('Write', input, ...accept)), 'ask')
    assert.equal(verdict(await explain('Write', input, ...accept, '--add-dir', terminal.project)), 'allow')
  })

  it('shows what can not be seen', async () => {
    const text = await bash('echo \u202e\n', '--json')
    assert.equal(JSON.parse(text).behavior.length > 0, true)
    const plain = await bash('echo a\u202eb && rm x', '--deny', 'Bash(rm:*)')
    assert.doesNotMatch(plain, /\u202e/)
    assert.match(plain, /\\u\{202e\}/)
  })

  it('is refused for what is no call', async () => {
    const { value, stderr } = await run('explain', '--tool', '', '--input', '{}')
    assert.equal(value, 1)
    assert.match(stderr, /^error: /)
    assert.doesNotMatch(stderr, /explainPermission: /)
  })
})
