/** Where the project is: its root, the folders above the working directory, and what in them may be used. */
import { dirname, isInside, join } from '../platform/paths.js'
import type { ProjectFileAccess, ProjectOptions } from './project.js'

const MAX_FOLDERS = 64

/** All folders from the outermost to `cwd`, without the root of the file system, unless that is it. */
export function foldersDownTo(cwd: string): string[] {
  const folders = [cwd]
  for (
    let folder = dirname(cwd);
    dirname(folder) !== folder && folders.length < MAX_FOLDERS;
    folder = dirname(folder)
  ) {
    folders.unshift(folder)
  }
  return folders
}

/** The nearest folder that is a repository, else the working directory. Never the home folder or one above it: that some
 *  people keep it in git does not make all of it one project. */
export async function findProjectRoot({ cwd, home, files }: ProjectOptions): Promise<string> {
  for (const folder of foldersDownTo(cwd).reverse()) {
    if (isInside(home, folder)) break
    if (await isRepository(folder, files)) return folder
  }
  return cwd
}

export async function isRepository(folder: string, files: ProjectFileAccess): Promise<boolean> {
  return exists(join(folder, '.git'), files)
}

async function exists(path: string, files: ProjectFileAccess): Promise<boolean> {
  try {
    return (await files.lstat(path)) !== undefined
  } catch {
    // In a folder that may not be searched: what is there can't be used.
    return false
  }
}

/** The `.claude` of a folder; undefined when there is none, or when it is the user's own, as it is in the home folder. */
export async function findProjectConfigFolder(
  folder: string,
  { configDir, files }: ProjectOptions,
): Promise<string | undefined> {
  const own = join(folder, '.claude')
  const real = await realPath(own, files)
  return real === undefined || real === (await realPath(configDir, files)) ? undefined : own
}

/** Returns a path with its links resolved. Undefined when there is nothing. */
export async function realPath(path: string, files: ProjectFileAccess): Promise<string | undefined> {
  try {
    return await files.realpath(path)
  } catch {
    return undefined
  }
}
