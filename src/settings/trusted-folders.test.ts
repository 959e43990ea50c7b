import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { nodeClock } from '../platform/clock.js'
import { nodeFiles } from '../platform/files/files.js'
import { createTestSettings } from './test-settings.js'
import { findTrustRoot, isTrustedFolder, rememberTrustedFolder } from './trusted-folders.js'
import type { UserRecordPorts } from './user-record.js'

function setUp() {
  const at = createTestSettings()
  const uid = process.getuid?.() ?? null
  const ports: UserRecordPorts & { home: string } = {
    configDir: at.configDir,
    home: at.home,
    files: nodeFiles,
    clock: nodeClock,
    uid,
  }
  const file = join(at.configDir, 'kedge-trust.json')
  const folder = (...names: string[]) => {
    const path = join(at.cwd, ...names)
    mkdirSync(path, { recursive: true })
    return path
  }
  return { at, ports, file, folder, [Symbol.dispose]: () => at[Symbol.dispose]() }
}

test('a folder is not trusted until it is remembered; then everything below it is', async () => {
  using setup = setUp()
  const { at, ports, file, folder } = setup
  const inner = folder('a', 'b')
  assert.equal(await isTrustedFolder(at.cwd, ports), false)
  assert.equal(await rememberTrustedFolder(at.cwd, ports), undefined)
  for (const path of [at.cwd, inner]) assert.equal(await isTrustedFolder(path, ports), true)
  for (const path of [join(at.cwd, '..'), `${at.cwd}-2`, at.home, '/'])
    assert.equal(await isTrustedFolder(path, ports), false)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { folders: [at.cwd] })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(at.configDir), ['kedge-trust.json'])
})

test('a repository inside asks for its own trust, also one that is a worktree or of another kind', async () => {
  for (const mark of ['.git', '.hg', '.jj', '.svn']) {
    using setup = setUp()
    const { at, ports, folder } = setup
    folder('.git')
    const inner = folder('vendor', 'lib', 'src')
    const nested = join(at.cwd, 'vendor', 'lib')
    await rememberTrustedFolder(at.cwd, ports)
    assert.equal(await isTrustedFolder(inner, ports), true)
    writeFileSync(join(nested, mark), 'gitdir: elsewhere')
    for (const path of [inner, nested]) assert.equal(await isTrustedFolder(path, ports), false, mark)
    assert.deepEqual(await findTrustRoot(inner, ports), { root: nested, lasting: true })
    await rememberTrustedFolder(nested, ports)
    for (const path of [inner, nested, at.cwd]) assert.equal(await isTrustedFolder(path, ports), true, mark)
  }
})

test('a link is what it leads to', async () => {
  using setup = setUp()
  const { at, ports, folder } = setup
  const good = folder('good')
  const evil = folder('evil')
  await rememberTrustedFolder(good, ports)
  symlinkSync(evil, join(good, 'inside'))
  symlinkSync(good, join(at.cwd, 'way'))
  assert.equal(await isTrustedFolder(join(good, 'inside'), ports), false)
  assert.equal(await isTrustedFolder(join(at.cwd, 'way'), ports), true)
  assert.deepEqual(await findTrustRoot(join(at.cwd, 'way'), ports), { root: good, lasting: true })
})

test('a yes is for the repository; in a home folder kept in git it is for the folder alone', async () => {
  using setup = setUp()
  const { at, ports, folder } = setup
  folder('.git')
  assert.deepEqual(await findTrustRoot(folder('a', 'b'), ports), { root: at.cwd, lasting: true })
  mkdirSync(join(at.home, '.git'))
  const inHome = join(at.home, 'downloads', 'x')
  mkdirSync(inHome, { recursive: true })
  assert.deepEqual(await findTrustRoot(inHome, ports), { root: inHome, lasting: true })
})

test('home, what is above it, and where everybody may write is not remembered', async () => {
  using setup = setUp()
  const { at, ports, folder } = setup
  for (const path of [at.home, join(at.home, '..'), '/']) {
    assert.equal((await findTrustRoot(path, ports)).lasting, false, path)
  }
  const open = folder('open')
  for (const mode of [0o777, 0o1777]) {
    chmodSync(open, mode)
    assert.deepEqual(await findTrustRoot(open, ports), { root: open, lasting: false })
    // Below it, only where nobody can put another folder in its place.
    const below = folder('open', 'mine')
    assert.deepEqual(await findTrustRoot(below, ports), { root: below, lasting: mode === 0o1777 })
  }
})

test('a trust file that proves nothing does not count', async () => {
  using setup = setUp()
  const { at, ports, file } = setup
  mkdirSync(at.configDir)
  const write = (text: string, mode = 0o600) => {
    writeFileSync(file, text)
    chmodSync(file, mode)
  }
  const good = JSON.stringify({ folders: [at.cwd] })
  write(good)
  assert.equal(await isTrustedFolder(at.cwd, ports), true)
  assert.equal(await isTrustedFolder(at.cwd, { ...ports, uid: (ports.uid ?? 0) + 1 }), false)
  for (const mode of [0o620, 0o602, 0o666]) {
    write(good, mode)
    assert.equal(await isTrustedFolder(at.cwd, ports), false)
    // Nor does a yes make the user's own what others may have written.
    assert.match((await rememberTrustedFolder('/other', ports)) ?? '', /others can write it/)
  }
  for (const text of [
    '',
    'x',
    '[]',
    '{}',
    'null',
    `{"folders": "${at.cwd}"}`,
    '{"folders": [1]}',
    `{"folders": {"${at.cwd}": 1}}`,
  ]) {
    write(text)
    assert.equal(await isTrustedFolder(at.cwd, ports), false, text)
    // What can't be understood is not written over either.
    if (text !== '')
      assert.match((await rememberTrustedFolder(at.cwd, ports)) ?? '', /kedge-trust\.json is not in its own form/)
    assert.equal(readFileSync(file, 'utf8'), text)
  }
  rmSync(file)
  mkdirSync(file)
  assert.equal(await isTrustedFolder(at.cwd, ports), false)
  assert.match((await rememberTrustedFolder(at.cwd, ports)) ?? '', /is not a file/)
})

test('a trust file in the folder it speaks for, or at a place that is not certain, does not count', async () => {
  using setup = setUp()
  const { at, ports, folder } = setup
  folder('.git')
  const config = folder('config')
  writeFileSync(join(config, 'kedge-trust.json'), JSON.stringify({ folders: [at.cwd] }), { mode: 0o600 })
  for (const path of [at.cwd, folder('sub')]) {
    assert.equal(await isTrustedFolder(path, { ...ports, configDir: config }), false)
    assert.equal(await isTrustedFolder(path, { ...ports, configDir: 'config' }), false)
  }
  assert.match(
    (await rememberTrustedFolder(at.cwd, { ...ports, configDir: 'config' })) ?? '',
    /is not an absolute path/,
  )
})

test('what can not be written is said, and changes nothing', async () => {
  using setup = setUp()
  const { at, ports, file } = setup
  await rememberTrustedFolder('/first', ports)
  const full = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOSPC' }))
  const files = { ...nodeFiles, replace: full, create: full }
  assert.equal(
    await rememberTrustedFolder(at.cwd, { ...ports, files }),
    `${file} can't be written, the disk is full (ENOSPC)`,
  )
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { folders: ['/first'] })
  writeFileSync(join(at.home, 'file'), '')
  const nowhere = { ...ports, configDir: join(at.home, 'file', '.claude') }
  assert.match((await rememberTrustedFolder(at.cwd, nowhere)) ?? '', /can't be written, ENOTDIR/)
})

test('a yes in Claude Code counts, if the record is the user’s own and Kedge would remember it', async () => {
  using setup = setUp()
  const { at, ports, file, folder } = setup
  const record = join(at.home, '.claude.json')
  const accept = (...places: string[]) => {
    const projects = Object.fromEntries(places.map((place) => [place, { hasTrustDialogAccepted: true }]))
    writeFileSync(record, JSON.stringify({ projects, history: 'x'.repeat(2_000_000) }), { mode: 0o600 })
  }
  const ofHome = { ...ports, configDir: join(at.home, '.claude') }
  const inner = folder('inner')
  const isTrusted = (path: string) => isTrustedFolder(path, ofHome)
  assert.equal(await isTrusted(at.cwd), false)
  accept(at.cwd)
  assert.deepEqual([await isTrusted(at.cwd), await isTrusted(inner)], [true, true])
  assert.equal(await isTrusted(join(at.cwd, '..')), false)
  // Another repository inside asks for itself, and a yes for the home folder is none for what is in it.
  folder('inner', '.git')
  assert.equal(await isTrusted(inner), false)
  accept(at.home, '/')
  assert.equal(await isTrusted(at.cwd), false)
  accept(at.cwd)
  chmodSync(at.cwd, 0o777)
  assert.equal(await isTrusted(at.cwd), false)
  chmodSync(at.cwd, 0o700)
  chmodSync(record, 0o666)
  assert.equal(await isTrusted(at.cwd), false)
  chmodSync(record, 0o600)
  assert.equal(await isTrusted(at.cwd), true)
  for (const text of [
    '{oops',
    '[]',
    '{"projects": []}',
    `{"projects": {"${at.cwd}": {"hasTrustDialogAccepted": "true"}}}`,
  ]) {
    writeFileSync(record, text)
    assert.equal(await isTrusted(at.cwd), false, text)
  }
  // With a folder of one's own for settings, the record is in there.
  accept(at.cwd)
  assert.equal(await isTrustedFolder(at.cwd, { ...ports, configDir: join(at.home, 'else') }), false)
  // A record that came with the folder it speaks for proves nothing.
  accept(at.cwd)
  writeFileSync(join(at.cwd, 'claude.json'), readFileSync(record), { mode: 0o600 })
  rmSync(record)
  symlinkSync(join(at.cwd, 'claude.json'), record)
  assert.equal(await isTrusted(at.cwd), false)
})
