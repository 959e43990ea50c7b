import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { readMcpServerArguments } from './mcp-arguments.js'

const add = (...args: string[]) => readMcpServerArguments(args, 'add')
const addJson = (...args: string[]) => readMcpServerArguments(args, 'add-json')
const problemOf = (read: ReturnType<typeof add>) => ('text' in read ? read.text : 'none')

describe('kedge mcp add', () => {
  const good: [string, string[], object][] = [
    ['a program', ['files', 'npx'], { config: { type: 'stdio', command: 'npx', args: [] } }],
    [
      'a program with arguments that look like ours',
      ['files', 'npx', '-y', '--scope', 'user', 'x'],
      { config: { type: 'stdio', command: 'npx', args: ['-y', '--scope', 'user', 'x'] } },
    ],
    [
      'a program behind --',
      ['files', '--', 'npx', '-y', '--', 'x'],
      { config: { type: 'stdio', command: 'npx', args: ['-y', '--', 'x'] } },
    ],
    [
      'options before and after the name',
      ['-s', 'user', 'files', '--timeout', '5000', '-e', 'A=1', '--env', 'B=x=y', '-e', 'C=', 'npx'],
      {
        scope: 'user',
        config: { type: 'stdio', command: 'npx', args: [], env: { A: '1', B: 'x=y', C: '' }, timeout: 5000 },
      },
    ],
    [
      'options with an equals sign',
      ['--scope=project', '--env=A=b=c', 'files', 'npx'],
      { scope: 'project', config: { type: 'stdio', command: 'npx', args: [], env: { A: 'b=c' } } },
    ],
    ['an address', ['web', 'https://x.example/mcp'], { config: { type: 'http', url: 'https://x.example/mcp' } }],
    ['an address in capitals', ['web', 'HTTP://x.example'], { config: { type: 'http', url: 'HTTP://x.example' } }],
    [
      'an address with headers',
      ['-t', 'sse', '-H', 'Authorization: Bearer a:b', '--header', 'X-A:  1 ', 'web', 'https://x.example/'],
      {
        config: {
          type: 'sse',
          url: 'https://x.example/',
          headers: { Authorization: 'Bearer a:b', 'X-A': '1' },
        },
      },
    ],
    ['a single dash as the program', ['files', '-'], { config: { type: 'stdio', command: '-', args: [] } }],
    [
      'what looks like a program, by its transport',
      ['-t', 'http', 'web', 'https://x/'],
      { config: { type: 'http', url: 'https://x/' } },
    ],
  ]
  for (const [name, args, expected] of good) {
    it(`takes ${name}`, () => {
      const named = args.includes('web') ? 'web' : 'files'
      assert.deepEqual(add(...args), { name: named, scope: 'local', ...expected })
    })
  }

  it('takes variables, which are put in later', () => {
    assert.deepEqual(add('-H', `K: \${KEY}`, 'web', `https://\${HOST}/x`), {
      name: 'web',
      scope: 'local',
      config: { type: 'http', url: `https://\${HOST}/x`, headers: { K: `\${KEY}` } },
    })
  })

  it('takes a variable of any name', () => {
    const read = add('-e', '__proto__=x', 'files', 'npx')
    assert.ok('config' in read)
    assert.equal(JSON.stringify(read.config['env']), '{"__proto__":"x"}')
  })

  const bad: [string[], RegExp][] = [
    [[], /kedge mcp add needs NAME: /],
    [['files'], /kedge mcp add needs COMMAND: the program with its arguments, or a URL\./],
    [['files', '--'], /kedge mcp add needs COMMAND/],
    [['fi les', 'npx'], /NAME can have letters/],
    [['x'.repeat(65), 'npx'], /at most 64/],
    [['--verbose', 'files', 'npx'], /unknown option '--verbose'\n\(Put -- before a command with options of its own\)/],
    [['-x', 'files', 'npx'], /unknown option '-x'/],
    [['-s=user', 'files', 'npx'], /unknown option '-s=user'/],
    [['files', '--scope'], /option '--scope <SCOPE>' argument missing/],
    [['files', '-e'], /option '--env <NAME=VALUE>' argument missing/],
    [['--scope', 'global', 'files', 'npx'], /argument 'global' is invalid. Allowed choices are local, project, user\./],
    [['--env', 'NAME', 'files', 'npx'], /^error: --env must be NAME=VALUE\.\n/],
    [['--env', '=x', 'files', 'npx'], /^error: --env must be NAME=VALUE\.\n/],
    [['--header', 'secret', 'web', 'https://x/'], /^error: --header must be 'NAME: VALUE'\.\n/],
    [['--header', ' : x', 'web', 'https://x/'], /^error: --header must be 'NAME: VALUE'\.\n/],
    [['--timeout', '999', 'files', 'npx'], /--timeout must be between 1000 and 2147483647, got 999\./],
    [['--timeout', '1000.5', 'files', 'npx'], /--timeout must be between/],
    [['--timeout', 'soon', 'files', 'npx'], /--timeout must be between/],
    [['-H', 'A: b', 'files', 'npx'], /--header needs a URL: a program gets variables with --env\./],
    [['-e', 'A=b', 'web', 'https://x/'], /--env needs a program: a URL gets headers with --header\./],
    [['web', 'https://x/', 'more'], /A URL doesn't take arguments\./],
    [['-t', 'http', 'files', 'npx'], /`url` must be an http or https address/],
    [
      ['-t', 'carrier-pigeon', 'files', 'npx'],
      /argument 'carrier-pigeon' is invalid. Allowed choices are stdio, http, sse\./,
    ],
    [['web', 'https://ada:secret@x.example/'], /without a password/],
    [['-H', 'A B: c', 'web', 'https://x/'], /a name that is no header/],
  ]
  for (const [args, problem] of bad)
    it(`refuses ${args.join(' ')}`, () => assert.match(problemOf(add(...args)), problem))

  it('never repeats what may be a key', () => {
    for (const args of [
      ['-e', 'sk-secret', 'files', 'npx'],
      ['-H', 'sk-secret', 'web', 'https://x/'],
      ['-H', 'A: sk-secret\n', '-H', 'B: ü\u0100sk-secret', 'web', 'https://x/'],
    ])
      assert.doesNotMatch(problemOf(add(...args)), /sk-secret/)
    assert.doesNotMatch(problemOf(addJson('a', '{"command": "sk-secret"')), /sk-secret/)
  })
})

describe('kedge mcp add-json', () => {
  it('takes the object as it is', () => {
    const config = { type: 'http', url: 'https://x.example/', further: [1] }
    assert.deepEqual(addJson('-s', 'user', 'web', JSON.stringify(config)), {
      name: 'web',
      scope: 'user',
      config,
    })
  })

  const bad: [string[], RegExp][] = [
    [['a', '{}', 'more'], /kedge mcp add-json doesn't take 'more'\./],
    [['a', '[]'], /isn't a JSON object/],
    [['a', 'null'], /isn't a JSON object/],
    [['a', '"x"'], /isn't a JSON object/],
    [['a', '{'], /isn't a JSON object/],
    [['a', '{}'], /`command` must be a text/],
    [['a', '{"url":"https://x"}'], /needs `type`/],
    [['a', '{"type":"sdk"}'], /is part of a program and can't be saved/],
    [['a', '{"command":"x","args":"y"}'], /`args` must be a list of texts/],
  ]
  for (const [args, problem] of bad)
    it(`refuses ${args.join(' ')}`, () => assert.match(problemOf(addJson(...args)), problem))
})

describe('any command line', () => {
  it('is taken or refused with a reason, and never throws', () => {
    const word = fc.oneof(
      fc.constantFrom(
        '--',
        '-s',
        '--scope',
        'user',
        '-e',
        'A=1',
        '--header',
        'a: b',
        '--timeout',
        '2000',
        'npx',
        'https://x/',
      ),
      fc.string({ maxLength: 6 }),
    )
    fc.assert(
      fc.property(
        fc.array(word, { maxLength: 8 }),
        fc.constantFrom('add' as const, 'add-json' as const),
        (words, command) => {
          const read = readMcpServerArguments(words, command)
          if ('name' in read) assert.match(read.name, /^[\w-]{1,64}$/)
          else if ('text' in read) assert.match(read.text, /^error: ./)
          else assert.equal(words.includes(read.registryName), true)
        },
      ),
    )
  })
})
