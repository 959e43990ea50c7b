/** What a rewind restores, what it counts, and what it says about files it can't put back. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../../src/platform/files/files.js'
import { createStage, SESSION, type Stage, type StageOptions, treeOf } from './stage.js'

let stages: Stage[]
let stage: Stage

async function open(options: StageOptions = {}): Promise<Stage> {
  const opened = await createStage(options)
  stages.push(opened)
  return opened
}

beforeEach(async () => {
  stages = []
  stage = await open()
})
afterEach(async () => {
  for (const opened of stages.reverse()) await opened.dispose()
})

const write = (name: string, content: string, on = stage) =>
  on.call('Write', { file_path: on.at(name), content }).then((problem) => assert.equal(problem, undefined))

async function edit(name: string, from: string, to: string, on = stage) {
  const file_path = on.at(name)
  await on.call('Read', { file_path })
  assert.equal(await on.call('Edit', { file_path, old_string: from, new_string: to }), undefined)
}

const bash = (command: string, on = stage) => on.call('Bash', { command })

describe('a rewind', () => {
  it('removes what was created, with the folders made for it, and brings back what was deleted', async () => {
    writeFileSync(stage.at('gone.sh'), '#!/bin/sh\n', { mode: 0o751 })
    chmodSync(stage.at('gone.sh'), 0o751)
    mkdirSync(stage.at('there'))
    const before = treeOf(stage.cwd)
    await stage.begin('m0')
    await write('made/by/us/new.txt', 'new')
    await write('there/new.txt', 'new')
    await bash('rm gone.sh')
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true })
    assert.deepEqual(treeOf(stage.cwd), before)
  })

  it('leaves folders that hold something else, and that file', async () => {
    await stage.begin('m0')
    await write('made/new.txt', 'new')
    writeFileSync(stage.at('made', 'mine.txt'), 'mine')
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true })
    assert.deepEqual(readdirSync(stage.cwd, { recursive: true }).sort(), ['made', 'made/mine.txt'])
  })

  it('S40 restores what was before the first of several edits in one turn', async () => {
    writeFileSync(stage.at('a.txt'), 'one\n')
    await stage.begin('m0')
    await edit('a.txt', 'one', 'two')
    await edit('a.txt', 'two', 'three')
    await bash('echo four >> a.txt')
    await stage.rewind('m0')
    assert.equal(readFileSync(stage.at('a.txt'), 'utf8'), 'one\n')
  })

  it('knows where a command runs whose folder a rewind has removed', async () => {
    mkdirSync(stage.at('empty'))
    await stage.begin('m0')
    await bash('mkdir made && cd made')
    await stage.rewind('m0')
    await bash('mkdir empty/x')
    assert.deepEqual(Object.keys(treeOf(stage.cwd)), ['empty', 'empty/x'])
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true })
    assert.deepEqual(Object.keys(treeOf(stage.cwd)), ['empty'])
  })

  it('goes forward again to a later message, and takes what happened unseen between two messages as it was', async () => {
    writeFileSync(stage.at('a.txt'), 'one\n')
    await stage.begin('m0')
    await edit('a.txt', 'one', 'two')
    // By a program that nobody here knows, and by the user.
    await bash(`node -e 'require("fs").writeFileSync("a.txt", "program")'`)
    await stage.begin('m1')
    writeFileSync(stage.at('a.txt'), 'user')
    await stage.begin('m2')
    rmSync(stage.at('a.txt'))
    for (const [id, content] of [
      ['m0', 'one\n'],
      ['m1', 'program'],
      ['m2', 'user'],
      ['m1', 'program'],
    ] as const) {
      assert.deepEqual(await stage.rewind(id), { canRewind: true })
      assert.equal(readFileSync(stage.at('a.txt'), 'utf8'), content)
    }
  })

  it('sees a change that left size and time as they were', async () => {
    const path = stage.at('a.txt')
    writeFileSync(path, 'one')
    await stage.begin('m0')
    await bash('printf two > a.txt')
    const time = Math.floor(Date.now() / 1000)
    utimesSync(path, time, time)
    await stage.begin('m1')
    writeFileSync(path, 'six')
    utimesSync(path, time, time)
    await stage.begin('m2')
    await stage.rewind('m1')
    assert.equal(readFileSync(path, 'utf8'), 'two')
    await stage.rewind('m2')
    assert.equal(readFileSync(path, 'utf8'), 'six')
  })

  it('counts like the original, from what is there to what was, and changes nothing when dry', async () => {
    writeFileSync(stage.at('old.txt'), 'a\nb\nc\n')
    await stage.begin('m1')
    await write('sub/new.txt', 'one\ntwo\n')
    await edit('old.txt', 'b', 'B')
    await stage.begin('m2')
    await edit('old.txt', 'c', 'C')
    await edit('sub/new.txt', 'two', 'TWO\nthree')
    await edit('sub/new.txt', 'three', '3')
    await stage.begin('m3')
    await bash('rm old.txt; echo hi > bash.txt')
    await stage.begin('m4')
    const [fresh, old, byBash] = [stage.at('sub/new.txt'), stage.at('old.txt'), stage.at('bash.txt')]
    const after = treeOf(stage.cwd)
    const dry = async (id: string) => {
      const { canRewind, filesChanged, insertions, deletions, ...rest } = await stage.rewind(id, true)
      assert.deepEqual([canRewind, rest], [true, {}])
      return [filesChanged, insertions, deletions]
    }
    // The original knows nothing of bash.txt; the rest are its numbers.
    assert.deepEqual(await dry('m4'), [[], 0, 0])
    assert.deepEqual(await dry('m3'), [[old, byBash], 3, 1])
    assert.deepEqual(await dry('m2'), [[fresh, old, byBash], 4, 3])
    assert.deepEqual(await dry('m1'), [[fresh, old, byBash], 3, 4])
    assert.deepEqual(treeOf(stage.cwd), after)
  })

  it('knows nothing of other messages', async () => {
    assert.equal(await stage.checkpoints.rewind('m0', {}), undefined)
    await stage.begin('m0')
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true })
    assert.equal(await stage.checkpoints.rewind('m1', { dryRun: true }), undefined)
  })

  it('waits for an edit that is under way', async () => {
    writeFileSync(stage.at('a.txt'), 'one')
    await stage.begin('m0')
    const [, result] = await Promise.all([edit('a.txt', 'one', 'two'), untilStarted().then(() => stage.rewind('m0'))])
    assert.deepEqual(result, { canRewind: true })
    // Before or after it, but never in between.
    assert.match(readFileSync(stage.at('a.txt'), 'utf8'), /^(one|two)$/)
  })

  it('goes on in a new process, from what is on disk', async () => {
    writeFileSync(stage.at('a.txt'), 'one')
    await stage.begin('m0')
    await edit('a.txt', 'one', 'two')
    await write('new/b.txt', 'b')
    const later = await open({ root: stage.root })
    await later.begin('m1')
    await edit('a.txt', 'two', 'three', later)
    const last = await open({ root: stage.root })
    assert.deepEqual(await last.rewind('m1'), { canRewind: true })
    assert.deepEqual(Object.values(treeOf(stage.cwd)), ['file 644 two', 'folder 755', 'file 644 b'])
    assert.deepEqual(await last.rewind('m0'), { canRewind: true })
    assert.deepEqual(Object.values(treeOf(stage.cwd)), ['file 644 one'])
  })

  it('finds the copies of the session that this one is a copy of', async () => {
    writeFileSync(stage.at('a.txt'), 'one')
    await stage.begin('m0')
    await edit('a.txt', 'one', 'two')
    writeFileSync(
      stage.sessionFile,
      `{"type":"user","sessionId":"${SESSION}"}\n${readFileSync(stage.sessionFile, 'utf8')}`,
    )
    const copy = await open({ root: stage.root, sessionId: '99999999-2222-4333-8444-555555555555' })
    assert.deepEqual(await copy.rewind('m0'), { canRewind: true })
    assert.equal(readFileSync(stage.at('a.txt'), 'utf8'), 'one')
  })

  it('keeps everything in memory when the session is not saved', async () => {
    const quiet = await open({ persist: false })
    writeFileSync(quiet.at('a.txt'), 'one')
    await quiet.begin('m0')
    await edit('a.txt', 'one', 'two', quiet)
    assert.deepEqual(await quiet.rewind('m0'), { canRewind: true })
    assert.equal(readFileSync(quiet.at('a.txt'), 'utf8'), 'one')
    assert.deepEqual([existsSync(quiet.configDir), existsSync(quiet.sessionFile)], [false, false])
  })

  it('goes by what the original left: its lines and its copies', async () => {
    const line = (messageId: string, trackedFileBackups: object, update = false) =>
      `${JSON.stringify({
        type: 'file-history-snapshot',
        messageId,
        snapshot: { messageId: messageId.slice(0, 2), trackedFileBackups, timestamp: '2026-11-15T09:53:52.516Z' },
        isSnapshotUpdate: update,
      })}\n`
    const backup = (backupFileName: string | null, version: number) => ({
      backupFileName,
      version,
      backupTime: '2026-11-15T09:53:53.239Z',
    })
    const old = backup('fbbbdcffa08e2de6@v1', 1)
    writeFileSync(
      stage.sessionFile,
      line('u1', {}) +
        line('u1-a', { 'sub/new.txt': backup(null, 1) }, true) +
        line('u1-b', { 'sub/new.txt': backup(null, 1), 'old.txt': old }, true) +
        line('u2', { 'sub/new.txt': backup('4aa9dcfeb71545fa@v2', 2), 'old.txt': backup('fbbbdcffa08e2de6@v2', 2) }),
    )
    const copies = join(stage.configDir, 'file-history', SESSION)
    mkdirSync(copies, { recursive: true })
    writeFileSync(join(copies, 'fbbbdcffa08e2de6@v1'), 'a\nb\nc\n')
    writeFileSync(join(copies, 'fbbbdcffa08e2de6@v2'), 'a\nB\nc\n')
    writeFileSync(join(copies, '4aa9dcfeb71545fa@v2'), 'one\ntwo\n')
    mkdirSync(stage.at('sub'))
    writeFileSync(stage.at('sub/new.txt'), 'other')
    writeFileSync(stage.at('old.txt'), 'other', { mode: 0o600 })
    const fresh = await open({ root: stage.root })
    assert.deepEqual(await fresh.rewind('u2'), { canRewind: true })
    assert.deepEqual(treeOf(stage.cwd), {
      'old.txt': 'file 600 a\nB\nc\n',
      sub: 'folder 755',
      'sub/new.txt': 'file 644 one\ntwo\n',
    })
    assert.deepEqual(await fresh.rewind('u1'), { canRewind: true })
    assert.deepEqual(treeOf(stage.cwd), { 'old.txt': 'file 600 a\nb\nc\n', sub: 'folder 755' })
  })
})

describe('the session file', () => {
  it('names what was kept as the original does', async () => {
    writeFileSync(stage.at('a.txt'), 'one')
    await stage.begin('m0')
    await write('new/b.txt', 'b')
    await edit('a.txt', 'one', 'two')
    await stage.begin('m1')
    const lines = readFileSync(stage.sessionFile, 'utf8').trim().split('\n')
    const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/
    const shown = lines.map((line) =>
      JSON.parse(line, (key, value) => (/^(backupTime|timestamp)$/.test(key) ? time.test(value) : value)),
    )
    const one = '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'
    const two = '3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3'
    const b = '3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d'
    const entry = (backupFileName: string | null, version = 1, more = {}) => ({
      backupFileName,
      version,
      backupTime: true,
      ...more,
    })
    const snapshot = (messageId: string, trackedFileBackups: object, otherPaths?: object) => ({
      messageId,
      trackedFileBackups,
      timestamp: true,
      ...(otherPaths ? { otherPaths } : {}),
    })
    const noFolder = { new: entry(null, 1, { kind: 'no-folder' }) }
    const during = 'aaaaaaaa-0000-4000-8000-000000000000'
    const type = 'file-history-snapshot'
    assert.deepEqual(shown, [
      { type, messageId: 'm0', snapshot: snapshot('m0', {}), isSnapshotUpdate: false },
      {
        type,
        messageId: during,
        isSnapshotUpdate: true,
        snapshot: snapshot('m0', { 'new/b.txt': entry(null) }, noFolder),
      },
      {
        type,
        messageId: during,
        isSnapshotUpdate: true,
        snapshot: snapshot('m0', { 'new/b.txt': entry(null), 'a.txt': entry(one, 1, { mode: 0o644 }) }, noFolder),
      },
      {
        type,
        messageId: 'm1',
        isSnapshotUpdate: false,
        snapshot: snapshot(
          'm1',
          { 'new/b.txt': entry(b, 2, { mode: 0o644 }), 'a.txt': entry(two, 2, { mode: 0o644 }) },
          { new: entry(null, 2, { kind: 'folder', mode: 0o755 }) },
        ),
      },
    ])
  })

  it('does not grow with the square of the files: beyond a hundred only what is new is written', async () => {
    await stage.begin('m0')
    await bash('for i in $(seq 300); do echo $i > f$i.txt; done; mkdir all')
    mkdirSync(stage.at('many'))
    for (let i = 0; i < 150; i++) writeFileSync(stage.at('many', `${i}.txt`), `${i}`)
    await stage.begin('m1')
    const before = treeOf(stage.cwd)
    await bash('rm -r many')
    const size = statSync(stage.sessionFile).size
    for (let i = 0; i < 50; i++) await write(`w${i}.txt`, 'w')
    assert.ok(statSync(stage.sessionFile).size - size < 50 * 400)
    assert.match(readFileSync(stage.sessionFile, 'utf8'), /"type":"file-history-delta"/)
    const later = await open({ root: stage.root })
    assert.deepEqual(await later.rewind('m1'), { canRewind: true })
    assert.deepEqual(treeOf(stage.cwd), before)
  })

  it('is read whatever stands in it', async () => {
    const outside = join(stage.root, 'outside.txt')
    writeFileSync(outside, 'outside')
    const backups = {
      '../outside.txt': { backupFileName: null, version: 1, backupTime: '' },
      'bad\0name': { backupFileName: null, version: 1, backupTime: '' },
      '': { backupFileName: null },
      'up.txt': { backupFileName: '../../../outside.txt', version: 1, backupTime: '' },
      'odd.txt': { backupFileName: 7 },
      'text.txt': 'text',
      'missing.txt': { backupFileName: 'a'.repeat(64), version: 1, backupTime: '', mode: 9e9 },
    }
    const lines = [
      'no json',
      '{"type":"file-history-snapshot"}',
      '{"type":"file-history-snapshot","snapshot":{"messageId":1}}',
      '{"type":"file-history-delta","snapshotMessageId":"nobody","trackingPath":"x","backup":{"backupFileName":null}}',
      JSON.stringify({ type: 'file-history-snapshot', snapshot: { messageId: 'm0', trackedFileBackups: backups } }),
    ]
    writeFileSync(stage.sessionFile, `${lines.join('\n')}\n{"type":"file-hist`)
    const later = await open({ root: stage.root })
    const { skipped, ...result } = await later.rewind('m0')
    assert.deepEqual(skipped, [
      {
        path: outside,
        reason:
          'it is outside the working directories, and this process did not change it; add its folder to additionalDirectories',
      },
      { path: stage.at('up.txt'), reason: 'the name of its kept copy is not one of ours' },
      { path: stage.at('missing.txt'), reason: 'its kept copy is missing' },
    ])
    assert.deepEqual([result.canRewind, result.skippedLinks], [false, 0])
    assert.match(result.error ?? '', /^These files can't be put back: .*outside\.txt \(it is outside/)
    assert.deepEqual([readFileSync(outside, 'utf8'), treeOf(stage.cwd)], ['outside', {}])
  })
})

describe('what can not be kept or put back', () => {
  it('S33 is skipped and named when its copy is missing or damaged; the rest is restored', async () => {
    for (const name of ['a', 'b', 'c']) writeFileSync(stage.at(name), name)
    await stage.begin('m0')
    for (const name of ['a', 'b', 'c']) await edit(name, name, 'changed')
    const folder = join(stage.configDir, 'file-history', SESSION)
    for (const name of readdirSync(folder)) {
      const path = join(folder, name)
      if (readFileSync(path, 'utf8') === 'a') rmSync(path)
      else if (readFileSync(path, 'utf8') === 'b') writeFileSync(path, 'X')
    }
    const skipped = [
      { path: stage.at('a'), reason: 'its kept copy is missing' },
      { path: stage.at('b'), reason: 'its kept copy is damaged' },
    ]
    const report = { skipped, skippedLinks: 0 }
    const counted = { filesChanged: [stage.at('c')], insertions: 1, deletions: 1 }
    assert.deepEqual(await stage.rewind('m0', true), { canRewind: true, ...counted, ...report })
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true, ...report })
    assert.deepEqual(Object.values(treeOf(stage.cwd)), ['file 644 changed', 'file 644 changed', 'file 644 c'])
  })

  it('S36 a file outside the working directories is put back by the process that changed it, later only with permission', async () => {
    const outside = join(stage.root, 'outside.txt')
    writeFileSync(outside, 'one')
    await stage.begin('m0')
    await edit('../outside.txt', 'one', 'two')
    await write('../made/there.txt', 'new')
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true })
    assert.equal(readFileSync(outside, 'utf8'), 'one')
    assert.equal(existsSync(join(stage.root, 'made')), false)
    writeFileSync(outside, 'two')
    const later = await open({ root: stage.root })
    const { canRewind, error } = await later.rewind('m0')
    assert.deepEqual([canRewind, readFileSync(outside, 'utf8')], [false, 'two'])
    assert.match(error ?? '', /outside\.txt \(it is outside the working directories.*additionalDirectories\)$/)
    const allowed = await open({ root: stage.root, directories: [stage.root] })
    // Inside, but a question without a rule: the host that asks for the rewind has answered it.
    assert.deepEqual(await allowed.rewind('m0'), { canRewind: true })
    assert.equal(readFileSync(outside, 'utf8'), 'one')
  })

  it('an edit whose backup fails still runs, is told once, and stops a rewind to before it', async () => {
    writeFileSync(stage.at('a.txt'), 'one')
    writeFileSync(stage.at('b.txt'), 'one')
    const full = await open({
      root: stage.root,
      files: {
        ...nodeFiles,
        create: (path, ...rest) =>
          path.includes('file-history')
            ? Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }))
            : nodeFiles.create(path, ...rest),
      },
    })
    await full.begin('m0')
    await edit('a.txt', 'one', 'two', full)
    await edit('a.txt', 'two', 'three', full)
    await full.checkpoints.end()
    assert.equal(readFileSync(stage.at('a.txt'), 'utf8'), 'three')
    const why = 'ENOSPC: no space left on device'
    assert.deepEqual(full.told, [`Changes to ${stage.at('a.txt')} can't be rewound: ${why}.`])
    assert.deepEqual(full.persisted, [{ files: [], failed: [{ filename: stage.at('a.txt'), error: why }] }])
    await write('new.txt', 'new', full)
    const refusal = { canRewind: false, error: `These files can't be put back: ${stage.at('a.txt')} (${why})` }
    for (const session of [full, await open({ root: stage.root })]) {
      assert.deepEqual(await session.rewind('m0', true), refusal)
      assert.deepEqual(await session.rewind('m0'), refusal)
    }
    assert.equal(readFileSync(stage.at('new.txt'), 'utf8'), 'new')
  })

  it('large files that a command changes are not kept: told, and left out of a rewind', async () => {
    writeFileSync(stage.at('small.txt'), 'one')
    writeFileSync(stage.at('large.bin'), '')
    await bash('truncate -s 51M large.bin')
    await stage.begin('m0')
    await bash('echo more >> large.bin; echo two > small.txt')
    await stage.checkpoints.end()
    const path = stage.at('large.bin')
    assert.deepEqual(stage.told, [`Changes to ${path} can't be rewound: it is larger than 50 MB.`])
    const report = { skipped: [{ path, reason: 'it is larger than 50 MB' }], skippedLinks: 0 }
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true, ...report })
    assert.equal(readFileSync(stage.at('small.txt'), 'utf8'), 'one')
  })

  it('folders with very many files are not kept either', async () => {
    mkdirSync(stage.at('node_modules'))
    for (let i = 0; i < 501; i++) writeFileSync(stage.at('node_modules', `${i}.js`), '')
    writeFileSync(stage.at('a.txt'), 'one')
    await stage.begin('m0')
    await bash('rm -rf node_modules && echo two > a.txt')
    await stage.checkpoints.end()
    const path = stage.at('node_modules')
    const reason = 'it holds more than 500 files, or very large ones'
    assert.deepEqual(stage.told, [`Changes to ${path} can't be rewound: ${reason}.`])
    assert.deepEqual(await stage.rewind('m0'), { canRewind: true, skipped: [{ path, reason }], skippedLinks: 0 })
    assert.deepEqual(treeOf(stage.cwd), { 'a.txt': 'file 644 one' })
  })
})

describe('after a turn', () => {
  it('says which files changed, with the kept copy of what they were', async () => {
    writeFileSync(stage.at('a.txt'), 'one')
    writeFileSync(stage.at('b.txt'), 'same')
    await stage.begin('m0')
    await edit('a.txt', 'one', 'two')
    await write('new/c.txt', 'c')
    await bash('rm -f nothing.txt; touch b.txt')
    await stage.checkpoints.end()
    await stage.begin('m1')
    await stage.checkpoints.end()
    assert.deepEqual(stage.persisted, [
      {
        files: [
          {
            filename: stage.at('a.txt'),
            file_id: '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed',
          },
          { filename: stage.at('new/c.txt'), file_id: '' },
        ],
        failed: [],
      },
    ])
  })
})

function untilStarted(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
