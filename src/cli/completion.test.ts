import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { TOP_LEVEL_COMMANDS } from '../protocol/command-table/all-commands.js'
import type { Flag } from '../protocol/option-table/flag-row.js'
import { COMPLETION_SCRIPT_WRITERS, completionCommand } from './completion.js'
import { openTestTerminal, type TestTerminal } from './test-terminal.js'

const flags: Flag[] = [
  { name: 'quiet', kind: 'switch', short: 'q', help: "says nothing (it's quiet)" },
  { name: 'model', kind: 'text', value: 'MODEL', help: 'which one' },
  { name: 'mode', kind: 'text', value: 'MODE', choices: ['fast', 'slow'], help: 'how: [fast] or slow' },
  { name: 'add-dir', kind: 'repeat', value: 'DIR', help: 'another folder' },
  { name: 'settings', kind: 'text', value: 'JSON', help: 'of a file' },
  { name: 'tools', kind: 'list', value: 'RULES', aliases: ['toolset'], help: 'which tools' },
  { name: 'resume', kind: 'text', value: 'ID', optional: true, short: 'r', help: 'back\\slash' },
]
const script = (shell: string) => COMPLETION_SCRIPT_WRITERS[shell]?.(flags) ?? ''
const lineWith = (text: string, part: string) => {
  const lines = text.split('\n').filter((line) => line.includes(part))
  assert.equal(lines.length, 1, `${part}: ${lines.join('\n')}`)
  return lines[0]?.trim()
}

describe('completion for bash', () => {
  const bash = script('bash')

  it('offers the values of a flag, by all its names', () => {
    assert.equal(lineWith(bash, '--mode)'), `--mode) COMPREPLY=($(compgen -W 'fast slow' -- "$cur")); return ;;`)
    assert.equal(lineWith(bash, '--add-dir)'), '--add-dir) COMPREPLY=($(compgen -d -- "$cur")); return ;;')
    assert.equal(lineWith(bash, '--settings)'), '--settings) COMPREPLY=($(compgen -f -- "$cur")); return ;;')
    assert.equal(lineWith(bash, '--toolset)'), '--tools|--toolset) :; return ;;')
    assert.equal(lineWith(bash, '--resume)'), '-r|--resume) :; return ;;')
    assert.match(lineWith(bash, '--model)') ?? '', /-W 'sonnet opus haiku practice claude-/)
  })

  it('offers nothing after a switch', () => assert.doesNotMatch(bash, /--quiet\)/))

  it('offers all flags and all commands', () => {
    assert.ok(bash.includes("'-q --quiet --model --mode --add-dir --settings --tools --toolset -r --resume'"))
    assert.ok(bash.includes(`'${TOP_LEVEL_COMMANDS.map(({ name }) => name).join(' ')}'`))
  })

  it('offers what a command takes', () => {
    const line = lineWith(bash, ' mcp) ') ?? lineWith(bash, 'mcp) ')
    assert.match(
      line ?? '',
      /-W '--scope --transport .*' .*-W 'add add-json search import list get remove test login logout status serve'/,
    )
  })
})

describe('completion for zsh', () => {
  const zsh = script('zsh')

  it('describes flags with their values', () => {
    assert.equal(lineWith(zsh, '--mode='), "'--mode=[how\\: \\[fast\\] or slow]:MODE:(fast slow)' \\")
    assert.equal(lineWith(zsh, '--add-dir='), "'*--add-dir=[another folder]:DIR:_files -/' \\")
    assert.equal(lineWith(zsh, '--settings='), "'--settings=[of a file]:JSON:_files' \\")
    assert.equal(lineWith(zsh, '--toolset='), "'*--toolset=[which tools]:RULES: ' \\")
    assert.equal(lineWith(zsh, '--resume='), "'--resume=[back\\\\slash]::ID: ' \\")
    assert.equal(lineWith(zsh, "'-r["), "'-r[back\\\\slash]::ID: ' \\")
  })

  it('lets no quote of a text end the word', () => {
    assert.equal(lineWith(zsh, '--quiet'), "'--quiet[says nothing (it'\\''s quiet)]' \\")
  })

  it('describes commands', () => {
    for (const { name } of TOP_LEVEL_COMMANDS) assert.match(zsh, new RegExp(`^ {4}'${name}:`, 'm'))
    assert.match(zsh, /^ {4}completion\) compadd -- bash zsh fish --help; return ;;$/m)
    assert.ok(zsh.startsWith('#compdef kedge\n'))
  })
})

describe('completion for fish', () => {
  const fish = script('fish')

  it('has a line for each flag', () => {
    assert.equal(lineWith(fish, '-l mode '), "complete -c kedge -l mode -x -a 'fast slow' -d 'how: [fast] or slow'")
    assert.equal(
      lineWith(fish, '-l add-dir'),
      "complete -c kedge -l add-dir -x -a '(__fish_complete_directories)' -d 'another folder'",
    )
    assert.equal(lineWith(fish, '-l settings'), "complete -c kedge -l settings -r -F -d 'of a file'")
    assert.equal(lineWith(fish, '-l tools'), "complete -c kedge -l tools -l toolset -x -d 'which tools'")
    assert.equal(lineWith(fish, '-l resume'), "complete -c kedge -s r -l resume -x -d 'back\\\\slash'")
    assert.equal(lineWith(fish, '-l quiet'), "complete -c kedge -s q -l quiet -d 'says nothing (it\\'s quiet)'")
  })

  it('has the commands and what follows each', () => {
    assert.match(fish, /^complete -c kedge -n __fish_use_subcommand -a doctor -d '/m)
    assert.ok(
      fish.includes("complete -c kedge -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish --help'\n"),
      'words of a command',
    )
  })
})

describe('kedge completion', () => {
  let terminal: TestTerminal
  beforeEach(() => {
    terminal = openTestTerminal()
  })
  afterEach(() => terminal.close())
  const run = (...args: string[]) => terminal.hear(() => completionCommand(args))

  it('prints the script of a shell', async () => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      const { value, stdout, stderr } = await run(shell)
      assert.deepEqual([value, stderr], [0, ''])
      assert.match(stdout, new RegExp(`Completion of kedge for ${shell}`))
      assert.match(stdout, /permission-mode/)
    }
  })

  it('names the shells if none or another one is given', async () => {
    for (const args of [[], ['tcsh'], ['bash', 'zsh'], ['toString']]) {
      const { value, stdout, stderr } = await run(...args)
      assert.deepEqual([value, stdout], [1, ''])
      assert.match(
        stderr,
        /^error: kedge completion (?:needs SHELL: bash, zsh or fish|doesn't take 'zsh')\.\n|^error: SHELL must be bash, zsh or fish, got '\w+'\.\n/,
      )
    }
  })

  it('says how it is used', async () => {
    const { value, stdout } = await run('-h')
    assert.equal(value, 0)
    assert.match(stdout, /^Usage: kedge completion SHELL/)
  })
})
