import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { isHarmlessGitConfig, isHarmlessMercurialConfig } from './harmless-config.js'

test('what git itself writes is harmless: a new repository, a clone, a branch, a remote, a name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kedge-config-'))
  try {
    const git = (cwd: string, ...args: string[]) => {
      const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd, env, stdio: 'pipe' })
    }
    git(folder, 'init', '-q', 'one')
    writeFileSync(join(folder, 'one', 'a'), '')
    git(join(folder, 'one'), 'add', 'a')
    git(join(folder, 'one'), 'commit', '-qm', 'a')
    git(folder, 'clone', '-q', 'one', 'two')
    git(folder, 'clone', '-q', '--bare', 'one', 'three.git')
    const two = join(folder, 'two')
    git(two, 'config', 'user.name', 'Ada = "x" # y')
    git(two, 'config', 'pull.rebase', 'true')
    git(two, 'remote', 'add', 'up', 'https://git.example/x.git')
    git(two, 'checkout', '-q', '-b', 'b/c', '--track', 'origin/HEAD')
    for (const path of ['one/.git/config', 'two/.git/config', 'three.git/config']) {
      const text = readFileSync(join(folder, path), 'utf8')
      assert.equal(isHarmlessGitConfig(text), true, text)
    }
    // Each of these, in addition, is not.
    const base = readFileSync(join(two, '.git/config'), 'utf8')
    for (const [key, value] of PROGRAMS) {
      git(two, 'config', key, value)
      assert.equal(isHarmlessGitConfig(readFileSync(join(two, '.git/config'), 'utf8')), false, key)
      writeFileSync(join(two, '.git/config'), base)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Every way we know in which a configuration makes git run or load something. */
const PROGRAMS: [string, string][] = [
  ...['fsmonitor', 'hooksPath', 'sshCommand', 'pager', 'editor', 'askPass', 'gitProxy', 'alternateRefsCommand'].map(
    (key): [string, string] => [`core.${key}`, './evil'],
  ),
  ...['worktree', 'attributesFile', 'excludesFile'].map((key): [string, string] => [`core.${key}`, 'x']),
  ...['alias.st', 'diff.external', 'diff.x.textconv', 'diff.x.command', 'merge.x.driver', 'filter.x.clean'].map(
    (key): [string, string] => [key, '!evil'],
  ),
  ...['filter.x.smudge', 'filter.x.process', 'gpg.program', 'gpg.ssh.program', 'pager.log', 'sequence.editor'].map(
    (key): [string, string] => [key, 'evil'],
  ),
  ...['credential.helper', 'credential.https://x.example.helper', 'include.path', 'includeIf.onbranch:x.path'].map(
    (key): [string, string] => [key, 'evil'],
  ),
  ...['remote.origin.uploadpack', 'remote.origin.receivepack', 'remote.origin.vcs', 'interactive.diffFilter'].map(
    (key): [string, string] => [key, 'evil'],
  ),
  ...['difftool.x.cmd', 'mergetool.x.path', 'trailer.x.command', 'tar.x.command', 'uploadpack.packObjectsHook'].map(
    (key): [string, string] => [key, 'evil'],
  ),
  ['submodule.x.update', '!evil'],
  ['remote.origin.url', 'ext::sh -c evil'],
  ['url.ext::evil.insteadOf', 'https://'],
  ['protocol.ext.allow', 'always'],
  ['browser.x.cmd', 'evil'],
]

test('what is not understood is not harmless', () => {
  for (const text of [
    '[core]\n\tfilemode = true \\\n\tfsmonitor = x',
    '[core.x]\n\tfilemode = true',
    '[ core ]\n\tfilemode = true',
    '[core "x"]\n\tfilemode = true',
    'filemode = true',
    '[core] filemode = true\n[core] fsmonitor = x',
    '[CORE]\nFSMONITOR=x',
    '[CORE] FileMode = true',
    '[remote "a"]\n\turl = ext":":evil',
    '[pull]\n\toctopus = x/evil',
    '[toString]\n\tx = y',
    '[core]\n\t"filemode" = true',
    '\u0000',
  ]) {
    assert.equal(isHarmlessGitConfig(text), false, text)
  }
  const partial = '[extensions]\n\tpartialclone = o\n[remote "o"]\n\turl = /srv/x\n\tpromisor = true'
  for (const text of ['', partial, '\n# x\n; y\n', '[core]', '[core]\r\n\tbare\r\n', '[core] ; x'])
    assert.equal(isHarmlessGitConfig(text), true, text)
})

test('Mercurial: where it was cloned from, and nothing more', () => {
  assert.equal(
    isHarmlessMercurialConfig('# x\n[paths]\ndefault = https://hg.example/x\n\n[ui]\nusername = Ada\n'),
    true,
  )
  for (const text of [
    '[hooks]\npre-status = evil',
    '[extensions]\nevil = ./evil.py',
    '[alias]\nst = !evil',
    '[ui]\neditor = evil',
    '[ui]\nssh = evil',
    '[paths]\ndefault = ssh://-oProxyCommand=evil/x',
    '[paths]\ndefault = x\n[hooks]\nupdate.x = evil',
    '%include ../evil',
  ]) {
    assert.equal(isHarmlessMercurialConfig(text), false, text)
  }
})
