/** A repository that somebody else made, and that leads git to files outside of the project. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { all, CANARY, Ground } from './ground.js'

const LOOKS = ['git status', 'git log --oneline', 'git branch -a', 'git cat-file -p HEAD']
const grounds: Ground[] = []
after(() => {
  for (const one of grounds) one.remove()
})

const AS = '-c user.name=a -c user.email=a@b.c'
const commitAt = (folder: string) =>
  `git init -q --template= ${folder} && cd ${folder} && git add -A && git ${AS} commit -q --allow-empty -m first`

/** A project with a repository, and a stranger's repository outside whose only commit has the canary for its message. */
function made(): Ground {
  const ground = new Ground({ 'a.txt': 'a\n' })
  grounds.push(ground)
  ground.run(commitAt('.'))
  mkdirSync(join(ground.outside, 'other'))
  ground.run(`cd ../outside/other && git init -q --template= && git ${AS} commit -q --allow-empty -m ${CANARY}`)
  return ground
}

/** A link in `.git` to the secret outside. */
function link(ground: Ground, path: string, to = join(ground.outside, 'secret')): void {
  const at = ground.at('.git', path)
  mkdirSync(dirname(at), { recursive: true })
  rmSync(at, { recursive: true, force: true })
  symlinkSync(to, at)
}

test('a repository as others are is looked at without a question', async () => {
  const ground = made()
  assert.deepEqual(await ground.judge(LOOKS), all(LOOKS, 'allow'))
  // One that is around the working directory is the one that the user stands in.
  mkdirSync(ground.at('sub'))
  const cwd = ground.at('sub')
  assert.deepEqual(await ground.judge(LOOKS, { cwd }), all(LOOKS, 'allow'))
})

test('links in its folder that lead out', async () => {
  const places = [
    ...['HEAD', 'index', 'config', 'packed-refs', 'refs/heads/x', 'refs/heads/deep/er/y', 'refs', 'logs/HEAD', 'logs'],
    ...[
      'objects',
      'objects/info',
      'objects/pack',
      'objects/ab',
      'objects/pack/x.pack',
      'info/exclude',
      'info/attributes',
    ],
    ...['BISECT_LOG', 'MERGE_MSG', 'COMMIT_EDITMSG', 'ORIG_HEAD', 'FETCH_HEAD', 'shallow', 'description'],
    ...['rebase-merge/done', 'rebase-apply/x', 'worktrees/w/gitdir', 'commondir', 'info', 'sequencer/todo'],
  ]
  for (const path of places) {
    const ground = made()
    link(ground, path)
    const answers = await ground.judge(LOOKS)
    // Without its HEAD or objects it is no repository, and git finds nothing to show.
    if (!/^(?:HEAD|refs|objects)$/.test(path)) assert.deepEqual(answers, all(LOOKS, 'ask'), path)
  }
})

test('what they would show', async () => {
  const bisect = made()
  link(bisect, 'BISECT_LOG')
  bisect.put('.git/BISECT_START', 'main\n')
  assert.equal((await bisect.judge(['git bisect log']))['git bisect log'], 'ask')
  assert.equal(bisect.run('git bisect log').leaks, true)
  const exclude = made()
  link(exclude, 'info/exclude')
  const ignores = `git check-ignore -v ${CANARY}`
  assert.equal((await exclude.judge([ignores]))[ignores], 'ask')
  assert.match(exclude.run(ignores).text, new RegExp(`exclude:1:${CANARY}`))
  const objects = made()
  renameSync(objects.at('.git/objects'), objects.at('.git/own'))
  link(objects, 'objects', join(objects.outside, 'other/.git/objects'))
  const batch = 'git cat-file --batch --batch-all-objects'
  assert.equal((await objects.judge([batch]))[batch], 'ask')
  assert.equal(objects.run(batch).leaks, true)
})

test('objects of other repositories', async () => {
  const ground = made()
  ground.put('.git/objects/info/alternates', `${join(ground.outside, 'other/.git/objects')}\n`)
  const batch = 'git cat-file --batch --batch-all-objects'
  const lines = [...LOOKS, batch]
  assert.deepEqual(await ground.judge(lines), all(lines, 'ask'))
  assert.equal(ground.run(batch).leaks, true)
  assert.deepEqual(await ground.judge(lines, { trusted: true }), all(lines, 'allow'))
})

test('a pointer to a repository that does not know of this folder', async () => {
  const file = made()
  rmSync(file.at('.git'), { recursive: true })
  file.put('.git', `gitdir: ${join(file.outside, 'other/.git')}\n`)
  assert.deepEqual(await file.judge(LOOKS), all(LOOKS, 'ask'))
  assert.equal(file.run('git log --format=%s').leaks, true)
  const linked = made()
  rmSync(linked.at('.git'), { recursive: true })
  linked.put('.git', `->${join(linked.outside, 'other/.git')}`)
  assert.deepEqual(await linked.judge(LOOKS), all(LOOKS, 'ask'))
  const common = made()
  writeFileSync(common.at('.git/commondir'), `${join(common.outside, 'other/.git')}\n`)
  assert.deepEqual(await common.judge(LOOKS), all(LOOKS, 'ask'))
  assert.equal(common.run('git log --all --format=%s').leaks, true)
})

test('a working tree and a submodule of a repository elsewhere are known there', async () => {
  const ground = made()
  rmSync(ground.root, { recursive: true })
  const ran = spawn(ground, 'git worktree add -q ../../project -b mine')
  assert.deepEqual(await ground.judge(LOOKS), all(LOOKS, 'allow'), ran)
  // The one that a stranger's archive names is not.
  const other = made()
  rmSync(other.root, { recursive: true })
  spawn(other, 'git worktree add -q ../../elsewhere -b mine')
  mkdirSync(other.root)
  other.put('.git', `gitdir: ${join(other.outside, 'other/.git/worktrees/elsewhere')}\n`)
  assert.deepEqual(await other.judge(LOOKS), all(LOOKS, 'ask'))
})

function spawn(ground: Ground, command: string): string {
  const root = join(ground.outside, 'other')
  return ground.run(`cd ${root} && ${command}`).text
}

test('settings that name files elsewhere', async () => {
  for (const setting of [
    ...['[core]\n\texcludesFile = ~/.netrc', '[core]\n\tattributesFile = /etc/passwd', '[core]\n\tworktree = /'],
    ...['[include]\n\tpath = ../../secret', '[commit]\n\ttemplate = /etc/passwd', '[mailmap]\n\tfile = /etc/passwd'],
    '[blame]\n\tignoreRevsFile = /etc/passwd',
  ]) {
    const ground = made()
    appendFileSync(ground.at('.git/config'), `${setting}\n`)
    assert.deepEqual(await ground.judge(LOOKS), all(LOOKS, 'ask'), setting)
  }
})

test('files of the working tree whose lines git prints', async () => {
  for (const name of ['.gitignore', '.gitattributes', '.mailmap', '.gitmodules']) {
    const ground = made()
    ground.put(name, `->${join(ground.outside, 'secret')}`)
    assert.deepEqual(await ground.judge(LOOKS), all(LOOKS, 'ask'), name)
  }
  const inside = made()
  inside.put('.gitignore', '->a.txt')
  assert.deepEqual(await inside.judge(LOOKS), all(LOOKS, 'allow'))
})
