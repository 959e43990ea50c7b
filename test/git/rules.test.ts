/** A rule for git in a trusted project: no program runs and nothing is written outside by way of what git can also do. */
import assert from 'node:assert/strict'
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { sampledTest as it } from '../support/tier.js'
import { createGitWorld, type GitWorld, type Mechanism, tryMechanism } from './git-world.js'

const RULES = { allow: ['Bash(git:*)'], trusted: true }

/** `../outside/x` and what would be there afterwards. */
const outside = (world: GitWorld) => join(world.outside, 'x')
const hook = (name: string) => (world: GitWorld) => join(world.project, '.git/hooks', name)
const makeHooks = (world: GitWorld) => void mkdirSync(join(world.project, '.git/hooks'))
const second = (world: GitWorld) => {
  world.git('stash', '-q')
  world.git('commit', '-q', '--allow-empty', '-m', 'second')
}
/** A repository in the folder `x` that has a hook for what it is sent. */
const receiver = (world: GitWorld) => {
  world.git('init', '-q', '--bare', 'x')
  mkdirSync(join(world.project, 'x/hooks'), { recursive: true })
  cpSync(world.evil, join(world.project, 'x/hooks/post-receive'))
}
const template = (world: GitWorld) => {
  mkdirSync(join(world.project, 't/hooks'), { recursive: true })
  cpSync(world.evil, join(world.project, 't/hooks/post-checkout'))
}
const submodule = (world: GitWorld) => {
  world.git('init', '-q', 'n')
  world.gitIn('n', 'commit', '-q', '--allow-empty', '-m', 'x')
  world.git('add', 'n')
  world.git('config', '-f', '.gitmodules', 'submodule.n.path', 'n')
  world.git('config', '-f', '.gitmodules', 'submodule.n.url', './n')
  world.git('config', 'submodule.n.active', 'true')
}
const configured = (key: string) => (world: GitWorld) => void world.git('config', key, world.evil)

type Case = Omit<Mechanism, 'name' | 'command'>

const RUNNING: Record<string, Case> = {
  'git x/y': { plant: (w) => void w.write('git-x/y', `#!/bin/sh\n: > ${w.trap}\n`, 0o755) },
  'git x': { plant: (w) => void w.git('config', 'alias.x', `!${w.evil}`) },
  'git --exec-path=. x': { plant: (w) => cpSync(w.evil, join(w.project, 'git-x')) },
  'git -c core.fsmonitor=EVIL status': {},
  'git -c alias.x=!EVIL x': {},
  'git --config-env=core.fsmonitor=HOME status': { unproven: true },
  'git --git-dir=x status': { unproven: true },
  'git --work-tree=/ add etc': { unproven: true },
  'git difftool -y -x EVIL': {},
  'git mergetool': { unproven: true },
  'git bisect start HEAD HEAD~1 && git bisect run EVIL': { plant: second },
  'git bisect view': { unproven: true },
  'git rebase --exec EVIL HEAD~1': { plant: second },
  'git rebase -x EVIL HEAD~1': { plant: second },
  'git rebase -i HEAD~1': { unproven: true },
  'git filter-branch -f --tree-filter EVIL': { plant: second },
  'git submodule foreach EVIL': { plant: submodule },
  'git submodule update': { plant: submodule, unproven: true },
  'git push ./x main': { plant: receiver },
  'git push x main': { plant: receiver },
  'git push -u x HEAD:y': { plant: receiver, unproven: true },
  'git remote add y ./x; git push y main': { plant: receiver },
  'git remote add y x && git push y main': { plant: receiver },
  'git push --receive-pack=EVIL . main:y': {},
  'git push --exec=EVIL . main:y': {},
  'git fetch --upload-pack=EVIL .': {},
  'git fetch --upload-pa EVIL .': {},
  'git ls-remote --upload-pack=EVIL .': {},
  'git clone -u EVIL file://$PWD y': {},
  'git clone --template=t . y': { plant: template },
  'git clone -c core.fsmonitor=EVIL . y && git -C y status': {},
  'git -c protocol.ext.allow=always clone ext::EVIL y': {},
  'git clone ext::EVIL y': { unproven: true },
  'git clone a@example.com:b y': { plant: (w) => void w.write('a@example.com:b/c', ''), unproven: true },
  'git init --template=t y && cd y && git commit --allow-empty -m x && git checkout -b z': { plant: template },
  'git archive --remote=. --exec=EVIL HEAD': {},
  'git grep -OEVIL changed': {},
  'git grep --open-files-in-pager=EVIL changed': {},
  'git log -1 -p --ext-diff': { plant: configured('diff.external') },
  'git log -1 --show-signature': { unproven: true },
  'git config core.fsmonitor EVIL && git status': {},
  'git config --add core.fsmonitor EVIL && git status': {},
  'git config alias.status x': { unproven: true },
  'git tag -s x -m y': { plant: configured('gpg.program') },
  'git commit -S -am x': { plant: configured('gpg.program') },
  'git hook run post-commit': { unproven: true },
  'git for-each-repo --config=x status': { unproven: true },
  'git merge -s x HEAD': { unproven: true },
  'git cat-file --textconv HEAD:a.txt': {
    plant(w) {
      w.write('.git/info/attributes', '*.txt diff=x\n')
      w.git('config', 'diff.x.textconv', w.evil)
    },
  },
  'git verify-commit HEAD': { unproven: true },
  'git interpret-trailers --trailer x=y a.txt': { plant: configured('trailer.x.command') },
}

const WRITING: Record<string, Case> = {
  'git bundle create ../outside/x HEAD': { effect: outside },
  'git bundle create .git/hooks/x HEAD': { plant: makeHooks, effect: hook('x') },
  'git archive --output=../outside/x HEAD': { effect: outside },
  'git archive -o ../outside/x HEAD': { effect: outside },
  'git archive -o x HEAD': { effect: (w) => join(w.project, 'x') },
  'git archive -o .git/hooks/x HEAD': { plant: makeHooks, effect: hook('x') },
  'git format-patch --root -o ../outside/x': { effect: outside },
  'git format-patch --root -o .git/hooks': { effect: hook('0001-first.patch') },
  'git diff --output=../outside/x': { effect: outside },
  'git log -p --output ../outside/x': { effect: outside },
  'git checkout-index --prefix=../outside/x/ a.txt': { effect: outside },
  'git checkout-index --prefix=.git/hooks/ a.txt': { effect: hook('a.txt') },
  'git worktree add ../outside/x': { effect: outside },
  'git init ../outside/x': { effect: outside },
  'git clone . ../outside/x': { effect: outside },
  'git -C ../outside init x': { effect: outside },
  'git init .vscode': { effect: (w) => join(w.project, '.vscode') },
  'git clone https://example.com/a/.vscode': { unproven: true },
  'git clone https://example.com/a/.vscode.git': { unproven: true },
  'git clone example.com:.claude/': { unproven: true },
  'git fast-export --export-marks=../outside/x HEAD': { effect: outside },
  'git mailinfo ../outside/x ../outside/y < mail': {
    plant: (w) => void w.write('mail', 'From: a <a@b.c>\nSubject: x\n\ny\n'),
    effect: outside,
  },
  'git apply x.patch': {
    plant: (w) => void w.write('x.patch', '--- /dev/null\n+++ b/.mcp.json\n@@ -0,0 +1 @@\n+{}\n'),
    effect: (w) => join(w.project, '.mcp.json'),
  },
  'git mv sub/b.txt .mcp.json': { effect: (w) => join(w.project, '.mcp.json') },
  'git am x.patch': { unproven: true },
  'git read-tree --prefix=x HEAD': { unproven: true },
  'git hash-object -w a.txt': { unproven: true },
  'git update-index --cacheinfo 100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,.mcp.json': { unproven: true },
  'git update-ref refs/heads/x HEAD': { unproven: true },
  'git interpret-trailers --in-place ../outside/evil.sh': { unproven: true },
  'git clean -fd': { unproven: true },
  'git clean -n --no-dry-run -f': { unproven: true },
}

const NAMES = `send-email svn p4 daemon instaweb web--browse help maintenance remote-ext gui citool credential shell
  cvsserver http-backend imap-send upload-pack receive-pack merge-index merge-file fast-import replace rerere quiltimport
  mktree commit-tree unpack-file unpack-objects index-pack repack prune prune-packed lfs flow no-such-verb`

describe('a rule for git does not cover', () => {
  for (const [command, more] of Object.entries({ ...RUNNING, ...WRITING }))
    it(command, async () => assert.equal(await tryMechanism({ name: command, command, rules: RULES, ...more }), 'ask'))

  it('verbs that are not in the table', async () => {
    await using world = await createGitWorld()
    for (const verb of NAMES.trim().split(/\s+/)) {
      assert.equal(await world.decide(`git ${verb}`, RULES), 'ask', verb)
      assert.equal(await world.decide(`git ${verb} -h`, RULES), 'ask', verb)
    }
  })
})

describe('a rule that names it', () => {
  const TABLE: [rule: string, command: string, answer: string][] = [
    ['git bisect run:*', 'git bisect run npm test', 'allow'],
    ['git bisect:*', 'git bisect run npm test', 'ask'],
    ['git bisect:*', 'git bisect good', 'allow'],
    ['git difftool:*', 'git difftool HEAD', 'allow'],
    ['git difftool *', 'git difftool --tool=x HEAD', 'ask'],
    ['git difftool --tool=x *', 'git difftool --tool=x HEAD', 'allow'],
    ['git difftool *', 'git difftool $x', 'ask'],
    ['git bisect run:*', 'git bisect run make -j4', 'allow'],
    ['git filter-branch *', "git filter-branch --tree-filter 'touch x' HEAD", 'ask'],
    ['git diff*', 'git difftool', 'ask'],
    ['git lfs:*', 'git lfs pull', 'allow'],
    ['git *', 'git lfs pull', 'ask'],
    ['git apply:*', 'git apply x.patch', 'allow'],
    ['git rebase -i:*', 'git rebase -i HEAD~2', 'allow'],
    ['git rebase:*', 'git rebase -i HEAD~2', 'ask'],
    ['git rebase --exec:*', 'git rebase --exec make main', 'allow'],
    ['git rebase --exec:*', 'git rebase --exec make -x y main', 'ask'],
    ['git push --receive-pack=x:*', 'git push --receive-pack=x origin', 'allow'],
    ['git push --receive-pack=x:*', 'git push --receive-pack=y origin', 'ask'],
    ['git -c core.pager=less log:*', 'git -c core.pager=less log', 'allow'],
    ['git commit -S:*', 'git commit -S -m x', 'allow'],
    ['git submodule update:*', 'git submodule update --init', 'allow'],
    ['git submodule:*', 'git submodule update --init', 'ask'],
    ['git clean:*', 'git clean -fd', 'allow'],
    ['git config:*', 'git config a.b c', 'allow'],
    ['git config:*', 'git config --global a.b c', 'ask'],
    ['git difftool -y -x ./x', 'git difftool -y -x ./x', 'allow'],
  ]
  it('may cover it', async () => {
    await using world = await createGitWorld()
    for (const [rule, command, answer] of TABLE) {
      const decided = await world.decide(command, { allow: [`Bash(${rule})`], trusted: true })
      assert.equal(decided, answer, `${rule}: ${command}`)
    }
  })
})

describe('settings that are written', () => {
  it('are not obeyed by other commands of the same line', async () => {
    await using world = await createGitWorld()
    const allow = ['Bash(git config:*)', 'Bash(git lfs:*)', 'Bash(git add:*)']
    const decide = (command: string, trusted = false) => world.decide(command, { allow, trusted })
    for (const command of [
      'git config core.fsmonitor x && git status',
      'git lfs install; git status',
      'git config a.b c; git add .',
    ])
      for (const trusted of [true, false]) assert.equal(await decide(command, trusted), 'ask', command)
    for (const command of [
      'git config core.fsmonitor x',
      'git config --get user.name && git status',
      'git config a.b c; ls',
      'git add . && git status',
    ])
      assert.equal(await decide(command), 'allow', command)
  })
})

describe('the very words', () => {
  it('cover it in the repository of the session, and not in one that is somebody else’s', async () => {
    await using world = await createGitWorld()
    const decide = (command: string) => world.decide(command, { allow: ['Bash(git push origin main)', 'Bash(git x)'] })
    world.write('.git/hooks/pre-push', '', 0o755)
    world.git('config', 'alias.x', '!true')
    world.git('init', '-q', 'n')
    assert.equal(await decide('git push origin main'), 'allow')
    assert.equal(await decide('git x'), 'allow')
    assert.equal(await decide('cd sub && git push origin main'), 'allow')
    assert.equal(await decide('cd n && git push origin main'), 'allow')
    world.gitIn('n', 'config', 'remote.origin.receivepack', world.evil)
    for (const command of ['cd n && git push origin main', 'cd n; git push origin main', 'cd n && git x'])
      assert.equal(await decide(command), 'ask', command)
    assert.equal(await decide('git push origin main'), 'allow')
  })
})

const ORDINARY = `
  git add .
  git add -A
  git add sub a.txt
  git commit -m "a message"
  git commit -am 'x; rm y'
  git commit --amend --no-edit
  git commit -m "$(echo text)"
  git commit --fixup=HEAD
  git commit sub/b.txt -m x
  git push
  git push origin main
  git push -u origin HEAD
  git push --force-with-lease
  git push --tags
  git push https://example.com/a.git main
  git push git@example.com:a/b.git main
  git fetch
  git fetch --all --prune
  git fetch origin main
  git pull
  git pull --rebase
  git pull origin main
  git checkout main
  git checkout -b x
  git checkout -- a.txt
  git switch -c x
  git restore a.txt
  git restore --staged .
  git reset --hard HEAD~1
  git reset a.txt
  git merge main
  git merge --no-ff x
  git merge --abort
  git rebase main
  git rebase --continue
  git rebase --onto a b c
  git cherry-pick abc123
  git revert HEAD --no-edit
  git stash
  git stash push -m x a.txt
  git stash pop
  git stash drop
  git tag v1
  git tag -a v1 -m x
  git branch x
  git branch -D x
  git branch -m a b
  git rm a.txt
  git rm --cached a.txt
  git mv a.txt b.txt
  git clone https://example.com/a/b.git
  git clone --depth 1 git@example.com:a/b.git there
  git worktree add sub/w
  git worktree remove sub/w
  git remote add o https://example.com/b
  git remote remove o
  git bisect start
  git bisect good
  git notes add -m x
  git init sub/x
  git gc
  git clean -n
  git format-patch -1
  git archive --format=tar HEAD
  git bundle create sub/x HEAD
  git -C sub commit -m x
  git -c user.name=x commit -m y
  cd sub && git add .
  git add . && git commit -m x && git push
  git log --format=%H | head
  git diff -- sub/*
  git ls-remote origin
  git remote show origin`

const UNASKED = `
  git -C . status
  git status -sb
  cd sub && git diff
  git ls-files
  git log --oneline --graph
  git log --oneline -20 --author=ada
  git show HEAD:a.txt
  git show --stat
  git blame a.txt
  git blame -L 1,3 a.txt
  git branch -vv
  git branch -a
  git branch --show-current
  git remote -v
  git tag -l
  git tag
  git rev-parse HEAD
  git rev-parse --show-toplevel
  git rev-parse --abbrev-ref HEAD
  git describe --tags --always
  git shortlog -sn HEAD
  git reflog
  git reflog -5
  git stash list
  git stash show -p
  git config --get user.name
  git config --get core.editor
  git config user.email
  git worktree list
  git for-each-ref --sort=-committerdate refs/heads
  git merge-base main HEAD
  git rev-list --count HEAD
  git cat-file -p HEAD
  git cat-file -t HEAD
  git check-ignore -v a.txt
  git diff --stat
  git diff --cached
  git diff HEAD~1..HEAD --name-only
  git diff main...HEAD -- sub
  git --version
  git --no-pager log
  git -c color.ui=never diff
  git ls-tree -r HEAD --name-only
  git grep -n one
  git grep -n one -- '*.txt'
  git submodule status
  git remote get-url origin
  git show-ref
  git symbolic-ref HEAD
  git log -S one -p
  git log --since=yesterday
  git name-rev HEAD
  git count-objects -vH
  git bisect log
  git notes list
  git check-mailmap 'a <b@c>'
  git diff --check
  git log -1 --format=%B
  git fsck
  for f in a.txt sub/b.txt; do git log -1 $f; done
  git status && git diff && git log -1
  git log | head -5
  git -C sub log -1 -- b.txt`

const lines = (text: string) => text.trim().split(/\n\s*/)

describe('ordinary use', () => {
  it('is covered by a rule for git', async () => {
    await using world = await createGitWorld()
    const asked: string[] = []
    for (const command of lines(ORDINARY)) if ((await world.decide(command, RULES)) !== 'allow') asked.push(command)
    assert.deepEqual(asked, [])
  })

  it('is covered by rules for its verb', async () => {
    await using world = await createGitWorld()
    for (const command of ['git commit -m x', 'git push origin main', 'git add .', 'git checkout -b x', 'git stash']) {
      const allow = [`Bash(${command.split(' ').slice(0, 2).join(' ')}:*)`]
      assert.equal(await world.decide(command, { allow, trusted: true }), 'allow', command)
      assert.equal(await world.decide(command, { allow }), 'allow', `${command}, not trusted`)
      assert.equal(await world.decide(command), 'ask', `${command}, without a rule`)
    }
  })

  it('needs no rule where it only looks', async () => {
    await using world = await createGitWorld()
    const asked: string[] = []
    for (const command of lines(UNASKED)) if ((await world.decide(command)) !== 'allow') asked.push(command)
    assert.deepEqual(asked, [])
  })

  it('needs a rule for each value of a variable that may be the verb', async () => {
    await using world = await createGitWorld()
    for (const command of ['for x in stash list; do git $x; done', 'for x in show expire; do git reflog $x; done'])
      assert.equal(await world.decide(command), 'ask', command)
  })
})
