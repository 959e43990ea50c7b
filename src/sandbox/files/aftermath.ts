/** After a command: what it put at protected names that could not be kept shut is moved aside, and links are put back. */
import { readlink, rename, rmdir, symlink } from 'node:fs/promises'
import { createLook, isPlaceholder, type Look, look } from './file-places.js'
import { ASIDE } from './runs-by-itself.js'

export type Expectation = {
  path: string
  /** What the link there pointed to before; undefined when nothing was there. */
  link: string | undefined
}

const MAX_NAMES = 100

/** Says what was found, for the one who ran the command. `planted`: what would run by itself later, and did not before. */
export async function putRight(
  expectations: readonly Expectation[],
  planted: readonly string[] = [],
): Promise<string[]> {
  const lookOnce = createLook()
  const wrong = await Promise.all(
    expectations.map(async (expected) => ((await holds(expected, lookOnce)) ? [] : [expected])),
  )
  const remarks: string[] = []
  // One after the other: two may concern the same place.
  for (const { path, link } of wrong.flat()) {
    const aside = await moveAside(path)
    if (link !== undefined) await symlink(link, path).catch(() => undefined)
    if (aside === 'failed')
      remarks.push(`${path} is protected but was changed, and could not be put right. Look at it.`)
    else if (aside !== undefined) remarks.push(`${path} is protected: what the command put there is now ${aside}.`)
    else if (link !== undefined) remarks.push(`${path} is protected: the link was put back.`)
  }
  for (const path of planted) {
    const aside = await moveAside(path)
    if (aside === 'failed')
      remarks.push(`${path} would run programs by itself, and could not be put right. Look at it.`)
    else if (aside !== undefined) remarks.push(`${path} would run programs by itself: it is now ${aside}.`)
  }
  return remarks
}

async function holds({ path, link }: Expectation, look: Look): Promise<boolean> {
  const stats = await look(path)
  if (link === undefined) return !stats || isPlaceholder(stats)
  return stats?.isSymbolicLink() === true && (await readlink(path).catch(() => undefined)) === link
}

/** To where it was moved; undefined when nothing is there any more. */
async function moveAside(path: string): Promise<string | undefined> {
  const isEmpty = await rmdir(path).then(
    () => true,
    () => false,
  )
  if (isEmpty || !(await look(path))) return undefined
  for (let attempt = 0; attempt < MAX_NAMES; attempt++) {
    const aside = `${path}${ASIDE}${attempt === 0 ? '' : `-${attempt}`}`
    if (await look(aside)) continue
    try {
      await rename(path, aside)
      return aside
    } catch {
      break
    }
  }
  return 'failed'
}
