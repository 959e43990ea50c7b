/**
 * Is a local settings file the user's own, or did it come with the repository? The user's is not tracked by git. This
 * reads git's index itself: to run git in a folder that may be hostile would mean to run what its configuration names.
 */
import type { BasicFiles } from '../platform/files/files.js'
import { basename, dirname, join, resolve } from '../platform/paths.js'

export type OwnFilePorts = {
  files: Pick<BasicFiles, 'lstat' | 'realpath' | 'snapshot'>
  /** Null where there are no user ids. */
  uid: number | null
}

const MAX_INDEX = 16 * 1024 * 1024

/** Only what is certain counts: anything odd means that it is not. */
export async function isOwnFile(path: string, { files, uid }: OwnFilePorts): Promise<boolean> {
  try {
    const folder = join(await files.realpath(dirname(dirname(path))), basename(dirname(path)))
    const stat = await files.lstat(path)
    // A link, here or at the folder, may be tracked while what it leads to is not.
    const inPlace = (await files.realpath(path)) === join(folder, basename(path))
    if (stat?.kind !== 'file' || !inPlace || (uid !== null && stat.uid !== uid)) return false
    const gitFolder = await findGitFolder(folder, files)
    return gitFolder !== undefined && !(await mayTrack(gitFolder, basename(path), files))
  } catch {
    return false
  }
}

/** The nearest one above; in a worktree or submodule a file names it. */
async function findGitFolder(start: string, files: OwnFilePorts['files']): Promise<string | undefined> {
  for (let folder = start; ; folder = dirname(folder)) {
    const path = join(folder, '.git')
    const stat = await files.lstat(path)
    if (stat?.kind === 'directory') return path
    if (stat) {
      const named = /^gitdir: ([^\n\0]+)\n?$/.exec((await readLatin1(path, 4096, files)) ?? '')?.[1]
      return named === undefined ? undefined : resolve(folder, named)
    }
    if (dirname(folder) === folder) return undefined
  }
}

/**
 * Looks for the name anywhere in the index, whatever its folder and case. Names stand there as they are only in the
 * versions 2 and 3, and all of them only without the extensions for split and sparse indexes.
 */
async function mayTrack(gitFolder: string, name: string, files: OwnFilePorts['files']): Promise<boolean> {
  const path = join(gitFolder, 'index')
  // Before the first `git add` there is none.
  if (!(await files.lstat(path))) return (await files.lstat(join(gitFolder, 'HEAD'))) === undefined
  const index = await readLatin1(path, MAX_INDEX, files)
  if (index === undefined || !/^DIRC\0\0\0[\x02\x03]/.test(index)) return true
  if (index.includes('link\0') || index.includes('sdir\0')) return true
  return index.toLowerCase().includes(`${name.toLowerCase()}\0`)
}

async function readLatin1(path: string, max: number, files: OwnFilePorts['files']): Promise<string | undefined> {
  const { content } = await files.snapshot(path, max)
  return content && new TextDecoder('latin1').decode(content)
}
