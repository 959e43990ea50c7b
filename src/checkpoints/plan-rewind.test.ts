import assert from 'node:assert/strict'
import { chmodSync, linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { nodeFiles } from '../platform/files/files.js'
import { type BlobStore, createMemoryStore } from './blobs.js'
import { LINKED_FOLDER_REASON, SPECIAL_FILE_REASON, SYMBOLIC_LINK_REASON } from './capture-file.js'
import { addOrFindMessage, emptyHistory, type FileState, recordState } from './file-history.js'
import { isAlreadyRestored, planRewind, type RewindPorts } from './plan-rewind.js'

const bytes = (text: string) => new TextEncoder().encode(text)

let root = ''
let store: BlobStore = createMemoryStore(0)
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-plan-')))
  store = createMemoryStore(10_000)
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (name: string) => join(root, name)
const write = (name: string, content: string, mode = 0o644) => {
  writeFileSync(at(name), content)
  chmodSync(at(name), mode)
}
const kept = async (content: string, mode: number | undefined = 0o644): Promise<FileState> => ({
  kind: 'file',
  blob: await store.keep(bytes(content)),
  mode,
})
const nothing: FileState = { kind: 'nothing' }

/** A plan for one message at which all paths were as given. */
async function plan(
  states: Record<string, FileState>,
  more: Partial<RewindPorts> & { byCommand?: boolean; count?: boolean } = {},
) {
  const { byCommand = false, count = false, ...ports } = more
  const history = emptyHistory()
  const from = addOrFindMessage(history, 'm', '')
  for (const [name, state] of Object.entries(states))
    recordState(history, at(name), { from, state, time: '' }, byCommand)
  const counter = async (before: string, after: string) => ({ insertions: after.length, deletions: before.length })
  const made = await planRewind(
    history,
    0,
    { files: nodeFiles, store, mayRestore: async () => true, ...ports },
    count ? counter : undefined,
  )
  const short = ({ path, why, isLink }: { path: string; why: string; isLink: boolean }) => [
    path.slice(root.length + 1),
    why,
    isLink,
  ]
  return {
    steps: made.steps.map(({ path, target, found }) => [path.slice(root.length + 1), target.kind, found?.kind]),
    skipped: made.skipped.map(short),
    lost: made.lost.map(short),
    lines: [made.insertions, made.deletions],
  }
}
const empty = { steps: [], skipped: [], lost: [], lines: [0, 0] }

describe('a plan to rewind', () => {
  it('has nothing to do where all is as it was', async () => {
    write('same', 'text', 0o600)
    write('any-mode', 'text', 0o640)
    mkdirSync(at('folder'), { mode: 0o755 })
    const states = {
      same: await kept('text', 0o600),
      'any-mode': await kept('text', undefined),
      folder: { kind: 'folder', mode: 0o755 } as const,
      none: nothing,
      'none-folder': { kind: 'nothing', folder: true } as const,
    }
    // A default parameter takes the place of undefined.
    states['any-mode'] = { ...states['any-mode'], mode: undefined } as FileState
    assert.deepEqual(await plan(states), empty)
  })

  it('has a step for each difference', async () => {
    write('changed', 'new')
    write('mode', 'text', 0o755)
    write('made', 'new')
    mkdirSync(at('was-file'))
    write('was-folder', '')
    mkdirSync(at('folder-mode'), { mode: 0o700 })
    const { steps, skipped } = await plan({
      changed: await kept('old'),
      mode: await kept('text', 0o644),
      gone: await kept('old'),
      made: nothing,
      'was-file': await kept('old'),
      'was-folder': { kind: 'folder', mode: 0o755 },
      'gone-folder': { kind: 'folder', mode: 0o755 },
      'folder-mode': { kind: 'folder', mode: 0o755 },
    })
    assert.deepEqual(skipped, [])
    assert.deepEqual(steps, [
      ['changed', 'file', 'file'],
      ['mode', 'file', 'file'],
      ['gone', 'file', undefined],
      ['made', 'nothing', 'file'],
      ['was-file', 'file', 'directory'],
      ['was-folder', 'folder', 'file'],
      ['gone-folder', 'folder', undefined],
      ['folder-mode', 'folder', 'directory'],
    ])
  })

  it('counts the lines of each step when it is asked to', async () => {
    write('changed', '1234')
    write('made', '12')
    write('same', 'same')
    const states = {
      changed: await kept('old'),
      made: nothing,
      gone: await kept('12345'),
      same: await kept('same'),
      folder: { kind: 'folder', mode: 0o755 } as const,
    }
    assert.deepEqual((await plan(states, { count: true })).lines, [3 + 5, 4 + 2])
    assert.deepEqual((await plan(states)).lines, [0, 0])
  })

  it('never writes through what is not a plain file', async () => {
    write('target', 'x')
    symlinkSync(at('target'), at('link'))
    linkSync(at('target'), at('hard'))
    mkdirSync(at('real'))
    write('real/a', 'x')
    symlinkSync(at('real'), at('moved'))
    const old = await kept('old')
    const found = await plan({ link: old, hard: old, 'moved/a': old, 'moved/new/a': old })
    assert.deepEqual(found.steps, [])
    assert.deepEqual(found.skipped, [
      ['link', SYMBOLIC_LINK_REASON, true],
      ['hard', 'it has 2 hard links', true],
      ['moved/a', LINKED_FOLDER_REASON, true],
      ['moved/new/a', LINKED_FOLDER_REASON, true],
    ])
  })

  it('takes what is behind a link for gone, which may be what is wanted', async () => {
    mkdirSync(at('real'))
    write('real/a', 'x')
    symlinkSync(at('real'), at('moved'))
    assert.deepEqual(await plan({ 'moved/a': nothing }), empty)
  })

  it('leaves special files alone', async () => {
    const stat = { ...(await nodeFiles.lstat(root)), kind: 'other' as const, links: 1 }
    const files = { ...nodeFiles, lstat: async (path: string) => (path === at('pipe') ? stat : nodeFiles.lstat(path)) }
    assert.deepEqual((await plan({ pipe: nothing }, { files: files as never })).skipped, [
      ['pipe', SPECIAL_FILE_REASON, true],
    ])
  })

  it('asks whether a path may be written at all, only where something is to be written', async () => {
    write('same', 'text')
    write('other', 'new')
    const asked: string[] = []
    const mayRestore = async (path: string) => {
      asked.push(path)
      return false
    }
    const found = await plan({ same: await kept('text'), other: await kept('old') }, { mayRestore })
    assert.deepEqual(asked, [at('other')])
    assert.deepEqual(found.steps, [])
    assert.match(String(found.skipped[0]?.[1]), /outside the working directories/)
  })

  it('knows beforehand what can not be brought back', async () => {
    write('a', 'new')
    write('b', 'new')
    const found = await plan({ a: { kind: 'file', blob: 'f'.repeat(64), mode: 0o644 }, b: await kept('old') })
    assert.deepEqual(found.skipped, [['a', 'its kept copy is missing', false]])
    assert.deepEqual(found.steps, [['b', 'file', 'file']])
  })

  it('goes on after a path that can not be looked at', async () => {
    write('b', 'new')
    const files = {
      ...nodeFiles,
      lstat: async (path: string) => {
        if (path === at('a')) throw new Error('EACCES')
        return nodeFiles.lstat(path)
      },
    }
    const found = await plan({ a: nothing, b: nothing }, { files })
    assert.deepEqual(found.skipped, [['a', 'EACCES', false]])
    assert.deepEqual(found.steps, [['b', 'nothing', 'file']])
  })
})

describe('what was not kept', () => {
  const unknown = (why: string, marks: { size?: number; mtimeMs?: number } = {}): FileState => ({
    kind: 'unknown',
    why,
    ...marks,
  })

  it('is lost when a tool changed it', async () => {
    write('huge', 'new')
    const found = await plan({
      huge: unknown('it is larger than 50 MB'),
      gone: unknown('too', { size: 1, mtimeMs: 2 }),
    })
    assert.deepEqual(found.lost, [
      ['huge', 'it is larger than 50 MB', false],
      ['gone', 'too', false],
    ])
  })

  it('is skipped when only a command changed it, or when it was a link', async () => {
    write('huge', 'new')
    assert.deepEqual((await plan({ huge: unknown('so') }, { byCommand: true })).skipped, [['huge', 'so', false]])
    const links = await plan({
      a: unknown(SYMBOLIC_LINK_REASON),
      b: unknown(LINKED_FOLDER_REASON),
      c: unknown(SPECIAL_FILE_REASON),
    })
    assert.deepEqual(links.skipped, [
      ['a', SYMBOLIC_LINK_REASON, true],
      ['b', LINKED_FOLDER_REASON, true],
      ['c', SPECIAL_FILE_REASON, true],
    ])
    assert.deepEqual(links.lost, [])
  })

  it('is fine while it looks as it did', async () => {
    write('huge', 'same')
    const stat = await nodeFiles.lstat(at('huge'))
    assert.ok(stat)
    const { size, mtimeMs } = stat
    assert.deepEqual(await plan({ huge: unknown('so', { size, mtimeMs }) }), empty)
    assert.equal((await plan({ huge: unknown('so', { size: size + 1, mtimeMs }) })).lost.length, 1)
    assert.equal((await plan({ huge: unknown('so', { size, mtimeMs: mtimeMs - 1 }) })).lost.length, 1)
  })
})

describe('a copy of the original', () => {
  it('is compared by its content, since its name says nothing', async () => {
    write('a', 'theirs')
    const theirs: BlobStore = { keep: store.keep, read: async () => bytes('theirs') }
    const stat = await nodeFiles.lstat(at('a'))
    const target = { kind: 'file', blob: 'abc@v1', mode: undefined } as const
    assert.equal(await isAlreadyRestored(at('a'), target, stat, { files: nodeFiles, store: theirs }), true)
    write('a', 'ours')
    assert.equal(await isAlreadyRestored(at('a'), target, stat, { files: nodeFiles, store: theirs }), false)
  })
})
