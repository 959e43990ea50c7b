/** What a repository's own settings may make git do. Those that name no program are listed here, once for all who judge them. */

/** What settings say beyond what is harmless whatever they say. */
export type RiskyGitSettings = {
  /** Where hooks are, if not in the usual folder; the last counts. */
  hooksPath?: string
  /** Where the files are, if not around the repository. */
  worktree?: string
  /** The first setting that is not known to be harmless, or what can't be read. */
  odd?: string
  /** The first that makes contact with others something else than a connection to a server. */
  oddRemote?: string
  /** The first that makes contact by a program of its own: `helper::address`. */
  helper?: string
  /** The first that makes git fetch what is missing, even while it only looks. */
  lazy?: string
}

const BOOLEAN = /^(?:|true|false|yes|no|on|off|1|0)$/i
const WITHOUT_SIGNING = /^(?:false|no|off|0)$/i

/** Any value is harmless. `*` is whatever stands in quotes behind the name of a section, or any name at the end. */
const HARMLESS = new Set(
  words(`
    core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks
    core.autocrlf core.eol core.safecrlf core.quotepath core.abbrev core.compression core.loosecompression core.bigfilethreshold
    core.preloadindex core.untrackedcache core.trustctime core.checkstat core.protecthfs core.protectntfs core.sharedrepository
    core.commentchar core.longpaths core.fscache core.whitespace core.sparsecheckout core.sparsecheckoutcone core.multipackindex
    core.commitgraph core.splitindex core.hidedotfiles
    extensions.objectformat extensions.worktreeconfig extensions.refstorage extensions.preciousobjects extensions.noop
    user.name user.email user.useconfigonly author.name author.email committer.name committer.email
    remote.*.fetch remote.*.push remote.*.tagopt remote.*.skipdefaultupdate remote.*.skipfetchall remote.*.prune remote.*.prunetags
    remote.*.mirror remote.*.followremotehead remote.*.gh-resolved
    branch.*.merge branch.*.rebase branch.*.description branch.*.vscode-merge-base branch.*.gh-merge-base
    branch.*.github-pr-owner-number branch.autosetupmerge branch.autosetuprebase branch.sort
    submodule.*.url submodule.*.active submodule.*.branch submodule.*.fetchrecursesubmodules submodule.*.ignore submodule.*.shallow
    submodule.recurse submodule.active submodule.fetchjobs submodule.propagatebranches
    pull.rebase pull.ff fetch.prune fetch.prunetags fetch.parallel fetch.writecommitgraph fetch.fsckobjects fetch.recursesubmodules
    push.default push.autosetupremote push.followtags push.recursesubmodules transfer.fsckobjects
    receive.denycurrentbranch receive.denynonfastforwards receive.denydeletes receive.fsckobjects
    merge.ff merge.conflictstyle merge.renames merge.renamelimit merge.log merge.stat merge.autostash merge.directoryrenames
    rebase.autosquash rebase.autostash rebase.stat rebase.updaterefs rebase.missingcommitscheck rerere.enabled rerere.autoupdate
    diff.renames diff.algorithm diff.renamelimit diff.colormoved diff.context diff.mnemonicprefix diff.noprefix diff.submodule
    diff.ignoresubmodules diff.indentheuristic diff.*.xfuncname diff.*.wordregex diff.*.binary diff.*.algorithm
    color.* color.*.* column.* advice.* i18n.* oh-my-zsh.* gitflow.* gitflow.*.*
    gc.auto gc.autodetach gc.autopacklimit gc.aggressivedepth gc.aggressivewindow gc.pruneexpire gc.worktreepruneexpire
    gc.reflogexpire gc.reflogexpireunreachable gc.writecommitgraph gc.packrefs gc.bigpackthreshold gc.logexpiry
    maintenance.auto maintenance.strategy index.version index.threads index.sparse index.skiphash
    feature.manyfiles feature.experimental pack.threads pack.window pack.depth pack.windowmemory pack.packsizelimit pack.usebitmaps
    pack.usesparse pack.writereverseindex init.defaultbranch checkout.defaultremote checkout.workers worktree.guessremote
    log.date log.decorate log.abbrevcommit log.follow log.mailmap status.showuntrackedfiles status.branch status.short
    status.submodulesummary status.renames status.aheadbehind stash.showpatch stash.showstat commit.verbose commit.cleanup
    commit.status tag.sort versionsort.suffix http.extraheader http.*.extraheader http.postbuffer http.version
    lfs.repositoryformatversion lfs.*.access lfs.*.locksverify
  `),
)

/** As a clone without all objects has them. */
const LAZY = new Set(words('extensions.partialclone remote.*.promisor remote.*.partialclonefilter'))

/** Harmless with such values. */
const HARMLESS_VALUES: Record<string, RegExp> = {
  // Git's own watcher; any other value is a program.
  'core.fsmonitor': BOOLEAN,
  'commit.gpgsign': WITHOUT_SIGNING,
  'tag.gpgsign': WITHOUT_SIGNING,
  'push.gpgsign': WITHOUT_SIGNING,
  'log.showsignature': WITHOUT_SIGNING,
  'submodule.*.update': /^(?:checkout|merge|rebase|none)$/i,
  // As git-lfs sets them up.
  'filter.lfs.clean': /^git-lfs clean -- %f$/,
  'filter.lfs.smudge': /^git-lfs smudge -- %f$/,
  'filter.lfs.process': /^git-lfs filter-process$/,
  'filter.lfs.required': BOOLEAN,
}

/** A server; not a folder (nor one on a drive `C:`), where hooks would run, and not another program that makes the connection. */
const SERVER = /^(?:(?:https?|ssh|git|git\+ssh|ssh\+git):\/\/[\w[]|(?:[\w.-]+@)?\w[\w.-]+:(?!:|\/\/)[^-])[^\s"\\]*$/

export function isServerAddress(address: string): boolean {
  return SERVER.test(address)
}

/** Nothing in it that settings write in another way, and no `~`. */
const PLAIN_PATH = /^[^"\\#;~%\s][^"\\#;]*$/

/** Values of these are only looked at by what makes contact with others. */
const ADDRESSES: Record<string, RegExp> = {
  'remote.*.url': SERVER,
  'remote.*.pushurl': SERVER,
  'branch.*.remote': /^(?:\.|[\w-][\w.-]*)$/,
  'branch.*.pushremote': /^[\w-][\w.-]*$/,
  'remote.pushdefault': /^[\w-][\w.-]*$/,
}

const SECTION = /^\[([a-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\["\\])*)")?\][ \t]*(?:[#;].*)?$/i
const SETTING = /^([a-z][a-z0-9-]*)[ \t]*(?:=[ \t]*(.*))?$/i

/** Reads a file of settings, line by line. What is written in a less usual way is odd. */
export function parseRiskyGitSettings(text: string): RiskyGitSettings {
  const found: RiskyGitSettings = {}
  let section: { name: string; part: string | undefined } | undefined
  for (const written of text.split('\n')) {
    const line = written.trim()
    if (line === '' || /^[#;]/.test(line)) continue
    const head = SECTION.exec(line)
    if (head) {
      section = { name: (head[1] ?? '').toLowerCase(), part: head[2] }
      continue
    }
    const setting = SETTING.exec(line)
    // A backslash at the end joins the next line to this one.
    if (!setting || !section || section.name.includes('.') || line.endsWith('\\')) {
      found.odd ??= line.slice(0, 80)
      continue
    }
    take(found, section, (setting[1] ?? '').toLowerCase(), setting[2] ?? '')
  }
  return found
}

function take(
  found: RiskyGitSettings,
  { name, part }: { name: string; part?: string | undefined },
  key: string,
  value: string,
): void {
  const plain =
    part === undefined ? [`${name}.${key}`, `${name}.*`] : [`${name}.${part}.${key}`, `${name}.*.${key}`, `${name}.*.*`]
  const full = plain[0] ?? ''
  if (full === 'core.hookspath' && PLAIN_PATH.test(value)) found.hooksPath = value
  else if (full === 'core.worktree' && PLAIN_PATH.test(value)) found.worktree = value
  else if (!isHarmless(plain, value)) {
    const address = plain.map((one) => (Object.hasOwn(ADDRESSES, one) ? ADDRESSES[one] : undefined)).find(Boolean)
    if (plain.some((one) => LAZY.has(one))) found.lazy ??= full
    else if (!address) found.odd ??= full
    else if (!address.test(value)) found.oddRemote ??= full
    // Quotes are taken out of a value: `ext":":x` is `ext::x`.
    if (address && /::|["\\]/.test(value)) found.helper ??= full
  }
}

function isHarmless(names: readonly string[], value: string): boolean {
  return names.some((name) => {
    const values = Object.hasOwn(HARMLESS_VALUES, name) ? HARMLESS_VALUES[name] : undefined
    return values ? values.test(value) : HARMLESS.has(name)
  })
}

function words(text: string): string[] {
  return text.trim().split(/\s+/)
}
