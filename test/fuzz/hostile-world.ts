/** Repositories in the project that somebody else made: each has something that makes git run a program, or look elsewhere. */
import { OUT, REPO } from './world.js'

export type HostileRepository = {
  /** Added to its `.git/config`. */
  config?: string
  /** Beside its own files. */
  files?: Readonly<Record<string, string>>
  /** Programs of its own that tell when they run. */
  traps?: readonly string[]
  links?: Readonly<Record<string, string>>
  /** Its newest commit has a signature. */
  signed?: true
  /** Another of them stands in it, and belongs to it. */
  inner?: string
  /** What is usually in `.git` is in the folder itself. */
  bare?: true
}

const EVIL = `${REPO}/evil`
const FSMONITOR = `[core]\n\tfsmonitor = ${EVIL}`
const PROMISOR = '[extensions]\n\tpartialClone = o\n[remote "o"]\n\tpromisor = true'
const HOOKS =
  `post-index-change pre-commit prepare-commit-msg commit-msg post-commit post-checkout post-merge pre-push pre-rebase
  post-rewrite reference-transaction pre-receive update post-receive pre-auto-gc applypatch-msg`.split(/\s+/)
const attributes = (text: string) => ({ files: { '.gitattributes': `* ${text}\n` } })

/** By the folder they are in. */
const REPOSITORIES: Readonly<Record<string, HostileRepository>> = {
  plain: {},
  fsmonitor: { config: FSMONITOR },
  oneline: { config: `[CORE] FSMonitor = \\\n${EVIL}` },
  textconv: { config: `[diff "x"]\n\ttextconv = ${EVIL}`, ...attributes('diff=x') },
  driver: { config: `[diff "x"]\n\tcommand = ${EVIL}`, ...attributes('diff=x') },
  external: { config: `[diff]\n\texternal = ${EVIL}` },
  pager: { config: `[core]\n\tpager = ${EVIL}\n[pager]\n\tlog = ${EVIL}\n\tstatus = ${EVIL}` },
  clean: { config: `[filter "x"]\n\tclean = ${EVIL}\n\tsmudge = ${EVIL}`, ...attributes('filter=x') },
  process: { config: `[filter "x"]\n\tprocess = ${EVIL}\n\trequired = true`, ...attributes('filter=x') },
  hooks: { traps: HOOKS.map((name) => `.git/hooks/${name}`) },
  'hooks-path': { config: '[core]\n\thooksPath = h', traps: HOOKS.map((name) => `h/${name}`) },
  include: { config: '[include]\n\tpath = ../more', files: { more: FSMONITOR } },
  'include-if': { config: `[includeIf "gitdir:${REPO}/"]\n\tpath = ../more`, files: { more: FSMONITOR } },
  'of-a-tree': { config: '[extensions]\n\tworktreeConfig = true', files: { '.git/config.worktree': FSMONITOR } },
  signature: { config: `[gpg]\n\tprogram = ${EVIL}\n[log]\n\tshowSignature = true`, signed: true },
  elsewhere: { config: `[core]\n\tworktree = ${OUT}` },
  upload: { config: `[remote "origin"]\n\turl = .\n\tuploadpack = ${EVIL}\n\treceivepack = ${EVIL}` },
  ssh: { config: `[core]\n\tsshCommand = ${EVIL}\n[remote "origin"]\n\turl = ssh://example.com/x` },
  ext: { config: `[protocol]\n\tallow = always\n[remote "origin"]\n\turl = ext::${EVIL}` },
  promisor: { config: `${PROMISOR}\n\turl = .\n\tuploadpack = ${EVIL}` },
  'promisor-far': { config: `${PROMISOR}\n\turl = http://192.0.2.1/x` },
  far: { config: '[remote "origin"]\n\turl = http://192.0.2.1/x' },
  alias: { config: `[alias]\n\tst = !${EVIL}\n\tx = !${EVIL}\n\tlog = !${EVIL}` },
  editor: { config: `[core]\n\teditor = ${EVIL}\n[sequence]\n\teditor = ${EVIL}\n[commit]\n\tgpgSign = true` },
  difftool: { config: `[diff]\n\ttool = x\n[difftool "x"]\n\tcmd = ${EVIL}` },
  merge: { config: `[merge "x"]\n\tdriver = ${EVIL}`, ...attributes('merge=x') },
  trailer: { config: `[trailer "x"]\n\tcommand = ${EVIL}` },
  rebase: {
    files: {
      '.git/rebase-merge/git-rebase-todo': `exec ${EVIL}\n`,
      '.git/rebase-merge/head-name': 'refs/heads/main\n',
      '.git/rebase-merge/interactive': '',
    },
  },
  'old-remote': { files: { '.git/remotes/origin': `URL: ${REPO}/repos/deposit\n` } },
  mono: { inner: 'fsmonitor' },
  'mono-filter': { inner: 'clean' },
  inside: { bare: true, config: `[core]\n\tbare = false\n\tworktree = ${REPO}/repos/inside\n${FSMONITOR}` },
  deposit: { bare: true, config: '[core]\n\tbare = true', traps: HOOKS.map((name) => `hooks/${name}`) },
  template: { traps: HOOKS.map((name) => `t/hooks/${name}`) },
  'linked-config': { links: { '.git/config': '../../fsmonitor/.git/config' } },
  linked: { links: { '.git': '../fsmonitor/.git' } },
  pointer: { files: { '.git': 'gitdir: ../fsmonitor/.git\n' } },
  shared: { files: { '.git/commondir': '../../fsmonitor/.git\n' } },
  // Names that are something else when a shell or a program gets to read them.
  '$(evil)': { config: FSMONITOR },
  'a;evil': { config: FSMONITOR },
  'with space': { config: FSMONITOR },
  '-c core.fsmonitor=evil': { config: FSMONITOR },
  'new\nline': { config: FSMONITOR },
  '*': { config: FSMONITOR },
}

export const HOSTILE: Readonly<Record<string, HostileRepository>> = Object.fromEntries(
  Object.entries(REPOSITORIES).map(([name, one]) => [`${REPO}/repos/${name}`, one]),
)
/** Folders of theirs that a command may start in. */
export const HOSTILE_FOLDERS = Object.entries(HOSTILE).flatMap(([folder, { inner }]) =>
  inner === undefined ? [folder] : [folder, `${folder}/inner`],
)
/** Where a command may start. */
export const STARTS = [...Array.from({ length: 150 }, () => REPO), `${REPO}/src/deep/er`, ...HOSTILE_FOLDERS]
