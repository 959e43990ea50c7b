/** Whether git, started where a command line stands, may take its orders from another repository than the project's. */
import { dirname, isInside } from '../../../platform/paths.js'
import type { PathFinder } from '../../path-places.js'
import type { Whereabouts } from '../whereabouts.js'

/** `cwd` is the session's; the shell may stand somewhere below since an earlier command. */
export async function isStrangeGround(whereabouts: Whereabouts, finder: PathFinder, cwd: string): Promise<boolean> {
  if (whereabouts.moved) return true
  for (const folder of whereabouts.folders) {
    if (!isInside(folder, cwd)) return true
    for (let at = folder; at !== cwd; at = dirname(at)) if (await isRepository(at, finder)) return true
  }
  // Files that were put there can look like a repository of their own; git goes by them only where there is no `.git`.
  return (await finder.kind(`${cwd}/.git`)) === undefined && isBare(cwd, finder)
}

async function isRepository(folder: string, finder: PathFinder): Promise<boolean> {
  return (await finder.kind(`${folder}/.git`)) !== undefined || isBare(folder, finder)
}

async function isBare(folder: string, finder: PathFinder): Promise<boolean> {
  for (const name of ['HEAD', 'objects', 'refs']) if (!(await finder.kind(`${folder}/${name}`))) return false
  return true
}
