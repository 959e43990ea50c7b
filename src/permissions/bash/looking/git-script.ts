/** Git among the other commands of a line: what they may have changed before it starts, and whom it talks to. */
import { isServerAddress } from '../../../platform/git-settings.js'
import type { PathFinder } from '../../path-finder.js'
import type { PathResolver } from '../path-resolver.js'
import { type GitCommandEffects, gitCommandEffects, isGit } from '../programs/git/git.js'
import {
  areRepositoryRoots,
  assessRepositoryTrust,
  type GitTrustProblems,
  mayCreateGitRepository,
} from '../programs/git/git-trust.js'
import { knowledgeOf } from '../programs/program-table.js'
import { fileUseOf } from '../questions/file-use.js'
import { programNameOrEmpty, type ShellScript, type ShellWord, type SimpleCommand } from '../syntax/syntax.js'

type Surroundings = { resolver: PathResolver; finder: PathFinder; directories: readonly string[]; trusted: boolean }

const LOST = 'it is not known where git would run'
const SETTINGS = 'git may have other settings by the time it runs'
const CHANGED = 'files are changed before git looks for its repository'

/** `innerWords` gives a command without its wrappers. */
export async function gitTrustProblemsOfScript(
  script: ShellScript,
  innerWords: (command: SimpleCommand) => readonly ShellWord[],
  { resolver, finder, directories, trusted }: Surroundings,
): Promise<GitTrustProblems> {
  const commands = script.commands.map(innerWords)
  const count = commands.filter(isGit).length
  if (count === 0) return {}
  // A command that is not in the table, `git config` that writes among them, may change what the others obey.
  const isStrange = (words: readonly ShellWord[]) => isGit(words) && !gitCommandEffects(words)
  if (count > 1 && commands.some(isStrange)) return { looks: SETTINGS, acts: SETTINGS, contacts: SETTINGS }
  if (resolver.lost) return { looks: LOST, acts: LOST, contacts: LOST }
  const cwd = directories[0] ?? resolver.start
  const found = await assessRepositoryTrust(resolver.folders, { finder, cwd, directories, trusted })
  const isAlone = script.commands.length === 1
  const changes = commands.some((words) => !(isAlone && isGit(words)) && mayMakeRepository(words))
  const redirects = [...script.redirects, ...script.commands.flatMap((command) => command.redirects)]
  const writes = redirects.some(({ kind, target }) => kind === 'write' && mayCreateGitRepository(target))
  if (!(changes || writes) || (await areRepositoryRoots(resolver.folders, finder))) return found
  return { looks: CHANGED, acts: CHANGED, contacts: CHANGED, ...found }
}

/** What a program does that is not known to work on files is not to be seen here; a rule has to cover it, and then it may do anything. */
function mayMakeRepository(words: readonly ShellWord[]): boolean {
  if (isGit(words)) return gitCommandEffects(words)?.unpacks ?? true
  const { known, writes, recursive } = fileUseOf(words)
  if (!known || writes.length === 0) return false
  const makes = knowledgeOf(programNameOrEmpty(words))?.makes
  return makes === undefined || recursive ? makes !== 'nothing' : writes.some(mayCreateGitRepository)
}

/** The first repository it talks to that is, or may be, a folder of this computer: there its hooks would run. */
export async function findLocalRemote(
  { remotes, addresses }: GitCommandEffects,
  { resolver, finder }: Pick<Surroundings, 'resolver' | 'finder'>,
): Promise<string | undefined> {
  for (const word of [...remotes, ...addresses]) {
    const { value } = word
    if (word.dynamic || word.glob) return `${value} may be any repository`
    const mayBeName = remotes.includes(word) && /^\w[\w.-]*$/.test(value)
    if (!mayBeName && !isServerAddress(value)) return `${value} is not the address of a server`
    // A folder of that name comes before the remote, or the server.
    for (const folder of resolver.folders)
      for (const path of [`${folder}/${value}`, `${folder}/${value}.git`])
        if (await finder.kind(path)) return `${path} may be the repository that is meant`
  }
  return undefined
}
