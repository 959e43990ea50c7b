import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { adaptImportedLine, ImportedLogReader, parseImportLine, readImportHeader } from './import-lines.js'

const id = '11111111-2222-4333-8444-555555555555'
const at = '2026-01-01T00:00:00.000Z'
const invalid = { code: 'invalid_import' }

describe('the file of an exported session', () => {
  it('begins with what it is', () => {
    const session = { id: id.toUpperCase(), cwd: '/a', seq: 3, title: 'x' }
    assert.deepEqual(readImportHeader({ kedge: 'session', version: 1, session }), { id, cwd: '/a', seq: 3 })
    for (const wrong of [
      ...[null, [], {}, { kedge: 'session', version: 2, session }, { kedge: 'session', version: 1 }],
      { kedge: 'session', version: 1, session: { ...session, id: '../../x' } },
      { kedge: 'session', version: 1, session: { ...session, cwd: 5 } },
    ])
      assert.throws(() => readImportHeader(wrong), invalid)
  })

  it('has parts that stay where they belong', () => {
    assert.deepEqual(parseImportLine({ subpath: 'subagents/agent-1', line: { type: 'user' } }, 2), {
      kind: 'line',
      subpath: 'subagents/agent-1',
      line: { type: 'user' },
    })
    for (const subpath of ['../x', '/etc/x', 'a/../b', 'a//b', '', 'a.b', 5, 'a\\b'])
      assert.throws(() => parseImportLine({ subpath, line: {} }, 2), invalid, String(subpath))
    for (const wrong of [5, {}, { line: 'x' }, { entry: [] }]) assert.throws(() => parseImportLine(wrong, 2), invalid)
  })

  it('brings talk along, in the folder it comes to, and nothing that would act', () => {
    const places = { id, from: '/old', to: '/new' }
    const line = { type: 'user', sessionId: id, cwd: '/old', message: { role: 'user', content: 'Hi' } }
    assert.deepEqual(adaptImportedLine({ ...line, permissionMode: 'bypassPermissions' }, 2, places), {
      ...line,
      cwd: '/new',
    })
    assert.equal(adaptImportedLine({ ...line, cwd: '/old/deeper' }, 2, places)?.['cwd'], '/old/deeper')
    for (const type of ['file-history-snapshot', 'file-history-delta', 'queue-operation', 'question-open', 'other'])
      assert.equal(adaptImportedLine({ ...line, type }, 2, places), undefined, type)
    for (const wrong of [
      ...[{ sessionId: '22222222-2222-4333-8444-555555555555' }, { sessionId: undefined }, { type: 5 }],
      ...[{ message: undefined }, { message: { content: 5 } }, { message: { content: [null] } }],
      { message: { content: [{ text: 'no type' }] } },
    ])
      assert.throws(() => adaptImportedLine({ ...line, ...wrong }, 2, places), invalid, JSON.stringify(wrong))
  })

  it('has a record whose entries follow each other, each as it should be', () => {
    const take = (...given: Record<string, unknown>[]) => {
      const log = new ImportedLogReader(id, '/new')
      return given.map((entry, n) => log.take({ seq: n + 1, at, ...entry }, n + 2))
    }
    const state = { kind: 'state', data: { cwd: '/etc', status: 'idle' } }
    const [first, second] = take(state, state)
    assert.deepEqual(first, { session: id, seq: 1, at, kind: 'state', data: { status: 'idle', cwd: '/new' } })
    assert.deepEqual(second?.data, { status: 'idle' })
    for (const wrong of [
      ...[{ seq: 2 }, { seq: '1' }, { at: 'then' }, { at: '9999-01-01T00:00:00.000Z' }, { kind: 'delta' }],
      ...[{ data: 5 }, { data: { asks: 5 } }, { data: JSON.parse('{"__proto__": {"cwd": "/etc"}}') }],
      ...[{ data: { status: 'flying' } }, { data: { title: 5 } }, { data: { archived: 'yes' } }],
      ...[
        { kind: 'message', data: { type: 'assistant' } },
        { kind: 'message', data: { type: 'result' } },
      ],
      ...[
        { kind: 'message', data: { type: 'user', message: { content: [5] } } },
        { kind: 'message', data: {} },
      ],
      ...[
        { kind: 'prompt', data: { change: 'queued' } },
        { kind: 'prompt', data: { change: 'flown', id: 'x' } },
      ],
      ...[
        { kind: 'prompt', data: { change: 'reordered', order: 'x' } },
        { kind: 'prompt', data: { change: 'done' } },
      ],
      ...[
        { kind: 'ask', data: { id: 'x' } },
        { kind: 'answered', data: { ask: 'x' } },
        { kind: 'withdrawn', data: {} },
      ],
    ])
      assert.throws(() => take({ ...state, ...wrong }), invalid, JSON.stringify(wrong))
  })

  it('ends with nothing open, and in the mode that asks', () => {
    const log = new ImportedLogReader(id, '/new')
    const given = [
      { kind: 'state', data: { status: 'running', mode: 'bypassPermissions' } },
      ...['1', '2'].map((prompt) => ({
        kind: 'prompt',
        data: { change: 'queued', prompt: { id: prompt, content: 'rm -rf /', when: 'queue' } },
      })),
      { kind: 'prompt', data: { change: 'started', id: '1', message: 'm' } },
      {
        kind: 'ask',
        data: { id: 'q', kind: 'permission', since: at, agent: [], suggestions: [], why: {}, tool: { name: 'Bash' } },
      },
    ]
    for (const [n, entry] of given.entries()) log.take({ seq: n + 1, at, ...entry }, n + 2)
    const closing = log.closing({ name: 'main' }, () => 0)
    assert.deepEqual(
      closing.map(({ kind, seq }) => [kind, seq]),
      [
        ['withdrawn', 6],
        ['prompt', 7],
        ['prompt', 8],
        ['state', 9],
      ],
    )
    const { asks, waiting, started, mode, status } = log.state
    assert.deepEqual([asks.size, waiting.length, started.length, mode, status], [0, 0, 0, 'default', 'idle'])
  })
})
