import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readUsage } from '../../model/usage.js'
import type { RunningAgent } from '../conversation.js'
import type { AgentEnd } from './agent-end.js'
import { backgroundLaunchOutcome, completedOutcome, incompleteReason, notCompletedOutcome } from './outcomes.js'

const agent = { id: 'a1b2' } as RunningAgent

function end(more: Partial<AgentEnd> = {}): AgentEnd {
  const usage = { total_tokens: 1200, tool_uses: 3, duration_ms: 4500 }
  return { reason: 'completed', text: 'All tests pass.', usage, denials: [], ...more } as AgentEnd
}

const FOOTNOTE =
  'agentId: a1b2 (pass it as resume to go on with this agent)\n<usage>total_tokens: 1200\ntool_uses: 3\nduration_ms: 4500</usage>'

describe('what Task answers', () => {
  test('the words of the agent, then its id and what it took', () => {
    const outcome = completedOutcome(agent, 'Run the tests', end({ lastUsage: readUsage({ output_tokens: 9 }) }))
    assert.ok(outcome.ok)
    assert.deepEqual(outcome.content, [
      { type: 'text', text: 'All tests pass.' },
      { type: 'text', text: FOOTNOTE },
    ])
    const { usage, ...output } = outcome.output as { usage: { output_tokens: number } }
    assert.deepEqual(output, {
      status: 'completed',
      prompt: 'Run the tests',
      agentId: 'a1b2',
      content: [{ type: 'text', text: 'All tests pass.' }],
      totalDurationMs: 4500,
      totalTokens: 1200,
      totalToolUseCount: 3,
    })
    assert.equal(usage.output_tokens, 9)
  })

  test('an agent that said nothing is not taken for one that did', () => {
    const outcome = completedOutcome(agent, 'p', end({ text: '' }))
    assert.ok(outcome.ok && Array.isArray(outcome.content))
    assert.deepEqual(outcome.content[0], { type: 'text', text: 'The agent ended without a word.' })
    const { usage } = outcome.output as { usage: { input_tokens: number } }
    assert.equal(usage.input_tokens, 0)
  })

  test('one that did not finish is a failure, with what it said until then', () => {
    assert.deepEqual(notCompletedOutcome(agent, end({ reason: 'max_turns', text: 'Half done.' })), {
      ok: false,
      error: `The agent did not finish: it reached its limit of turns.\nThe last it said: Half done.\n${FOOTNOTE}`,
    })
    assert.deepEqual(notCompletedOutcome(agent, end({ reason: 'aborted_tools', text: '' })), {
      ok: false,
      error: `The agent did not finish: it was stopped.\n${FOOTNOTE}`,
    })
  })

  const reasons: [reason: string, why: RegExp][] = [
    ['budget_exhausted', /budget, or that of the session, is spent/],
    ['aborted_streaming', /^it was stopped$/],
    ['interrupted_by_permission', /the user interrupted it/],
    ['hook_stopped', /a hook stopped it/],
    ['stop_hook_prevented', /a hook stopped it/],
    ['something_new', /^something new$/],
  ]
  for (const [reason, why] of reasons) {
    test(reason, () => assert.match(incompleteReason(end({ reason: reason as AgentEnd['reason'] })), why))
  }

  test('a failure of the model in its own words', () => {
    const failure = { kind: 'server_error', code: 'overloaded', text: 'The API is overloaded.' } as never
    assert.equal(
      incompleteReason(end({ reason: 'model_error' as AgentEnd['reason'], failure })),
      'The API is overloaded.',
    )
  })

  test('one in the background: where its output goes, and that it is not waited for', () => {
    const about = { agent, description: 'Tests', prompt: 'Run them', outputFile: '/tmp/out' }
    const outcome = backgroundLaunchOutcome(about)
    assert.ok(outcome.ok)
    assert.match(JSON.stringify(outcome.content), /agentId: a1b2 .*output_file: \/tmp\/out/)
    assert.deepEqual(outcome.output, {
      isAsync: true,
      status: 'async_launched',
      agentId: 'a1b2',
      canReadOutputFile: true,
      description: 'Tests',
      prompt: 'Run them',
      outputFile: '/tmp/out',
    })
  })
})
