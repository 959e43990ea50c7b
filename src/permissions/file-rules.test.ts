import assert from 'node:assert/strict'
import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EngineCall, PermissionFacts } from '../engine/ports.js'
import { nodeFiles } from '../platform/files/files.js'
import { createPermissions, type PermissionOptions } from './permission-engine.js'

/** A project and a home on the real disk, and what a call in it gets. */
async function inRepository(
  make: (root: string) => void,
  run: (
    ask: (call: [EngineCall, PermissionFacts], options?: Partial<PermissionOptions>) => Promise<string>,
    root: string,
  ) => Promise<void>,
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-rules-')))
  try {
    for (const folder of ['repo/src', 'home/.ssh', 'out']) mkdirSync(join(root, folder), { recursive: true })
    make(root)
    await run(async (call, options) => {
      const permissions = createPermissions({
        files: nodeFiles,
        cwd: join(root, 'repo'),
        home: join(root, 'home'),
        mode: 'default',
        allowBypass: true,
        ...options,
      })
      return (await permissions.decide(...call)).behavior
    }, root)
  } finally {
    rmSync(root, { recursive: true })
  }
}

function read(path: string): [EngineCall, PermissionFacts] {
  return [
    { id: 't', name: 'Read', input: { file_path: path } },
    { kind: 'read', paths: [path] },
  ]
}

function write(path: string): [EngineCall, PermissionFacts] {
  return [
    { id: 't', name: 'Write', input: { file_path: path } },
    { kind: 'edit', path },
  ]
}

function shell(command: string, cwd: string): [EngineCall, PermissionFacts] {
  return [
    { id: 't', name: 'Bash', input: { command } },
    { kind: 'command', command, cwd },
  ]
}

test('deny matches every name a path has on its way, also where nothing is at its end', () =>
  inRepository(
    (root) => {
      symlinkSync(join(root, 'repo/b'), join(root, 'repo/a'))
      symlinkSync('secrets/key', join(root, 'repo/b'))
      symlinkSync(join(root, 'home'), join(root, 'repo/h'))
    },
    async (ask, root) => {
      const path = join(root, 'repo/a')
      for (const deny of ['Read(a)', 'Read(b)', 'Read(secrets/**)', 'Read(/secrets/key)'])
        assert.equal(await ask(read(path), { deny: [deny] }), 'deny', deny)
      assert.equal(await ask(read(path), { deny: ['Read(c)'] }), 'allow')
      assert.equal(await ask(read(join(root, 'repo/h/.ssh/new')), { deny: ['Read(~/.ssh/**)'] }), 'deny')
    },
  ))

test('allow needs the link and its target', () =>
  inRepository(
    (root) => {
      symlinkSync(join(root, 'out'), join(root, 'repo/src/link'))
      symlinkSync(join(root, 'repo/src'), join(root, 'repo/inner'))
      symlinkSync(join(root, 'out/new'), join(root, 'repo/src/dangling'))
    },
    async (ask, root) => {
      const allow = ['Edit(src/**)']
      const repo = join(root, 'repo')
      assert.equal(await ask(write(join(repo, 'src/a')), { allow }), 'allow')
      assert.equal(await ask(write(join(repo, 'src/link/a')), { allow }), 'ask')
      assert.equal(await ask(write(join(repo, 'src/dangling')), { allow }), 'ask')
      assert.equal(await ask(write(join(repo, 'inner/a')), { allow }), 'ask')
      assert.equal(await ask(write(join(repo, 'inner/a')), { allow: ['Edit(src/**)', 'Edit(inner/**)'] }), 'ask')
      assert.equal(await ask(write(join(repo, 'src/link/a')), { allow: [`Edit(/${root}/**)`] }), 'allow')
      // A link in the rule's own way does not move the rule.
      assert.equal(await ask(write(join(repo, 'src/link/a')), { allow: ['Edit(src/link/**)'] }), 'ask')
      assert.equal(await ask(read(join(repo, 'inner/a'))), 'allow')
      assert.equal(await ask(write(join(repo, 'inner/a')), { mode: 'acceptEdits' }), 'allow')
      assert.equal(await ask(write(join(repo, 'src/link/a')), { mode: 'acceptEdits' }), 'ask')
      assert.equal(await ask(write(join(repo, 'src/dangling')), { mode: 'acceptEdits' }), 'ask')
    },
  ))

test('a rule that forbids follows the links on its own way', () =>
  inRepository(
    (root) => {
      symlinkSync(join(root, 'out'), join(root, 'etc'))
      symlinkSync(join(root, 'home'), join(root, 'user'))
      writeFileSync(join(root, 'out/passwd'), '')
    },
    async (ask, root) => {
      const bypass = { mode: 'bypassPermissions' } as const
      const home = join(root, 'user')
      for (const deny of [`Read(/${root}/etc/passwd)`, `Read(/${root}/etc/**)`, `Read(/${root}/etc/p*)`]) {
        assert.equal(await ask(read(join(root, 'out/passwd')), { ...bypass, deny: [deny] }), 'deny', deny)
        assert.equal(await ask(read(join(root, 'out/../repo/a')), { ...bypass, deny: [deny] }), 'allow', deny)
      }
      assert.equal(await ask(read(join(root, 'home/.ssh/key')), { ...bypass, home, deny: ['Read(~/.ssh/**)'] }), 'deny')
      assert.equal(await ask(read(join(root, 'user/a')), { home, allow: ['Read(~/**)'] }), 'allow')
      assert.equal(await ask(shell(`rm -rf ${root}/home`, join(root, 'repo')), { ...bypass, home }), 'ask')
      assert.equal(await ask(shell(`rm -rf ${root}/out`, join(root, 'repo')), { ...bypass, home }), 'allow')
    },
  ))

test('a working directory behind a link is one under both its names', () =>
  inRepository(
    (root) => {
      symlinkSync(join(root, 'repo'), join(root, 'work'))
      mkdirSync(join(root, 'repo/secrets'))
    },
    async (ask, root) => {
      const cwd = join(root, 'work')
      for (const folder of ['work', 'repo']) {
        assert.equal(await ask(read(join(root, folder, 'secrets/a')), { cwd, deny: ['Read(secrets/**)'] }), 'deny')
        assert.equal(await ask(read(join(root, folder, 'a')), { cwd }), 'allow')
        assert.equal(await ask(write(join(root, folder, 'src/a')), { cwd, allow: ['Edit(src/**)'] }), 'allow')
      }
    },
  ))

test('a file with other names elsewhere is not edited on the word of a mode or a path', () =>
  inRepository(
    (root) => {
      writeFileSync(join(root, 'home/.profile-x'), '')
      linkSync(join(root, 'home/.profile-x'), join(root, 'repo/hard'))
      writeFileSync(join(root, 'repo/plain'), '')
    },
    async (ask, root) => {
      const repo = join(root, 'repo')
      const accept = { mode: 'acceptEdits' } as const
      assert.equal(await ask(write(join(repo, 'plain')), accept), 'allow')
      assert.equal(await ask(write(join(repo, 'hard')), accept), 'ask')
      assert.equal(await ask(write(join(repo, 'hard')), { allow: ['Edit(**)'] }), 'ask')
      assert.equal(await ask(write(join(repo, 'hard')), { allow: ['Edit'] }), 'allow')
      assert.equal(await ask(write(join(repo, 'hard')), { mode: 'bypassPermissions' }), 'allow')
      assert.equal(await ask(shell('echo x > plain', repo), accept), 'allow')
      assert.equal(await ask(shell('echo x > hard', repo), accept), 'ask')
      assert.equal(await ask(shell('cp plain hard', repo), accept), 'ask')
      assert.equal(await ask(shell('rm hard', repo), accept), 'allow')
      assert.equal(await ask(read(join(repo, 'hard'))), 'allow')
    },
  ))

test('what can not be followed is approved by no rule and no mode but bypass', () =>
  inRepository(
    (root) => {
      symlinkSync('loop', join(root, 'repo/loop'))
      for (let i = 0; i < 45; i++) symlinkSync(`chain${i + 1}`, join(root, `repo/chain${i}`))
    },
    async (ask, root) => {
      const long = `${join(root, 'repo')}/${'a/../'.repeat(3000)}b`
      for (const path of [join(root, 'repo/loop/a'), join(root, 'repo/chain0'), long]) {
        assert.equal(await ask(read(path), { allow: ['Read(**)'] }), 'ask')
        assert.equal(await ask(write(path), { mode: 'acceptEdits', allow: ['Edit(**)', 'Edit'] }), 'ask')
        assert.equal(await ask(write(path), { mode: 'bypassPermissions' }), 'allow')
      }
      assert.equal(await ask(read(join(root, 'repo/chain10'))), 'allow')
      assert.equal(await ask(read(join(root, 'repo/chain0')), { deny: ['Read(chain20)'] }), 'deny')
    },
  ))

test('who may edit a file may read it; a rule for all edits says nothing about reading', () =>
  inRepository(
    (root) => writeFileSync(join(root, 'out/a.txt'), 'x'),
    async (ask, root) => {
      const file = join(root, 'out/a.txt')
      const scoped = { allow: [`Edit(/${root}/out/**)`] }
      const all = [scoped, { allow: ['Edit'] }, { ...scoped, deny: [`Read(/${root}/out/**)`] }, {}]
      assert.deepEqual(await Promise.all(all.map((options) => ask(read(file), options))), [
        'allow',
        'ask',
        'deny',
        'ask',
      ])
    },
  ))
