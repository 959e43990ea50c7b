import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isProtected, mayBecomeProtected } from './protected.js'
import { bash, engine } from './test-engine.js'

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
    paths.filter((path) => !isProtected(path)),
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
  assert.deepEqual(paths.filter(isProtected), [])
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
    const permissions = engine({
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
          await bash(permissions, `echo x > ${path}`),
          await bash(permissions, `touch ${path}`),
        ]
        if (answers.includes('allow')) allowed.push(`${mode} ${name} ${spelling}: ${answers.join(' ')}`)
      }
    }
  }
  assert.deepEqual(allowed, [])
  const bypass = engine({ mode: 'bypassPermissions' })
  for (const name of names) assert.equal(await bash(bypass, `echo x > ${name}`), 'allow', name)
})

test('a glob that would name a protected place is one, as far as it says so itself', () => {
  const seen = (globs: string[]) => globs.filter(mayBecomeProtected)
  const some = ['.g*/config', '.?it/x', 'a/.[g]it/hooks/*', '.npm*', '.bash*', '.*/x']
  assert.deepEqual(seen(some), some)
  assert.deepEqual(seen(['*.log', 'src/*', '.cache/*', '.eslint*', '*']), [])
})
