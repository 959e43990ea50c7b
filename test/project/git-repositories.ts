/** Hostile repositories that act through git: real ones, with a history, whose settings name programs. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixture } from '../support/fixture.js'
import type { Hostile } from './hostile.js'
import type { Place } from './place.js'

/** A repository with two commits and changes that are not in one. */
const copyGit = fixture((folder) => {
  const git = (...args: string[]) => {
    const { status, stderr } = spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
  git('init', '-q', '-b', 'main')
  rmSync(join(folder, '.git', 'hooks'), { recursive: true, force: true })
  for (const text of ['one\n', 'two\n']) {
    writeFileSync(join(folder, 'a.txt'), text)
    git('add', 'a.txt')
    git('commit', '-q', '-m', text.trim())
  }
  writeFileSync(join(folder, 'a.txt'), 'three\n')
})

const realGit = (at: Place, folder = at.repo) => copyGit(folder)

/** Settings of git as a repository brings them; `evil.sh` is what they name. */
function configured(at: Place, config: string, attributes?: string, folder = at.repo): void {
  realGit(at, folder)
  at.write('evil.sh', at.program, 0o755)
  appendFileSync(join(folder, '.git', 'config'), config.replaceAll('EVIL', `${at.repo}/evil.sh`))
  if (attributes !== undefined) writeFileSync(join(folder, '.gitattributes'), attributes)
}

const one = (id: string, mechanism: string, would: string, config: string, attributes?: string): Hostile => ({
  id,
  mechanism,
  would,
  make: (at) => configured(at, config, attributes),
})

export const GIT_REPOSITORIES: readonly Hostile[] = [
  one('git-fsmonitor', 'core.fsmonitor names a program', '`git status` runs it', '[core]\n\tfsmonitor = EVIL\n'),
  one(
    'git-pager',
    'core.pager and pager.* name a program',
    '`git log` runs it',
    '[core]\n\tpager = EVIL\n[pager]\n\tlog = EVIL\n',
  ),
  one(
    ...(['git-textconv', 'a diff driver with textconv', '`git diff` and `git log -p` run it'] as const),
    ...(['[diff "x"]\n\ttextconv = EVIL\n', '*.txt diff=x\n'] as const),
  ),
  one(
    ...(['git-diff-command', 'a diff driver with a command', '`git diff` runs it'] as const),
    ...(['[diff "x"]\n\tcommand = EVIL\n', '*.txt diff=x\n'] as const),
  ),
  one('git-external-diff', 'diff.external', '`git diff` runs it', '[diff]\n\texternal = EVIL\n'),
  one(
    ...(['git-clean-filter', 'a filter with clean and smudge', '`git status` and `git diff` run it'] as const),
    ...(['[filter "x"]\n\tclean = EVIL\n\tsmudge = EVIL\n\trequired = true\n', '*.txt filter=x\n'] as const),
  ),
  one(
    ...(['git-process-filter', 'a filter with a process', '`git diff` starts it'] as const),
    ...(['[filter "x"]\n\tprocess = EVIL\n', '*.txt filter=x\n'] as const),
  ),
  one(
    ...(['git-merge-driver', 'a merge driver', '`git merge` and `git stash pop` run it'] as const),
    ...(['[merge "x"]\n\tdriver = EVIL %O %A %B\n', '*.txt merge=x\n'] as const),
  ),
  one(
    ...(['git-signing', 'gpg.program, log.showSignature, commit.gpgSign', '`git log` runs it'] as const),
    '[gpg]\n\tprogram = EVIL\n[log]\n\tshowSignature = true\n[commit]\n\tgpgSign = true\n',
  ),
  one(
    ...(['git-editor', 'core.editor and sequence.editor', '`git commit` and `git rebase -i` run it'] as const),
    '[core]\n\teditor = EVIL\n[sequence]\n\teditor = EVIL\n',
  ),
  one(
    ...(['git-alias', 'aliases named like commands that are not there, and like typing errors'] as const),
    ...(['`git st`, `git lg`, `git x` run a shell'] as const),
    '[alias]\n\tst = !EVIL\n\tlg = !EVIL\n\tstats = !EVIL\n\tx = !EVIL\n\tstatus = !EVIL\n',
  ),
  one(
    ...(['git-credential', 'a credential helper, askPass, and a proxy', '`git fetch` runs them'] as const),
    '[credential]\n\thelper = !EVIL\n[core]\n\taskPass = EVIL\n\tgitProxy = EVIL\n\tsshCommand = EVIL\n',
  ),
  one(
    ...([
      'git-remote-ext',
      'a remote that is a program (ext::), and what it fetches by',
      '`git remote show` runs it',
    ] as const),
    '[remote "origin"]\n\turl = ext::EVIL\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n\tuploadpack = EVIL\n[protocol]\n\tallow = always\n',
  ),
  one(
    ...([
      'git-worktree-elsewhere',
      'core.worktree leads to the home of the user',
      '`git status` and `git diff` read it',
    ] as const),
    '[core]\n\tworktree = ../../home\n',
  ),
  one(
    ...(['git-include', 'include.path and includeIf name further settings', '`git status` obeys them'] as const),
    '[include]\n\tpath = ../more\n[includeIf "gitdir:**"]\n\tpath = ../more\n',
  ),
  {
    id: 'git-include-hidden',
    mechanism: 'the settings that are included name a program',
    would: '`git status` runs it',
    make(at) {
      configured(at, '[include]\n\tpath = ../more.conf\n')
      at.write('more.conf', `[core]\n\tfsmonitor = ${at.repo}/evil.sh\n\tpager = ${at.repo}/evil.sh\n`)
    },
  },
  {
    id: 'git-config-worktree',
    mechanism: 'settings for one work tree (config.worktree)',
    would: '`git status` obeys a file that users rarely look at',
    make(at) {
      configured(at, '[extensions]\n\tworktreeConfig = true\n')
      writeFileSync(join(at.repo, '.git', 'config.worktree'), `[core]\n\tfsmonitor = ${at.repo}/evil.sh\n`)
    },
  },
  {
    id: 'git-config-link',
    mechanism: '.git/config is a link to a file of the tree',
    would: 'a pulled file becomes settings',
    make(at) {
      realGit(at)
      at.write('evil.sh', at.program, 0o755)
      at.write('conf', `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${at.repo}/evil.sh\n`)
      rmSync(join(at.repo, '.git', 'config'))
      symlinkSync(join(at.repo, 'conf'), join(at.repo, '.git', 'config'))
    },
  },
  {
    id: 'git-info-attributes',
    mechanism: 'attributes and excludes in .git/info, with a driver',
    would: '`git diff` runs the driver',
    make(at) {
      configured(at, '[diff "x"]\n\ttextconv = EVIL\n')
      mkdirSync(join(at.repo, '.git', 'info'), { recursive: true })
      writeFileSync(join(at.repo, '.git', 'info', 'attributes'), '* diff=x filter=x\n')
    },
  },
  {
    id: 'git-hook-files',
    mechanism: 'hooks that git calls when it only looks, checks out or commits',
    would: '`git status` (post-index-change) and others run them',
    make(at) {
      realGit(at)
      for (const name of ['post-index-change', 'fsmonitor-watchman', 'pre-auto-gc', 'post-checkout', 'pre-commit'])
        at.write(`.git/hooks/${name}`, at.program, 0o755)
    },
  },
  {
    id: 'git-nested-status',
    mechanism: 'a repository inside, as a submodule would be, with settings',
    would: '`git status` goes into it and obeys them',
    make(at) {
      realGit(at)
      configured(at, '[core]\n\tfsmonitor = EVIL\n', undefined, join(at.repo, 'vendor', 'lib'))
    },
  },
  {
    id: 'git-gitlink',
    mechanism: 'a submodule that is recorded, whose .git leads to settings in the tree',
    would: '`git status` and `git diff` start git in it',
    make(at) {
      realGit(at)
      const inner = join(at.repo, 'sub')
      realGit(at, inner)
      spawnSync('git', ['add', 'sub'], { cwd: at.repo, env: { PATH: process.env.PATH, HOME: at.home } })
      at.write('evil.sh', at.program, 0o755)
      appendFileSync(join(inner, '.git', 'config'), `[core]\n\tfsmonitor = ${at.repo}/evil.sh\n`)
      at.write('.gitmodules', '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n\tupdate = !./evil.sh\n')
    },
  },
  {
    id: 'git-bare-inside',
    mechanism: 'a bare repository in a folder of the tree',
    would: '`cd x && git status` obeys it',
    make(at) {
      at.write('evil.sh', at.program, 0o755)
      at.write('x/HEAD', 'ref: refs/heads/main\n')
      at.write('x/config', `[core]\n\tbare = false\n\tworktree = ..\n\tfsmonitor = ${at.repo}/evil.sh\n`)
      for (const name of ['objects', 'refs']) mkdirSync(join(at.repo, 'x', name), { recursive: true })
    },
    opened: (at) => ({ cwd: join(at.repo, 'x') }),
  },
  {
    id: 'git-planted',
    mechanism: 'programs called git-status, git-x and 0/git in the tree',
    would: 'git or the shell run them',
    make(at) {
      realGit(at)
      for (const name of ['git-status', 'git-x', 'git', '0/git', '0/ls', '0/cat', 'bin/git'])
        at.write(name, at.program, 0o755)
    },
  },
]
