/** Messages as the notices that every interface shows. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LogMaker } from '../../test/support/log-maker.js'
import { noticesOf, noticeText } from './view-notices.js'

const shown = (subtype: string, fields: object) => {
  const item = new LogMaker().system(subtype, fields)
  assert.ok(item.kind === 'message')
  return noticesOf(item.data).map((notice) => `${notice.level}: ${noticeText(notice)}`)
}

const notices: [subtype: string, fields: object, shown: string[]][] = [
  [
    'compact_boundary',
    { compact_metadata: { trigger: 'manual', pre_tokens: 9_900 } },
    ['info: The conversation was summarized: on request, from 10k tokens'],
  ],
  [
    'api_retry',
    { attempt: 1, max_retries: 3, retry_delay_ms: 500, error: 'overloaded' },
    ['warning: The model did not respond: attempt 1 of 3 failed: overloaded'],
  ],
  [
    'api_retry',
    { attempt: 1, max_retries: 3, retry_delay_ms: 500, error: 'connection_failed', cause: 'x could not be resolved' },
    ['warning: The model did not respond: attempt 1 of 3 failed: x could not be resolved'],
  ],
  ['hook_response', { hook_name: 'lint', outcome: 'success', exit_code: 0, stderr: '', output: 'x' }, []],
  [
    'hook_response',
    { hook_name: 'lint', outcome: 'success', exit_code: 2, stderr: 'tabs', output: '' },
    ['warning: Hook lint objected: tabs'],
  ],
  [
    'hook_response',
    { hook_name: 'lint', outcome: 'error', exit_code: 1, stderr: '', output: '' },
    ['warning: Hook lint failed: exit code 1'],
  ],
  [
    'init',
    {
      mcp_servers: [
        { name: 'a', status: 'connected' },
        { name: 'b', status: 'failed' },
        { name: 'c', status: 'needs-auth' },
      ],
    },
    ['warning: MCP server b could not be connected.', 'warning: MCP server c needs a sign-in.'],
  ],
  ['files_persisted', { files: [], failed: [{ filename: 'a', error: 'gone' }] }, ['warning: a was not saved: gone']],
  ['task_started', { task_id: 'b1' }, []],
]
for (const [subtype, fields, expected] of notices)
  test(`${subtype}: ${expected.join(' / ') || 'nothing'}`, () => assert.deepEqual(shown(subtype, fields), expected))
