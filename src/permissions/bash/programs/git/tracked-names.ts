/** The names that git would list of a repository, where its index is of the usual form and stands where it is expected. */
import { join } from '../../../../platform/posix-paths.js'
import type { PathFinder } from '../../../path-finder.js'
import { namesInGitIndex } from './git-index.js'

/** Larger ones are not read. */
const LARGEST_CONFIG = 64 * 1024

/**
 * Returns the names of a repository's tracked files. Undefined when there is none to be read, or in another form than
 * the usual ones.
 */
export async function trackedFileNames(gitFolder: string, finder: PathFinder): Promise<string[] | undefined> {
  // A file that names another folder is not followed.
  if ((await finder.kind(gitFolder)) !== 'directory') return undefined
  const config = await finder.content(join(gitFolder, 'config'), LARGEST_CONFIG)
  // Another form of the index, or another folder that it is about.
  if (!config || (await finder.kind(join(gitFolder, 'commondir'))) !== undefined) return undefined
  if (/objectformat|worktree/i.test(new TextDecoder().decode(config))) return undefined
  return (await finder.reading(join(gitFolder, 'index'), namesInGitIndex)) ?? undefined
}
