import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'

const cli = join(process.cwd(), 'dist', 'kedge.cjs')
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))

type Outcome = { code: number | null; stdout: string; stderr: string }

function kedge(
  args: string[],
  options: { cwd: string; env: Record<string, string | undefined> },
  input = '',
): Promise<Outcome> {
  const child = spawn(process.execPath, [cli, ...args], { cwd: options.cwd, env: options.env })
  const outcome = { code: null as number | null, stdout: '', stderr: '' } // filled as it comes
  child.stdout.on('data', (chunk) => {
    outcome.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    outcome.stderr += chunk
  })
  child.stdin.end(input)
  return new Promise((resolve) => child.on('close', (code) => resolve({ ...outcome, code })))
}

test('kedge -p prints the answer; json one result; stream-json every message', async () => {
  await using server = await startModelServer(['Hello.', 'Hello.', 'Hello.', 'Hello.'])
  await using options = testOptions(server)
  assert.deepEqual(await kedge(['-p', 'Say hello'], options), { code: 0, stdout: 'Hello.\n', stderr: '' })
  const piped = await kedge(['-p', 'Review this'], options, 'diff --git')
  assert.equal(piped.stdout, 'Hello.\n')
  assert.match(server.requests[1]?.prompt ?? '', /Review this\n\ndiff --git/)
  const json = await kedge(['-p', '--output-format=json', 'Say hello'], options)
  assert.deepEqual([JSON.parse(json.stdout).type, JSON.parse(json.stdout).result], ['result', 'Hello.'])
  const lines = await kedge(['-p', '--output-format', 'stream-json', '--verbose', 'Say hello'], options)
  assert.deepEqual(
    lines.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).type),
    ['system', 'assistant', 'result'],
  )
})

test('stdin is read to its end, however long it takes to come; after a while it is said what is waited for', async () => {
  await using server = await startModelServer(['Hello.'])
  await using options = testOptions(server)
  const child = spawn(process.execPath, [cli, '-p', 'Review this'], options)
  let told = ''
  await new Promise<void>((resolve) =>
    child.stderr.on('data', (chunk) => {
      told += chunk
      if (told.includes('\n')) resolve()
    }),
  )
  assert.match(told, /^Reading the rest of the prompt from stdin/)
  child.stdin.write('late ')
  child.stdin.end('words')
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0)
  assert.match(server.requests[0]?.prompt ?? '', /Review this\n\nlate words$/)
})

test('without a key, in a pipe, -p fails and names the way out', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server, { env: { ANTHROPIC_API_KEY: undefined } })
  const outcome = await kedge(['-p', 'Hi'], options)
  assert.deepEqual([outcome.code, outcome.stdout], [1, ''])
  assert.match(outcome.stderr, /ANTHROPIC_API_KEY[\s\S]*practice/)
})

test('wrong command lines exit 1 with a message that helps', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  const cases: [string[], RegExp][] = [
    [['--verbos'], /^error: unknown option '--verbos'\n\(Did you mean --verbose\?\)/],
    [['--zzzzzzzzzz'], /^error: unknown option '--zzzzzzzzzz'\nRun/],
    [['--model'], /^error: option '--model <MODEL>' argument missing/],
    [['--max-turns', 'many', '-p', 'x'], /^error: option '--max-turns <N>' needs a number, not 'many'/],
    [
      ['--permission-mode=auto', '-p', 'x'],
      /argument 'auto' is not supported by Kedge. Allowed choices are default, acceptEdits/,
    ],
    [['--verbose=1'], /^error: option '--verbose' takes no value/],
    [['-p', '--output-format', 'stream-json', 'x'], /requires --verbose/],
    [['-p', '--input-format', 'stream-json', 'x'], /requires --output-format=stream-json/],
    [['-p'], /^Error: Input must be provided either through stdin or as a prompt argument when using --print/],
    [['-p', 'x', '--json-schema', '{}'], /^Error: outputFormat: the schema can't be used: \/type/],
    [['-p', 'x', '--json-schema', '{'], /^Error: outputFormat: the schema isn't valid JSON/],
    [['-p', 'x', '--agent', 'a'], /^The agent 'a' is not defined/],
    [['-p', 'x', '--session-id', 'abc'], /^Error: Invalid session ID. Must be a valid UUID./],
    [['-p', 'x', '--disallowedTools', 'Bash(rm'], /^Error: /],
  ]
  const outcomes = await Promise.all(cases.map(([args]) => kedge(args, options)))
  for (const [index, { code, stderr }] of outcomes.entries()) {
    assert.equal(code, 1, `${cases[index]?.[0].join(' ')}: exit ${code}`)
    assert.match(stderr, cases[index]?.[1] ?? /$^/)
  }
})

test('bypass as root is refused on stderr and as a result; IS_SANDBOX lifts it', {
  skip: process.getuid?.() !== 0,
}, async () => {
  await using server = await startModelServer(['Hi.'])
  await using options = testOptions(server)
  const flags = ['-p', 'x', '--output-format', 'json', '--dangerously-skip-permissions']
  const refused = await kedge(flags, options)
  assert.equal(refused.code, 1)
  assert.equal(
    refused.stderr,
    '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n',
  )
  assert.equal(JSON.parse(refused.stdout).terminal_reason, 'root_refused')
  const lifted = await kedge(flags, { ...options, env: { ...options.env, IS_SANDBOX: '1' } })
  assert.equal(lifted.code, 0)
})

test('--version, --help and models', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server)
  assert.deepEqual(await kedge(['--version'], options), { code: 0, stdout: `2.1.50 (Kedge ${version})\n`, stderr: '' })
  const help = await kedge(['--help'], options)
  assert.equal(help.code, 0)
  for (const word of ['kedge -p', '--model', '--permission-mode', 'ANTHROPIC_API_KEY', 'practice'])
    assert.ok(help.stdout.includes(word))
  const models = await kedge(['models'], options)
  assert.equal(models.code, 0)
  assert.match(models.stdout, /claude-/)
  const offlineOptions = { ...options, env: { ...options.env, ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } }
  const offline = await kedge(['models', '--json'], offlineOptions)
  assert.equal(JSON.parse(offline.stdout).source, 'built-in')
  assert.equal((await kedge(['models', '--zzz'], options)).code, 1)
  for (const flag of ['--help', '-h']) {
    const how = await kedge(['models', flag], options)
    assert.deepEqual([how.code, how.stderr, /^Usage: kedge models[\s\S]*\bpractice\b/.test(how.stdout)], [0, '', true])
  }
  const one = await kedge(['models', 'claude-sonnet-4-6'], offlineOptions)
  assert.deepEqual([one.code, one.stdout.trim()], [0, 'claude-sonnet-4-6'])
  const none = await kedge(['models', 'no-such-model'], options)
  assert.deepEqual([none.code, none.stdout, none.stderr === ''], [1, '', false])
})

test('a bad environment variable is refused by name', async () => {
  await using server = await startModelServer([])
  await using options = testOptions(server, { env: { ANTHROPIC_BASE_URL: 'file:///etc' } })
  const outcome = await kedge(['-p', 'x', '--output-format', 'json'], options)
  assert.equal(outcome.code, 1)
  assert.match(outcome.stderr, /^Error: ANTHROPIC_BASE_URL must be http or https/)
  assert.equal(JSON.parse(outcome.stdout).error_code, 'invalid_configuration')
})

test('the command works from a read-only home and without one', async () => {
  await using server = await startModelServer(['Hi.', 'Hi.'])
  await using options = testOptions(server)
  for (const env of [{ HOME: '/proc' }, { HOME: undefined, USERPROFILE: undefined }]) {
    const outcome = await kedge(['-p', 'x'], { ...options, env: { ...options.env, ...env } })
    assert.deepEqual([outcome.code, outcome.stdout], [0, 'Hi.\n'])
  }
})

test('defaultMode of settings counts where no flag names a mode; disableBypassPermissionsMode refuses', async () => {
  await using server = await startModelServer(['Hello.', 'Hello.'])
  await using options = testOptions(server)
  const file = join(options.env.CLAUDE_CONFIG_DIR ?? '', 'settings.json')
  const stream = ['-p', '--setting-sources', 'user', '--output-format', 'stream-json', '--verbose', 'Hi']
  const modeWith = async (...flags: string[]) =>
    JSON.parse((await kedge([...flags, ...stream], options)).stdout.split('\n')[0] ?? '').permissionMode
  writeFileSync(file, JSON.stringify({ permissions: { defaultMode: 'acceptEdits' } }))
  assert.equal(await modeWith(), 'acceptEdits')
  assert.equal(await modeWith('--permission-mode', 'plan'), 'plan')
  writeFileSync(file, JSON.stringify({ permissions: { disableBypassPermissionsMode: 'disable' } }))
  const env = { ...options.env, IS_SANDBOX: '1' }
  const refused = await kedge(['--dangerously-skip-permissions', ...stream], { ...options, env })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /turned off by settings/)
})

test('an added folder that is not there, rules for tools that do not exist, a configuration folder others can write to: it goes on, with a warning each', async () => {
  await using server = await startModelServer(() => 'Hello.')
  await using options = testOptions(server)
  const configDir = options.env['CLAUDE_CONFIG_DIR'] ?? ''
  writeFileSync(join(options.cwd, 'file'), '')
  const flags = [
    '--add-dir',
    'nowhere',
    'file',
    '.',
    '--allowedTools',
    'Read',
    'Raed',
    'mcp__a__b',
    '--disallowedTools',
    'Bsh(rm:*)',
  ]
  const odd = await kedge(['-p', 'Hi', ...flags], options)
  assert.deepEqual([odd.code, odd.stdout], [0, 'Hello.\n'])
  const folder = realpathSync(options.cwd)
  assert.deepEqual(odd.stderr.split('\n'), [
    `Warning: ${folder}/nowhere (--add-dir) does not exist.`,
    `Warning: ${folder}/file (--add-dir) is no folder.`,
    'Warning: the rule Raed (--allowedTools) is for a tool that does not exist.',
    'Warning: the rule Bsh(rm:*) (--disallowedTools) is for a tool that does not exist.',
    '',
  ])
  chmodSync(configDir, 0o777)
  const open = await kedge(['-p', 'Hi'], options)
  assert.deepEqual(
    [open.code, open.stderr],
    [
      0,
      `Warning: the configuration folder ${configDir} can be written to by other users, who could have Kedge run what they like. Fix: chmod go-w ${configDir}\n`,
    ],
  )
  const { stdout } = await kedge(['doctor', '--json', '--offline'], options)
  assert.match(stdout, /the configuration folder .* can be written to by other users/)
})

test('a script that is too short fails at once, without retries', async () => {
  const server = await startModelServer(['Hello.'])
  try {
    await using options = testOptions(server)
    assert.equal((await kedge(['-p', 'Hi'], options)).code, 0)
    const late = await kedge(['-p', 'Hi'], options)
    assert.equal(late.code, 1)
    assert.doesNotMatch(late.stderr, /try \d+ of/)
    assert.equal(server.requests.length, 2)
    assert.throws(() => server.assertDone(), /has no turn left/)
  } finally {
    await server.close()
  }
})
