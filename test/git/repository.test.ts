/** Repositories that somebody else made: what they name is not run by commands that run unasked, nor by ordinary rules. */
import assert from 'node:assert/strict'
import { appendFileSync, cpSync, mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'node:test'
import { sampledTest as it } from '../support/tier.js'
import { createGitWorld, type GitWorld, type Mechanism, tryMechanism } from './git-world.js'

const config = (world: GitWorld, text: string, folder = '.git') =>
  appendFileSync(join(world.project, folder, 'config'), `${text.replaceAll('EVIL', world.evil)}\n`)
const FSMONITOR = '[core]\n\tfsmonitor = EVIL'
const ALL = { allow: ['Bash(git:*)'] }

/** A repository of its own in a folder, with one file that has changed. */
function nested(world: GitWorld, folder: string): void {
  world.write(`${folder}/c.txt`, 'three\n')
  world.gitIn(folder, 'init', '-q')
  rmSync(join(world.project, folder, '.git/hooks'), { recursive: true, force: true })
  world.gitIn(folder, 'add', '.')
  world.gitIn(folder, 'commit', '-qm', 'inner')
  // As long as it was: git has to look inside.
  world.write(`${folder}/c.txt`, 'tHREE\n')
}

/** The same without `.git` around it: a folder that is a repository. */
function lookalike(world: GitWorld, folder: string): void {
  nested(world, folder)
  for (const name of ['HEAD', 'objects', 'refs', 'config', 'index'])
    renameSync(join(world.project, folder, '.git', name), join(world.project, folder, name))
  rmSync(join(world.project, folder, '.git'), { recursive: true })
  config(world, `[core]\n\tbare = false\n\tworktree = ${join(world.project, folder)}`, folder)
}

const filter = (world: GitWorld, folder = '.') => {
  world.write(`${folder}/.gitattributes`, '*.txt filter=x\n')
  config(world, '[filter "x"]\n\tclean = EVIL', `${folder}/.git`)
}

/** Git looks at the content of a file again, and writes down that it is the same. */
const touched = (world: GitWorld) => {
  world.git('checkout', '-q', '--', 'a.txt')
  utimesSync(join(world.project, 'a.txt'), 1e9, 1e9)
}

const MECHANISMS: Mechanism[] = [
  { name: 'a watcher', command: 'git status', plant: (w) => config(w, FSMONITOR) },
  { name: 'a watcher, for git diff', command: 'git diff', plant: (w) => config(w, FSMONITOR) },
  { name: 'a watcher, in one line', command: 'git status', plant: (w) => config(w, '[core] fsmonitor = EVIL') },
  {
    name: 'a watcher, over two lines',
    command: 'git status',
    plant: (w) => config(w, '[CORE]\n\tFSMonitor = \\\nEVIL'),
  },
  { name: 'a watcher, behind wrappers', command: 'timeout 9 git status', plant: (w) => config(w, FSMONITOR) },
  { name: 'a watcher, from a folder below', command: 'cd sub && git status', plant: (w) => config(w, FSMONITOR) },
  { name: 'another diff', command: 'git diff', plant: (w) => config(w, '[diff]\n\texternal = EVIL') },
  {
    name: 'a driver of a diff',
    command: 'git diff',
    plant(w) {
      w.write('.gitattributes', '*.txt diff=x\n')
      config(w, '[diff "x"]\n\tcommand = EVIL')
    },
  },
  ...['git diff', 'git log -p', 'git show HEAD', 'git blame a.txt', 'git grep --textconv one'].map(
    (command): Mechanism => ({
      name: `a conversion to text, ${command}`,
      command,
      plant(w) {
        w.write('.git/info/attributes', '*.txt diff=x\n')
        config(w, '[diff "x"]\n\ttextconv = EVIL <')
      },
    }),
  ),
  { name: 'a filter', command: 'git status', plant: filter },
  { name: 'a filter, for git diff', command: 'git diff --stat', plant: filter },
  {
    name: 'a filter that stays',
    command: 'git diff',
    plant(w) {
      w.write('.gitattributes', '*.txt filter=x\n')
      config(w, '[filter "x"]\n\tprocess = EVIL')
    },
  },
  {
    name: 'the hook that runs after looking',
    command: 'git status',
    plant(w) {
      touched(w)
      cpSync(w.evil, join(w.write('.git/hooks/x', ''), '../post-index-change'))
    },
  },
  {
    name: 'the same in another folder',
    command: 'git status',
    plant(w) {
      touched(w)
      cpSync(w.evil, join(w.write('h/x', ''), '../post-index-change'))
      config(w, '[core]\n\thooksPath = h')
    },
  },
  {
    name: 'settings of another file',
    command: 'git status',
    plant(w) {
      w.write('more', FSMONITOR.replace('EVIL', w.evil))
      config(w, '[include]\n\tpath = ../more')
    },
  },
  {
    name: 'settings of another file, for some folders',
    command: 'git status',
    plant(w) {
      w.write('more', FSMONITOR.replace('EVIL', w.evil))
      config(w, `[includeIf "gitdir:${w.project}/"]\n\tpath = ../more`)
    },
  },
  {
    name: 'settings of a working tree',
    command: 'git status',
    plant(w) {
      config(w, '[extensions]\n\tworktreeConfig = true')
      w.write('.git/config.worktree', FSMONITOR.replace('EVIL', w.evil))
    },
  },
  {
    name: 'settings behind a link',
    command: 'git status',
    plant(w) {
      config(w, FSMONITOR)
      renameSync(join(w.project, '.git/config'), join(w.project, 'c'))
      symlinkSync('../c', join(w.project, '.git/config'))
    },
  },
  {
    name: 'a repository elsewhere, named by a file',
    command: 'git status',
    plant(w) {
      config(w, FSMONITOR)
      renameSync(join(w.project, '.git'), join(w.project, 'elsewhere'))
      w.write('.git', 'gitdir: elsewhere\n')
    },
  },
  {
    name: 'a repository behind a link',
    command: 'git status',
    plant(w) {
      config(w, FSMONITOR)
      renameSync(join(w.project, '.git'), join(w.project, 'elsewhere'))
      symlinkSync('elsewhere', join(w.project, '.git'))
    },
  },
  {
    name: 'a repository that shares the settings of another',
    command: 'git status',
    plant(w) {
      cpSync(join(w.project, '.git'), join(w.project, 'common'), { recursive: true })
      config(w, FSMONITOR, 'common')
      w.write('.git/commondir', '../common\n')
    },
  },
  {
    name: 'a repository around one that is none',
    command: 'cd sub && git status',
    plant(w) {
      config(w, FSMONITOR)
      for (const name of ['objects/x', 'refs/x']) w.write(`sub/.git/${name}`, '')
      w.write('sub/.git/HEAD', 'nothing\n')
    },
  },
  {
    name: 'a signature to look at',
    command: 'git log',
    plant(w) {
      const tree = w.git('rev-parse', 'HEAD^{tree}')
      const person = 'Ada <ada@example.com> 1 +0000'
      const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----'
      w.write('commit', `tree ${tree}\nauthor ${person}\ncommitter ${person}\n${signature}\n\nx\n`)
      w.git('update-ref', 'HEAD', w.git('hash-object', '-t', 'commit', '-w', 'commit'))
      config(w, '[gpg]\n\tprogram = EVIL\n[log]\n\tshowSignature = true')
    },
  },
  ...[
    '[remote "o"]\n\turl = .\n\tuploadpack = EVIL',
    '[remote "o"]\n\turl = ext::EVIL\n[protocol]\n\tallow = always',
  ].map(
    (text): Mechanism => ({
      name: `objects that are not there: ${text.split('\n')[1]?.trim()}`,
      command: 'git cat-file -p 1234567890123456789012345678901234567890',
      plant: (w) => config(w, `[extensions]\n\tpartialClone = o\n${text}\n[remote "o"]\n\tpromisor = true`),
    }),
  ),
  ...['cd n && git status', 'git -C n status', 'git -C sub -C ../n diff', 'cd n; git diff'].map(
    (command): Mechanism => ({
      name: `a repository inside, ${command}`,
      command,
      rules: { trusted: true },
      plant(w) {
        nested(w, 'n')
        filter(w, 'n')
      },
    }),
  ),
  ...['git status', 'git diff', 'git diff --submodule=diff'].map(
    (command): Mechanism => ({
      name: `a repository that belongs to this one, ${command}`,
      command,
      plant(w) {
        nested(w, 'n')
        w.git('add', 'n')
        filter(w, 'n')
      },
    }),
  ),
  {
    name: 'a repository that belongs to a trusted one, but is not kept by it',
    command: 'git status',
    rules: { trusted: true },
    plant(w) {
      nested(w, 'n')
      w.git('add', 'n')
      filter(w, 'n')
    },
  },
  ...[{}, { trusted: true }].map(
    (rules): Mechanism => ({
      name: `a folder that looks like a repository, ${JSON.stringify(rules)}`,
      command: 'cd n && git status',
      rules,
      plant(w) {
        lookalike(w, 'n')
        config(w, FSMONITOR, 'n')
      },
    }),
  ),
  {
    name: 'a folder that is made to look like a repository',
    command: 'cp -r n/. sub; cd sub && git status',
    rules: { mode: 'acceptEdits' },
    plant(w) {
      lookalike(w, 'n')
      w.write('n/.gitattributes', '*.txt filter=x\n')
      config(w, `[core]\n\tworktree = ${join(w.project, 'n')}\n[filter "x"]\n\tclean = EVIL`, 'n')
    },
  },
  {
    name: 'the last part of a repository',
    command: 'cd n && mv head HEAD && git status',
    rules: { mode: 'acceptEdits' },
    plant(w) {
      lookalike(w, 'n')
      config(w, FSMONITOR, 'n')
      renameSync(join(w.project, 'n/HEAD'), join(w.project, 'n/head'))
    },
  },
  ...['git commit -am x', 'git -C sub commit -am x'].map(
    (command): Mechanism => ({
      name: `hooks, ${command}`,
      command,
      rules: ALL,
      plant: (w) => cpSync(w.evil, join(w.write('.git/hooks/x.sample', ''), '../pre-commit')),
    }),
  ),
  {
    name: 'a way to merge',
    command: 'git merge b',
    rules: ALL,
    plant(w) {
      w.git('checkout', '-q', '-b', 'b')
      w.git('commit', '-qam', 'b')
      w.git('checkout', '-q', 'main')
      w.write('a.txt', 'main\n')
      w.git('commit', '-qam', 'main')
      w.write('.gitattributes', '*.txt merge=x\n')
      config(w, '[merge "x"]\n\tdriver = EVIL')
    },
  },
  {
    name: 'a rebase to go on with',
    command: 'git rebase --continue',
    rules: ALL,
    plant(w) {
      w.git('stash', '-q')
      w.runAnyway("git commit -q --allow-empty -m 2; GIT_SEQUENCE_EDITOR='sed -i 1iedit\\ HEAD' git rebase -i HEAD~1")
      w.runAnyway('git rebase --abort; GIT_SEQUENCE_EDITOR="sed -i s/^pick/edit/" git rebase -i HEAD~1')
      appendFileSync(join(w.project, '.git/rebase-merge/git-rebase-todo'), `exec ${w.evil} </dev/null\n`)
    },
  },
  {
    name: 'a program for what the remote has',
    command: 'git fetch origin',
    rules: ALL,
    plant: (w) => config(w, '[remote "origin"]\n\turl = .\n\tuploadpack = EVIL'),
  },
  {
    name: 'a remote in an old file',
    command: 'git push o main:x',
    rules: ALL,
    plant(w) {
      w.git('init', '-q', '--bare', 'x/y')
      cpSync(w.evil, join(w.write('x/y/hooks/z', ''), '../post-receive'))
      w.write('.git/remotes/o', `URL: ${w.project}/x/y\n`)
    },
  },
]

describe('what a repository names is not run', () => {
  for (const mechanism of MECHANISMS) it(mechanism.name, async () => assert.equal(await tryMechanism(mechanism), 'ask'))
})

describe('what is not there when it is judged', () => {
  const late = async (command: string, plant: (world: GitWorld) => void, prepare = (_: GitWorld) => {}) => {
    await using world = await createGitWorld()
    prepare(world)
    assert.equal(await world.attempt(command, {}, () => plant(world)), 'allow')
    const { existsSync } = await import('node:fs')
    const happened = existsSync(world.trap)
    world.runAnyway(command)
    return { happened, wouldHave: existsSync(world.trap) }
  }
  const harmless = { happened: false, wouldHave: true }

  it('a watcher', async () => assert.deepEqual(await late('git status', (w) => config(w, FSMONITOR)), harmless))

  it('a hook', async () =>
    assert.deepEqual(
      await late(
        'git status',
        (w) => cpSync(w.evil, join(w.write('.git/hooks/x', ''), '../post-index-change')),
        touched,
      ),
      harmless,
    ))

  it('a server to ask for objects', async () =>
    assert.deepEqual(
      await late('git cat-file -p 1234567890123456789012345678901234567890', (w) =>
        config(w, '[extensions]\n\tpartialClone = o\n[remote "o"]\n\turl = .\n\tuploadpack = EVIL\n\tpromisor = true'),
      ),
      harmless,
    ))

  it('a folder that looks like a repository', async () =>
    assert.deepEqual(
      await late(
        'cd n && git status',
        (w) => {
          lookalike(w, 'n')
          w.write('n/.gitattributes', '*.txt filter=x\n')
          config(w, '[filter "x"]\n\tclean = EVIL', 'n')
        },
        (w) => mkdirSync(join(w.project, 'n')),
      ),
      harmless,
    ))
})

describe('ordinary repositories', () => {
  const ORDINARY = `[remote "origin"]
	url = git@example.com:ada/project.git
	fetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
	remote = origin
	merge = refs/heads/main ; as usual
[core]
	fsmonitor = true
	hooksPath = .husky/_
[user]
	name = "Ada L"
[filter "lfs"]
	clean = git-lfs clean -- %f
	required = true`

  it('are looked at unasked, and used by rules where no hook would run', async () => {
    await using world = await createGitWorld()
    config(world, ORDINARY)
    nested(world, 'vendor/n')
    world.git('add', 'vendor/n')
    world.git('worktree', 'add', '-q', 'tree')
    for (const command of [
      'git status',
      'cd vendor/n && git diff',
      'git -C tree log',
      'git diff --stat && git log -1 | head',
    ])
      assert.equal(await world.decide(command), 'allow', command)
    for (const command of [
      'git commit -am x',
      'git push origin main',
      'git -C tree checkout -b y',
      'cd sub && git add .',
    ])
      assert.equal(await world.decide(command, ALL), 'allow', command)
    world.write('.husky/_/pre-commit', '')
    assert.equal(await world.decide('git status'), 'allow')
    assert.equal(await world.decide('git commit -am x', ALL), 'ask')
    assert.equal(await world.decide('git commit -am x', { ...ALL, trusted: true }), 'allow')
  })

  it('once trusted, may name programs; the repositories inside may not', async () => {
    await using world = await createGitWorld()
    config(world, `${FSMONITOR}\n[alias]\n\tx = !EVIL`)
    nested(world, 'n')
    config(world, FSMONITOR, 'n/.git')
    const trusted = { trusted: true }
    assert.equal(await world.decide('git status'), 'ask')
    assert.equal(await world.decide('git status', trusted), 'allow')
    assert.equal(await world.decide('git status', trusted, join(world.project, 'sub')), 'allow')
    assert.equal(await world.decide('git status', trusted, join(world.project, 'n')), 'ask')
    world.git('worktree', 'add', '-q', 'tree')
    assert.equal(await world.decide('git status', trusted, join(world.project, 'tree')), 'allow')
    assert.equal(await world.decide('git x', { ...ALL, ...trusted }), 'ask')
  })

  it('say what is asked about, in plain letters', async () => {
    await using world = await createGitWorld()
    config(world, '[x "\u001b]0;y\u0007\u202e"]\n\tz = 1')
    const place = join(world.project, '.git/config')
    const why = `Git may run programs that the repository names: ${place} sets x.?]0;y??.z`
    assert.equal(await world.why('git status'), why)
  })

  it('are not what they are where their files are elsewhere, or their index is not read', async () => {
    await using world = await createGitWorld()
    const ask = async (why: string) => assert.equal(await world.decide('git status'), 'ask', why)
    assert.equal(await world.decide('git status'), 'allow')
    config(world, `[core]\n\tworktree = ${world.project}`)
    assert.equal(await world.decide('git status'), 'allow')
    config(world, `[core]\n\tworktree = ${world.outside}`)
    await ask('files elsewhere')
    world.git('config', '--unset-all', 'core.worktree')
    world.git('update-index', '--index-version', '4')
    nested(world, 'sub/n')
    nested(world, 'sub/nn')
    world.git('add', 'sub/n', 'sub/nn', 'a.txt')
    assert.equal(await world.decide('git status'), 'allow')
    config(world, FSMONITOR, 'sub/nn/.git')
    await ask('in a repository whose name is shortened')
    rmSync(join(world.project, 'sub/nn'), { recursive: true })
    assert.equal(await world.decide('git status'), 'allow')
    world.git('update-index', '--split-index')
    await ask('a part of the index elsewhere')
    writeFileSync(join(world.project, '.git/index'), 'x')
    await ask('no index')
  })
})
