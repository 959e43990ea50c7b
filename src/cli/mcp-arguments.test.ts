import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { readServerArguments } from './mcp-arguments.js'

const add = (...args: string[]) => readServerArguments(args, 'add')
const addJson = (...args: string[]) => readServerArguments(args, 'add-json')
const problemOf = (read: ReturnType<typeof add>) => (read.ok ? 'none' : read.problem)

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
      assert.deepEqual(add(...args), { ok: true, name: named, scope: 'local', ...expected })
    })
  }

  it('takes variables, which are put in later', () => {
    assert.deepEqual(add('-H', `K: \${KEY}`, 'web', `https://\${HOST}/x`), {
      ok: true,
      name: 'web',
      scope: 'local',
      config: { type: 'http', url: `https://\${HOST}/x`, headers: { K: `\${KEY}` } },
    })
  })

  it('takes a variable of any name', () => {
    const read = add('-e', '__proto__=x', 'files', 'npx')
    assert.ok(read.ok)
    assert.equal(JSON.stringify(read.config['env']), '{"__proto__":"x"}')
  })

  const bad: [string[], RegExp][] = [
    [[], /a name and a command or a URL are needed/],
    [['files'], /a name and a command or a URL are needed/],
    [['files', '--'], /a name and a command or a URL are needed/],
    [['fi les', 'npx'], /a name has letters/],
    [['x'.repeat(65), 'npx'], /at most 64/],
    [['--verbose', 'files', 'npx'], /unknown option --verbose. Put -- before a command/],
    [['-x', 'files', 'npx'], /unknown option -x/],
    [['-s=user', 'files', 'npx'], /unknown option -s=user/],
    [['files', '--scope'], /--scope needs a value/],
    [['files', '-e'], /--env needs a value/],
    [['--scope', 'global', 'files', 'npx'], /--scope is local, project, user, not global/],
    [['--env', 'NAME', 'files', 'npx'], /^--env is NAME=VALUE$/],
    [['--env', '=x', 'files', 'npx'], /^--env is NAME=VALUE$/],
    [['--header', 'secret', 'web', 'https://x/'], /^--header is 'NAME: VALUE'$/],
    [['--header', ' : x', 'web', 'https://x/'], /^--header is 'NAME: VALUE'$/],
    [['--timeout', '999', 'files', 'npx'], /--timeout is in ms, at least 1000/],
    [['--timeout', '1000.5', 'files', 'npx'], /--timeout is in ms/],
    [['--timeout', 'soon', 'files', 'npx'], /--timeout is in ms/],
    [['-H', 'A: b', 'files', 'npx'], /--header is for servers with a URL/],
    [['-e', 'A=b', 'web', 'https://x/'], /--env is for servers that are started as a program/],
    [['web', 'https://x/', 'more'], /a URL takes no arguments/],
    [['-t', 'http', 'files', 'npx'], /`url` must be an http or https address/],
    [['-t', 'carrier-pigeon', 'files', 'npx'], /there is no `type` "carrier-pigeon"/],
    [['-t', 'sdk', 'files', 'npx'], /lives in a program and can not be kept/],
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
      ok: true,
      name: 'web',
      scope: 'user',
      config,
    })
  })

  const bad: [string[], RegExp][] = [
    [['a', '{}', 'more'], /one JSON object is expected after the name/],
    [['a', '[]'], /no JSON object/],
    [['a', 'null'], /no JSON object/],
    [['a', '"x"'], /no JSON object/],
    [['a', '{'], /no JSON object/],
    [['a', '{}'], /`command` must be a text/],
    [['a', '{"url":"https://x"}'], /needs `type`/],
    [['a', '{"type":"sdk"}'], /can not be kept/],
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
          const read = readServerArguments(words, command)
          if (read.ok) assert.match(read.name, /^[\w-]{1,64}$/)
          else assert.ok(read.problem.length > 0)
        },
      ),
    )
  })
})
