import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testAssistantMessage, textBlock, toolUse } from '../engine/test-ports.js'
import type { ContentBlock } from '../protocol/content.js'
import type { SDKAPIRetryMessage, SDKAssistantMessage } from '../protocol/messages.js'
import { describeRetry, retryHint, toolCallTexts } from './message-texts.js'

const id = '00000000-0000-4000-8000-000000000000'
const said = (...content: ContentBlock[]): SDKAssistantMessage => ({
  type: 'assistant',
  uuid: id,
  session_id: id,
  parent_tool_use_id: null,
  message: testAssistantMessage(content, 'tool_use'),
})

describe('calls of tools', () => {
  const cases: [string, unknown, string][] = [
    ['Bash', { command: 'npm test', description: 'runs tests' }, 'Bash npm test'],
    ['Read', { file_path: '/a.ts' }, 'Read /a.ts'],
    ['Grep', { pattern: 'x+', path: '/src' }, 'Grep x+'],
    ['WebFetch', { url: 'https://x.example' }, 'WebFetch https://x.example'],
    ['Agent', { description: 'look around', prompt: 'long' }, 'Agent look around'],
    ['TodoWrite', { todos: [] }, 'TodoWrite'],
    ['Bash', { command: 7 }, 'Bash'],
    ['Bash', null, 'Bash'],
    ['Bash', { command: 'a\n\n  b\tc' }, 'Bash a b c'],
    ['Bash', { command: '\u001b[31mred\u202e' }, 'Bash [31mred'],
    ['Bash', { command: 'x'.repeat(100) }, `Bash ${'x'.repeat(59)}…`],
  ]
  for (const [name, input, shown] of cases) {
    it(`${name} ${JSON.stringify(input)?.slice(0, 40)}`, () =>
      assert.deepEqual(toolCallTexts(said(toolUse('toolu_1', name, input))), [shown]))
  }

  it('are told in their order, without what is said between them', () => {
    const answer = said(
      textBlock('first'),
      toolUse('1', 'Read', { file_path: 'a' }),
      textBlock('then'),
      toolUse('2', 'TodoWrite'),
    )
    assert.deepEqual(toolCallTexts(answer), ['Read a', 'TodoWrite'])
    assert.deepEqual(toolCallTexts(said(textBlock('nothing to do'))), [])
  })
})

describe('a retry', () => {
  const retry = (more: Partial<SDKAPIRetryMessage>): SDKAPIRetryMessage => ({
    type: 'system',
    subtype: 'api_retry',
    uuid: id,
    session_id: id,
    attempt: 2,
    max_retries: 10,
    retry_delay_ms: 1001,
    error_status: 529,
    error: 'overloaded',
    ...more,
  })

  it('says why, which one it is, and when', () => {
    assert.equal(describeRetry(retry({})), 'the API did not answer (529 overloaded), try 2 of 10 in 2 s')
  })

  it('names the cause, and the first time the command that checks it', () => {
    const offline = {
      error_status: null,
      error: 'connection_failed',
      cause: 'api.anthropic.com could not be resolved (ENOTFOUND)',
    }
    const start = 'api.anthropic.com could not be resolved (ENOTFOUND), try'
    const first = retry({ ...offline, attempt: 1 })
    assert.equal(describeRetry(first), `${start} 1 of 10 in 2 s`)
    assert.equal(retryHint(first), ' `kedge doctor` checks the connection.')
    assert.equal(describeRetry(retry(offline)), `${start} 2 of 10 in 2 s`)
    assert.deepEqual([retryHint(retry(offline)), retryHint(retry({ attempt: 1 }))], ['', ''])
  })

  it('says why also where no answer came at all', () => {
    const text = 'the API did not answer (connection_error), try 2 of 10 in 0 s'
    assert.equal(describeRetry(retry({ error_status: null, error: 'connection_error', retry_delay_ms: 0 })), text)
  })
})
