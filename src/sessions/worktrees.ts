/** Finds the working trees of the repository a folder is in, by the files git keeps; no program is run. */
import type { FileSystem } from '../platform/files/files.js'
import { basename, dirname, join, resolve } from '../platform/paths.js'

const MAX_BYTES = 4096
const MAX_TREES = 200

/** The roots of all of them, the one of `folder` included; none when it is in no repository. */
export async function findGitWorktrees(files: FileSystem, folder: string): Promise<string[]> {
  const git = await gitFolder(files, folder)
  if (git === undefined) return []
  const link = join(git, 'worktrees')
  const names = (await files.entries(link, MAX_TREES).catch(() => [])).map(({ name }) => name)
  const linked = names.flatMap((name) => {
    const path = firstLine(files, join(link, name, 'gitdir'))
    return path === undefined ? [] : dirname(resolve(join(link, name), path))
  })
  return [...(basename(git) === '.git' ? [dirname(git)] : []), ...linked]
}

/** The one that all working trees share. */
async function gitFolder(files: FileSystem, folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, '.git')
    const stat = await files.stat(path).catch(() => undefined)
    if (stat?.kind === 'directory') return path
    if (stat?.kind === 'file') {
      const own = /^gitdir: (.+)$/.exec(firstLine(files, path) ?? '')?.[1]
      const common = own && firstLine(files, join(resolve(at, own), 'commondir'))
      return own && common ? resolve(at, own, common) : undefined
    }
    if (dirname(at) === at) return undefined
  }
}

function firstLine(files: FileSystem, path: string): string | undefined {
  try {
    return files.readTextSync(path, MAX_BYTES).split('\n')[0]?.trim()
  } catch {
    return undefined
  }
}
