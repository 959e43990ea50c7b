/** The timeline of `--debug` and `KEDGE_DEBUG`: readable, complete, filtered, and without secrets. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { query } from 'kedge'
import { collect, startModelServer, testOptions } from 'kedge/testing'
import { sampledTest as test } from '../support/tier.js'
import { kedge, run } from './kedge.js'

const KEY = 'sk-ant-api03-0123456789'
const TOKEN = 'hunter2-hunter2'
const turns = () => [
  { status: 529, retryAfter: 0 },
  { tools: [{ name: 'Bash', input: { command: `touch a b && echo ${TOKEN} ${KEY}` } }], usage: { input_tokens: 42 } },
  { text: 'All done.', usage: { output_tokens: 7 } },
]

test('--debug: messages, API requests with status, tokens and retries, tools, hooks and control requests, no secrets', async () => {
  await using server = await startModelServer(turns())
  let heard = ''
  await using options = testOptions(server, {
    env: { ANTHROPIC_API_KEY: KEY, DEPLOY_TOKEN: TOKEN },
    debug: true,
    stderr: (text) => {
      heard += text
    },
    canUseTool: async () => ({ behavior: 'allow' }),
    hooks: { PostToolUse: [{ hooks: [async () => ({})] }] },
  })
  const result = await collect(query({ prompt: 'Go.', options }))
  assert.equal(result.error, undefined)
  const expected = [
    /← request +initialize \{.*"PostToolUse"/,
    /→ answer +initialize after [\d.]+ s: \{/,
    /← user +"Go\."/,
    /→ init +claude-\S+, \d+ tools, mode default, key ANTHROPIC_API_KEY, session /,
    /⇒ api #1 +POST 127\.0\.0\.1:\d+\/v1\/messages claude-\S+, [\d.]+k characters/,
    /⇐ api #1 +529 after [\d.]+ s/,
    /→ api_retry +The model did not respond: attempt 1 of 10 failed: overloaded · \{.*"error_status":529/,
    /⇒ api #2/,
    /⇐ api #2 +200 after [\d.]+ s, request req_test_2/,
    /⇐ api #2 +ended after [\d.]+ s, 42 tokens in, 5 out, tool_use/,
    /→ call +touch a b && echo … … · Bash \{"command":"touch a b && echo … …"\}/,
    /→ request +can_use_tool Run this command\? \{"tool_name":"Bash"/,
    /← answer +can_use_tool after [\d.]+ s: \{"behavior":"allow"/,
    /· hook +PostToolUse \S+ \(callback\) starts/,
    /· hook +PostToolUse \S+ \(callback\) ends: success/,
    /→ done +touch a b && echo … … after [\d.]+ s: "/,
    /→ text +"All done\."/,
    /→ result +done, 2 turns, [\d.]+ s, \d+ tokens in, \d+ out, \$/,
  ]
  const lines = heard.trim().split('\n')
  for (const line of lines) assert.match(line, /^\[kedge \d+\.\d{3}\] [→←⇒⇐·] \S/)
  for (const pattern of expected)
    assert.ok(
      lines.some((line) => pattern.test(line)),
      `${pattern} in\n${heard}`,
    )
  assert.ok(!heard.includes(TOKEN) && !heard.includes(KEY), 'no secret is shown')
})

test('--debug: secrets that --mcp-config and --settings carry are masked as well', async () => {
  await using server = await startModelServer(() => 'Hi.')
  await using options = testOptions(server)
  const servers = { s: { type: 'http', url: 'http://127.0.0.1:9', headers: { Authorization: `Basic ${TOKEN}` } } }
  const settings = JSON.stringify({ env: { OTHER_KEY: 'hunter3-hunter3' } })
  const flags = ['--mcp-config', JSON.stringify({ mcpServers: servers }), '--settings', settings]
  const { stderr } = await kedge(['-p', '--debug', ...flags, '--', `Say ${TOKEN} hunter3-hunter3`], options)
  assert.match(stderr, /← user +"Say … …"/)
  assert.doesNotMatch(stderr, /hunter/)
})

test('--debug: a secret is masked where a text is cut in the middle of it; a line that is no JSON is named', async () => {
  await using server = await startModelServer(() => 'Hi.')
  await using options = testOptions(server, { env: { DEPLOY_TOKEN: TOKEN } })
  for (const blanks of [140, 145, 150, 155, 160]) {
    const { stderr } = await kedge(['-p', '--debug', `${'x'.repeat(blanks)} ${TOKEN} and more of it`], options)
    assert.match(stderr, /← user +"x+/)
    assert.ok(!stderr.includes(TOKEN.slice(0, 4)), stderr)
  }
  const stream = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose', '--debug']
  const { stderr } = await kedge(stream, options, 'no json\n')
  assert.match(stderr, /← malformed +line 1: /)
})

test('KEDGE_DEBUG: in the library and the command, on stderr, filtered or in a file', async () => {
  await using server = await startModelServer(() => 'Hi.')
  await using options = testOptions(server)
  const ask = (env: object, ...args: string[]) =>
    kedge(['-p', 'Hello.', ...args], { ...options, env: { ...options.env, ...env } })
  const all = await ask({ KEDGE_DEBUG: '1' })
  assert.deepEqual([all.code, all.stdout], [0, 'Hi.\n'])
  assert.match(all.stderr, /← user +"Hello\."[\s\S]*⇒ api #1[\s\S]*→ result/)
  const some = await ask({ KEDGE_DEBUG: 'api' })
  assert.match(some.stderr, /^(\[kedge [\d.]+\] [⇒⇐] api #1 .*\n){3}$/)
  const others = await ask({}, '--debug', '!api,!messages')
  assert.equal(others.stderr, '')
  const file = join(options.cwd, 'log', '..', 'debug.txt')
  const quiet = await ask({ KEDGE_DEBUG: './debug.txt' })
  assert.deepEqual([quiet.code, quiet.stderr], [0, ''])
  assert.match(readFileSync(file, 'utf8'), /→ result +done/)
  for (const [env, args, text] of [
    [{ KEDGE_DEBUG: 'everything' }, [], /^Error: KEDGE_DEBUG must be 1, a list of messages, .*\n$/],
    [{}, ['--debug=everything'], /^error: option '--debug <FILTER>' argument 'everything' is invalid/],
  ] as const) {
    const refused = await ask(env, ...args)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, text)
  }
  // A word after --debug that is no filter is the prompt.
  const prompt = await kedge(['-p', '--debug', 'What is this?'], options)
  assert.match(prompt.stderr, /← user +"What is this\?"/)

  const program = join(options.cwd, 'program.mjs')
  const library = pathToFileURL(join(process.cwd(), 'dist', 'index.js')).href
  writeFileSync(
    program,
    `import { query } from '${library}'\nfor (const isolation of ['in-process', 'process']) for await (const _ of query({ prompt: 'Hello.', options: { isolation } }));`,
  )
  const own = await run(process.execPath, [program], { ...options, env: { ...options.env, KEDGE_DEBUG: 'messages' } })
  assert.equal(own.code, 0, own.stderr)
  assert.equal(own.stderr.match(/→ result +done/g)?.length, 2)
})
