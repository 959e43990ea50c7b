/** Messages that the original 0.2.50 does not have: for readers that asked. */
import assert from 'node:assert/strict'
import type { Options, SDKMessage, SDKUserMessage } from 'kedge'
import { query } from 'kedge'
import { collect, type Step } from 'kedge/testing'
import { bothWays, kinds } from './both-ways.js'

const KNOWN = ['init', 'status', 'compact_boundary', 'hook_started', 'hook_progress', 'hook_response'].concat(
  ...['task_notification', 'task_started', 'files_persisted'],
)
const uuid = '11111111-1111-4111-8111-111111111111'
async function* prompt(): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content: 'Go.' }, parent_tool_use_id: null, session_id: '', uuid }
}
/** A retry, a denial nobody was asked about, an agent in the background. */
const turns = (): Step[] => [
  { status: 529 },
  { tools: [{ name: 'Bash', input: { command: 'touch denied' } }] },
  { tools: [{ name: 'Bash', input: { command: 'echo done', run_in_background: true } }] },
  'Started.',
  'Done.',
]
const unknown = (messages: readonly SDKMessage[]) =>
  messages.filter((m) => (m.type === 'system' && !KNOWN.includes(m.subtype)) || m.type === 'command_lifecycle')
const allowed: Options = { allowedTools: ['Bash(echo:*)'] }

bothWays(
  'a reader of 0.2.x that asked for nothing meets no message it does not know, and init is the first',
  turns,
  { ...allowed, env: { KEDGE_NOTICES: undefined } },
  async ({ options }) => {
    const run = await collect(query({ prompt: prompt(), options }))
    assert.equal(run.error, undefined)
    assert.deepEqual(unknown(run.messages), [])
    assert.equal(kinds(run.messages)[0], 'system/init')
    for (const message of run.messages)
      if ('message' in message) assert.ok('content' in message.message, JSON.stringify(message))
    assert.equal(run.results.flatMap((result) => result.permission_denials).length, 1)
  },
)

bothWays(
  'includeNotices (--include-notices, KEDGE_NOTICES): messages 0.2.50 does not have come when asked for, and after init',
  turns,
  { ...allowed, env: { KEDGE_NOTICES: undefined }, includeNotices: true },
  async ({ options }) => {
    const run = await collect(query({ prompt: prompt(), options }))
    assert.equal(kinds(run.messages)[0], 'system/init')
    const names = new Set<string>(unknown(run.messages).map((m) => ('subtype' in m ? m.subtype : m.type)))
    for (const name of ['api_retry', 'permission_denied', 'command_lifecycle', 'task_updated'])
      assert.ok(names.has(name), [...names].join())
    for (const message of run.messages)
      if ('message' in message) assert.ok('content' in message.message, JSON.stringify(message))
  },
)
