/** After a command: what it put at protected names that could not be kept shut is moved aside, and links are put back. */
import { readlink, rename, rmdir, symlink } from 'node:fs/promises'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import { type HeldFolder, withHeldFolder } from '../../platform/files/held-folder.js'
import { basename, dirname } from '../../platform/paths.js'
import { createCachedStat, isPlaceholder, type StatOrNothing, statOrNothing } from './file-places.js'
import { BLOCKED_FILE_SUFFIX } from './self-running-files.js'

export type ExpectedPath = {
  path: string
  /** What the link there pointed to before; undefined when nothing was there. */
  link: string | undefined
}

const MAX_NAMES = 100

/** Says what was found, for the one who ran the command. `planted`: what would run by itself later, and did not before. */
export async function restoreExpectedPaths(
  expectations: readonly ExpectedPath[],
  planted: readonly string[] = [],
): Promise<string[]> {
  const lookOnce = createCachedStat()
  const wrong = await Promise.all(
    expectations.map(async (expected) => ((await holds(expected, lookOnce)) ? [] : [expected])),
  )
  const remarks: string[] = []
  // One after the other: two may concern the same place.
  for (const { path, link } of wrong.flat()) {
    const aside = await putOneRight(path, link)
    if (aside === 'failed')
      remarks.push(`${path} is protected but was changed, and could not be put right. Look at it.`)
    else if (aside !== undefined) remarks.push(`${path} is protected: what the command put there is now ${aside}.`)
    else if (link !== undefined) remarks.push(`${path} is protected: the link was put back.`)
  }
  for (const path of planted) {
    const aside = await putOneRight(path, undefined)
    if (aside === 'failed')
      remarks.push(`${path} would run programs by itself, and could not be put right. Look at it.`)
    else if (aside !== undefined) remarks.push(`${path} would run programs by itself: it is now ${aside}.`)
  }
  return remarks
}

async function holds({ path, link }: ExpectedPath, look: StatOrNothing): Promise<boolean> {
  const stats = await look(path)
  if (link === undefined) return !stats || isPlaceholder(stats)
  return stats?.isSymbolicLink() === true && (await readlink(path).catch(() => undefined)) === link
}

/**
 * To where it was moved; undefined when nothing is there any more. Done in the very folder: the command, or one that still
 * runs, may have put a link in its place, behind which is nothing that the command could change.
 */
async function putOneRight(path: string, link: string | undefined): Promise<string | undefined> {
  try {
    return await withHeldFolder(dirname(path), { exact: true }, async (folder) => {
      const aside = await moveAside(path, folder)
      if (link !== undefined) await symlink(link, folder.at(basename(path))).catch(() => undefined)
      return aside
    })
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes(systemErrorCode(error) ?? '') ? undefined : 'failed'
  }
}

async function moveAside(path: string, folder: HeldFolder): Promise<string | undefined> {
  const here = folder.at(basename(path))
  const isEmpty = await rmdir(here).then(
    () => true,
    () => false,
  )
  if (isEmpty || !(await statOrNothing(here))) return undefined
  for (let attempt = 0; attempt < MAX_NAMES; attempt++) {
    const ending = `${BLOCKED_FILE_SUFFIX}${attempt === 0 ? '' : `-${attempt}`}`
    if (await statOrNothing(here + ending)) continue
    try {
      await rename(here, here + ending)
      return path + ending
    } catch {
      break
    }
  }
  return 'failed'
}
