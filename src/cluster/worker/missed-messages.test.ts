import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EntryBody } from '../../protocol/session-log/entries.js'
import { ClusterSessions } from '../runs/cluster-sessions.js'
import { addLogEntries } from '../runs/run-changes.js'
import { openTestDatabase } from '../test-database.js'
import { findUnloggedMessages } from './missed-messages.js'
import { clusterSessionStore } from './run-session-store.js'

const SESSION = '11111111-1111-4111-8111-111111111111'
const id = (n: number) => `22222222-2222-4222-8222-${String(n).padStart(12, '0')}` as const

test('readers are told what a worker had written down and not said, in its order', async () => {
  const { database, drop } = await openTestDatabase({ connections: 2 })
  const own = database.as('acme')
  const engine = { async enqueue() {}, async cancel() {} } as never // nothing of it is asked for
  const sessions = new ClusterSessions({ database: own, engine, wake() {}, wakeWorker() {} })
  await sessions.create({ id: SESSION, cwd: '/', app: '', options: {}, first: [] })
  const said = (n: number, type: 'assistant' | 'user', content: unknown, more: object = {}) => ({
    type,
    uuid: id(n),
    message: { role: type, content },
    ...more,
  })
  const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: {} }
  const result = { type: 'tool_result', tool_use_id: 'c1', content: 'a\u0000b' }
  await clusterSessionStore(own).append({ projectKey: '', sessionId: SESSION }, [
    said(1, 'user', 'An earlier prompt.'),
    said(2, 'assistant', [{ type: 'text', text: 'Never told, but of another turn.' }]),
    said(3, 'user', 'Do it.'),
    said(4, 'assistant', [call]),
    said(5, 'user', [{ type: 'text', text: 'A reminder for the model.' }], { isMeta: true }),
    said(6, 'user', [result], { toolUseResult: { stdout: 'a' } }),
    { type: 'tool-start', uuid: id(7) },
    said(8, 'assistant', [{ type: 'text', text: 'Done.' }]),
  ])
  const started: EntryBody = { kind: 'prompt', data: { change: 'started', id: 'p', message: id(3) } }
  const told: EntryBody = {
    kind: 'message',
    // As the agent says it; of the model's own message only what is looked at is here.
    data: { ...said(4, 'assistant', [call]), parent_tool_use_id: null, session_id: SESSION } as never,
  }
  await sessions.change(SESSION, (tx, row) => addLogEntries(tx, row, [started, told]))

  const missed = await findUnloggedMessages(own, SESSION, id(3))
  assert.deepEqual(missed, [
    {
      type: 'user',
      uuid: id(6),
      session_id: SESSION,
      parent_tool_use_id: null,
      message: { role: 'user', content: [result] },
      tool_use_result: { stdout: 'a' },
    },
    {
      type: 'assistant',
      uuid: id(8),
      session_id: SESSION,
      parent_tool_use_id: null,
      message: { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    },
  ])
  // Once they are told, none is missed; nor is anything of a prompt that the transcript does not have.
  await sessions.change(SESSION, (tx, row) =>
    addLogEntries(
      tx,
      row,
      missed.map((data): EntryBody => ({ kind: 'message', data })),
    ),
  )
  assert.deepEqual(await findUnloggedMessages(own, SESSION, id(3)), [])
  assert.deepEqual(await findUnloggedMessages(own, SESSION, id(9)), [])
  await drop()
})
