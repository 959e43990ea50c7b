/** The order of mounts: shallow first, nothing twice, and folders on the way to a protected place held where they are. */
import { dirname, isInside } from '../../platform/paths.js'

export type Mount = {
  /** Absolute and real. */
  path: string
  as:
    | 'writable'
    | 'read-only'
    /** In a folder of the system the sandbox has its own of. */
    | 'shown'
    /** Something empty at a name that must not come into being. */
    | 'taken'
    | 'hidden-file'
    | 'hidden-folder'
}

export type OrderedMount = Mount & {
  /**
   * Folders in a writable one that can't be renamed or removed: by moving `.git` away, a command would get rid of its
   * protected `.git/hooks` without touching it. Deep ones first: what is mounted upon one hides those inside it.
   */
  pins: readonly string[]
}

/** For two mounts of the same path, the stricter one wins. */
const STRICTNESS: Readonly<Record<Mount['as'], number>> = {
  writable: 0,
  'read-only': 1,
  shown: 1,
  taken: 1,
  'hidden-file': 2,
  'hidden-folder': 2,
}

export function orderMounts(mounts: readonly Mount[]): OrderedMount[] {
  const byPath = new Map<string, Mount>()
  for (const mount of mounts) {
    const other = byPath.get(mount.path)
    if (!other || STRICTNESS[mount.as] > STRICTNESS[other.as]) byPath.set(mount.path, mount)
  }
  const kept: (Mount & { pins: Set<string> })[] = []
  for (const mount of [...byPath.values()].sort((a, b) => depth(a.path) - depth(b.path))) {
    const around = kept.findLast(({ path }) => isInside(mount.path, path))
    if (!changes(mount, around)) continue
    for (const folder of around?.as === 'writable' ? between(mount.path, around.path) : []) around?.pins.add(folder)
    kept.push({ ...mount, pins: new Set() })
  }
  const ordered = kept.map((mount) => ({ ...mount, pins: [...mount.pins].sort((a, b) => depth(b) - depth(a)) }))
  // What is hidden comes last, so that no other mount can show it.
  return [...ordered.filter((mount) => !isHidden(mount)), ...ordered.filter(isHidden)]
}

function isHidden({ as }: Mount): boolean {
  return as === 'hidden-file' || as === 'hidden-folder'
}

/** Outside everything that is mounted, all is read-only. */
function changes(mount: Mount, around: Mount | undefined): boolean {
  if (around?.as === 'hidden-folder') return false
  if (mount.as === 'writable') return around?.as !== 'writable'
  if (mount.as === 'shown') return around === undefined
  if (mount.as === 'read-only' || mount.as === 'taken') return around?.as === 'writable'
  return true
}

function between(path: string, root: string): string[] {
  const folders: string[] = []
  for (let folder = dirname(path); folder !== root; folder = dirname(folder)) folders.push(folder)
  return folders
}

function depth(path: string): number {
  return path.split('/').length
}
