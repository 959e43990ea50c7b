import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { createMemoryStore } from './blobs.js'
import { type CheckpointPorts, type Checkpoints, createCheckpoints } from './checkpoints.js'
import { emptyHistory } from './file-history.js'
import { applyHistoryLine, type FileHistoryTranscriptLine } from './history-lines.js'

let root = ''
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-checkpoints-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (name: string) => join(root, name)
const write = (name: string, content: string) => writeFileSync(at(name), content)
const text = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : undefined)

function start(more: Partial<CheckpointPorts> = {}, history = emptyHistory()) {
  const lines: FileHistoryTranscriptLine[] = []
  const notKept: [string, string][] = []
  const store = createMemoryStore(100_000)
  const checkpoints = createCheckpoints(history, {
    files: nodeFiles,
    store,
    cwd: root,
    now: () => 1_767_225_600_000,
    during: () => 'line',
    newId: () => 'kept',
    record: (line) => void lines.push(line),
    onNotKept: (path, why) => void notKept.push([path, why]),
    mayRestore: async () => true,
    isRunning: () => true,
    countLines: async (before, after) => ({ insertions: after.length, deletions: before.length }),
    ...more,
  })
  const edit = (name: string, content: string) => checkpoints.whileEditing(at(name), async () => write(name, content))
  return { checkpoints, lines, notKept, store, edit }
}

/** Whoever changed the files; what they were is kept each time, which has a test of its own. */
async function rewind(checkpoints: Checkpoints, messageId: string) {
  const { keptAs, ...result } = (await checkpoints.rewind(messageId, { force: true })) ?? {}
  return 'canRewind' in result ? result : undefined
}

describe('checkpoints', () => {
  it('are not rewound over what somebody else did, except by force, and keep what they replace', async () => {
    const { checkpoints, edit } = start()
    write('a', 'one')
    await checkpoints.begin('m1')
    await edit('a', 'two')
    await edit('b', 'made')
    write('a', 'by the user')
    const error = `These files were changed by somebody else since: ${at('a')}. Rewind with force to replace them all the same; what they hold is kept.`
    assert.deepEqual(await checkpoints.rewind('m1'), { canRewind: false, error, changedByOthers: [at('a')] })
    assert.deepEqual([text('a'), text('b')], ['by the user', 'made'])
    const dry = await checkpoints.rewind('m1', { dryRun: true })
    assert.deepEqual([dry?.canRewind, dry?.changedByOthers, dry?.keptAs], [true, [at('a')], undefined])
    const forced = await checkpoints.rewind('m1', { force: true })
    assert.deepEqual(forced, { canRewind: true, changedByOthers: [at('a')], keptAs: 'kept' })
    assert.deepEqual([text('a'), text('b')], ['one', undefined])
    await checkpoints.rewind('kept')
    assert.deepEqual([text('a'), text('b')], ['by the user', 'made'])
  })

  it('take what a command left, and what was done before a message, for their own', async () => {
    const { checkpoints } = start()
    write('a', 'one')
    await checkpoints.begin('m1')
    await checkpoints.beforeCommand([{ path: at('a') }])
    write('a', 'by a command')
    await checkpoints.afterCommand()
    assert.equal((await checkpoints.rewind('m1'))?.canRewind, true)
    write('a', 'by the user')
    await checkpoints.begin('m2')
    assert.equal((await checkpoints.rewind('m1'))?.canRewind, true)
    assert.equal(text('a'), 'one')
    rmSync(at('a'))
    assert.deepEqual((await checkpoints.rewind('m2'))?.changedByOthers, [at('a')])
  })

  it('bring every file back to what it was at a message', async () => {
    const { checkpoints, edit } = start()
    write('a', 'one')
    await checkpoints.begin('m1')
    await edit('a', 'two')
    await edit('new', 'made')
    await checkpoints.begin('m2')
    await edit('a', 'three')
    assert.deepEqual(await rewind(checkpoints, 'm2'), { canRewind: true })
    assert.deepEqual([text('a'), text('new')], ['two', 'made'])
    assert.deepEqual(await rewind(checkpoints, 'm1'), { canRewind: true })
    assert.deepEqual([text('a'), text('new')], ['one', undefined])
    // And forward again.
    await rewind(checkpoints, 'm2')
    assert.deepEqual([text('a'), text('new')], ['two', 'made'])
  })

  it('say what a rewind would do, and do nothing', async () => {
    const { checkpoints, edit } = start()
    write('a', 'one')
    await checkpoints.begin('m1')
    await edit('a', 'three')
    await edit('new', 'made')
    assert.deepEqual(await checkpoints.rewind('m1', { dryRun: true }), {
      canRewind: true,
      filesChanged: [at('a'), at('new')],
      insertions: 3,
      deletions: 5 + 4,
    })
    assert.deepEqual([text('a'), text('new')], ['three', 'made'])
  })

  it('know nothing of a message they never saw, nor of changes before the first', async () => {
    const { checkpoints, edit, lines } = start()
    write('a', 'one')
    await edit('a', 'two')
    assert.equal(await rewind(checkpoints, 'm1'), undefined)
    assert.deepEqual(lines, [])
    await checkpoints.begin('m1')
    assert.deepEqual(await rewind(checkpoints, 'm1'), { canRewind: true })
    assert.equal(text('a'), 'two')
  })

  it('write down what another process can rewind by', async () => {
    const { checkpoints, edit, lines, store } = start()
    write('a', 'one')
    await checkpoints.begin('m1')
    await edit('a', 'two')
    await checkpoints.begin('m2')
    await edit('a', 'three')
    const types = lines.map((line) => [line.type, 'isSnapshotUpdate' in line && line.isSnapshotUpdate])
    assert.deepEqual(types, [
      ['file-history-snapshot', false],
      ['file-history-snapshot', true],
      ['file-history-snapshot', false],
    ])
    const history = emptyHistory()
    for (const line of lines) applyHistoryLine(history, JSON.parse(JSON.stringify(line)), root)
    const later = start({ store }, history)
    await rewind(later.checkpoints, 'm1')
    assert.equal(text('a'), 'one')
    await rewind(later.checkpoints, 'm2')
    assert.equal(text('a'), 'two')
  })

  it('take a message once', async () => {
    const { checkpoints, lines } = start()
    await checkpoints.begin('m1')
    await checkpoints.begin('m1')
    assert.equal(lines.length, 1)
  })

  it('notice what others changed between two messages', async () => {
    const { checkpoints, edit } = start()
    write('a', 'one')
    await checkpoints.begin('m1')
    await edit('a', 'two')
    write('a', 'by a person')
    await checkpoints.begin('m2')
    await edit('a', 'three')
    await rewind(checkpoints, 'm2')
    assert.equal(text('a'), 'by a person')
  })

  it('do not read again what has not changed for a while', async () => {
    let opened = 0
    const files = {
      ...nodeFiles,
      open: (path: string) => {
        opened += 1
        return nodeFiles.open(path)
      },
    }
    const { checkpoints, edit } = start({ files })
    write('a', 'one')
    await checkpoints.begin('m1')
    await edit('a', 'two')
    utimesSync(at('a'), new Date(1_000_000), new Date(1_000_000))
    await checkpoints.begin('m2')
    const before = opened
    await checkpoints.begin('m3')
    assert.equal(opened, before)
    // As shortly before the look that it may have changed within the same tick of the clock.
    utimesSync(at('a'), new Date(1_767_225_599_000), new Date(1_767_225_599_000))
    await checkpoints.begin('m4')
    await checkpoints.begin('m5')
    assert.equal(opened, before + 2)
  })

  it('keep what a command reaches, with the folders it makes', async () => {
    const { checkpoints } = start()
    mkdirSync(at('d'))
    write('d/a', 'one')
    await checkpoints.begin('m1')
    await checkpoints.beforeCommand([
      { path: at('d'), deep: true },
      { path: at('x/y'), folder: true },
    ])
    rmSync(at('d'), { recursive: true })
    mkdirSync(at('x/y'), { recursive: true })
    await rewind(checkpoints, 'm1')
    assert.equal(text('d/a'), 'one')
    assert.equal(existsSync(at('x')), false)
  })

  it('refuse to rewind when a file that a tool changed was not kept', async () => {
    const { checkpoints, edit, notKept } = start({ store: createMemoryStore(1) })
    write('a', 'one')
    write('b', 'x')
    await checkpoints.begin('m1')
    await edit('b', 'changed')
    await edit('a', 'two')
    await edit('a', 'three')
    const why = 'a session that is not saved keeps at most 0 MB of copies'
    assert.deepEqual(notKept, [[at('a'), why]])
    assert.deepEqual(await rewind(checkpoints, 'm1'), {
      canRewind: false,
      error: `These files can't be put back: ${at('a')} (${why})`,
    })
    assert.equal(text('b'), 'changed', 'nothing is changed')
  })

  it('let nothing happen between a look and the change it is for', async () => {
    const { checkpoints } = start()
    write('a', 'one')
    await checkpoints.begin('m1')
    let go = () => {}
    const waiting = new Promise<void>((resolve) => {
      go = resolve
    })
    const order: string[] = []
    const editing = checkpoints.whileEditing(at('a'), async () => {
      await waiting
      write('a', 'two')
      order.push('edited')
    })
    const rewinding = rewind(checkpoints, 'm1').then(() => order.push('rewound'))
    go()
    await Promise.all([editing, rewinding])
    assert.deepEqual(order, ['edited', 'rewound'])
    assert.equal(text('a'), 'one')
  })

  it('go on after work that failed', async () => {
    const { checkpoints } = start()
    await checkpoints.begin('m1')
    const failing = checkpoints.whileEditing(at('a'), async () => {
      throw new Error('no')
    })
    await assert.rejects(failing, { message: 'no' })
    assert.deepEqual(await rewind(checkpoints, 'm1'), { canRewind: true })
  })
})

describe('changed files', () => {
  it('are told once, with the copy of what they were', async () => {
    const { checkpoints, edit, store } = start()
    write('a', 'one')
    write('same', 'same')
    await checkpoints.begin('m1')
    await edit('a', 'two')
    await edit('new', 'made')
    await edit('same', 'same')
    const { files, failed } = await checkpoints.takeChanged()
    assert.deepEqual(failed, [])
    assert.deepEqual(
      files.map(({ filename }) => filename),
      [at('a'), at('new')],
    )
    assert.equal(new TextDecoder().decode(await store.read(files[0]?.file_id ?? '')), 'one')
    assert.equal(files[1]?.file_id, '')
    assert.deepEqual(await checkpoints.takeChanged(), { files: [], failed: [] })
  })

  it('that were not kept are told with the reason', async () => {
    const { checkpoints, notKept } = start({ store: createMemoryStore(1) })
    write('a', 'one')
    write('b', 'one')
    await checkpoints.begin('m1')
    await checkpoints.beforeCommand([{ path: at('a') }, { path: at('b') }])
    assert.equal(notKept.length, 0, 'whether a command changes it shows later')
    write('a', 'two!')
    const { files, failed } = await checkpoints.takeChanged()
    assert.deepEqual(files, [])
    assert.deepEqual(
      failed.map(({ filename }) => filename),
      [at('a')],
    )
    assert.deepEqual(
      notKept.map(([path]) => path),
      [at('a')],
    )
  })
})
