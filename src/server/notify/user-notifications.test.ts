import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import type { LogEntry } from '../../protocol/session-log/entries.js'
import { isPublicHost, sendPost } from './send-post.js'
import { userNotificationOf } from './user-notifications.js'
import { createWebhookSignatureHeaders } from './webhook-sender.js'

const noticed = (kind: string, data: object) => {
  const {
    session: _,
    seq: __,
    at: ___,
    ...notice
  } = userNotificationOf({ session: 's', seq: 1, at: 't', kind, data } as LogEntry) ?? {
    session: '',
    seq: 0,
    at: '',
  }
  return notice
}
const ask = { id: 'q', kind: 'permission', why: { text: 'The mode asks.' } }

describe('notices', () => {
  it('are made of what people want to be told of, and of nothing else', () => {
    const bash = { name: 'Bash', input: { command: 'ls' } }
    const needs = { kind: 'needs_you', ask: { id: 'q', kind: 'permission', tool: 'Bash' } }
    for (const [given, data, expected] of [
      ['ask', { ...ask, tool: bash }, { ...needs, text: 'Bash: ls' }],
      ['ask', { ...ask, tool: { ...bash, input: {} } }, { ...needs, text: 'Bash: The mode asks.' }],
      [
        'ask',
        { ...ask, kind: 'elicitation', elicitation: { message: 'Who?' } },
        { kind: 'needs_you', text: 'Who?', ask: { id: 'q', kind: 'elicitation' } },
      ],
      ['message', { type: 'result', is_error: false, result: 'Done.' }, { kind: 'done', text: 'Done.' }],
      ['message', { type: 'result', is_error: true, errors: ['No.'] }, { kind: 'failed', text: 'No.' }],
      ['message', { type: 'assistant' }, {}],
      ['prompt', { change: 'interrupted', reason: 'Killed.' }, { kind: 'failed', text: 'Killed.' }],
      ['prompt', { change: 'done' }, {}],
      ['state', { status: 'error', error: 'Gone.' }, { kind: 'failed', text: 'Gone.' }],
      ['state', { status: 'done' }, { kind: 'closed', text: 'The session was closed.' }],
      ['state', { status: 'idle' }, {}],
      ['answered', {}, {}],
    ] as const)
      assert.deepEqual(noticed(given, data), expected)
    const long = noticed('message', { type: 'result', is_error: false, result: 'x'.repeat(1000) })
    assert.equal('text' in long && String(long.text).length, 300)
  })

  it('are signed so that the receiver can tell', () => {
    const secret = `whsec_${Buffer.from('a secret of some length').toString('base64')}`
    const headers = createWebhookSignatureHeaders('kedge_1', '{"a":1}', secret, 1_700_000_000_123)
    const expected = createHmac('sha256', 'a secret of some length')
      .update('kedge_1.1700000000.{"a":1}')
      .digest('base64')
    assert.deepEqual(headers, {
      'content-type': 'application/json',
      'user-agent': 'kedge',
      'webhook-id': 'kedge_1',
      'webhook-timestamp': '1700000000',
      'webhook-signature': `v1,${expected}`,
    })
  })

  it('for browsers go to public addresses only', async () => {
    for (const host of [
      'localhost',
      'printer',
      'a.local',
      '127.0.0.1',
      '10.0.0.1',
      '169.254.169.254',
      '[::1]',
      '[fd00::1]',
    ])
      assert.equal(isPublicHost(host), false, host)
    for (const host of ['push.example.com', '8.8.8.8']) assert.equal(isPublicHost(host), true, host)
    const post = (url: string) =>
      sendPost({ url, headers: {}, body: '', isPublicOnly: true, signal: new AbortController().signal })
    await assert.rejects(post('http://127.0.0.1:9/'), /not a public address/)
    // A name that leads here: looked at when it is known what it stands for.
    await assert.rejects(post('http://localhost.:9/'), /not a public address|ENOTFOUND|EAI_AGAIN/)
  })
})
