/**
 * What a sandboxed command may not change although it lies in a folder it may write to: files that other programs act on by
 * themselves (git, editors, shells, the agent), so that a change there is a command run outside the sandbox later.
 */

/** Paths relative to a working directory. All of them are read-only when they are there. */
export type Protection = {
  /** May not come into being either: something at the name keeps the place taken while the command runs. */
  taken: readonly string[]
  /** Where a placeholder would disturb (git stops at a strange `.git/commondir`): what comes into being is moved aside afterwards. */
  cleared: readonly string[]
  /** Only when they are there. */
  readOnly: readonly string[]
}

const words = (text: string): string[] => text.trim().split(/\s+/)

export const PROJECT_PROTECTION: Protection = {
  taken: words('.git/hooks .claude .mcp.json .vscode .idea .envrc .devcontainer'),
  // A folder with `HEAD` in it may be taken for a repository without a work tree, whose `config` git would obey.
  cleared: words(
    '.git/config .git/commondir .git/config.worktree HEAD .devcontainer.json .claude.json .cursor/mcp.json .gemini/settings.json',
  ),
  readOnly: words(`
    .git/modules .git/worktrees .gitmodules .gitconfig .husky .pre-commit-config.yaml lefthook.yml lefthook.yaml
    .lefthook.yml .lefthook.yaml .mise.toml mise.toml .zed .cursor .npmrc .yarnrc .yarnrc.yml .yarn/releases .yarn/plugins
    .pnpmfile.cjs bunfig.toml .cargo .mvn .bazelrc .bazeliskrc .ripgreprc .venv/bin .venv/pyvenv.cfg venv/bin venv/pyvenv.cfg
  `),
}

/** Relative to the home folder, when that is writable at all. */
export const HOME_PROTECTION: Protection = {
  taken: words(`
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .zlogout
    .gitconfig .config .ssh .gnupg .local/bin .pam_environment .xprofile .xinitrc .xsession .xsessionrc
  `),
  cleared: [],
  readOnly: words('bin .local/share/applications .local/share/systemd .cargo .npmrc .docker .kube .aws .netrc .claude'),
}

/** Also in folders inside the project, where they are: other repositories, packages with settings of their own. */
export const NESTED_PROTECTION: readonly string[] = words(
  '.git .claude .mcp.json .vscode .idea .envrc .devcontainer .husky',
)

/** Of a repository in a folder. */
export const REPOSITORY_PROTECTION: Protection = {
  taken: words('.git/hooks'),
  cleared: words('.git/config .git/commondir .git/config.worktree'),
  readOnly: words('.git/modules .git/worktrees'),
}
