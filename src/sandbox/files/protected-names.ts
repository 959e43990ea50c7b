/**
 * What a sandboxed command may not change although it lies in a folder it may write to: files that other programs act on by
 * themselves (git, editors, shells, the agent), so that a change there is a command run outside the sandbox later.
 */

/** Paths relative to a working directory. All of them are read-only when they are there. */
export type WriteProtection = {
  /** May not come into being either: something at the name keeps the place taken while the command runs. */
  taken: readonly string[]
  /** Where a placeholder would disturb (git stops at a strange `.git/commondir`): what comes into being is moved aside afterwards. */
  cleared: readonly string[]
  /** Only when they are there. */
  readOnly: readonly string[]
}

const words = (text: string): string[] => text.trim().split(/\s+/)

export const PROJECT_WRITE_PROTECTION: WriteProtection = {
  taken: words('.git/hooks .claude .mcp.json .vscode .idea .envrc .devcontainer'),
  // A folder with `HEAD` in it may be taken for a repository without a work tree, whose `config` git would obey.
  cleared: [
    ...words('.git/config .git/commondir .git/config.worktree HEAD .hg/hgrc .hg/hgrc-not-shared .jj/repo/config.toml'),
    ...words('.devcontainer.json .fleet/run.json .zed/tasks.json .zed/settings.json .exrc .nvimrc .nvim.lua .lvimrc'),
    ...words('.vimrc .dir-locals.el .dir-locals-2.el .direnv/direnvrc'),
    ...words(
      '.pnpmfile.cjs .pnpmfile.mjs .yarnrc .cargo/config .cargo/config.toml .mvn/extensions.xml .mvn/jvm.config',
    ),
    ...words('.bundle/config .mise/config.toml .pdbrc .pdbrc.py .gdbinit .lldbinit .ripgreprc .watchmanconfig'),
    // Other agents: servers, hooks and permissions of theirs.
    ...words(
      '.claude.json .cursor/mcp.json .cursor/hooks.json .gemini/settings.json .codex/config.toml .codex/hooks.json',
    ),
    ...words('.windsurf/mcp.json .windsurf/hooks.json .continue/config.yaml .continue/config.json .roo/mcp.json'),
    ...words('.cline/mcp.json .kilocode/mcp.json .amazonq/mcp.json .kiro/settings/mcp.json .junie/mcp/mcp.json'),
    ...words('.aider.conf.yml opencode.json opencode.jsonc .opencode/opencode.json .crush.json crush.json'),
    ...words('.factory/mcp.json .qwen/settings.json .amp/settings.json .augment/settings.json'),
  ],
  readOnly: words(`
    .git/modules .git/worktrees .git/info .gitmodules .gitconfig .hg/hgrc .hg/hgrc-not-shared .jj/repo .svn .husky
    .pre-commit-config.yaml lefthook.yml lefthook.yaml .lefthook.yml .lefthook.yaml .mise.toml mise.toml .mise
    .tool-versions .direnv .zed .fleet .cursor .codex .gemini .windsurf .continue .roo .cline .kilocode .amazonq .kiro .junie
    .aider.conf.yml opencode.json opencode.jsonc .opencode .crush.json crush.json .factory .qwen .amp .augment
    .npmrc .yarnrc .yarnrc.yml .yarn/releases .yarn/plugins .yarn/sdks .pnp.cjs .pnp.loader.mjs .pnpmfile.cjs .pnpmfile.mjs
    bunfig.toml .bunfig.toml .cargo .mvn gradle/wrapper .bazelrc .bazelversion .bazeliskrc tools/bazel .bundle .ripgreprc
    .exrc .nvimrc .nvim.lua .vimrc .dir-locals.el .gdbinit .lldbinit .pdbrc .watchmanconfig pip.conf .condarc
    .venv/bin .venv/pyvenv.cfg venv/bin venv/pyvenv.cfg env/bin env/pyvenv.cfg .venv/Scripts venv/Scripts
  `),
}

/** Relative to the home folder, when that is writable at all. */
export const HOME_WRITE_PROTECTION: WriteProtection = {
  taken: words(`
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin .zlogout
    .gitconfig .config .ssh .gnupg .local/bin .pam_environment .xprofile .xinitrc .xsession .xsessionrc
    .kshrc .mkshrc .cshrc .tcshrc .login .inputrc .hgrc .vimrc .vim .emacs .emacs.d
  `),
  cleared: words(`
    .exrc .nvimrc .gvimrc .ideavimrc .gdbinit .lldbinit .pdbrc .pythonrc .pythonrc.py .Rprofile .irbrc .pryrc .psqlrc
    .sqliterc .tmux.conf .screenrc .wgetrc .curlrc .yarnrc .yarnrc.yml .bunfig.toml .bazelrc .condarc .gemrc .lesskey
    .dir-locals.el .hgrc .terraformrc .mailcap .forward .procmailrc .direnvrc .tool-versions
  `),
  readOnly: words(`
    bin .local/share/applications .local/share/systemd .local/share/nvim .local/lib .local/state/nvim .cargo .rustup
    .npmrc .docker .kube .aws .netrc .claude .codex .gemini .cursor .windsurf .continue .aider.conf.yml .vscode
    .vscode-server .m2 .gradle .bundle .gem .nvm .pyenv .rbenv .asdf .sdkman .volta .bun .deno .oh-my-zsh .zsh .bash_it
    .fzf .fzf.bash .fzf.zsh .mozilla .pip .ipython .jupyter .terraform.d Library/LaunchAgents
  `),
}

/** Also in folders inside the project, where they are: other repositories, packages with settings of their own. */
export const NESTED_PROTECTED_NAMES: readonly string[] = words(
  '.git .hg .jj .svn .claude .mcp.json .vscode .idea .zed .fleet .envrc .direnv .devcontainer .husky .cursor .codex .gemini .windsurf',
)

/** Protected files inside a repository. */
export const REPOSITORY_WRITE_PROTECTION: WriteProtection = {
  taken: words('.git/hooks'),
  cleared: words('.git/config .git/commondir .git/config.worktree'),
  readOnly: words('.git/modules .git/worktrees'),
}
