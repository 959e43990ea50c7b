import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canGlobNameProtectedPath, isProtectedPath } from './protected-paths.js'
import { createTestPermissions, decisionOnBash } from './test-engine.js'

test('protected names, in every spelling a disk may take for the same', () => {
  const paths = [
    ...[
      '/repo/.git/hooks/pre-commit',
      '/repo/.git',
      '/repo/a/.claude/settings.json',
      '/home/u/.config/git/config',
      '/repo/.mcp.json',
    ],
    ...[
      '/home/u/.bashrc',
      '/repo/.envrc',
      '/repo/.npmrc',
      '/repo/.husky/pre-push',
      '/repo/gradle/wrapper/gradle-wrapper.properties',
    ],
    ...[
      '/repo/.GIT/config',
      '/repo/.Claude/x',
      '/repo/.git./config',
      '/repo/.git /config',
      '/repo/GIT~1/config',
      '/repo/.gi\u200ct/config',
    ],
    ...[
      '/repo/.git::$INDEX_ALLOCATION/config',
      '/repo/.bashrc:x',
      '/repo/.claude/worktrees/w/.git/config',
      '/repo/Lefthook.YML',
    ],
  ]
  assert.deepEqual(
    paths.filter((path) => !isProtectedPath(path)),
    [],
  )
})

test('names that only look like it', () => {
  const paths = [
    ...[
      '/repo/.github/workflows/ci.yml',
      '/repo/.gitignore',
      '/repo/git/x',
      '/repo/.config/x',
      '/repo/.claude/worktrees/w/a.ts',
    ],
    ...['/repo/src/bashrc', '/repo/a.git', '/repo/.claudette', '/repo/..', '/repo/.config/nvim/git'],
  ]
  assert.deepEqual(paths.filter(isProtectedPath), [])
})

/** The public list, written down once more: the engine's own could lose a name. */
const PUBLIC = {
  folders: ['.git', '.config/git', '.vscode', '.idea', '.husky', '.cargo', '.devcontainer', '.yarn', '.mvn', '.claude'],
  files: [
    ...['.gitconfig', '.gitmodules', '.bashrc', '.bash_profile', '.bash_login', '.bash_aliases', '.bash_logout'],
    ...['.zshrc', '.zprofile', '.zshenv', '.zlogin', '.zlogout', '.profile', '.envrc', '.npmrc', '.yarnrc'],
    ...['.yarnrc.yml', '.pnp.cjs', '.pnp.loader.mjs', '.pnpmfile.cjs', 'bunfig.toml', '.bunfig.toml', '.bazelrc'],
    ...['.bazelversion', '.bazeliskrc', '.pre-commit-config.yaml', 'lefthook.yml', 'lefthook.yaml', '.lefthook.yml'],
    ...['.lefthook.yaml', 'gradle-wrapper.properties', 'maven-wrapper.properties', '.devcontainer.json'],
    ...['.ripgreprc', 'pyrightconfig.json', '.mcp.json', '.claude.json'],
  ],
}

/** Further ones, by who acts on them. */
const MORE: Record<string, string[]> = {
  'version control': ['.hg/hgrc', '.jj/repo/config.toml', '.svn/wc.db', '.hgrc', '.git/rebase-merge/git-rebase-todo'],
  shells: [
    '.kshrc',
    '.cshrc',
    '.tcshrc',
    '.inputrc',
    '.config/fish/config.fish',
    '.direnv/x',
    '.xprofile',
    '.tmux.conf',
  ],
  editors: [
    '.vimrc',
    '.exrc',
    '.nvim.lua',
    '.vim/plugin/x.vim',
    '.emacs',
    '.emacs.d/init.el',
    '.dir-locals.el',
    '.zed/tasks.json',
  ],
  debuggers: ['.gdbinit', '.lldbinit', '.pdbrc', '.irbrc'],
  'package managers': [
    '.bundle/config',
    '.pnpmfile.mjs',
    'sitecustomize.py',
    'usercustomize.py',
    'pip.conf',
    'mise.toml',
    '.tool-versions',
  ],
  python: ['.venv/lib/python3.12/site-packages/x.pth', 'dist-packages/y.PTH'],
  agents: [
    '.codex/config.toml',
    '.gemini/settings.json',
    '.cursor/mcp.json',
    '.windsurf/x',
    '.roo/mcp.json',
    '.cline/x',
    '.amazonq/x',
    '.kiro/x',
    '.opencode/x',
    'opencode.json',
    '.aider.conf.yml',
    '.continue/config.yaml',
  ],
  keys: ['.ssh/authorized_keys', '.gnupg/gpg.conf', '.netrc', '.pypirc'],
}

for (const [who, names] of Object.entries(MORE)) {
  test(`what ${who} act on is protected, and asked about where edits are accepted`, async () => {
    const permissions = createTestPermissions({ mode: 'acceptEdits', allow: ['Edit', 'Write', 'Bash(touch *)'] })
    for (const name of names) {
      assert.equal(isProtectedPath(`/repo/a/${name}`), true, name)
      const call = { id: 't', name: 'Write', input: { file_path: name } }
      assert.equal((await permissions.decide(call, { kind: 'edit', path: `/repo/${name}` })).behavior, 'ask', name)
      assert.equal(await decisionOnBash(permissions, `touch ${name}`), 'ask', name)
    }
  })
}

test('texts for agents, models and ordinary settings of projects are nobody’s commands', () => {
  const names = [
    'AGENTS.md',
    'GEMINI.md',
    '.cursorrules',
    '.editorconfig',
    'model.pth',
    'checkpoints/x.pth',
    'Makefile',
  ]
  const more = [
    '.github/workflows/ci.yml',
    '.github/copilot-instructions.md',
    '.prettierrc',
    'tsconfig.json',
    '.gitattributes',
  ]
  assert.deepEqual(
    [...names, ...more].filter((name) => isProtectedPath(`/repo/${name}`)),
    [],
  )
})

const SPELLINGS: Record<string, (name: string) => string> = {
  plain: (name) => name,
  'through a parent': (name) => `src/../${name}`,
  'with more slashes and dots': (name) => `.//./${name}`,
  'in capitals': (name) => name.toUpperCase(),
  'in a folder below': (name) => `a/b/${name}`,
  'behind a link': (name) => `link/${name}`,
}

test('every protected name in every spelling is written by nobody but a person, in every mode but bypass', async () => {
  const names = [...PUBLIC.folders.map((folder) => `${folder}/x`), ...PUBLIC.files]
  const allowed: string[] = []
  for (const mode of ['default', 'acceptEdits', 'plan', 'dontAsk'] as const) {
    const permissions = createTestPermissions({
      mode,
      allow: ['Edit', 'Write', 'Edit(**)', 'Bash', 'Bash(touch *)'],
      links: { '/repo/link': '/repo/src' },
    })
    for (const name of names) {
      for (const [spelling, spell] of Object.entries(SPELLINGS)) {
        const path = spell(name)
        const call = { id: 't', name: 'Write', input: { file_path: path } }
        const answers = [
          (await permissions.decide(call, { kind: 'edit', path: `/repo/${path}` }, { approvedByHook: true })).behavior,
          await decisionOnBash(permissions, `echo x > ${path}`),
          await decisionOnBash(permissions, `touch ${path}`),
        ]
        if (answers.includes('allow')) allowed.push(`${mode} ${name} ${spelling}: ${answers.join(' ')}`)
      }
    }
  }
  assert.deepEqual(allowed, [])
  const bypass = createTestPermissions({ mode: 'bypassPermissions' })
  for (const name of names) assert.equal(await decisionOnBash(bypass, `echo x > ${name}`), 'allow', name)
})

test('a glob that would name a protected place is one, as far as it says so itself', () => {
  const seen = (globs: string[]) => globs.filter(canGlobNameProtectedPath)
  const some = ['.g*/config', '.?it/x', 'a/.[g]it/hooks/*', '.npm*', '.bash*', '.*/x']
  assert.deepEqual(seen(some), some)
  assert.deepEqual(seen(['*.log', 'src/*', '.cache/*', '.eslint*', '*']), [])
})
