import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../test/fast-check.js'
import { isServerAddress, parseRiskyGitSettings } from './git-settings.js'

const odd = (text: string) => parseRiskyGitSettings(text).odd

test('settings that name no program are harmless, however they are written', () => {
  for (const text of [
    '',
    '# nothing\n; at all\n\n',
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true',
    '[Core] ; as some write it\r\n  FileMode=true\r\n',
    '[core]\nbare',
    '[remote "origin"]\n\tfetch = +refs/heads/*:refs/remotes/origin/*',
    '[branch "a \\"b\\""]\n\tmerge = refs/heads/x',
    '[color "diff"]\n\tmeta = blue\n[color]\n\tui = auto',
    '[http "https://example.com/"]\n\textraheader = AUTHORIZATION: basic x',
    '[submodule "x"]\n\turl = ../x\n\tactive = true\n\tupdate = checkout',
    '[core]\n\tfsmonitor = true\n\tfsmonitor',
    '[commit]\n\tgpgsign = false',
    '[filter "lfs"]\n\tprocess = git-lfs filter-process\n\tsmudge = git-lfs smudge -- %f\n\trequired = true',
  ])
    assert.deepEqual(parseRiskyGitSettings(text), {}, text)
})

test('any other setting is odd, and so is what is not written as git writes it', () => {
  const table: Record<string, string> = {
    '[core]\n\tfsmonitor = ./x': 'core.fsmonitor',
    '[core]\n\tfsmonitor = "true"': 'core.fsmonitor',
    '[core]\n\tsshCommand = x\n\tpager = y': 'core.sshcommand',
    '[core]\n\tpager = less': 'core.pager',
    '[core ""]\n\tbare = x': 'core..bare',
    '[core "x"]\n\tbare = x': 'core.x.bare',
    '[commit]\n\tgpgsign': 'commit.gpgsign',
    '[commit]\n\tgpgsign = true': 'commit.gpgsign',
    '[filter "x"]\n\tclean = cat': 'filter.x.clean',
    '[filter "LFS"]\n\tclean = git-lfs clean -- %f': 'filter.LFS.clean',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f; x': 'filter.lfs.clean',
    '[diff "x"]\n\ttextconv = cat': 'diff.x.textconv',
    '[diff]\n\texternal = x': 'diff.external',
    '[include]\n\tpath = x': 'include.path',
    '[includeIf "gitdir:/"]\n\tpath = x': 'includeif.gitdir:/.path',
    '[alias]\n\tx = !y': 'alias.x',
    '[remote "o"]\n\tuploadpack = x': 'remote.o.uploadpack',
    '[remote "o.fetch"]\n\treceivepack = x': 'remote.o.fetch.receivepack',
    '[submodule "x"]\n\tupdate = !y': 'submodule.x.update',
    '[core]\n\thooksPath = ~/h': 'core.hookspath',
    '[core]\n\thooksPath = "h"': 'core.hookspath',
    '[core]\n\tworktree = x\\ty': 'core.worktree',
    '[core] fsmonitor = x': '[core] fsmonitor = x',
    '[core.x]\n\tbare = true': 'bare = true',
    'bare = true': 'bare = true',
    '[core]\n\tbare = a\\\n[core]': 'bare = a\\',
    '[core]\n\tx y = z': 'x y = z',
    '[core\n': '[core',
    '[remote "a\n"]': '[remote "a',
  }
  for (const [text, name] of Object.entries(table)) assert.equal(odd(text), name, text)
})

test('hooks and files elsewhere are told, the last of each', () => {
  assert.deepEqual(parseRiskyGitSettings('[core]\n\thooksPath = a\n\tworktree = ../x\n\thookspath = .husky/_'), {
    hooksPath: '.husky/_',
    worktree: '../x',
  })
})

test('remotes are servers, or contact with them is odd', () => {
  const remote = (url: string) => parseRiskyGitSettings(`[remote "o"]\n\turl = ${url}`).oddRemote
  for (const url of [
    'https://example.com/a/b.git',
    'http://[::1]:80/x',
    'ssh://git@example.com:22/~a/b',
    'git@example.com:a/b.git',
    'host:path',
    'git://example.com/x',
  ]) {
    assert.equal(remote(url), undefined, url)
    assert.ok(isServerAddress(url), url)
  }
  for (const url of [
    '.',
    '../x',
    '/srv/x.git',
    'x',
    'file:///srv/x',
    'other://example.com/x',
    'C:/x',
    'ext::sh -c x',
    'ext::x',
    'a@b::c',
    'fd::3',
    'ssh://-oProxyCommand=x/y',
    '-x@y:z',
    'host:-x',
    'https://a b',
    '"https://a"',
    'foo/bar:baz',
  ]) {
    assert.equal(remote(url), 'remote.o.url', url)
    assert.ok(!isServerAddress(url), url)
  }
  assert.equal(parseRiskyGitSettings('[branch "x"]\n\tremote = .').oddRemote, undefined)
  assert.equal(parseRiskyGitSettings('[branch "x"]\n\tremote = ./y').oddRemote, 'branch.x.remote')
  assert.equal(parseRiskyGitSettings('[remote]\n\tpushDefault = ../x').oddRemote, 'remote.pushdefault')
})

test('programs that make the contact are told, however they are quoted', () => {
  const helper = (url: string) =>
    parseRiskyGitSettings(`[remote "o"]\n\turl = https://example.com\n\tpushurl = ${url}`).helper
  for (const url of ['ext::sh -c x', 'a@b::c', '"ext::x"', 'ext":":x', 'ext:\\:x'])
    assert.equal(helper(url), 'remote.o.pushurl', url)
  for (const url of ['/srv/x.git', '../x', 'file:///srv/x', 'git@example.com:a/b.git'])
    assert.equal(helper(url), undefined, url)
})

test('a clone without all objects says so', () => {
  const text = '[extensions]\n\tpartialClone = o\n[remote "o"]\n\tpromisor = true\n\tpartialclonefilter = blob:none'
  assert.deepEqual(parseRiskyGitSettings(text), { lazy: 'extensions.partialclone' })
  assert.deepEqual(parseRiskyGitSettings('[remote "o"]\n\tpromisor = true'), { lazy: 'remote.o.promisor' })
})

test('a setting that is odd stays odd among others, wherever it stands', () => {
  const harmless = fc.constantFrom(
    '[core]\n\tbare = false',
    '# x',
    '',
    '[user]\n\tname = a "b"',
    '[color]\n\tui = true',
  )
  const bad = fc.constantFrom(
    '[core]\n\tfsmonitor = x',
    '[alias]\n\tx = !y',
    '[diff "x"]\n\ttextconv = y',
    '[a]\n\tb = c',
  )
  fc.assert(
    fc.property(
      fc.array(harmless),
      bad,
      fc.array(harmless),
      fc.constantFrom('\n', '\r\n'),
      (before, one, after, end) => {
        const text = [...before, one, ...after].join('\n').replaceAll('\n', end)
        assert.ok(odd(text) !== undefined, JSON.stringify(text))
      },
    ),
  )
})
