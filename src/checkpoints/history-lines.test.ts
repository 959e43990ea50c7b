import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import {
  addOrFindMessage,
  emptyHistory,
  type FileHistory,
  type FileState,
  latestState,
  recordState,
} from './file-history.js'
import {
  applyHistoryLine,
  createFileHistorySnapshotLine,
  createFirstChangeLines,
  type FileHistoryTranscriptLine,
} from './history-lines.js'

const cwd = '/home/ada/project'
const time = '2026-01-01T00:00:00.000Z'
const during = { cwd, during: 'line-1', now: '2026-01-02T00:00:00.000Z' }

function historyOf(states: Record<string, FileState>, byCommand = false): FileHistory {
  const history = emptyHistory()
  const from = addOrFindMessage(history, 'message-1', time)
  for (const [path, state] of Object.entries(states)) recordState(history, path, { from, state, time }, byCommand)
  return history
}

/** As it comes back from a session file. */
function readBack(lines: readonly FileHistoryTranscriptLine[]): FileHistory {
  const history = emptyHistory()
  for (const line of lines) applyHistoryLine(history, JSON.parse(JSON.stringify(line)), cwd)
  return history
}

describe('a snapshot', () => {
  it('has files where the original looks for them, and all else beside', () => {
    const history = historyOf({
      [`${cwd}/src/a.ts`]: { kind: 'file', blob: 'aa', mode: 0o644 },
      '/etc/hosts': { kind: 'file', blob: 'bb', mode: undefined },
      [`${cwd}/new`]: { kind: 'nothing' },
      [`${cwd}/docs`]: { kind: 'folder', mode: 0o755 },
      [`${cwd}/made`]: { kind: 'nothing', folder: true },
      [`${cwd}/huge`]: { kind: 'unknown', why: 'it is larger than 50 MB', size: 9, mtimeMs: 8 },
      [`${cwd}/link`]: { kind: 'unknown', why: 'it is a symbolic link' },
    })
    const same = { version: 1, backupTime: time }
    assert.deepEqual(createFileHistorySnapshotLine(history, cwd), {
      type: 'file-history-snapshot',
      messageId: 'message-1',
      snapshot: {
        messageId: 'message-1',
        trackedFileBackups: {
          'src/a.ts': { backupFileName: 'aa', ...same, mode: 0o644 },
          '/etc/hosts': { backupFileName: 'bb', ...same },
          new: { backupFileName: null, ...same },
        },
        timestamp: time,
        otherPaths: {
          docs: { backupFileName: null, ...same, kind: 'folder', mode: 0o755 },
          made: { backupFileName: null, ...same, kind: 'no-folder' },
          huge: {
            backupFileName: null,
            ...same,
            kind: 'not-kept',
            why: 'it is larger than 50 MB',
            size: 9,
            mtimeMs: 8,
          },
          link: { backupFileName: null, ...same, kind: 'not-kept', why: 'it is a symbolic link' },
        },
      },
      isSnapshotUpdate: false,
    })
  })

  it('of files only has nothing beside', () => {
    const { snapshot } = createFileHistorySnapshotLine(historyOf({ '/a': { kind: 'nothing' } }), cwd)
    assert.equal('otherPaths' in snapshot, false)
  })

  it('counts versions, and says what only commands changed', () => {
    const history = historyOf({ '/a': { kind: 'nothing' } }, true)
    const from = addOrFindMessage(history, 'message-2', 'later')
    recordState(history, '/a', { from, state: { kind: 'file', blob: 'aa', mode: undefined }, time: 'then' }, true)
    const { snapshot, messageId } = createFileHistorySnapshotLine(history, cwd)
    assert.equal(messageId, 'message-2')
    assert.deepEqual(snapshot, {
      messageId: 'message-2',
      trackedFileBackups: { '/a': { backupFileName: 'aa', version: 2, backupTime: 'then', byCommand: true } },
      timestamp: 'later',
    })
  })

  it('before the first message has no name', () => {
    assert.deepEqual(createFileHistorySnapshotLine(emptyHistory(), cwd), {
      type: 'file-history-snapshot',
      messageId: '',
      snapshot: { messageId: '', trackedFileBackups: {}, timestamp: '' },
      isSnapshotUpdate: false,
    })
  })

  it('names the working directory itself, and its neighbors, in full', () => {
    const history = historyOf({ [cwd]: { kind: 'nothing' }, [`${cwd}-old/a`]: { kind: 'nothing' } })
    assert.deepEqual(Object.keys(createFileHistorySnapshotLine(history, cwd).snapshot.trackedFileBackups), [
      cwd,
      `${cwd}-old/a`,
    ])
  })

  it('has a file called __proto__ like any other', () => {
    const path = `${cwd}/__proto__`
    const lines = [createFileHistorySnapshotLine(historyOf({ [path]: { kind: 'file', blob: 'aa', mode: 0o600 } }), cwd)]
    assert.deepEqual(latestState(readBack(lines), path), { kind: 'file', blob: 'aa', mode: 0o600 })
  })
})

describe('an update', () => {
  it('repeats everything while there is little', () => {
    const history = historyOf({ '/a': { kind: 'nothing' }, '/b': { kind: 'nothing' } })
    const [line, ...more] = createFirstChangeLines(history, ['/b'], during)
    assert.equal(more.length, 0)
    assert.ok(line?.type === 'file-history-snapshot')
    assert.equal(line.messageId, 'line-1')
    assert.equal(line.isSnapshotUpdate, true)
    assert.deepEqual(Object.keys(line.snapshot.trackedFileBackups), ['/a', '/b'])
    assert.equal(line.snapshot.messageId, 'message-1')
  })

  const many = (count: number) => {
    const states: Record<string, FileState> = {}
    for (let i = 0; i < count; i += 1) states[`${cwd}/f${i}`] = { kind: 'file', blob: `b${i}`, mode: 0o644 }
    return states
  }

  it('of few among many says only what is new', () => {
    const history = historyOf({ ...many(100), [`${cwd}/d`]: { kind: 'folder', mode: 0o755 } })
    const lines = createFirstChangeLines(history, [`${cwd}/f7`, `${cwd}/d`, '/unheard-of'], during)
    const same = { messageId: 'line-1', snapshotMessageId: 'message-1', timestamp: during.now }
    assert.deepEqual(lines, [
      {
        type: 'file-history-delta',
        ...same,
        trackingPath: 'f7',
        backup: { backupFileName: 'b7', version: 1, backupTime: time, mode: 0o644 },
      },
      {
        type: 'file-history-other',
        ...same,
        trackingPath: 'd',
        backup: { backupFileName: null, version: 1, backupTime: time, kind: 'folder', mode: 0o755 },
      },
    ])
  })

  it('repeats everything up to a hundred files, and when a good part of them is new', () => {
    const typesOf = (count: number, added: number) =>
      createFirstChangeLines(historyOf(many(count)), Object.keys(many(added)), during).map(({ type }) => type)
    assert.deepEqual(typesOf(100, 1), ['file-history-snapshot'])
    assert.deepEqual(typesOf(101, 1), ['file-history-delta'])
    assert.deepEqual(typesOf(110, 11).length, 11)
    assert.deepEqual(typesOf(110, 12), ['file-history-snapshot'])
  })
})

describe('lines of a session file', () => {
  const read = (...lines: unknown[]) => {
    const history = emptyHistory()
    for (const line of lines) applyHistoryLine(history, line, cwd)
    return history
  }
  const snapshot = (messageId: unknown, trackedFileBackups: unknown, more: object = {}) => ({
    type: 'file-history-snapshot',
    snapshot: { messageId, trackedFileBackups, timestamp: time, ...more },
  })

  it('of the original are understood', () => {
    const history = read(
      snapshot('m1', { 'a.ts': { backupFileName: '0123abcd@v1', version: 1, backupTime: time } }),
      snapshot('m2', { 'a.ts': { backupFileName: null, version: 2, backupTime: time } }),
    )
    assert.deepEqual(history.messages, ['m1', 'm2'])
    assert.deepEqual(history.paths.get(`${cwd}/a.ts`), {
      versions: [
        { from: 0, state: { kind: 'file', blob: '0123abcd@v1', mode: undefined }, time },
        { from: 1, state: { kind: 'nothing' }, time },
      ],
      byCommand: false,
    })
  })

  it('that add to a message belong to it, and to none when it is unknown', () => {
    const delta = (snapshotMessageId: unknown, trackingPath: unknown) => ({
      type: 'file-history-delta',
      snapshotMessageId,
      trackingPath,
      backup: { backupFileName: 'aa', version: 1, backupTime: time },
    })
    const history = read(
      snapshot('m1', {}),
      snapshot('m2', {}),
      delta('m1', 'a'),
      { ...delta('m2', '/b'), type: 'file-history-other' },
      delta('m3', 'c'),
      delta(7, 'd'),
      delta('m1', 8),
    )
    const from = [...history.paths].map(([path, { versions }]) => [path, versions[0]?.from])
    assert.deepEqual(from, [
      [`${cwd}/a`, 0],
      ['/b', 1],
    ])
  })

  it('of other kinds, or broken ones, change nothing', () => {
    const empty = emptyHistory()
    const broken = [
      ...[null, 7, 'text', [], {}, { type: 'user', message: {} }, { type: 'file-history-snapshot' }],
      { type: 'file-history-snapshot', snapshot: 'none' },
      snapshot(7, { a: { backupFileName: 'aa' } }),
      { type: 'file-history-delta', trackingPath: 'a', backup: { backupFileName: 'aa' } },
    ]
    assert.deepEqual(read(...broken), empty)
  })

  it('with backups that make no sense keep the message and the others', () => {
    const history = read(
      snapshot('m1', {
        '': { backupFileName: 'aa' },
        'a\0b': { backupFileName: 'aa' },
        number: { backupFileName: 7 },
        text: 'aa',
        none: null,
        missing: {},
        good: { backupFileName: 'aa', backupTime: 7 },
      }),
      snapshot('m2', 'not an object'),
    )
    assert.deepEqual(history.messages, ['m1', 'm2'])
    assert.deepEqual([...history.paths.keys()], [`${cwd}/good`])
    assert.equal(history.paths.get(`${cwd}/good`)?.versions[0]?.time, '')
  })

  it('give no mode that is none', () => {
    const modes = [-1, 0o10000, 1.5, '420', null]
    const history = read(
      snapshot('m1', Object.fromEntries(modes.map((mode, i) => [`f${i}`, { backupFileName: 'aa', mode }])), {
        otherPaths: { d: { kind: 'folder', mode: 0o7777 } },
      }),
    )
    for (let i = 0; i < modes.length; i += 1)
      assert.deepEqual(latestState(history, `${cwd}/f${i}`), { kind: 'file', blob: 'aa', mode: undefined })
    assert.deepEqual(latestState(history, `${cwd}/d`), { kind: 'folder', mode: 0o7777 })
  })

  it('say why something was not kept, or that it was not', () => {
    const history = read(
      snapshot(
        'm1',
        {},
        { otherPaths: { a: { kind: 'not-kept', size: 3 }, b: { kind: 'not-kept', why: 'so', size: 3, mtimeMs: 4 } } },
      ),
    )
    assert.deepEqual(latestState(history, `${cwd}/a`), { kind: 'unknown', why: 'it was not kept' })
    assert.deepEqual(latestState(history, `${cwd}/b`), { kind: 'unknown', why: 'so', size: 3, mtimeMs: 4 })
  })

  it('bring back what was written, whatever it was', () => {
    const mode = fc.option(fc.integer({ min: 0, max: 0o7777 }), { nil: undefined })
    const state: fc.Arbitrary<FileState> = fc.oneof(
      fc.record({ kind: fc.constant('file' as const), blob: fc.stringMatching(/^[0-9a-f]{1,8}$/), mode }),
      fc.record({ kind: fc.constant('folder' as const), mode }),
      fc.constant<FileState>({ kind: 'nothing' }),
      fc.constant<FileState>({ kind: 'nothing', folder: true }),
      fc.record({ kind: fc.constant('unknown' as const), why: fc.string(), size: fc.nat(), mtimeMs: fc.nat() }),
    )
    const name = fc.oneof(fc.stringMatching(/^[a-z _-]{1,12}$/), fc.constantFrom('__proto__', 'constructor', '10', '2'))
    const path = fc
      .tuple(fc.constantFrom(cwd, '/etc', '/home/ada'), fc.array(name, { minLength: 1, maxLength: 3 }))
      .map(([folder, names]) => [folder, ...names].join('/'))
    const entries = fc.uniqueArray(fc.tuple(path, state, fc.boolean()), { selector: ([one]) => one, maxLength: 8 })
    fc.assert(
      fc.property(entries, (noted) => {
        const history = emptyHistory()
        const from = addOrFindMessage(history, 'm', time)
        for (const [at, one, byCommand] of noted) recordState(history, at, { from, state: { ...one }, time }, byCommand)
        const back = readBack([createFileHistorySnapshotLine(history, cwd)])
        assert.deepEqual(back.messages, ['m'])
        assert.deepEqual(new Map(back.paths), history.paths)
      }),
    )
  })
})
