import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import type { Flag } from './flag-row.js'
import { createFlagReader, flagsBySpelling, parseArgv, splitFlagList } from './parse-argv.js'

const FLAGS: Flag[] = [
  { name: 'verbose', kind: 'switch', help: 'says more' },
  { name: 'model', kind: 'text', value: 'MODEL', help: 'which one' },
  { name: 'mode', kind: 'text', value: 'MODE', choices: ['fast', 'slow'], unsupported: ['auto'], help: 'how' },
  { name: 'token', kind: 'number', value: 'N', secret: true, help: 'a secret' },
  { name: 'budget', kind: 'number', value: 'USD', help: 'how much' },
  { name: 'tools', kind: 'list', value: 'RULES', several: true, aliases: ['toolset'], help: 'which tools' },
  { name: 'add-dir', kind: 'repeat', several: true, value: 'DIR', help: 'a folder' },
  { name: 'budgets', kind: 'number', several: true, value: 'USD', help: 'how much' },
  { name: 'old', kind: 'text', value: 'X', refused: 'it is gone', help: 'Refused.' },
  { name: 'resume', kind: 'text', value: 'ID', short: 'r', optional: true, help: 'goes on' },
  { name: 'debug', kind: 'text', value: 'FILTER', optional: true, pattern: /^[a-z]+$/, help: 'Small letters.' },
]
const spellings = flagsBySpelling(FLAGS)
const parse = (...argv: string[]) => {
  const parsed = parseArgv(argv, spellings)
  if (!parsed.ok) return parsed.message
  const { switches, text, repeated, rest } = parsed.values
  return {
    ...(switches.size > 0 ? { switches: [...switches] } : {}),
    ...(text.size > 0 ? { text: Object.fromEntries(text) } : {}),
    ...(repeated.size > 0 ? { repeated: Object.fromEntries(repeated) } : {}),
    ...(rest.length > 0 ? { rest } : {}),
  }
}

describe('a command line', () => {
  const cases: [string[], object | string][] = [
    [[], {}],
    [['--verbose'], { switches: ['verbose'] }],
    [['--model', 'opus'], { text: { model: 'opus' } }],
    [['--model=opus'], { text: { model: 'opus' } }],
    [['--model='], { text: { model: '' } }],
    [['--model', ''], { text: { model: '' } }],
    [['--model', 'a=b'], { text: { model: 'a=b' } }],
    [['--model=a=b'], { text: { model: 'a=b' } }],
    [['--model', 'one', '--model', 'two'], { text: { model: 'two' } }],
    [['--model', '-x'], { text: { model: '-x' } }],
    [['--model=--verbose'], { text: { model: '--verbose' } }],
    [['--tools', 'Read', '--toolset=Edit'], { text: { tools: 'Read,Edit' } }],
    [['--add-dir', 'a', '--add-dir=b'], { repeated: { 'add-dir': ['a', 'b'] } }],
    [['hello', '-', 'world'], { rest: ['hello', '-', 'world'] }],
    [['--verbose', '--', '--model', '--', 'x'], { switches: ['verbose'], rest: ['--model', '--', 'x'] }],
    [['--budget', '0.5'], { text: { budget: '0.5' } }],
    [['--mode', 'slow'], { text: { mode: 'slow' } }],
    // Flags that may stand alone.
    [['-r'], { switches: ['resume'] }],
    [['--resume', 'abc'], { text: { resume: 'abc' } }],
    [['-r', 'abc'], { text: { resume: 'abc' } }],
    [['-r', '--verbose'], { switches: ['resume', 'verbose'] }],
    [['--resume', '--', 'x'], { switches: ['resume'], rest: ['x'] }],
    [['--resume='], { text: { resume: '' } }],
    [['--debug', 'api'], { text: { debug: 'api' } }],
    [['--debug', 'What is this?'], { switches: ['debug'], rest: ['What is this?'] }],
    // Mistakes.
    [['--verbose=yes'], "error: option '--verbose' takes no value"],
    [['--model'], "error: option '--model <MODEL>' argument missing"],
    [['--model', '--verbose'], "error: option '--model <MODEL>' argument missing"],
    [['--model', '-r'], "error: option '--model <MODEL>' argument missing"],
    [['--debug=API'], "error: option '--debug <FILTER>' argument 'API' is invalid. Small letters."],
    [['--budget', 'much'], "error: option '--budget <USD>' needs a number, not 'much'"],
    [['--budget', '-1'], "error: option '--budget <USD>' needs a number, not '-1'"],
    [['--budget', ' '], "error: option '--budget <USD>' needs a number, not ' '"],
    [['--budget', 'Infinity'], "error: option '--budget <USD>' needs a number, not 'Infinity'"],
    [['--token', 'hunter2'], "error: option '--token <N>' needs a number, not '…'"],
    [['--mode', 'odd'], "error: option '--mode <MODE>' argument 'odd' is invalid. Allowed choices are fast, slow."],
    [
      ['--mode', 'auto'],
      "error: option '--mode <MODE>' argument 'auto' is not supported by Kedge. Allowed choices are fast, slow.",
    ],
    [['--modle', 'x'], "error: unknown option '--modle'\n(Did you mean --model?)"],
    [['--verbos'], "error: unknown option '--verbos'\n(Did you mean --verbose?)"],
    [['--verbosely=1'], "error: unknown option '--verbosely'\n(Did you mean --verbose?)"],
    [['--completely-different'], "error: unknown option '--completely-different'"],
    [['-x'], "error: unknown option '-x'"],
    [['-r=x'], "error: unknown option '-r=x'"],
    // All words up to the next flag.
    [
      ['--tools', 'Read', 'Bash(npm test)', '--verbose', 'x'],
      { switches: ['verbose'], text: { tools: 'Read,Bash(npm test)' }, rest: ['x'] },
    ],
    [['--tools', 'Read', 'Edit', '--', 'x'], { text: { tools: 'Read,Edit' }, rest: ['x'] }],
    [['--tools=Read', 'x'], { text: { tools: 'Read' }, rest: ['x'] }],
    [['--tools', '', 'x'], { text: { tools: ',x' } }],
    [['--add-dir', 'a', 'b', '-', '-r'], { switches: ['resume'], repeated: { 'add-dir': ['a', 'b', '-'] } }],
    [['--budgets', '1', 'much'], "error: option '--budgets <USD>' needs a number, not 'much'"],
    [['--old', 'x'], "error: option '--old' is not supported by Kedge: it is gone"],
    [['--model', 'opus', 'Read'], { text: { model: 'opus' }, rest: ['Read'] }],
  ]
  for (const [argv, expected] of cases) {
    it(argv.map((word) => JSON.stringify(word)).join(' ') || 'of nothing', () =>
      assert.deepEqual(parse(...argv), expected),
    )
  }

  it('gives back all words that are no flags, in their order', () => {
    const word = fc.string({ maxLength: 8 }).filter((text) => !text.startsWith('-'))
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const parsed = parseArgv(words, spellings)
        assert.ok(parsed.ok)
        assert.deepEqual(parsed.values.rest, words)
      }),
    )
  })

  it('gives back any value behind an equals sign', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        assert.deepEqual(parse(`--model=${value}`), { text: { model: value } })
      }),
    )
  })
})

describe('values of flags', () => {
  const read = (...argv: string[]) => {
    const parsed = parseArgv(argv, spellings)
    assert.ok(parsed.ok)
    const flags = createFlagReader(parsed.values)
    return Object.fromEntries(FLAGS.map((flag) => [flag.name, flags.value(flag)]))
  }

  it('are what their kind makes of them', () => {
    const given = read(
      '--verbose',
      '--model',
      'm',
      '--budget',
      '1e1',
      '--tools',
      'A,B',
      '--add-dir',
      'x',
      '--resume',
      'i',
    )
    assert.deepEqual(given, {
      verbose: true,
      model: 'm',
      mode: undefined,
      token: undefined,
      budget: 10,
      tools: ['A', 'B'],
      'add-dir': ['x'],
      resume: 'i',
      debug: undefined,
      budgets: undefined,
      old: undefined,
    })
  })

  it('that are not there are off, empty or undefined', () => {
    assert.deepEqual(read(), {
      verbose: false,
      model: undefined,
      mode: undefined,
      token: undefined,
      budget: undefined,
      tools: [],
      'add-dir': [],
      resume: undefined,
      debug: undefined,
      budgets: undefined,
      old: undefined,
    })
  })

  it('are read by the names of our own table', () => {
    const parsed = parseArgv(['-p', 'hello', '--max-turns', '3', '--allowedTools', '', '--add-dir', 'x'])
    assert.ok(parsed.ok)
    const flags = createFlagReader(parsed.values)
    assert.deepEqual([flags.has('print'), flags.has('verbose')], [true, false])
    assert.deepEqual([flags.number('max-turns'), flags.number('max-budget-usd')], [3, undefined])
    assert.deepEqual([flags.list('allowedTools'), flags.list('disallowedTools')], [[], undefined])
    assert.deepEqual([flags.repeated('add-dir'), flags.text('model'), flags.rest], [['x'], undefined, ['hello']])
    assert.deepEqual([flags.eaters(), flags.idle()], [['allowedTools', 'add-dir'], []])
  })

  it('tells of flags that do nothing', () => {
    const idle = (...argv: string[]) => {
      const parsed = parseArgv(argv)
      assert.ok(parsed.ok)
      return createFlagReader(parsed.values).idle()
    }
    const said = idle('--ide', '--no-chrome', '--chrome', '-w')
    assert.equal(said.length, 2)
    assert.match(said.join('\n'), /^--chrome has no effect: .*\n--worktree has no effect: /)
    assert.match(idle('--worktree', 'topic').join(), /^--worktree /)
  })
})

describe('a list', () => {
  const cases: [string, string[]][] = [
    ['', []],
    ['Read', ['Read']],
    ['Read,Edit', ['Read', 'Edit']],
    ['Read, Edit  Write', ['Read', 'Edit', 'Write']],
    [',,Read,', ['Read']],
    ['Bash(git log a,b),Read', ['Bash(git log a,b)', 'Read']],
    ['Bash(echo (a, b), c) Read', ['Bash(echo (a, b), c)', 'Read']],
    ['a),b', ['a)', 'b']],
    ['Bash(never closed, Read', ['Bash(never closed, Read']],
  ]
  for (const [value, items] of cases) it(JSON.stringify(value), () => assert.deepEqual(splitFlagList(value), items))

  it('of rules that were joined is those rules', () => {
    const word = fc.stringMatching(/^[A-Za-z]{1,6}$/)
    const rule = fc.oneof(
      word,
      fc.tuple(word, fc.stringMatching(/^[a-z ,:*]{0,10}$/)).map(([name, inner]) => `${name}(${inner})`),
    )
    fc.assert(
      fc.property(fc.array(rule), fc.constantFrom(',', ' ', ', '), (rules, separator) => {
        assert.deepEqual(splitFlagList(rules.join(separator)), rules)
      }),
    )
  })
})
