/**
 * C33: "process exited with code 1". C34: what is tried again, and how often, is fixed and hidden.
 * C33: https://github.com/anthropics/claude-code/issues/49396 · https://github.com/anthropics/claude-code/issues/52215
 * https://github.com/anthropics/claude-code/issues/59466 · https://github.com/YishenTu/claudian/issues/459
 * https://github.com/op7418/CodePilot/issues/87 · https://github.com/siteboon/claudecodeui/issues/496
 * https://github.com/anthropics/claude-code-action/issues/911 · https://github.com/anthropics/claude-code/issues/2951
 * C34: https://github.com/anthropics/claude-agent-sdk-typescript/issues/313 · https://github.com/anthropics/claude-code/issues/81330
 * https://github.com/digitallyinduced/haskell-agent/issues/1300 · https://github.com/anthropics/claude-code/issues/75318
 *
 * T (C33): every failure has a code of a closed list (docs/errors.md), the cause, what the program printed and what to do; `subtype`,
 * `is_error` and the exit code do not contradict each other; no stack of minified code; 20 faults have distinct codes. (FACTS keep
 * `subtype: 'success'` with `is_error: true` when the API failed for good, as the original sends it, and `is_error: false` with `error_max_turns`; the exit code follows `is_error`.)
 * T (C34): 401 and 403 are final at once; `retry-after` is honored; every attempt is a message; how often can be set; a stream that breaks
 * is asked for again in the main thread and in sub-agents, and no tool runs twice. (Which statuses, the time between and a function of your own, and another provider: open, see the table.)
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Options, query } from 'kedge'
import { collect, type Step, script } from 'kedge/testing'
import { bash, call, kedge, play, root, system, withModel } from '../support/stage.js'

type Fault = { code: string; turns?: Step[]; options?: Options; before?(cwd: string): void; prompt?: string }
const once: Options = { env: { CLAUDE_CODE_MAX_RETRIES: '0', API_TIMEOUT_MS: '300' } }

const FAULTS: Fault[] = [
  { code: 'not_authenticated', options: { env: { ANTHROPIC_API_KEY: undefined, ANTHROPIC_AUTH_TOKEN: undefined } } },
  { code: 'invalid_api_key', turns: [{ status: 401 }] },
  { code: 'rate_limited', turns: [{ status: 429 }], options: once },
  { code: 'overloaded', turns: [{ status: 529 }], options: once },
  { code: 'server_error', turns: [{ status: 500 }], options: once },
  { code: 'connection_failed', turns: [{ noAnswer: 'close' }], options: once },
  { code: 'timeout', turns: [{ noAnswer: 'hang' }], options: once },
  {
    code: 'model_not_found',
    turns: [{ status: 404, error: { type: 'not_found_error', message: 'model: nope' } }],
    options: { model: 'nope' },
  },
  {
    code: 'prompt_too_long',
    turns: [
      {
        status: 400,
        error: { type: 'invalid_request_error', message: 'prompt is too long: 300000 tokens > 200000 maximum' },
      },
    ],
  },
  { code: 'invalid_request', turns: [{ status: 400 }] },
  {
    code: 'billing',
    turns: [
      {
        status: 400,
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the Anthropic API.',
        },
      },
    ],
  },
  {
    code: 'unexpected_response',
    turns: [{ status: 200, rawBody: '<html>Sign in to the network</html>', contentType: 'text/html' }],
    options: once,
  },
  { code: 'resume_failed', options: { resume: '00000000-0000-4000-8000-000000000000' } },
  { code: 'invalid_configuration', options: { disallowedTools: ['Bash((('] } },
  { code: 'invalid_settings', options: { settings: { permissions: { deny: ['Bash((('] } } } },
  { code: 'invalid_cwd', options: { cwd: '/nonexistent/folder' } },
  { code: 'executable_not_found', options: { pathToClaudeCodeExecutable: '/nonexistent/agent' } },
  { code: 'unsupported_option', options: { ...({ toolConfig: { askUserQuestion: {} } } as Options) } },
  { code: 'invalid_option', options: { maxTokens: -1 } },
  { code: 'aborted', options: { abortController: aborted() } },
]
function aborted(): AbortController {
  const controller = new AbortController()
  controller.abort()
  return controller
}

test('C33 twenty faults, twenty codes; each is documented, says what it is about, and shows no code of ours', async () => {
  const documented = readFileSync(join(root, 'docs', 'errors.md'), 'utf8')
  const seen: string[] = []
  for (const { code, turns = [], options = {} } of FAULTS) {
    const { result, error } = await play(turns, options).catch((thrown: unknown) => ({
      result: undefined,
      error: thrown,
    }))
    const given = result?.error_code ?? (error instanceof Error && 'code' in error ? String(error.code) : '')
    assert.equal(given, code, String(error))
    assert.ok(documented.includes(`\`${code}\``), `${code} is in docs/errors.md`)
    const said = `${result?.subtype === 'success' ? result.result : result?.errors.join('\n')}\n${error}`
    assert.ok(said.trim().length > 20, said)
    assert.doesNotMatch(said, /dist\/|\n\s+at /)
    if (result) assert.equal(result.is_error, true)
    seen.push(given)
  }
  assert.equal(new Set(seen).size, 20)
})

test('C33 is_error and the exit code agree, whatever happens', async () => {
  const cases: [Step[], string[], number][] = [
    [['Hello.'], [], 0],
    [[{ status: 400 }], [], 1],
    [[bash('true')], ['--max-tool-calls', '1', '--allowedTools', 'Bash'], 1],
  ]
  for (const [turns, flags, code] of cases) {
    await withModel(turns, {}, async ({ options }) => {
      const ended = await kedge(['-p', 'Go.', '--output-format', 'json', ...flags], options)
      const result = JSON.parse(ended.stdout)
      assert.deepEqual([ended.code, result.is_error], [code, code !== 0])
      if (result.subtype !== 'success') assert.equal(result.is_error, true)
    })
  }
})

test('C33 an agent that dies: the error has its last words and its code', async () => {
  await withModel([], {}, async ({ options }) => {
    const agent = join(options.cwd, 'agent.mjs')
    writeFileSync(agent, "process.stderr.write('the license has expired\\n'); process.exit(9)")
    const run = await collect(query({ prompt: 'Go.', options: { ...options, pathToClaudeCodeExecutable: agent } }))
    assert.ok(run.error instanceof Error && 'code' in run.error && 'stderr' in run.error)
    assert.equal(run.error.code, 'process_exited')
    assert.match(String(run.error.stderr), /the license has expired/)
  })
})

test('C34 401 and 403 are final at once; what may pass is tried as often as you say, each time with a message', async () => {
  for (const status of [401, 403]) {
    const run = await play([{ status }])
    assert.deepEqual([run.server.requests.length, system(run.messages, 'api_retry').length], [1, 0])
  }
  const busy = { status: 529, headers: { 'retry-after-ms': '1' } }
  const run = await play([busy, busy, busy], { env: { CLAUDE_CODE_MAX_RETRIES: '2' } })
  const attempts = system(run.messages, 'api_retry').map(({ attempt, max_retries, error_status }) => [
    attempt,
    max_retries,
    error_status,
  ])
  assert.deepEqual(attempts, [
    [1, 2, 529],
    [2, 2, 529],
  ])
  assert.equal(run.result?.error_code, 'overloaded')
})

test('C34 retry-after is honored, and surfaced', async () => {
  const run = await play([{ status: 429, headers: { 'retry-after-ms': '1200' } }, 'Hello.'])
  const [retry] = system(run.messages, 'api_retry')
  assert.deepEqual([retry?.retry_delay_ms, retry?.error_status], [1200, 429])
  assert.equal(run.result?.subtype, 'success')
})

test('C34 a stream that breaks in the middle of a call is asked for again, in the main thread and in a sub-agent; the tool runs once', async () => {
  const cut = (id: string) => ({ text: 'I will.', ...bash('echo x >> ran', id), cutAfterEvents: 6 })
  const task = { description: 'Work', prompt: 'WORK.', subagent_type: 'general-purpose' }
  const model = script([cut('toolu_1'), bash('echo main >> ran', 'toolu_2'), call('Task', task, 'toolu_t'), 'Done.'], {
    lanes: {
      agent: { when: { opening: 'WORK' }, turns: [cut('toolu_3'), bash('echo sub >> ran', 'toolu_4'), 'Worked.'] },
    },
  })
  await withModel(model, { allowedTools: ['Bash'], permissionMode: 'acceptEdits' }, async ({ options }) => {
    const run = await collect(query({ prompt: 'Go.', options }))
    assert.equal(run.result?.subtype, 'success')
    assert.equal(readFileSync(join(options.cwd, 'ran'), 'utf8'), 'main\nsub\n')
  })
})
