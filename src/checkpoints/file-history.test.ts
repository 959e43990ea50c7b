import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import {
  addOrFindMessage,
  emptyHistory,
  type FileState,
  isSameState,
  latestState,
  recordState,
  stateAt,
} from './file-history.js'

const file = (blob: string, mode: number | undefined = 0o644): FileState => ({ kind: 'file', blob, mode })
const nothing: FileState = { kind: 'nothing' }
const time = '2026-01-01T00:00:00.000Z'

describe('messages of a history', () => {
  it('get a place each, in the order they came', () => {
    const history = emptyHistory()
    assert.deepEqual(
      [addOrFindMessage(history, 'a', '1'), addOrFindMessage(history, 'b', '2'), addOrFindMessage(history, 'c', '3')],
      [0, 1, 2],
    )
    assert.deepEqual(history.messages, ['a', 'b', 'c'])
    assert.deepEqual(history.times, ['1', '2', '3'])
  })

  it('keep the place and the time they had', () => {
    const history = emptyHistory()
    addOrFindMessage(history, 'a', '1')
    addOrFindMessage(history, 'b', '2')
    assert.equal(addOrFindMessage(history, 'a', '9'), 0)
    assert.deepEqual(history.times, ['1', '2'])
  })
})

describe('states of a path', () => {
  const note = (history: ReturnType<typeof emptyHistory>, from: number, state: FileState, byCommand = false) =>
    recordState(history, '/repo/a', { from, state, time }, byCommand)

  it('are one version while nothing changes', () => {
    const history = emptyHistory()
    note(history, 0, file('x'))
    note(history, 1, file('x'))
    note(history, 2, file('x'))
    assert.deepEqual(history.paths.get('/repo/a')?.versions, [{ from: 0, state: file('x'), time }])
  })

  it('of the same message: the last one counts', () => {
    const history = emptyHistory()
    note(history, 0, file('x'))
    note(history, 1, file('y'))
    note(history, 1, file('z'))
    assert.deepEqual(
      history.paths.get('/repo/a')?.versions.map(({ from, state }) => [from, state]),
      [
        [0, file('x')],
        [1, file('z')],
      ],
    )
  })

  it('of a message before the latest version are not taken', () => {
    const history = emptyHistory()
    note(history, 3, file('x'))
    note(history, 2, file('y'))
    assert.deepEqual(latestState(history, '/repo/a'), file('x'))
    assert.equal(history.paths.get('/repo/a')?.versions.length, 1)
  })

  it('say who changed it first', () => {
    const history = emptyHistory()
    note(history, 0, file('x'), true)
    note(history, 1, file('y'), false)
    assert.equal(history.paths.get('/repo/a')?.byCommand, true)
  })

  it('that nobody noted are not known', () => {
    assert.equal(latestState(emptyHistory(), '/repo/a'), undefined)
    assert.deepEqual(stateAt({ versions: [], byCommand: false }, 0), {
      kind: 'unknown',
      why: 'nothing is known of it',
    })
  })

  it('hold from their message until the next, and the first also before', () => {
    const versions = [
      { from: 2, state: nothing, time },
      { from: 5, state: file('x'), time },
      { from: 6, state: file('y'), time },
    ]
    const at = [0, 1, 2, 4, 5, 6, 99].map((place) => stateAt({ versions, byCommand: false }, place))
    assert.deepEqual(at, [nothing, nothing, nothing, nothing, file('x'), file('y'), file('y')])
  })

  it('are what was noted last, at every message', () => {
    const states = fc.constantFrom<FileState>(nothing, file('x'), file('y'), file('x', 0o755), {
      kind: 'folder',
      mode: 0o755,
    })
    fc.assert(
      fc.property(fc.array(states, { minLength: 1, maxLength: 12 }), (noted) => {
        const history = emptyHistory()
        noted.forEach((state, from) => {
          note(history, from, state)
        })
        const tracked = history.paths.get('/repo/a')
        assert.ok(tracked)
        assert.deepEqual(
          noted.map((_, place) => stateAt(tracked, place)),
          noted,
        )
        // Neighbors differ: what repeats is not kept twice.
        tracked.versions.forEach(({ state }, i) => {
          const before = tracked.versions[i - 1]
          assert.ok(!before || !isSameState(before.state, state))
        })
      }),
    )
  })
})

describe('two states', () => {
  const unknown = (more: { size?: number; mtimeMs?: number } = {}): FileState => ({
    kind: 'unknown',
    why: 'too large',
    ...more,
  })
  const cases: [string, FileState, FileState, boolean][] = [
    ['the same content', file('x'), file('x'), true],
    ['other content', file('x'), file('y'), false],
    ['another mode', file('x', 0o644), file('x', 0o600), false],
    ['a mode and none', file('x', 0o644), { kind: 'file', blob: 'x', mode: undefined }, false],
    ['a file and nothing', file('x'), nothing, false],
    ['nothing and a file', nothing, file('x'), false],
    ['nothing, once instead of a folder', nothing, { kind: 'nothing', folder: true }, true],
    ['the same folder', { kind: 'folder', mode: 0o755 }, { kind: 'folder', mode: 0o755 }, true],
    ['a folder with another mode', { kind: 'folder', mode: 0o755 }, { kind: 'folder', mode: 0o700 }, false],
    ['a folder and a file', { kind: 'folder', mode: 0o755 }, file('x', 0o755), false],
    ['twice unknown', unknown(), unknown(), false],
    ['unknown with the same marks', unknown({ size: 1, mtimeMs: 2 }), unknown({ size: 1, mtimeMs: 2 }), true],
    ['unknown with another size', unknown({ size: 1, mtimeMs: 2 }), unknown({ size: 3, mtimeMs: 2 }), false],
    ['unknown with another time', unknown({ size: 1, mtimeMs: 2 }), unknown({ size: 1, mtimeMs: 3 }), false],
    ['unknown and nothing', unknown({ size: 1, mtimeMs: 2 }), nothing, false],
  ]
  for (const [name, a, b, same] of cases) {
    it(`${name}: ${same ? 'the same' : 'not the same'}`, () => assert.equal(isSameState(a, b), same))
  }
})
