/** Finds out how each protected path can be protected: by a mount upon it, by taking its name, or by a look at it afterwards. */
import { basename, dirname, isInside, join, relative, resolve } from '../../platform/paths.js'
import { createCachedStat, followLinks, readRegularFile, resolveLinks } from '../files/file-places.js'
import type { FileSearch } from '../files/pattern-search.js'
import { NESTED_PROTECTED_NAMES, REPOSITORY_WRITE_PROTECTION, type WriteProtection } from '../files/protected-names.js'
import type { ExpectedPath } from '../files/restore-paths.js'
import type { Mount } from './mount-order.js'

type Mode = keyof WriteProtection

export interface PathProtector {
  /** `path` is absolute. Nothing is to be done for what is not in a writable folder. */
  protect(path: string, mode: Mode): Promise<void>
  protectNames(folder: string, names: WriteProtection): Promise<void>
  /** Where git has been told to look for hooks instead of `.git/hooks`, and for more configuration. */
  protectHooks(folder: string): Promise<void>
  /** In folders inside `root`: other repositories, packages with settings of their own. */
  protectNested(root: string, search: FileSearch): Promise<void>
  readonly mounts: Mount[]
  readonly expectations: ExpectedPath[]
}

/** More than anybody nests links on purpose. */
const MAX_LINKS = 8
/** As deep as people nest repositories; and not for longer than a command can wait. */
const NESTED_WITHIN = { depth: 3, folders: 1_000 }

/** For one command: it sees the files as they are when it looks first. */
export function createPathProtector(writable: readonly string[]): PathProtector {
  const mounts: Mount[] = []
  const expectations: ExpectedPath[] = []
  const look = createCachedStat()

  const protect = async (path: string, mode: Mode, links = 0): Promise<void> => {
    const root = writable.find((folder) => isInside(path, folder))
    if (root === undefined || links > MAX_LINKS) return
    const place = await followLinks(root, relative(root, path).split('/').filter(Boolean), look)
    if (place.kind === 'link') {
      // A link can't be mounted upon: it is looked after, and protected is what it leads to.
      expectations.push({ path: place.path, link: place.target })
      const next = resolve(dirname(place.path), place.target, relative(place.path, path))
      await protect(await resolveLinks(next), mode, links + 1)
    } else if (place.kind === 'there') mounts.push({ path: place.path, as: 'read-only' })
    else if (mode === 'taken') mounts.push({ path: place.path, as: 'taken' })
    else if (mode === 'cleared') expectations.push({ path, link: undefined })
  }

  const protectNames = async (folder: string, names: WriteProtection): Promise<void> => {
    const modes = ['taken', 'cleared', 'readOnly'] as const
    await Promise.all(modes.flatMap((mode) => names[mode].map((name) => protect(join(folder, name), mode))))
  }
  const protectHooks = async (folder: string): Promise<void> => {
    for (const { from, to } of gitPaths(readRegularFile(join(folder, '.git', 'config')) ?? '')) {
      await protect(from === 'worktree' ? resolve(folder, to) : resolve(folder, '.git', to), 'taken')
    }
  }

  return {
    mounts,
    expectations,
    protect,
    protectNames,
    protectHooks,
    async protectNested(root, search) {
      const matches = (path: string) => NESTED_PROTECTED_NAMES.includes(basename(path)) && dirname(path) !== root
      for (const path of search([{ start: root, all: false, text: 'nested', within: NESTED_WITHIN, matches }])) {
        const isRepository = basename(path) === '.git' && (await look(path))?.isDirectory() === true
        if (!isRepository) await protect(path, 'readOnly')
        else await Promise.all([protectNames(dirname(path), REPOSITORY_WRITE_PROTECTION), protectHooks(dirname(path))])
      }
    },
  }
}

type GitPath = { from: 'worktree' | 'configuration'; to: string }

/** Where a configuration of git leads: to hooks, and to more configuration. Places in the home folder are not the project's. */
function gitPaths(config: string): GitPath[] {
  let section = ''
  return config.split('\n').flatMap((line): GitPath[] => {
    section = /^\s*\[\s*([\w.-]+)/.exec(line)?.[1]?.toLowerCase() ?? section
    const [, key = '', value = ''] = /(?:^|\])\s*(\w+)\s*=([\s\S]*)$/.exec(line) ?? []
    const to = value.trim().replace(/^"|"$/g, '')
    if (to === '' || to.startsWith('~')) return []
    if (section === 'core' && key.toLowerCase() === 'hookspath') return [{ from: 'worktree', to }]
    return /^include(?:if)?$/.test(section) && key.toLowerCase() === 'path' ? [{ from: 'configuration', to }] : []
  })
}
