/**
 * Which settings of git may be shown without a question. Settings hold secrets: headers, passwords, addresses with a token. Even their
 * names do, as in `url.https://TOKEN@host/.insteadOf`, so lists of them ask.
 */
import { isAbsolute } from '../../../../platform/posix-paths.js'
import type { PathFinder } from '../../../path-finder.js'
import { orEmpty } from '../../syntax/syntax.js'

/** Names whose value isn't a secret. Sections and keys are compared without case. */
const SHOWN = [
  /^(?:user|author|committer)\.(?:name|email)$/,
  /^user\.(?:signingkey|useconfigonly)$/,
  /^core\.(?:editor|pager|autocrlf|eol|safecrlf|filemode|bare|ignorecase|symlinks|quotepath|abbrev|hookspath|excludesfile)$/,
  /^core\.(?:attributesfile|worktree|fsmonitor|untrackedcache|precomposeunicode|logallrefupdates|repositoryformatversion)$/,
  /^core\.(?:sparsecheckout|sparsecheckoutcone|whitespace|commentchar|longpaths|compression|preloadindex)$/,
  /^(?:init|color|column|advice|help|index|feature|gc|maintenance|pack|extensions|rerere|i18n|worktree|checkout)\.[\w.-]+$/,
  /^(?:push|pull|fetch|merge|rebase|log|status|stash|commit|tag|format)\.[a-z]+$/,
  /^diff\.(?:[a-z]+|[\w-]+\.(?:xfuncname|wordregex|binary|algorithm))$/,
  /^gpg\.(?:format|program)$/,
  /^branch\.(?:[\w./-]+\.)?(?:remote|merge|rebase|pushremote|autosetupmerge|autosetuprebase|sort)$/,
  /^remote\.(?:pushdefault|[\w./-]+\.(?:fetch|push|tagopt|prune|mirror))$/,
  /^submodule\.(?:recurse|active|fetchjobs)$/,
  /^http\.(?:version|postbuffer|sslverify)$/,
]
/** Settings whose value can contain a password. */
const ADDRESS = /^remote\.[\w./-]+\.(?:url|pushurl)$/

const ASKS = /^(?:--get|--get-all|get)$/
const HOW =
  /^--(?:local|global|system|worktree|show-origin|show-scope|null|includes|no-includes|all|type=\w+|bool|int|path)$/

/** What a `git config` with these words shows; undefined if it might show a secret, or do more. */
export function judgeGitConfigOutput(values: readonly string[]): 'plain' | 'address' | undefined {
  const [first, ...others] = values.filter((value) => !HOW.test(value))
  if (values.some((value) => value.startsWith('-') && !ASKS.test(value) && !HOW.test(value))) return undefined
  const isAsked = ASKS.test(orEmpty(first))
  // Without the word that asks, a value behind the name would be set.
  if (others.length > (isAsked ? 2 : 0)) return undefined
  const name = orEmpty(isAsked ? others[0] : first).toLowerCase()
  if (ADDRESS.test(name)) return 'address'
  return SHOWN.some((shown) => shown.test(name)) ? 'plain' : undefined
}

const LARGEST_SETTINGS = 256 * 1024
/** Sections of the user's settings that change the addresses of a repository, and those that name another file. */
const REWRITES = /^[ \t]*\[[ \t]*(?:url|remote|include|includeif)\b/im
/** Settings that programs which run git pass on to it. */
const OTHER_SETTINGS = [
  'GIT_CONFIG',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
]
const SYSTEM = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig']

type Ground = { finder: PathFinder; home: string; variable(name: string): string | undefined }

/**
 * Whether git shows the addresses of remotes as the repository has them, and not with a token that the user's settings put in. The
 * repository's settings are files in the project like any other.
 */
export async function showsRemotesUnrewritten({ finder, home, variable }: Ground): Promise<boolean> {
  if (OTHER_SETTINGS.some((name) => variable(name) !== undefined)) return false
  const folder = variable('XDG_CONFIG_HOME') || `${home}/.config`
  if (!isAbsolute(folder)) return false
  for (const path of [`${home}/.gitconfig`, `${folder}/git/config`, ...SYSTEM]) {
    const { real } = await finder.place(path)
    const content = real === undefined ? null : await finder.content(real, LARGEST_SETTINGS)
    if (content === null || (content && REWRITES.test(new TextDecoder().decode(content)))) return false
  }
  return true
}
