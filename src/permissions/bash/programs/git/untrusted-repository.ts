/**
 * What a repository takes from elsewhere: links in its folder that lead out, objects of other repositories, a pointer
 * to a foreign repository. Git prints what it finds there.
 */
import { isAbsolute, join } from '../../../../platform/posix-paths.js'
import { isDecodableFileName, type PathFinder } from '../../../path-finder.js'

export type UntrustedRepository = {
  /** The folder its files are in. */
  root: string
  /** Where it keeps what is its own, and what it shares with others of its working trees. */
  own: string
  shared: string
}

type Ground = { finder: PathFinder; directories: readonly string[] }

/** Large repositories keep their references in one file. */
const MOST_NAMES = 5_000
const MOST_IN_FOLDER = 2_000
const LARGEST_POINTER = 4096
/** Hooks are looked at elsewhere; submodules are repositories that are looked at one by one; the rest isn't git's. */
const LEFT_OUT = new Set(['hooks', 'modules', 'lfs'])
/** Files of the working tree whose lines git prints, or obeys. Newer versions of git don't follow links here. */
const TREE_FILES = ['.gitignore', '.gitattributes', '.gitmodules', '.mailmap']

/** The first thing that leads out, for people. `worktree`: where the settings of the repository say that its files are. */
export async function findPathLeadingOut(
  repository: UntrustedRepository,
  worktree: string | undefined,
  { finder, directories }: Ground,
): Promise<string | undefined> {
  const { root, own, shared } = repository
  // Around the working directory, a repository has its own files there.
  const ground = { finder, directories: [...directories, root] }
  if (!(await isWithin(own, ground))) return pointsBack(repository, worktree, ground)
  if (!(await isWithin(shared, ground))) return `${join(own, 'commondir')} leads out`
  for (const folder of new Set([own, shared])) {
    const link = await findLink(folder, ground)
    if (link !== undefined) return link
  }
  const alternates = join(shared, 'objects/info/alternates')
  if ((await finder.kind(alternates)) !== undefined) return `${alternates} names other repositories`
  for (const name of TREE_FILES) {
    const path = join(root, name)
    if (await leadsOut(path, await finder.kind(path), ground)) return `${path} leads out`
  }
  return undefined
}

/** A repository elsewhere is the user's, and it agrees: it has this folder among its working trees, or as its submodule. */
async function pointsBack({ root, own }: UntrustedRepository, worktree: string | undefined, { finder }: Ground) {
  const content = await finder.content(join(own, 'gitdir'), LARGEST_POINTER)
  const named = content ? new TextDecoder().decode(content).trim() : undefined
  if (named !== undefined && isAbsolute(named) && (await finder.place(named)).real === join(root, '.git'))
    return undefined
  if (worktree !== undefined && (await finder.place(worktree)).real === root) return undefined
  return `${join(root, '.git')} leads out`
}

/** Below a folder of objects only the folders themselves are looked at: to link to an object, one has to know its id. */
async function findLink(top: string, ground: Ground): Promise<string | undefined> {
  const waiting = [top]
  let left = MOST_NAMES
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const entries = await ground.finder.entries(at, MOST_IN_FOLDER + 1)
    left -= entries.length
    if (left < 0 || entries.length > MOST_IN_FOLDER) return `${at} has too many files`
    for (const { name, kind } of entries) {
      const path = join(at, name)
      if (!isDecodableFileName(name)) return `${at} has a name that can't be read`
      if (at === top && LEFT_OUT.has(name)) continue
      if (await leadsOut(path, kind, ground)) return `${path} leads out`
      if (kind === 'directory' && !/\/objects\/[0-9a-f]{2}$/.test(path)) waiting.push(path)
    }
  }
  return undefined
}

async function leadsOut(path: string, kind: string | undefined, { finder, directories }: Ground): Promise<boolean> {
  return kind === 'symlink' && !(await finder.isWithin(await finder.place(path), directories))
}

async function isWithin(path: string, { finder, directories }: Ground): Promise<boolean> {
  return finder.isWithin(await finder.place(path), directories)
}
