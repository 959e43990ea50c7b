/** `kedge completion`: real bash sources the script and completes by it. zsh and fish are run where they are installed. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { testOptions } from 'kedge/testing'
import { TOP_LEVEL_COMMANDS } from '../../src/protocol/command-table/all-commands.js'
import { FLAGS } from '../../src/protocol/option-table/flags.js'
import { sampledTest as test } from '../support/tier.js'
import { kedge, noTerminal, run } from './kedge.js'

const isMissing = (program: string) =>
  spawnSync(program, ['--version']).status === 0 ? undefined : `${program} is not installed here`

describe('kedge completion', () => {
  test('bash: flags, their values, commands and what follows them', async () => {
    await using options = testOptions({ env: () => ({}) })
    const { code, stdout: script } = await kedge(['completion', 'bash'], options)
    assert.equal(code, 0)
    writeFileSync(join(options.cwd, 'kedge.bash'), script)
    writeFileSync(join(options.cwd, 'servers.json'), '{}')
    const lines: [words: string[], expected: string[]][] = [
      [[''], TOP_LEVEL_COMMANDS.map(({ name }) => name)],
      [['do'], ['doctor']],
      [
        ['doctor', '--'],
        ['--offline', '--json', '--help'],
      ],
      [['mcp', 're'], ['remove']],
      [
        ['completion', ''],
        ['bash', 'zsh', 'fish'],
      ],
      [['--perm'], ['--permission-prompt-tool', '--permission-mode']],
      [['--permission-mode', 'ac'], ['acceptEdits']],
      [
        ['-p', 'x', '--output-format', '='],
        ['text', 'json', 'stream-json'],
      ],
      [['-p', 'x', '--output-format', '=', 'js'], ['json']],
      [['--mcp-config', 'ser'], ['servers.json']],
      [['--model', 'pr'], ['practice']],
      [['--max-turns', ''], []],
    ]
    const asked = lines.map(
      ([words]) =>
        `COMP_WORDS=(kedge ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _kedge; echo "\${COMPREPLY[*]}"`,
    )
    const { stdout, stderr } = await run('bash', ['--norc', '-c', ['. ./kedge.bash', ...asked].join('\n')], options)
    assert.equal(stderr, '')
    assert.deepEqual(
      stdout.split('\n').slice(0, -1),
      lines.map(([, expected]) => expected.join(' ')),
    )
    const every = `COMP_WORDS=(kedge -); COMP_CWORD=1; _kedge; echo "\${COMPREPLY[*]}"`
    const all = await run('bash', ['--norc', '-c', `. ./kedge.bash; ${every}`], options)
    const offered = new Set(all.stdout.trim().split(' '))
    for (const { name } of FLAGS) assert.ok(offered.has(`--${name}`), name)
  })

  test('bash: a person who types and presses tab', { skip: noTerminal }, async () => {
    await using options = testOptions({ env: () => ({}) })
    const { stdout: script } = await kedge(['completion', 'bash'], options)
    writeFileSync(join(options.cwd, 'kedge.bash'), script)
    const keys = '. ./kedge.bash; kedge() { echo "got: $*"; }\nkedge --permission-m\t acceptE\t\nexit\n'
    const place = { ...options, env: { ...options.env, TERM: 'dumb' } }
    const { stdout } = await run('script', ['-qec', 'bash --norc --noprofile -i', '/dev/null'], place, keys)
    assert.match(stdout, /^got: --permission-mode acceptEdits\r$/m)
  })

  for (const [shell, check] of [
    ['zsh', ['-n']],
    ['fish', ['--no-execute']],
  ] as const) {
    const skip = isMissing(shell) ?? false
    test(`${shell}: the script names every flag`, async () => {
      await using options = testOptions({ env: () => ({}) })
      const { code, stdout: script } = await kedge(['completion', shell], options)
      assert.equal(code, 0)
      for (const { name } of FLAGS) assert.ok(script.includes(shell === 'zsh' ? `--${name}` : `-l ${name}`), name)
    })

    test(`${shell} can read the script`, { skip }, async () => {
      await using options = testOptions({ env: () => ({}) })
      const { stdout: script } = await kedge(['completion', shell], options)
      const file = join(options.cwd, 'script')
      writeFileSync(file, script)
      assert.equal(spawnSync(shell, [...check, file]).status, 0)
    })
  }

  test('another shell is refused by name; a misspelt command is no prompt', async () => {
    await using options = testOptions({ env: () => ({}) })
    const refused = await kedge(['completion', 'tcsh'], options)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^error: SHELL must be bash, zsh or fish, got 'tcsh'\.\n/)
    const misspelt = await kedge(['docter'], options)
    assert.equal(misspelt.code, 1)
    assert.match(misspelt.stderr, /^error: unknown command 'docter'\n\(Did you mean kedge doctor\?/)
  })

  test('--help shows every flag for people once, and every command', async () => {
    await using options = testOptions({ env: () => ({}) })
    const { stdout } = await kedge(['--help'], options)
    for (const { name } of TOP_LEVEL_COMMANDS) assert.match(stdout, new RegExp(`^  ${name} `, 'm'))
    for (const { name, group } of FLAGS) {
      const shown = stdout.match(new RegExp(`^ +(-\\w, )?--${name}(?![\\w-])`, 'gm')) ?? []
      assert.equal(shown.length, group === undefined ? 0 : 1, name)
    }
  })
})
