/** Files and folders that can make other programs run code or change how the agent is held: writes there are never approved silently. */
import { foldName } from './fold-name.js'
import type { Place } from './path-places.js'
import { compileWildcard, matchesWildcard } from './wildcard.js'
import { wordList } from './word-list.js'

const DIRECTORIES = new Set([
  '.git',
  '.vscode',
  '.idea',
  '.husky',
  '.cargo',
  '.devcontainer',
  '.yarn',
  '.mvn',
  '.claude',
])

const FILES = new Set(
  wordList(`
    .gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv
    .zlogin .zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml
    .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml
    .lefthook.yml .lefthook.yaml gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc
    pyrightconfig.json .mcp.json .claude.json
  `),
)

/** Either spelling is protected, or nobody knows where the path leads. */
export function isGuarded(place: Place): boolean {
  const { lexical, real, via = [] } = place
  return real === undefined || [lexical, real, ...via].some(isProtected)
}

/** Absolute and normal. Compared without case and without what some disks ignore, because asking once too often is the safe side. */
export function isProtected(path: string): boolean {
  const written = path.split('/')
  const names = written.map(plainName)
  return names.some((name, i) => {
    if (FILES.has(name)) return true
    if (name === 'git') return names[i - 1] === '.config'
    if (name === 'git~1') return true
    // The exception is for the very name only: what is not quite it may be something else.
    return DIRECTORIES.has(name) && !(name === '.claude' && written[i + 1] === 'worktrees')
  })
}

/** A glob that names a protected place once there is one. What is there already is found by looking. */
export function mayBecomeProtected(glob: string): boolean {
  const dotted = glob.split('/').filter((segment) => /^\.[^/]*[*?[]/.test(segment))
  return dotted.some((segment) => {
    const wildcard = compileWildcard(segment.replace(/\[[^\]]*\]?|\?/g, '*').toLowerCase())
    return [...DIRECTORIES, ...FILES].some((name) => matchesWildcard(wildcard, name))
  })
}

/** HFS+ drops invisible characters, NTFS trailing dots and blanks and what follows a colon. */
function plainName(name: string): string {
  const visible = name.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
  return foldName(visible.replace(/:.*$/s, '').replace(/(?<=[^.])[. ]+$/, ''))
}
