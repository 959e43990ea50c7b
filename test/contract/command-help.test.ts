/** `--help` of every command: one format, 80 columns, and pages that exist. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { testOptions } from 'kedge/testing'
import { helpCommand, helpText } from '../../src/cli/help.js'
import { commandHelp } from '../../src/platform/command-line/help-page.js'
import { CLI_COMMANDS_WITH_SUBCOMMANDS, TOP_LEVEL_COMMANDS } from '../../src/protocol/command-table/all-commands.js'
import { allFlagsOf, type Command, withSubcommands } from '../../src/protocol/command-table/command-row.js'
import { kedge } from '../first-hour/kedge.js'
import { root } from '../support/stage.js'
import { rowsInPart } from '../support/tier.js'

/** Without the path of the page, which is as long as it is. */
const tooLong = (help: string) =>
  help
    .replace(/^Docs: .*$/m, '')
    .split('\n')
    .filter((line) => [...line].length > 80)

describe('--help', () => {
  for (const command of CLI_COMMANDS_WITH_SUBCOMMANDS) {
    test(`kedge ${command.name}: usage, what it does, options, examples, page, in this order`, () => {
      const help = commandHelp(command)
      const places = ['Usage: kedge ', `\n\n${command.about.slice(0, 20)}`, '\n\nExamples:\n', '\n\nDocs: '].map(
        (part) => help.indexOf(part),
      )
      assert.ok(!places.includes(-1), `${places}`)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
      assert.deepEqual(tooLong(help), [])
      assert.ok(existsSync(join(root, 'docs', `${command.page}.md`)), command.page)
      assert.ok(help.includes(command.commands ? '\n\nCommands:\n' : '\n\nOptions:\n'))
    })
  }

  test('texts for lists are imperative fragments of at most 60 characters; sentences are sentences', () => {
    const odd = (command: Command) => [
      ...(command.help.length > 60 || !/^[a-z].*[^.]$/.test(command.help) ? [command.help] : []),
      ...(/^[A-Z`].*\.$/.test(command.about) ? [] : [command.about]),
      ...(command.flags ?? []).flatMap(({ help }) => (/^[A-Z].*|\.$/.test(help) ? [help] : [])),
    ]
    assert.deepEqual(CLI_COMMANDS_WITH_SUBCOMMANDS.flatMap(odd), [])
  })

  test('a flag takes a value or not, whichever command below the same one has it', () => {
    for (const top of TOP_LEVEL_COMMANDS)
      for (const { name, kind } of allFlagsOf(top))
        for (const command of withSubcommands(top)) {
          const same = command.flags?.find((flag) => flag.name === name)
          assert.equal((same?.kind ?? kind) === 'switch', kind === 'switch', `${command.name} --${name}`)
        }
  })

  test('kedge --help has 80 columns', () => assert.deepEqual(tooLong(helpText()), []))

  test('`kedge X --help` and `kedge help X` are the same, and end with 0', async () => {
    await using options = testOptions({ env: () => ({}) })
    const commands = CLI_COMMANDS_WITH_SUBCOMMANDS.filter(({ name }) => name !== 'help')
    const waiting = rowsInPart(commands, ({ name }) => `help of ${name}`)
    const check = async ({ name }: Command) => {
      const words = name.split(' ')
      const { code, stdout, stderr } = await kedge([...words, '--help'], options)
      assert.deepEqual([code, stderr], [0, ''], name)
      const { text, isHelp } = helpCommand(words)
      assert.ok(isHelp)
      assert.equal(stdout.replace(/^Docs: .*$/m, ''), text.replace(/^Docs: .*$/m, ''), name)
      assert.match(stdout, /^Docs: \/.*\.md$/m)
    }
    const workers = Array.from({ length: 4 }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await check(next)
    })
    await Promise.all(workers)
  })
})

describe('kedge help', () => {
  const help = (...words: string[]) => helpCommand(words)

  test('alone is `kedge --help`', () => assert.deepEqual(help(), { text: helpText(), isHelp: true }))

  for (const [words, problem] of [
    [['sevre'], /^error: unknown command 'kedge sevre'\.\n\(Did you mean kedge serve\?\)\n/],
    [['mcp', 'lst'], /^error: unknown command 'kedge mcp lst'\.\n\(Did you mean kedge mcp list\?\)\n/],
    [['mcp', 'frobnicate'], /^error: unknown command 'kedge mcp frobnicate'\. Commands: add, add-json, /],
    [['serve', 'more'], /^error: /],
    [['config'], /^error: Kedge has no command 'config'\. Settings are in /],
  ] as const)
    test(`${words.join(' ')} is refused`, () => {
      const { text, isHelp } = help(...words)
      assert.equal(isHelp, false)
      assert.match(text, problem)
    })
})

test('an unknown flag or argument of any command is an error that names it', async () => {
  await using options = testOptions({ env: () => ({}) })
  const wrong: [string[], RegExp][] = [
    [['serve', '--prot', '1'], /unknown option '--prot'\n\(Did you mean --port\?\)/],
    [['serve', '--port', '99999'], /--port must be between 0 and 65535, got 99999\./],
    [['update', 'now'], /kedge update doesn't take 'now'\./],
    [['doctor', 'everything'], /kedge doctor doesn't take 'everything'\./],
    [['worker', 'one'], /kedge worker doesn't take 'one'\./],
    [['acp', 'zed'], /kedge acp doesn't take 'zed'\./],
    [['attach', 'http://127.0.0.1:1', 'more'], /kedge attach doesn't take 'more'\./],
    [['attach', '--tokne', 'x'], /unknown option '--tokne'\n\(Did you mean --token\?\)/],
    [['eval', 'diff', 'a', 'b', 'c'], /kedge eval diff doesn't take 'c'\./],
    [['eval', 'list', '--model', 'practice'], /unknown option '--model'/],
    [['migrate', '.', 'more'], /kedge migrate doesn't take 'more'\./],
    [['admin', '--tenant', 'acme', 'tenant', 'acme'], /kedge admin tenant doesn't take 'acme'\./],
    [['mcp', 'list', 'files'], /kedge mcp list doesn't take 'files'\./],
    [['permissions'], /^Usage: kedge permissions COMMAND/],
  ]
  for (const [args, problem] of rowsInPart(wrong)) {
    const { code, stdout, stderr } = await kedge(args, options)
    assert.ok(code === 1 || code === 2, `${args}: ${code}`)
    assert.deepEqual([stdout, problem.test(stderr)], ['', true], `${args}: ${stderr}`)
  }
})
