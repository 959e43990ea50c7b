import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { EntryBody, LogEntry, PromptChange } from '../protocol/session-log/entries.js'
import { applyEntry, emptySessionState } from './session-state.js'

function after(...bodies: EntryBody[]) {
  const state = emptySessionState()
  for (const [n, body] of bodies.entries())
    applyEntry(state, { session: 's', seq: n + 1, at: `2026-01-01T00:00:0${n}.000Z`, ...body } as LogEntry) // a body with its envelope
  return state
}
const prompt = (data: PromptChange): EntryBody => ({ kind: 'prompt', data })
const queued = (id: string) => prompt({ change: 'queued', prompt: { id, content: id, when: 'queue' } })
const ids = (prompts: readonly { id: string }[]) => prompts.map(({ id }) => id)

const turnEnd = (isError: boolean, reason: string): EntryBody =>
  ({
    kind: 'message',
    data: { type: 'result', is_error: isError, terminal_reason: reason, total_cost_usd: 0 },
  }) as EntryBody // what the fold reads

describe('the state of a session', () => {
  it('has a mark if the last turn failed, until the next one starts', () => {
    const begun = prompt({ change: 'started', id: 'a', message: 'm' })
    const failed = turnEnd(true, 'not_authenticated')
    assert.equal(after(begun, failed).lastTurn, 'failed')
    assert.equal(after(begun, failed, begun).lastTurn, undefined)
    assert.equal(after(begun, failed, turnEnd(false, 'completed')).lastTurn, undefined)
    assert.equal(after(begun, turnEnd(true, 'aborted_streaming')).lastTurn, undefined, 'a user stopped it')
  })

  it('has the prompts that wait and those that are worked on', () => {
    const state = after(queued('a'), queued('b'), queued('c'), prompt({ change: 'started', id: 'b', message: 'm' }))
    assert.deepEqual([ids(state.waiting), ids(state.started)], [['a', 'c'], ['b']])
    assert.deepEqual(
      [...state.known],
      [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
    )
  })

  it('forgets a prompt however it ended, but not that there was one', () => {
    const ends: PromptChange[] = [
      { change: 'done', id: 'a', result: 'r' },
      { change: 'interrupted', id: 'a', reason: 'x' },
      { change: 'removed', id: 'a' },
    ]
    for (const end of ends) {
      const started = after(queued('a'), prompt({ change: 'started', id: 'a', message: 'm' }), prompt(end))
      assert.deepEqual([started.waiting, started.started, started.known.get('a')], [[], [], 1])
      assert.deepEqual(after(queued('a'), prompt(end)).waiting, [])
    }
  })

  it('puts those an order names first, and leaves the others as they were', () => {
    const state = after(queued('a'), queued('b'), queued('c'), prompt({ change: 'reordered', order: ['c', 'x'] }))
    assert.deepEqual(ids(state.waiting), ['c', 'a', 'b'])
  })

  it('has the open asks, and who closed the others', () => {
    const ask = (id: string): EntryBody => ({
      kind: 'ask',
      data: {
        id,
        session: 's',
        kind: 'permission',
        agent: [],
        why: { layer: 'tool', text: '' },
        suggestions: [],
        since: '',
      },
    })
    const state = after(
      ...[ask('a'), ask('b'), ask('c')],
      { kind: 'answered', data: { ask: 'a', answer: { kind: 'allow' }, by: { name: 'Ada' } } },
      { kind: 'withdrawn', data: { ask: 'b', reason: 'x' } },
    )
    assert.deepEqual([...state.asks.keys()], ['c'])
    assert.deepEqual(
      [...state.closedAsks],
      [
        ['a', { name: 'Ada' }],
        ['b', 'withdrawn'],
      ],
    )
  })

  it('keeps what a change does not name, and takes titles and errors away with null', () => {
    const state = after(
      { kind: 'state', data: { cwd: '/x', status: 'error', title: 'T', error: 'E', model: 'm' } },
      { kind: 'state', data: { status: 'idle', error: null, by: { name: 'Ada' } } },
    )
    const { cwd, status, title, error, model, seq, createdAt, changedAt } = state
    assert.deepEqual(
      { cwd, status, title, error, model, seq },
      { cwd: '/x', status: 'idle', title: 'T', error: undefined, model: 'm', seq: 2 },
    )
    assert.deepEqual([createdAt, changedAt], ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'])
    assert.equal(
      after({ kind: 'state', data: { title: 'T' } }, { kind: 'state', data: { title: null } }).title,
      undefined,
    )
    assert.equal('by' in state, false)
  })

  it('counts what the whole session cost', () => {
    const result = (fields: object) =>
      ({ kind: 'message', data: { type: 'result', ...fields } }) as unknown as EntryBody // a result's other fields say nothing of it
    assert.equal(
      after(result({ total_cost_usd: 1 }), result({ total_cost_usd: 2, session_total_cost_usd: 5 })).costUsd,
      5,
    )
    assert.equal(after(result({ total_cost_usd: 1 })).costUsd, 1)
  })
})
