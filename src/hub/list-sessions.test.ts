import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mergeSessionLists, pageOfSessions } from './list-sessions.js'
import type { LogSummary } from './log/log-store.js'
import type { SessionInfo } from './session-types.js'

const summary = (fields: Partial<LogSummary> = {}): LogSummary => ({
  cwd: '/x',
  status: 'idle',
  archived: false,
  costUsd: 0,
  waiting: 0,
  seq: 1,
  ...fields,
})
const info = (id: string, lastActivity: number, fields: Partial<SessionInfo> = {}): SessionInfo => ({
  id,
  cwd: '/x',
  status: 'idle',
  title: id,
  mode: undefined,
  model: undefined,
  effort: undefined,
  archived: false,
  costUsd: 0,
  lastActivity,
  isOpen: false,
  seq: 0,
  waiting: 0,
  asks: 0,
  ...fields,
})

describe('the list of sessions', () => {
  it('marks a session whose last turn failed, also where only its summary is left', () => {
    const logs = [
      { session: 'a', changed: 2, summary: summary({ lastTurn: 'failed' }) },
      { session: 'b', changed: 1, summary: summary() },
    ]
    assert.deepEqual(
      mergeSessionLists([], logs, []).map(({ id, lastTurn }) => [id, lastTurn]),
      [
        ['a', 'failed'],
        ['b', undefined],
      ],
    )
  })

  it('has each once: what is open here says most, then the log, then the transcript', () => {
    const stored = ['a', 'b', 'c'].map((sessionId, n) => ({
      sessionId,
      summary: `said ${sessionId}`,
      lastModified: n + 1,
    }))
    const logs = [
      { session: 'b', changed: 9, summary: summary({ status: 'running', title: 'B', costUsd: 2 }) },
      { session: 'd', changed: 5, summary: summary({ archived: true }) },
      { session: 'e', changed: 5 },
    ]
    const open = [info('c', 20, { status: 'needs-you', isOpen: true })]
    assert.deepEqual(
      mergeSessionLists(stored, logs, open).map(({ id, status, title, costUsd, lastActivity }) => [
        id,
        status,
        title,
        costUsd,
        lastActivity,
      ]),
      [
        ['c', 'needs-you', 'c', 0, 20],
        // Nobody runs it here.
        ['b', 'idle', 'B', 2, 9],
        ['d', 'idle', undefined, 0, 5],
        ['a', 'done', 'said a', 0, 1],
      ],
    )
  })

  it('is narrowed by folder, status, archive and words of the title', () => {
    const all = [
      info('1', 4, { cwd: '/y' }),
      info('2', 3, { status: 'error' }),
      info('3', 2, { archived: true }),
      info('4', 1, { title: 'Mend the Pump' }),
    ]
    const ids = (filter: Parameters<typeof pageOfSessions>[1]) =>
      pageOfSessions(all, filter).sessions.map(({ id }) => id)
    assert.deepEqual(ids({}), ['1', '2', '4'])
    assert.deepEqual(ids({ cwd: '/y' }), ['1'])
    assert.deepEqual(ids({ status: ['error', 'done'] }), ['2'])
    assert.deepEqual(ids({ archived: true }), ['3'])
    assert.deepEqual(ids({ archived: 'any' }).length, ids({ archived: true }).length + ids({}).length)
    assert.deepEqual(ids({ text: 'pump' }), ['4'])
  })

  it('comes in pages that neither repeat nor leave out, also when the cursor’s session is gone', () => {
    const all = [info('a', 5), info('b', 5), info('c', 5), info('d', 1)]
    const first = pageOfSessions(all, { limit: 2 })
    assert.deepEqual(
      first.sessions.map(({ id }) => id),
      ['a', 'b'],
    )
    const rest = (sessions: SessionInfo[]) => pageOfSessions(sessions, { limit: 2, cursor: first.next ?? '' })
    assert.deepEqual(
      rest(all).sessions.map(({ id }) => id),
      ['c', 'd'],
    )
    assert.equal(rest(all).next, undefined)
    assert.deepEqual(
      rest(all.filter(({ id }) => id !== 'b')).sessions.map(({ id }) => id),
      ['c', 'd'],
    )
    assert.deepEqual(pageOfSessions(all, { cursor: '0 x' }), { sessions: [] })
  })
})
