/** Finds out how each protected path can be protected: by a mount upon it, by taking its name, or by a look at it afterwards. */
import { readFile } from 'node:fs/promises'
import { dirname, isInside, join, relative, resolve } from '../platform/paths.js'
import type { Expectation } from './aftermath.js'
import { createLook, follow, realPlace } from './file-places.js'
import type { Mount } from './mount-order.js'
import type { Protection } from './protected-names.js'

type Mode = keyof Protection

export interface Protector {
  /** `path` is absolute. Nothing is to be done for what is not in a writable folder. */
  protect(path: string, mode: Mode): Promise<void>
  protectNames(folder: string, names: Protection): Promise<void>
  /** Where git has been told to look for hooks instead of `.git/hooks`. */
  protectHooks(folder: string): Promise<void>
  readonly mounts: Mount[]
  readonly expectations: Expectation[]
}

/** More than anybody nests links on purpose. */
const MAX_LINKS = 8

/** For one command: it sees the files as they are when it looks first. */
export function createProtector(writable: readonly string[]): Protector {
  const mounts: Mount[] = []
  const expectations: Expectation[] = []
  const look = createLook()

  const protect = async (path: string, mode: Mode, links = 0): Promise<void> => {
    const root = writable.find((folder) => isInside(path, folder))
    if (root === undefined || links > MAX_LINKS) return
    const place = await follow(root, relative(root, path).split('/').filter(Boolean), look)
    if (place.kind === 'link') {
      // A link can't be mounted upon: it is looked after, and protected is what it leads to.
      expectations.push({ path: place.path, link: place.target })
      const next = resolve(dirname(place.path), place.target, relative(place.path, path))
      await protect(await realPlace(next), mode, links + 1)
    } else if (place.kind === 'there') mounts.push({ path: place.path, as: 'read-only' })
    else if (mode === 'taken') mounts.push({ path: place.path, as: 'taken' })
    else if (mode === 'cleared') expectations.push({ path, link: undefined })
  }

  return {
    mounts,
    expectations,
    protect,
    async protectNames(folder, names) {
      const modes = ['taken', 'cleared', 'readOnly'] as const
      await Promise.all(modes.flatMap((mode) => names[mode].map((name) => protect(join(folder, name), mode))))
    },
    async protectHooks(folder) {
      const config = await readFile(join(folder, '.git', 'config'), 'utf8').catch(() => '')
      for (const [, value = ''] of config.matchAll(/^\s*hookspath\s*=\s*"?(.*?)"?\s*$/gim)) {
        if (value !== '' && !value.startsWith('~')) await protect(resolve(folder, value), 'taken')
      }
    },
  }
}
