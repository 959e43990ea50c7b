/**
 * C04: the result never comes, or the process never exits.
 * https://github.com/anthropics/claude-code/issues/59243 · https://github.com/anthropics/claude-code/issues/30333
 * https://github.com/anthropics/claude-agent-sdk-python/issues/1273 · https://github.com/agentclientprotocol/claude-agent-acp/issues/630
 * https://github.com/anthropics/claude-code/issues/19060 · https://github.com/anthropics/claude-code/issues/17248
 * https://github.com/google-gemini/gemini-cli/issues/20183 · https://github.com/google-gemini/gemini-cli/issues/25559
 *
 * T: whatever ends a turn, it has exactly one `result`, and the process exits once its input has ended; silence is ended by a watchdog
 * with a `terminal_reason`; nothing keeps Node alive after `close()`.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSdkMcpServer, type Options, query, tool } from 'kedge'
import type { Step } from 'kedge/testing'
import { bash, call, kedge, lines, never, play, root, runProgram, withModel } from '../support/stage.js'
import { isolationsOf } from '../support/tier.js'

const toolsOf = (handler: () => Promise<never>) =>
  createSdkMcpServer({ name: 'host', tools: [tool('work', 'Works.', {}, handler)], timeout: 1000 })
const expensive = { input_tokens: 1_000_000, output_tokens: 1_000_000 }
const quick = { CLAUDE_CODE_MAX_RETRIES: '0', KEDGE_STREAM_IDLE_MS: '100' }

type Ending = { turns: Step[]; options?: Options; subtype?: string; reason: string }

const ENDINGS: Record<string, Ending> = {
  end_turn: { turns: ['Hello.'], reason: 'completed' },
  'max turns': {
    turns: [bash('true')],
    options: { maxTurns: 1, allowedTools: ['Bash'] },
    subtype: 'error_max_turns',
    reason: 'max_turns',
  },
  'budget of the main thread': {
    turns: [{ ...bash('true'), usage: expensive }],
    options: { maxBudgetUsd: 1, allowedTools: ['Bash'] },
    subtype: 'error_max_budget_usd',
    reason: 'budget_exhausted',
  },
  'budget of a sub-agent': {
    turns: [
      call('Task', { description: 'Work', prompt: 'Work.', subagent_type: 'general-purpose' }),
      { ...bash('true', 'toolu_2'), usage: expensive },
    ],
    options: { maxBudgetUsd: 1, allowedTools: ['Bash'] },
    subtype: 'error_max_budget_usd',
    reason: 'budget_exhausted',
  },
  'a hook that stops': {
    turns: [bash('true')],
    options: { hooks: { PreToolUse: [{ hooks: [async () => ({ continue: false, stopReason: 'Enough.' })] }] } },
    reason: 'hook_stopped',
  },
  'a refused key': { turns: [{ status: 401 }], reason: 'api_error' },
  'a stream that falls silent': {
    turns: [{ text: 'Never whole.', stallAfterEvents: 2 }, { noAnswer: 'hang' }],
    options: { env: { ...quick, API_TIMEOUT_MS: '1000' } },
    reason: 'api_error',
  },
  'no answer at all': {
    turns: [{ noAnswer: 'hang' }],
    options: { env: { ...quick, API_TIMEOUT_MS: '1000' } },
    reason: 'api_error',
  },
  'a tool that crashes': {
    turns: [call('mcp__host__work', {}), 'Then not.'],
    options: {
      mcpServers: { host: toolsOf(() => Promise.reject(new Error('broken'))) },
      allowedTools: ['mcp__host__work'],
    },
    reason: 'completed',
  },
  'a tool that hangs': {
    turns: [call('mcp__host__work', {}), 'Then not.'],
    options: { mcpServers: { host: toolsOf(() => never) }, allowedTools: ['mcp__host__work'] },
    reason: 'completed',
  },
  'a malformed tool_use': { turns: [call('Read', { file_path: 7 }), 'Then not.'], reason: 'completed' },
  'a tool that does not exist': { turns: [call('Teleport', {}), 'Then not.'], reason: 'completed' },
  'an empty answer': { turns: [{ content: [] }], subtype: 'error_during_execution', reason: 'empty_response' },
}

for (const [name, { turns, options, subtype = 'success', reason }] of Object.entries(ENDINGS)) {
  for (const isolation of isolationsOf(`C04 ${name}`)) {
    test(`C04 exactly one result: ${name} (${isolation})`, async () => {
      const run = await play(turns, { ...options, isolation })
      assert.deepEqual(
        run.results.map((result) => [result.subtype, result.terminal_reason]),
        [[subtype, reason]],
      )
    })
  }
}

test('C04 exactly one result: an interrupt', async () => {
  await withModel(
    [{ text: 'A long story.', stallAfterEvents: 3 }],
    { includePartialMessages: true },
    async ({ options }) => {
      const running = query({ prompt: 'Go.', options })
      const results: unknown[] = []
      for await (const message of running) {
        if (message.type === 'stream_event') void running.interrupt()
        if (message.type === 'result') results.push(message.terminal_reason)
      }
      assert.deepEqual(results, ['aborted_streaming'])
    },
  )
})

test('C04 silence is ended by the watchdog of the query, with a result that says so', async () => {
  const run = await play([{ noAnswer: 'hang' }], { timeoutMs: 300 })
  assert.deepEqual(
    run.results.map((result) => result.terminal_reason),
    ['timeout'],
  )
})

test('C04 the command exits when its input has ended, with one result on stdout, also when the key is refused', async () => {
  for (const [turn, code] of [
    ['Hello.', 0],
    [{ status: 401 }, 1],
  ] as const) {
    await withModel([turn], {}, async ({ options }) => {
      const flags = ['-p', '--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose']
      const message = { type: 'user', message: { role: 'user', content: 'Go.' } }
      const ended = await kedge(flags, options, `${JSON.stringify(message)}\n`)
      assert.equal(ended.code, code)
      assert.equal(lines(ended.stdout).filter(({ type }) => type === 'result').length, 1)
    })
  }
})

test('C04 no open handle keeps Node alive after close()', async () => {
  const program = `
    import { query } from 'kedge'
    const running = query({ prompt: 'Go.', options: JSON.parse(process.argv[1]) })
    for await (const message of running) if (message.type === 'assistant') running.close()
    await running.closed
    process.stdout.write('closed')`
  await withModel([bash('sleep 300')], { allowedTools: ['Bash'] }, async ({ options }) => {
    const args = ['--input-type=module', '-e', program, JSON.stringify(options)]
    const ended = await runProgram(process.execPath, args, { cwd: root, env: options.env })
    assert.deepEqual([ended.code, ended.stdout], [0, 'closed'], ended.stderr)
  })
})

test('C04 the turn that started work in the background has its result, and so has the one that follows', async () => {
  const input = { command: 'true', run_in_background: true }
  const run = await play([call('Bash', input), 'Started.', 'It has ended.'], { allowedTools: ['Bash'] })
  assert.deepEqual(
    run.results.map((result) => result.subtype),
    ['success', 'success'],
  )
})
