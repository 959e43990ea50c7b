/** Files and folders that can make other programs run code or change how the agent is held: writes there are never approved silently. */

import { trimTrailingCharacters } from '../platform/trim-end.js'
import { foldNameCase } from './fold-name-case.js'
import type { PathLocation } from './path-finder.js'
import { compileWildcard, matchesWildcard } from './wildcard.js'
import { wordList } from './word-list.js'

/** By who acts on them: version control, editors, build tools and package managers, agents. */
const DIRECTORIES = new Set(
  wordList(`
    .git .hg .jj .svn
    .vscode .idea .zed .fleet .vim .emacs.d .devcontainer
    .husky .cargo .yarn .mvn .bundle .direnv .mise
    .claude .codex .gemini .cursor .windsurf .continue .roo .cline .kilocode .amazonq .kiro .junie .opencode .factory .qwen
    .ssh .gnupg
  `),
)

const FILES = new Set(
  wordList(`
    .hgrc hgrc-not-shared git-rebase-todo
    .bash_functions .kshrc .mkshrc .cshrc .tcshrc .login .inputrc config.fish .direnvrc .xprofile .xinitrc .xsessionrc
    .pam_environment .tmux.conf .screenrc
    .vimrc .gvimrc .exrc .nvimrc .nvim.lua .lvimrc .ideavimrc .emacs .dir-locals.el .dir-locals-2.el .gdbinit .lldbinit
    .pdbrc .pythonrc .irbrc .pryrc .rprofile .psqlrc .sqliterc .lesskey .curlrc .wgetrc
    .pnpmfile.mjs sitecustomize.py usercustomize.py pip.conf .pypirc .condarc .gemrc .netrc
    mise.toml .mise.toml .tool-versions .watchmanconfig .terraformrc authorized_keys
    .aider.conf.yml opencode.json opencode.jsonc crush.json .crush.json
    .gitconfig .gitmodules .bashrc .bash_profile .bash_login .bash_aliases .bash_logout .zshrc .zprofile .zshenv
    .zlogin .zlogout .profile .envrc .npmrc .yarnrc .yarnrc.yml .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs bunfig.toml
    .bunfig.toml .bazelrc .bazelversion .bazeliskrc .pre-commit-config.yaml lefthook.yml lefthook.yaml
    .lefthook.yml .lefthook.yaml gradle-wrapper.properties maven-wrapper.properties .devcontainer.json .ripgreprc
    pyrightconfig.json .mcp.json .claude.json
  `),
)

/** Whether any spelling is protected, or the path's target is unknown. */
export function isProtectedLocation(place: PathLocation): boolean {
  const { lexical, real, via = [] } = place
  return real === undefined || [lexical, real, ...via].some(isProtectedPath)
}

/** Absolute and normal. Compared without case and without what some disks ignore, because asking once too often is the safe side. */
export function isProtectedPath(path: string): boolean {
  const written = path.split('/')
  const names = written.map(plainName)
  return names.some((name, i) => {
    if (FILES.has(name) || (name.endsWith('.pth') && isModules(names[i - 1]))) return true
    if (name === 'git') return names[i - 1] === '.config'
    if (name === 'git~1') return true
    // The exception is for the very name only: what is not quite it may be something else.
    return DIRECTORIES.has(name) && !(name === '.claude' && written[i + 1] === 'worktrees')
  })
}

/** Python runs lines of such files there before any program; elsewhere the ending is also that of models. */
function isModules(folder: string | undefined): boolean {
  return folder === 'site-packages' || folder === 'dist-packages'
}

/** A glob that names a protected place once there is one. What is there already is found by looking. */
export function canGlobNameProtectedPath(glob: string): boolean {
  const dotted = glob.split('/').filter((segment) => /^\.[^/]*[*?[]/.test(segment))
  return dotted.some((segment) => {
    const wildcard = compileWildcard(segment.replace(/\[[^\]]*\]?|\?/g, '*').toLowerCase())
    return [...DIRECTORIES, ...FILES].some((name) => matchesWildcard(wildcard, name))
  })
}

/** HFS+ drops invisible characters; NTFS drops trailing dots and spaces, and what follows a colon. */
function plainName(name: string): string {
  const visible = name.replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
  return foldNameCase(trimTrailingCharacters(visible.replace(/:.*$/s, ''), '. '))
}
