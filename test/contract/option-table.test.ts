/** A row in the option table is all that an option needs: a made-up one goes through everything that reads the table. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { COMPLETION_SCRIPT_WRITERS } from '../../src/cli/completion.js'
import { helpText } from '../../src/cli/help.js'
import { PRINT_AND_PROMPT_FLAGS } from '../../src/protocol/option-table/ask-flags.js'
import { checkOptions } from '../../src/protocol/option-table/check-options.js'
import type { Flag, FlagRowsOfOptions, FlagTheme } from '../../src/protocol/option-table/flag-row.js'
import { FLAGS, listFlags } from '../../src/protocol/option-table/flags.js'
import { MODEL_FLAGS } from '../../src/protocol/option-table/model-flags.js'
import { checkChoice, checkWholeNumber } from '../../src/protocol/option-table/option-checks.js'
import type { UNFLAGGED_OPTIONS } from '../../src/protocol/option-table/option-list.js'
import type { OptionRow } from '../../src/protocol/option-table/option-row.js'
import { IGNORED_AND_REFUSED_FLAGS } from '../../src/protocol/option-table/other-flags.js'
import { createFlagReader, flagsBySpelling, parseArgv } from '../../src/protocol/option-table/parse-argv.js'
import { PERMISSION_FLAGS } from '../../src/protocol/option-table/permission-flags.js'
import { readStartSettings } from '../../src/protocol/option-table/read-start-settings.js'
import { SESSION_FLAGS } from '../../src/protocol/option-table/session-flags.js'
import { toArgv } from '../../src/protocol/option-table/to-argv.js'
import type { Options } from '../../src/protocol/options.js'

type MadeUp = { maxPatience?: unknown; mood?: unknown; notes?: unknown }

/** Options that are made up: the compiler would want them in `Options`. */
const asOptions = (options: MadeUp) => options as Options
const asRow = (...row: readonly [keyof MadeUp, string, string, object?]) => row as unknown as OptionRow

const rows: readonly OptionRow[] = [
  asRow('maxPatience', 'max-patience', 'number', { check: checkWholeNumber }),
  asRow('mood', 'mood', 'text', { choices: ['calm', 'brisk'], check: checkChoice }),
  asRow('notes', 'note', 'repeat'),
]
const flags: Flag[] = listFlags({
  'max-patience': {
    kind: 'number',
    value: 'SECONDS',
    setting: 'patienceMs',
    decode: (seconds: number) => seconds * 1000,
    absent: null,
    group: 'ask',
    since: 'kedge',
    help: 'How long it stays friendly.',
  },
  mood: {
    kind: 'text',
    choices: ['calm', 'brisk'],
    value: 'MOOD',
    setting: 'mood',
    absent: 'calm',
    secret: true,
    group: 'trouble',
    help: 'How it speaks.',
  },
  note: { kind: 'repeat', value: 'TEXT', setting: 'notes', help: 'For hosts.' },
})

function settingsOf(argv: readonly string[]): unknown {
  const parsed = parseArgv(argv, flagsBySpelling([...FLAGS, ...flags]))
  assert.ok(parsed.ok, parsed.ok ? '' : parsed.message)
  return readStartSettings(createFlagReader(parsed.values), { resolve: (path) => path }, flags)
}

test('a row is enough: sent, read, and part of the settings a session starts with', () => {
  const argv = toArgv(asOptions({ maxPatience: 3, mood: 'brisk', notes: ['a', 'b'] }), rows)
  assert.deepEqual(argv.slice(5), ['--max-patience', '3', '--mood', 'brisk', '--note', 'a', '--note', 'b'])
  assert.deepEqual(settingsOf(argv), { patienceMs: 3000, mood: 'brisk', notes: ['a', 'b'] })
  assert.deepEqual(settingsOf([]), { patienceMs: null, mood: 'calm', notes: [] })
})

test('a row is enough: wrong values are refused by the host and by the agent, secret ones without being shown', () => {
  const refuse = (options: MadeUp) => () => checkOptions(asOptions(options), rows)
  assert.throws(refuse({ maxPatience: 0 }), { message: 'maxPatience must be a whole number above 0.' })
  assert.throws(refuse({ mood: 'x' }), { option: 'mood', message: "mood must be 'calm' or 'brisk', not 'x'." })
  assert.doesNotThrow(refuse({ mood: 'calm', maxPatience: 1 }))
  const parse = (...argv: string[]) => parseArgv(argv, flagsBySpelling(flags))
  assert.deepEqual(parse('--mod', 'calm'), {
    ok: false,
    message: "error: unknown option '--mod'\n(Did you mean --mood?)",
  })
  assert.deepEqual(parse('--mood', 'sour'), {
    ok: false,
    message: "error: option '--mood <MOOD>' argument '…' is invalid. Allowed choices are calm, brisk.",
  })
  assert.deepEqual(parse('--max-patience', 'much'), {
    ok: false,
    message: "error: option '--max-patience <SECONDS>' needs a number, not 'much'",
  })
})

test('a row is enough: --help in its group, completion of every shell', () => {
  const help = helpText([...FLAGS, ...flags])
  assert.match(
    help,
    /\nPrompt and output options:\n(?: .*\n)* {2}--max-patience SECONDS +How long it stays friendly\.\n\n/,
  )
  assert.match(help, /\nHelp and debugging options:\n(?: .*\n)* {2}--mood MOOD +How it speaks\.\n/)
  assert.doesNotMatch(help, /--note/)
  assert.match(COMPLETION_SCRIPT_WRITERS['bash']?.(flags) ?? '', /--mood\) COMPREPLY=\(\$\(compgen -W 'calm brisk'/)
  assert.match(COMPLETION_SCRIPT_WRITERS['zsh']?.(flags) ?? '', /'--mood=\[How it speaks\.\]:MOOD:\(calm brisk\)'/)
  assert.match(COMPLETION_SCRIPT_WRITERS['fish']?.(flags) ?? '', /-l note -x -d 'For hosts\.'/)
})

test('a row is enough: npm run docs writes what a page on compatibility lacks, and nothing twice', async () => {
  const { addMissingRows, tableNames } = await import(pathToFileURL(join(process.cwd(), 'scripts', 'docs.mjs')).href)
  const page = '# C\n\n## Flags\n\nText.\n\n| name | state |\n|---|---|\n| `--a` | works |\n\n## Next\n'
  const names = {
    Flags: [
      { name: '--a', state: 'works', note: '' },
      { name: '--mood', state: 'works', note: 'Ours.' },
    ],
  }
  const complete = addMissingRows(page, names)
  const row = '| `--mood` | works | Ours. | TODO: `file` › name of its test |'
  assert.equal(complete, page.replace('| `--a` | works |\n', `| \`--a\` | works |\n${row}\n`))
  assert.equal(addMissingRows(complete, names), complete)
  assert.deepEqual(
    (await tableNames()).Flags.map(({ name }: { name: string }) => name),
    FLAGS.map(({ name }) => `--${name}`),
  )
})

test('no flag is in two themes, and no setting is made by two flags', () => {
  const themes = [PRINT_AND_PROMPT_FLAGS, MODEL_FLAGS, PERMISSION_FLAGS, SESSION_FLAGS, IGNORED_AND_REFUSED_FLAGS]
  assert.equal(themes.flatMap((theme) => Object.keys(theme)).length, FLAGS.length)
  const settings = FLAGS.flatMap(({ setting }) => setting ?? [])
  assert.deepEqual(settings, [...new Set(settings)])
  assert.equal(
    flagsBySpelling(FLAGS).size,
    FLAGS.flatMap(({ short, aliases = [] }) => [1, ...aliases, ...(short ?? '')]).length,
  )
})

// What the compiler does not let through; `npm run check` sees that each of these is an error.
test('a mistake in the table is an error of the compiler', () => {
  const theme = {
    // @ts-expect-error: no such setting
    'max-turns': { kind: 'number', setting: 'maxTurnips', absent: null, help: '' },
    // @ts-expect-error: the setting holds a number, the flag gives a text
    model: { kind: 'text', setting: 'maxTurns', absent: null, help: '' },
    // @ts-expect-error: another kind than hosts send
    effort: { kind: 'number', setting: 'effort', help: '' },
    // @ts-expect-error: nobody says what it is without the flag
    'max-tokens': { kind: 'number', setting: 'maxTokens', help: '' },
    // @ts-expect-error: other choices than the host checks
    'on-turn-end': { kind: 'text', choices: ['wait'], setting: 'onTurnEnd', absent: 'wait', help: '' },
    // @ts-expect-error: credentials that are not said to be any
    settings: { kind: 'text', setting: 'settingsFlag', help: '' },
    // @ts-expect-error: nobody reads it
    continue: { kind: 'switch', help: '' },
  } as const satisfies FlagTheme
  // @ts-expect-error: flags of options without a row
  const rows: FlagRowsOfOptions = { ...PRINT_AND_PROMPT_FLAGS, ...MODEL_FLAGS, ...PERMISSION_FLAGS }
  type Needed = Record<Exclude<keyof (Options & { newOption?: string }), 'model'>, object>
  // @ts-expect-error: an option that nothing is said of
  const options: Pick<Needed, 'newOption' | keyof typeof UNFLAGGED_OPTIONS> = {} as typeof UNFLAGGED_OPTIONS
  assert.ok(theme && rows && options)
})
