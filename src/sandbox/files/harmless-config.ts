/** Configurations of version control that run nothing: every line is one of those known to be harmless. */

const words = (text: string): string[] => text.trim().split(/\s+/)

/** What git itself, clones and people's daily commands write. Keys of a section with a name of its own begin with `*.`. */
const GIT: Readonly<Record<string, readonly string[]>> = {
  core: words(`
    repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol safecrlf
    sparsecheckout sparsecheckoutcone untrackedcache longpaths quotepath compression abbrev bigfilethreshold
    checkstat trustctime protecthfs protectntfs sharedrepository commentchar hidedotfiles multipackindex
  `),
  extensions: words('objectformat partialclone refstorage worktreeconfig preciousobjects'),
  remote: words(
    '*.url *.pushurl *.fetch *.push *.tagopt *.promisor *.partialclonefilter *.prune *.mirror *.gh-resolved',
  ),
  branch: words(
    '*.remote *.merge *.rebase *.pushremote *.description *.vscode-merge-base *.gh-merge-base autosetupmerge autosetuprebase',
  ),
  submodule: words('active recurse fetchjobs *.url *.active *.branch *.fetchrecursesubmodules *.ignore'),
  user: words('name email signingkey useconfigonly'),
  init: words('defaultbranch'),
  pull: words('rebase ff octopus'),
  push: words('default autosetupremote followtags gpgsign'),
  fetch: words('prune prunetags parallel recursesubmodules writecommitgraph'),
  gc: words('auto autodetach'),
  maintenance: words('auto strategy'),
  index: words('version threads sparse skiphash'),
  feature: words('manyfiles experimental'),
  rerere: words('enabled autoupdate'),
  lfs: words('repositoryformatversion'),
  status: words('showuntrackedfiles'),
}

export function isHarmlessGit(text: string): boolean {
  return everyLine(text, (section, name, key, value) => {
    const known = Object.hasOwn(GIT, section) ? GIT[section] : undefined
    // `ext::command` and `helper::address` run programs.
    return known?.includes(name === undefined ? key : `*.${key}`) === true && !value.includes('::')
  })
}

/** Where it was cloned from, and who commits. */
export function isHarmlessMercurial(text: string): boolean {
  return everyLine(text, (section, _, key, value) => {
    if (section === 'ui') return key === 'username'
    return section === 'paths' && !/^\s*(?:ssh:|.*::)/.test(value)
  })
}

type Judge = (section: string, name: string | undefined, key: string, value: string) => boolean

/** A line that is not understood is not harmless: one that goes on in the next, or a section spelled the old way. */
function everyLine(text: string, judge: Judge): boolean {
  let section = ''
  let name: string | undefined
  return text.split(/\r?\n/).every((line) => {
    const header = /^\s*\[([\w-]+)(?:\s+"([^"\\]*)")?\]\s*(.*)$/.exec(line)
    if (header) [, section = '', name] = [header[0], header[1]?.toLowerCase(), header[2]]
    const rest = header ? (header[3] ?? '') : line
    if (/^\s*(?:[#;].*)?$/.test(rest)) return true
    const pair = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*[^\\]|))?$/.exec(rest)
    return pair !== null && judge(section, name, (pair[1] ?? '').toLowerCase(), pair[2] ?? '')
  })
}
