/** Git among the other commands of a line: what they may have changed before it starts, and whom it talks to. */
import { isServer } from '../../../platform/git-settings.js'
import { basename } from '../../../platform/posix-paths.js'
import type { PathFinder } from '../../path-places.js'
import { fileUseOf } from '../file-use.js'
import { nameOf, type Script, type SimpleCommand, type Word } from '../syntax/syntax.js'
import type { Whereabouts } from '../whereabouts.js'
import { type GitForm, gitForm } from './git.js'
import { type GitGround, groundOf, isRooted } from './git-ground.js'

type Surroundings = { whereabouts: Whereabouts; finder: PathFinder; directories: readonly string[]; trusted: boolean }

const LOST = 'it is not known where git would run'
const SETTINGS = 'git may have other settings by the time it runs'
const CHANGED = 'files are changed before git looks for its repository'

/** `innerWords` gives a command without its wrappers. */
export async function groundOfScript(
  script: Script,
  innerWords: (command: SimpleCommand) => readonly Word[],
  { whereabouts, finder, directories, trusted }: Surroundings,
): Promise<GitGround> {
  const commands = script.commands.map(innerWords)
  const count = commands.filter((words) => nameOf(words) === 'git').length
  if (count === 0) return {}
  // A command that is not in the table, `git config` that writes among them, may change what the others obey.
  const isStrange = (words: readonly Word[]) => nameOf(words) === 'git' && !gitForm(words)
  if (count > 1 && commands.some(isStrange)) return { looks: SETTINGS, acts: SETTINGS, contacts: SETTINGS }
  if (whereabouts.lost) return { looks: LOST, acts: LOST, contacts: LOST }
  const cwd = directories[0] ?? whereabouts.start
  const found = await groundOf(whereabouts.folders, { finder, cwd, directories, trusted })
  const isAlone = script.commands.length === 1
  const changes = commands.some((words) => !(isAlone && nameOf(words) === 'git') && mayMakeRepository(words))
  const redirects = [...script.redirects, ...script.commands.flatMap((command) => command.redirects)]
  const writes = redirects.some(({ kind, target }) => kind === 'write' && isPartOfRepository(target))
  if (!(changes || writes) || (await isRooted(whereabouts.folders, finder))) return found
  return { looks: CHANGED, acts: CHANGED, contacts: CHANGED, ...found }
}

/** Where git stands, these make a folder a repository. */
const PARTS = new Set(['head', 'objects', 'refs', 'commondir', '.git'])

function isPartOfRepository(word: Word): boolean {
  return word.dynamic || word.glob || PARTS.has(basename(word.value).toLowerCase())
}

/** What a program does that is not known to work on files is not to be seen here; a rule has to cover it, and then it may do anything. */
function mayMakeRepository(words: readonly Word[]): boolean {
  const program = nameOf(words)
  if (program === 'git') return gitForm(words)?.unpacks ?? true
  const { known, writes, recursive } = fileUseOf(words)
  if (!known || writes.length === 0) return false
  return !/^(?:touch|mkdir|rm|rmdir|tee|sed|chmod)$/.test(program) || recursive
    ? program !== 'rm'
    : writes.some(isPartOfRepository)
}

/** The first repository it talks to that is, or may be, a folder of this computer: there its hooks would run. */
export async function localRemote(
  { remotes, addresses }: GitForm,
  { whereabouts, finder }: Pick<Surroundings, 'whereabouts' | 'finder'>,
): Promise<string | undefined> {
  for (const word of [...remotes, ...addresses]) {
    const { value } = word
    if (word.dynamic || word.glob) return `${value} may be any repository`
    const mayBeName = remotes.includes(word) && /^\w[\w.-]*$/.test(value)
    if (!mayBeName && !isServer(value)) return `${value} is not the address of a server`
    // A folder of that name comes before the remote, or the server.
    for (const folder of whereabouts.folders)
      for (const path of [`${folder}/${value}`, `${folder}/${value}.git`])
        if (await finder.kind(path)) return `${path} may be the repository that is meant`
  }
  return undefined
}
