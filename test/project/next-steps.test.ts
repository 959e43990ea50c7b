/**
 * What a model does next in a folder somebody else made: git, npm, make, versions of programs, searches. What runs unasked must not
 * obey the folder; what would is asked about, and nobody is there to say yes.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Options } from 'kedge'
import type { Step } from 'kedge/testing'
import { NOTHING, withoutOwnPrograms } from './expect.js'
import type { Hostile } from './hostile.js'
import { openWithLibrary } from './open.js'
import type { World } from './place.js'
import { ALL_REPOSITORIES } from './repositories.js'

/** What a model does anywhere. */
const EVERYWHERE = ['git status', 'git log -p -2', 'make -n', 'cat *', 'env']
/** What belongs to one kind of thing, and is done where a repository is about that. */
const GIT = [
  'git diff',
  ...['git status --short', 'git diff --stat', 'git diff --cached', 'git show', 'git log --oneline --graph'],
  ...['git branch -a', 'git remote -v', 'git stash list', 'git ls-files', 'git blame a.txt', 'git grep one'],
  ...['git config --get user.name', 'cd vendor/lib && git status', 'git -C sub status', 'git st', 'git x'],
  ...['git fetch', 'git commit -am x', 'git checkout main', 'git submodule status', 'git rev-parse HEAD'],
  ...['git ls-files | xargs wc -l', 'code .'],
]
const PROGRAMS = [
  ...['node --version', 'python3 --version', 'pip --version', 'vim --version'],
  ...['code .', 'make', 'make test', 'git st', 'git commit -am x'],
  ...['tree', 'printf %n PATH; ls; cat a.txt', "sed -n '1,5p' a.txt"],
]
/** They take a second each, and look at nothing but what is named for them. */
const PACKAGES = ['npm ls', 'npm --version', 'npm test', 'npm install', 'tsc --version']
const FILES = [
  'ls -la *',
  ...[
    'cat package.json',
    'find . -type f | xargs cat',
    'grep -rn needle .',
    'rg needle',
    'for f in *; do cat "$f"; done',
  ],
  ...['ls', 'cat README.md', 'find . -type f', 'find . -type f -exec cat {} +', 'head -5 index.ts', 'wc -l *', 'tree'],
  ...['find . -print0 | xargs -0 head -1', "sed -n '1,5p' a.txt", 'cat docs/secret.txt', 'git ls-files | xargs wc -l'],
]

const nextSteps = (commands: readonly string[]) => (world: World, cwd: string) => stepsOf(commands, world, cwd)

function stepsOf(commands: readonly string[], world: World, cwd: string): Step[] {
  const tools = [
    ...commands.map((command) => ({ name: 'Bash', input: { command } })),
    { name: 'Grep', input: { pattern: 'needle' } },
    { name: 'Glob', input: { pattern: '**/*' } },
    ...['a.txt', 'README.md', 'package.json', '.git/config'].map((name) => ({
      name: 'Read',
      input: { file_path: `${cwd}/${name}` },
    })),
    { name: 'Write', input: { file_path: `${world.repo}/.git/hooks/pre-commit`, content: world.program } },
  ]
  // As a model would: a few at a time.
  const steps: Step[] = []
  for (let from = 0; from < tools.length; from += 8) steps.push({ tools: tools.slice(from, from + 8) })
  return [...steps, 'Done.']
}

/** Commands that are given a pipe, or a file of gigabytes, take their time over it, as they do for everybody. */
const WAITING = new Set(['git-pipes', 'git-branch', 'claude-pipes', 'claude-huge', 'instructions-huge', 'search-files'])

/**
 * Git renews its index when it looks, in whatever repository that is; npm keeps a log of its own in the user's home, and from Node
 * 22.1 on its compiled code in the folder for temporary files.
 */
const isOwn = (path: string) =>
  /^tmp\/node-compile-cache(?:\/|$)|(?:^|\/)\.git\/(?:index(?:\.lock)?)?$|(?:^|\/)\.git$|^home\/\.npm(?:\/_logs(?:\/[\w-]+\.log)?)?$/.test(
    path,
  )

function commandsFor({ id }: Hostile): string[] {
  if (process.env['KEDGE_LONG']) return [...new Set([...EVERYWHERE, ...GIT, ...PROGRAMS, ...PACKAGES, ...FILES])]
  const kinds = [
    ...(/git|nested|archive/.test(id) ? GIT : []),
    ...(/npm|node|python|program|make|editor|shell|module|package|env-path|start-files/.test(id) ? PROGRAMS : []),
    ...(/npm|node|program|shell|module|package|env-path|start-files/.test(id) ? PACKAGES : []),
    ...(/link|names|search-files|odd|ripgrep|folder-name|archive/.test(id) ? FILES : []),
  ]
  return [...new Set([...EVERYWHERE, ...kinds])]
}

function isWorkedIn({ id, opened }: Hostile): boolean {
  return !WAITING.has(id) && !/answeredLocally/.test(String(opened))
}

describe('what comes next in a hostile repository', { skip: process.platform === 'win32' }, () => {
  for (const hostile of ALL_REPOSITORIES.filter(isWorkedIn)) {
    test(`${hostile.id}: ${hostile.would}`, async () => {
      const opened = await openWithLibrary(hostile, { turns: nextSteps(commandsFor(hostile)) })
      const { answer, stderr, ...seen } = withoutOwnPrograms(opened)
      assert.deepEqual({ ...seen, writes: seen.writes.filter((path) => !isOwn(path)) }, NOTHING, stderr)
      assert.equal(answer, 'Done.', stderr)
    })
  }
})

describe('trust does not give away', { skip: process.platform === 'win32' }, () => {
  const trusting: Options = { settingSources: ['user', 'project', 'local'] }
  for (const hostile of ALL_REPOSITORIES.filter(({ id }) => /^(?:env-(?!home)|key-helper|cloud-helpers)/.test(id))) {
    test(`the endpoint, the key or a helper: ${hostile.id}`, async () => {
      const { answer, stderr, canary, addresses } = await openWithLibrary(hostile, { options: trusting })
      assert.deepEqual({ canary, addresses }, { canary: 0, addresses: [] }, stderr)
      assert.equal(answer, 'Hi.', stderr)
    })
  }
})
