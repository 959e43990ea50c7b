/** Ignore files: which of them holds where, which is the stronger, and what files that can't be read or are hostile do. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FileStat } from '../../platform/files/files.js'
import { isIgnoredPath, loadIgnoreLevelBelow, loadIgnoreLevels, readUserIgnoreRules } from './ignore-rules.js'

type Tree = Record<string, string | { code: string }>

const stat: FileStat = { kind: 'file', size: 0, mtimeMs: 0, mode: 0o644, dev: 1, ino: 1, uid: 0, links: 1 }

/** Texts by path; folders are there when something is below them. `sync` is false for a workspace elsewhere. */
function filesOf(tree: Tree, { sync = true, links = {} }: { sync?: boolean; links?: Record<string, string> } = {}) {
  const isThere = (path: string) =>
    path in tree || path in links || Object.keys(tree).some((name) => name.startsWith(`${path}/`))
  return {
    ...(sync ? { existsSync: isThere } : {}),
    stat: async (path: string) => {
      if (path.includes('forbidden')) throw Object.assign(new Error(path), { code: 'EACCES' })
      return isThere(path) ? stat : undefined
    },
    realpath: async (path: string) => links[path] ?? path,
    async snapshot(path: string) {
      const content = tree[path]
      if (content === undefined) throw Object.assign(new Error(path), { code: 'ENOENT' })
      if (typeof content !== 'string') throw Object.assign(new Error(path), content)
      return { stat, content: new TextEncoder().encode(content) }
    },
  }
}

/** Whether a path below `/r` is left out, with the rules of all folders down to its own. */
async function ignores(tree: Tree, path: string, own: string[] = []) {
  const files = filesOf(tree)
  const isFolder = path.endsWith('/')
  const bare = path.replace(/\/$/, '')
  const level = await loadIgnoreLevels(bare.slice(0, bare.lastIndexOf('/')) || '/', files)
  const home = filesOf({ '/h/.config/git/ignore': own.join('\n') })
  const rules = await readUserIgnoreRules({ HOME: '/h' }, home)
  return isIgnoredPath(bare, isFolder, level, { base: '/r', rules })
}

describe('a file is left out', () => {
  const repository = { '/r/.git/HEAD': '' }
  const cases: [name: string, Tree, path: string, boolean, own?: string[]][] = [
    ['by .gitignore inside of a repository', { ...repository, '/r/.gitignore': '*.log' }, '/r/a/x.log', true],
    ['not by .gitignore outside of one', { '/r/.gitignore': '*.log' }, '/r/x.log', false],
    ['by .gitignore in a repository of jj', { '/r/.jj/x': '', '/r/.gitignore': '*.log' }, '/r/x.log', true],
    ['by .ignore anywhere', { '/r/.ignore': '*.log' }, '/r/a/x.log', true],
    ['by .rgignore anywhere', { '/r/.rgignore': '*.log' }, '/r/a/x.log', true],
    ['by what the repository keeps to itself', { '/r/.git/info/exclude': 'x' }, '/r/x', true],
    ['not when a stronger file takes it back', { '/r/.ignore': '*.log', '/r/.rgignore': '!x.log' }, '/r/x.log', false],
    [
      'when only a weaker file takes it back',
      { ...repository, '/r/.ignore': '*.log', '/r/.gitignore': '!x.log' },
      '/r/x.log',
      true,
    ],
    ['not when a later line takes it back', { '/r/.ignore': '*.log\n!x.log' }, '/r/x.log', false],
    ['when a later line leaves it out again', { '/r/.ignore': '!x.log\n*.log' }, '/r/x.log', true],
    [
      'not when a deeper folder takes it back',
      { '/r/.ignore': '*.log', '/r/a/.ignore': '!x.log' },
      '/r/a/x.log',
      false,
    ],
    ['by an anchored rule only in its own folder', { '/r/.ignore': '/x' }, '/r/a/x', false],
    ['by an anchored rule in its own folder', { '/r/a/.ignore': '/x' }, '/r/a/x', true],
    ['not by a rule for folders', { '/r/.ignore': 'x/' }, '/r/x', false],
    ['as a folder by such a rule', { '/r/.ignore': 'x/' }, '/r/x/', true],
    ['by a folder above the one that is searched', { '/.ignore': '*.log' }, '/r/a/x.log', true],
    [
      'not by the repository around its own',
      { '/r/.git/HEAD': '', '/r/.gitignore': '*.log', '/r/a/.git/HEAD': '' },
      '/r/a/x.log',
      false,
    ],
    [
      'by .ignore of the repository around its own',
      { '/r/.ignore': '*.log', '/r/a/.git/HEAD': '' },
      '/r/a/x.log',
      true,
    ],
    ['by rules of the user in a repository', repository, '/r/x.log', true, ['*.log']],
    ['not by rules of the user outside of one', {}, '/r/x.log', false, ['*.log']],
    [
      'not by rules of the user that a project takes back',
      { ...repository, '/r/.gitignore': '!x.log' },
      '/r/x.log',
      false,
      ['*.log'],
    ],
    ['by rules of the user from the base on', repository, '/r/a/x', false, ['/x']],
    ['by the good lines around a broken one', { '/r/.ignore': 'a\n[\nx' }, '/r/x', true],
    ['by lines that end as on Windows', { '/r/.ignore': 'a\r\nx\r\n' }, '/r/x', true],
    ['not by a file that may not be read', { '/r/.ignore': { code: 'EACCES' } }, '/r/x', false],
  ]
  for (const [name, tree, path, expected, own] of cases) {
    it(name, async () => assert.equal(await ignores(tree, path, own), expected))
  }
})

describe('the levels', () => {
  it('know the repository from its folder downwards', async () => {
    const files = filesOf({ '/r/.git/HEAD': '' })
    const root = await loadIgnoreLevels('/', files)
    const inside = await loadIgnoreLevelBelow('/r/a', await loadIgnoreLevelBelow('/r', root, files), files)
    assert.deepEqual(
      [root.inRepository, inside.parent?.isRepository, inside.isRepository, inside.inRepository],
      [false, true, false, true],
    )
    assert.deepEqual([inside.folder, inside.parent?.folder, inside.parent?.parent?.folder], ['/r/a', '/r', '/'])
  })

  it('are the same where files can only be looked at one after another, and a folder that is shut has none', async () => {
    const files = filesOf({ '/r/.git/HEAD': '', '/r/.gitignore': 'x' }, { sync: false })
    const level = await loadIgnoreLevels('/r', files)
    assert.equal(isIgnoredPath('/r/x', false, level, { base: '/r', rules: [] }), true)
    const shut = await loadIgnoreLevels('/forbidden', files)
    assert.equal(shut.isRepository, false)
  })
})

describe('the rules of the user', () => {
  const names = async (tree: Tree, env: Record<string, string>, links?: Record<string, string>) => {
    const rules = await readUserIgnoreRules(env, filesOf(tree, links ? { links } : {}))
    return ['a', 'b', 'c', 'd'].filter((name) => rules.some((rule) => rule.matches(name, false))).join('')
  }
  const home = { HOME: '/h' }

  it('are in the usual place, or where the configuration of git says', async () => {
    assert.equal(await names({ '/h/.config/git/ignore': 'a' }, home), 'a')
    assert.equal(
      await names({ '/x/git/ignore': 'b', '/h/.config/git/ignore': 'a' }, { ...home, XDG_CONFIG_HOME: '/x' }),
      'b',
    )
    const named = { '/h/.gitconfig': '[core]\n\texcludesFile = ~/mine', '/h/mine': 'c', '/h/.config/git/ignore': 'a' }
    assert.equal(await names(named, home), 'c')
    assert.equal(await names({ ...named, '/h/.gitconfig': 'excludesfile="/h/mine"' }, home), 'c')
    assert.equal(await names({ '/h/.config/git/config': 'excludesfile=/h/mine', '/h/mine': 'd' }, home), 'd')
  })

  it('are none without a home, nor from a file that is not named by its whole path', async () => {
    assert.equal(await names({ '/h/.config/git/ignore': 'a' }, {}), '')
    assert.equal(await names({ '/h/.gitconfig': 'excludesfile = mine', mine: 'a' }, home), '')
    assert.equal(
      await names({ '/x/git/config': 'excludesfile = ~/mine', '~/mine': 'a' }, { XDG_CONFIG_HOME: '/x' }),
      '',
    )
    assert.equal(await names({ '/h/.gitconfig': { code: 'EACCES' } }, home), '')
  })

  it('may be behind a link', async () => {
    assert.equal(await names({ '/real': 'a' }, home, { '/h/.config/git/ignore': '/real' }), 'a')
  })
})
