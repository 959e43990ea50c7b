/** Real git, remotes that are bare repositories on disk, machines that are folders. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { byTier, sampledTest as it } from '../../../../test/support/tier.js'
import type { GitSpec } from '../session-workspace.js'
import { createMemorySnapshotIndex } from '../snapshot-index.js'
import {
  createTestFolder,
  createTestWorkspace,
  createTestWorkspaceSession,
  readTestFiles,
  startEndlessSaving,
  type TestFiles,
  testFilesOfVersion,
  WORKSPACE_TEST_ENVIRONMENT,
  writeTestFiles,
} from '../test-workspaces.js'

const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  LC_ALL: 'C',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.com',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.com',
}
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' }).trim()

/** A remote with one commit of these files on `main`. */
function remoteWith(folder: string, files: TestFiles): GitSpec {
  const [remote, author] = [join(folder, 'remote.git'), join(folder, 'author')]
  git(folder, 'init', '-q', '--bare', '-b', 'main', remote)
  git(folder, 'init', '-q', '-b', 'main', author)
  writeTestFiles(author, files)
  git(author, 'add', '-A')
  git(author, 'commit', '-q', '--allow-empty', '-m', 'first')
  git(author, 'push', '-q', remote, 'main')
  return { kind: 'git', remote }
}

const FIRST: TestFiles = {
  'a.txt': 'one\n',
  'dir/b.txt': 'two\n',
  'run.sh': '!echo\n',
  link: '-> a.txt',
  '.gitignore': 'out\n*.log\n',
}

describe('files in a git repository', () => {
  it('go on on another machine as they were saved: changes, new ones, removals, modes, links, branches', async () => {
    using folder = createTestFolder()
    const spec = remoteWith(folder.path, FIRST)
    const index = createMemorySnapshotIndex()
    const [one, two] = [createTestWorkspace(folder.path, 'one', index), createTestWorkspace(folder.path, 'two', index)]
    const prepared = await one.prepare(createTestWorkspaceSession(spec))
    assert.deepEqual({ ...prepared, cwd: '' }, { cwd: '', savedSeq: 0, notes: [] })
    const { cwd } = prepared
    assert.deepEqual(readTestFiles(cwd), FIRST)
    assert.equal(git(cwd, 'status', '--porcelain', '-b'), '## main')
    assert.equal(git(cwd, 'rev-parse', 'origin/main'), git(cwd, 'rev-parse', 'main'))

    // What a session does: commits of its own, things that are staged and that are not, a folder in place of a file.
    writeTestFiles(cwd, { 'mine.txt': 'committed' })
    git(cwd, 'checkout', '-q', '-b', 'feature/x')
    git(cwd, 'add', 'mine.txt')
    git(cwd, 'commit', '-q', '-m', 'mine')
    const changed: TestFiles = {
      'a.txt': 'ONE\r\nmixed\n',
      'dir/b.txt': null,
      'run.sh': 'echo\n',
      'new/tool': '!x',
      'umlaut-ä b\n.txt': 'y',
      link: '-> /somewhere/else',
      'dir/b.txt/deep': 'folder now',
      '.gitattributes': '* text=auto eol=lf\n',
      'out/big.bin': 'ignored',
      'x.log': 'ignored',
      'forced.log': 'wanted',
      '.env': 'KEY=1',
      '.env.example': 'KEY=',
    }
    writeTestFiles(cwd, changed)
    writeFileSync(Buffer.from(`${cwd}/bytes-\xff`, 'latin1'), 'name of bytes')
    git(cwd, 'add', 'new/tool')
    git(cwd, 'add', '-f', 'forced.log')
    const before = [git(cwd, 'status', '--porcelain', '-b'), git(cwd, 'rev-parse', 'HEAD')]
    const index0 = readFileSync(join(cwd, '.git/index'))
    const saved = await one.save(createTestWorkspaceSession(spec), 7)
    assert.deepEqual(saved.leftOut, [{ path: '.env', why: 'it may hold secrets' }])
    assert.equal(saved.ref, 'refs/kedge/acme/=53-1')
    // The session's own repository was not touched.
    assert.deepEqual([git(cwd, 'status', '--porcelain', '-b'), git(cwd, 'rev-parse', 'HEAD')], before)
    assert.deepEqual(readFileSync(join(cwd, '.git/index')), index0)

    const there = await two.prepare(createTestWorkspaceSession(spec, 2))
    assert.equal(there.savedSeq, 7)
    const { '.env': _, 'out/big.bin': __, 'x.log': ___, ...kept } = readTestFiles(cwd)
    assert.deepEqual(readTestFiles(there.cwd), kept)
    assert.equal(kept['bytes-\xff'], 'name of bytes')
    assert.equal(git(there.cwd, 'symbolic-ref', 'HEAD'), 'refs/heads/feature/x')
    assert.equal(git(there.cwd, 'log', '-1', '--format=%s %an'), 'mine Ada')
    assert.equal(git(there.cwd, 'rev-parse', 'main'), git(cwd, 'rev-parse', 'main'))
    assert.equal(git(there.cwd, 'fsck', '--connectivity-only', '--no-dangling'), '')
    // And back again: what the first machine still has is not what counts.
    writeTestFiles(there.cwd, { 'a.txt': null, 'from-two.txt': '2' })
    await two.save(createTestWorkspaceSession(spec, 2), 9)
    writeTestFiles(cwd, { 'stale.txt': 'a tool that ran on' })
    const back = await one.prepare(createTestWorkspaceSession(spec, 3))
    assert.equal(back.savedSeq, 9)
    assert.deepEqual(readTestFiles(back.cwd), readTestFiles(there.cwd))
    // The server's own branches are where they were.
    assert.deepEqual(git(spec.remote, 'for-each-ref', '--format=%(refname)').split('\n'), [
      'refs/heads/main',
      saved.ref,
    ])
  })

  it('are left as they are where they were worked with last, and only a change is pushed', async () => {
    using folder = createTestFolder()
    const spec = remoteWith(folder.path, FIRST)
    const index = createMemorySnapshotIndex()
    const one = createTestWorkspace(folder.path, 'one', index)
    const { cwd } = await one.prepare(createTestWorkspaceSession(spec))
    const first = await one.save(createTestWorkspaceSession(spec), 3)
    const second = await one.save(createTestWorkspaceSession(spec), 5)
    assert.deepEqual([second.sha256, second.bytes, second.seq], [first.sha256, 0, 5])
    assert.equal(
      (await createTestWorkspace(folder.path, 'two', index).prepare(createTestWorkspaceSession(spec, 2))).savedSeq,
      5,
    )
    assert.equal((await one.prepare(createTestWorkspaceSession(spec, 3))).savedSeq, 5)
    await one.release(createTestWorkspaceSession(spec), 'keep')
    writeTestFiles(cwd, { 'later.txt': 'after it was saved' })
    // Nobody else had it: a crash of the worker loses nothing, and no server is asked.
    rmSync(spec.remote, { recursive: true })
    const again = await one.prepare(createTestWorkspaceSession(spec, 4))
    assert.deepEqual([again.savedSeq, readTestFiles(again.cwd)['later.txt']], [undefined, 'after it was saved'])
    await one.release(createTestWorkspaceSession(spec), 'remove')
    assert.equal(existsSync(cwd), false)
    await assert.rejects(one.prepare(createTestWorkspaceSession(spec, 5)), { code: 'workspace_unreachable' })
  })

  it('of an owner that was overtaken are refused, whoever of them comes first', async () => {
    using folder = createTestFolder()
    const spec = remoteWith(folder.path, FIRST)
    // Each has its own: the database did not hear of the claim in time.
    const [one, two, three] = ['one', 'two', 'three'].map((name) =>
      createTestWorkspace(folder.path, name, createMemorySnapshotIndex()),
    )
    assert.ok(one && two && three)
    const early = await one.prepare(createTestWorkspaceSession(spec, 1))
    await one.save(createTestWorkspaceSession(spec, 1), 2)
    const late = await two.prepare(createTestWorkspaceSession(spec, 2))
    // The first one saves after the second has begun, before that saves.
    writeTestFiles(early.cwd, { 'a.txt': 'of the first' })
    await one.save(createTestWorkspaceSession(spec, 1), 3)
    writeTestFiles(late.cwd, { 'a.txt': 'of the second' })
    await two.save(createTestWorkspaceSession(spec, 2), 4)
    writeTestFiles(early.cwd, { 'a.txt': 'of the first, too late' })
    await assert.rejects(one.save(createTestWorkspaceSession(spec, 1), 5), { code: 'session_fenced' })
    const last = await three.prepare(createTestWorkspaceSession(spec, 3))
    assert.deepEqual([last.savedSeq, readTestFiles(last.cwd)['a.txt']], [4, 'of the second'])
  })

  it('are saved without running anything a session or a repository brings', async () => {
    using folder = createTestFolder()
    const spec = remoteWith(folder.path, { ...FIRST, '.gitattributes': '*.txt filter=evil diff=evil merge=evil\n' })
    const index = createMemorySnapshotIndex()
    // Nor what the operator has set for himself, except at the server.
    const home = { 'home/.gitconfig': `[core]\n\thooksPath = ${join(folder.path, 'home/hooks')}\n` }
    writeTestFiles(folder.path, {
      ...home,
      'home/hooks/reference-transaction': `!#!/bin/sh\ncase $PWD in */remote.git) ;; *) pwd >> '${join(folder.path, 'ran')}' ;; esac\n`,
    })
    const environment = { ...WORKSPACE_TEST_ENVIRONMENT, GIT_CONFIG_GLOBAL: undefined, HOME: join(folder.path, 'home') }
    const [one, two] = ['one', 'two'].map((name) => createTestWorkspace(folder.path, name, index, { environment }))
    assert.ok(one && two)
    const { cwd } = await one.prepare(createTestWorkspaceSession(spec))
    const proof = join(folder.path, 'ran')
    const evil = `!#!/bin/sh\necho "$0" >> '${proof}'\ncat\n`
    const hooks = 'pre-commit post-commit pre-push post-checkout post-index-change reference-transaction pre-auto-gc'
    writeTestFiles(cwd, Object.fromEntries(hooks.split(' ').map((name) => [`.git/hooks/${name}`, evil])))
    writeTestFiles(folder.path, { evil })
    const script = join(folder.path, 'evil')
    const keys =
      `core.fsmonitor core.hooksPath core.sshCommand core.editor core.pager core.alternateRefsCommand diff.external
      filter.evil.clean filter.evil.smudge filter.evil.process diff.evil.textconv merge.evil.driver credential.helper
      gpg.program uploadpack.packObjectsHook remote.origin.uploadpack remote.origin.receivepack`.split(/\s+/)
    for (const key of keys) git(cwd, 'config', key, key === 'core.hooksPath' ? join(cwd, '.git/hooks') : script)
    git(cwd, 'config', 'commit.gpgSign', 'true')
    git(cwd, 'config', `url.ext::sh -c touch% ${proof}% .insteadOf`, spec.remote)
    assert.equal(existsSync(proof), false)
    writeTestFiles(cwd, { 'a.txt': 'changed', 'new.txt': 'new' })
    await one.save(createTestWorkspaceSession(spec), 1)
    assert.equal(existsSync(proof), false, existsSync(proof) ? readFileSync(proof, 'utf8') : '')
    const there = await two.prepare(createTestWorkspaceSession(spec, 2))
    assert.equal(readTestFiles(there.cwd)['a.txt'], 'changed')
    assert.equal(existsSync(proof), false)
    // A session may have left its repository in any state.
    for (const spoil of [
      () => writeFileSync(join(cwd, '.git/HEAD'), 'nonsense'),
      () => writeFileSync(join(cwd, '.git/config'), '[broken'),
      () => rmSync(join(cwd, '.git'), { recursive: true }),
      () => writeFileSync(join(cwd, '.git'), 'gitdir: /nowhere'),
    ]) {
      spoil()
      const { leftOut } = await createTestWorkspace(folder.path, 'one', createMemorySnapshotIndex()).save(
        createTestWorkspaceSession(spec, 4),
        2,
      )
      assert.deepEqual(leftOut, [{ path: '.git', why: 'the repository of the session can not be read' }])
    }
    assert.equal(existsSync(proof), false)
  })

  it('say what is not in them: submodules, repositories within, what is too large, what no setup brought back', async () => {
    using folder = createTestFolder()
    const spec = remoteWith(folder.path, { ...FIRST, '.gitattributes': '*.bin filter=lfs diff=lfs\n' })
    const author = join(folder.path, 'author')
    git(author, 'update-index', '--add', '--cacheinfo', `160000,${git(author, 'rev-parse', 'HEAD')},lib`)
    writeTestFiles(author, { '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = https://git.example/lib\n' })
    git(author, 'add', '.gitmodules')
    git(author, 'commit', '-q', '-m', 'lib')
    git(author, 'push', '-q', spec.remote, 'main', 'main:refs/tags/v1')
    const index = createMemorySnapshotIndex()
    const limits = { fileBytes: 1000, allBytes: 1500, setupMs: 60_000 }
    const one = createTestWorkspace(folder.path, 'one', index, { limits })
    const place = createTestWorkspaceSession({
      ...spec,
      ref: 'v1',
      setup: ['sh', '-c', 'echo $HOME-$KEDGE_SECRET_ID > made.log; exit 3'],
    })
    const { cwd, notes } = await one.prepare(place)
    assert.deepEqual(notes.slice(0, 2), [
      'Submodules are not checked out: lib',
      'Files kept by git LFS are pointers here, unless a setup command fetched them.',
    ])
    assert.match(notes[2] ?? '', /^The setup command FAILED here \(exit 3\): sh -c echo/)
    assert.equal(readTestFiles(cwd)['made.log'], '-\n')
    assert.equal(git(cwd, 'rev-parse', 'HEAD'), git(author, 'rev-parse', 'HEAD'))
    writeTestFiles(cwd, {
      'large.txt': 'x'.repeat(1001),
      'first.txt': 'x'.repeat(900),
      'second.txt': 'x'.repeat(800),
      'a.txt': 'z',
    })
    mkdirSync(join(cwd, 'inner'))
    git(join(cwd, 'inner'), 'init', '-q')
    writeTestFiles(cwd, { 'inner/file': 'x', 'odd/.GIT/x': 'y' })
    git(join(cwd, 'inner'), 'add', '-A')
    git(join(cwd, 'inner'), 'commit', '-q', '-m', 'x')
    const { leftOut } = await one.save(place, 3)
    assert.deepEqual(leftOut.map(({ path, why }) => [path, why.replace(/[\d.]+ MB/g, 'n')]).sort(), [
      ['first.txt', 'n, and all files together are more than n'],
      ['inner/', 'a separate repository'],
      ['large.txt', 'n, more than n for one file'],
      ['lib', 'a submodule: its files are not saved'],
      ['odd/.GIT/x', 'git takes no such name'],
    ])
    const there = await createTestWorkspace(folder.path, 'two', index).prepare({ ...place, epoch: 2 })
    assert.deepEqual([readTestFiles(there.cwd)['second.txt']?.length, readTestFiles(there.cwd)['a.txt']], [800, 'z'])
    assert.equal(git(there.cwd, 'rev-parse', 'HEAD'), git(author, 'rev-parse', 'HEAD'))
  })

  it('are lost with an error, not silently; a remote or a ref that is not there has one, too; all can be forgotten', async () => {
    using folder = createTestFolder()
    const spec = remoteWith(folder.path, FIRST)
    const index = createMemorySnapshotIndex()
    const [one, two] = [createTestWorkspace(folder.path, 'one', index), createTestWorkspace(folder.path, 'two', index)]
    await assert.rejects(one.prepare(createTestWorkspaceSession({ ...spec, ref: 'no' })), {
      code: 'workspace_invalid',
      message: /workspace\.ref/,
    })
    await assert.rejects(one.prepare(createTestWorkspaceSession({ ...spec, remote: '/nowhere' })), {
      code: 'workspace_unreachable',
    })
    const { cwd } = await one.prepare(createTestWorkspaceSession(spec))
    const { ref } = await one.save(createTestWorkspaceSession(spec), 1)
    git(spec.remote, 'update-ref', '-d', ref)
    await assert.rejects(two.prepare(createTestWorkspaceSession(spec, 2)), { code: 'workspace_lost' })
    git(spec.remote, 'update-ref', ref, 'main')
    await assert.rejects(two.prepare(createTestWorkspaceSession(spec, 2)), { code: 'workspace_lost' })
    await one.forget(createTestWorkspaceSession(spec, 2))
    assert.equal(git(spec.remote, 'for-each-ref', ref), '')
    assert.deepEqual([existsSync(cwd), await index.last(createTestWorkspaceSession(spec))], [false, undefined])
    await one.forget(createTestWorkspaceSession(spec, 2))
    // A repository without a commit is a beginning, too.
    const empty = join(folder.path, 'empty.git')
    git(folder.path, 'init', '-q', '--bare', '-b', 'trunk', empty)
    const bare = createTestWorkspaceSession({ kind: 'git', remote: empty }, 1, 'other')
    writeTestFiles((await one.prepare(bare)).cwd, { 'x.txt': 'x' })
    await one.save(bare, 1)
    assert.deepEqual(readTestFiles((await two.prepare({ ...bare, epoch: 2 })).cwd), { 'x.txt': 'x' })
    const stopped = AbortSignal.abort(new Error('stopped'))
    await assert.rejects(two.save({ ...bare, epoch: 2 }, 2, stopped), /stopped/)
  })

  it('are whole after a kill in the middle of saving: those before it or those after it', {
    timeout: 600_000,
  }, async () => {
    using folder = createTestFolder()
    const spec = remoteWith(folder.path, testFilesOfVersion(0))
    const rounds = byTier({ quick: 2, all: 4, long: 60 })
    let from = 1
    for (let round = 0; round < rounds; round += 1) {
      const child = startEndlessSaving({
        root: folder.path,
        name: 'one',
        place: createTestWorkspaceSession(spec, 2 * round + 1),
        from,
      })
      let sure = 0
      for (let said = await child.says(); said !== `saving ${from + (round % 2)}`; said = await child.says())
        if (said?.startsWith('saved')) sure = Number(said.slice(6))
      await new Promise((done) => setTimeout(done, Math.random() * 150))
      child.kill()
      await child.gone
      // It knows only what is in the repository; and what was killed has left locks and halves behind, also in the cache.
      const two = createTestWorkspace(folder.path, round % 2 ? 'one' : 'two', createMemorySnapshotIndex())
      const { cwd, savedSeq } = await two.prepare(createTestWorkspaceSession(spec, 2 * round + 2))
      const expected = Object.fromEntries(
        Object.entries(testFilesOfVersion(savedSeq ?? -1)).filter(([, text]) => text !== null),
      )
      assert.deepEqual(readTestFiles(cwd), expected)
      assert.ok(savedSeq !== undefined && savedSeq >= sure, `${savedSeq} is older than ${sure}, which was saved`)
      await two.save(createTestWorkspaceSession(spec, 2 * round + 2), savedSeq)
      from = savedSeq + 1
    }
  })
})
