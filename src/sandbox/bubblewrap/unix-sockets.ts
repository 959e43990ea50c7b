/** Sockets that are files, when the settings allow some of them: the others are covered, as far as they are known. */
import { readFile } from 'node:fs/promises'
import { isAbsolute, normalize } from '../../platform/paths.js'
import { isReachableWithoutRoot, resolveLinks, statOrNothing } from '../files/file-places.js'

/** Real paths of the sockets somebody has bound in our network namespace. Those bound by a relative name can't be found. */
export async function listBoundSockets(): Promise<string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '')
  const paths = table.split('\n').map((line) => /^(?:\S+\s+){7}(.*)$/.exec(line)?.[1] ?? '')
  const found = await Promise.all(
    [...new Set(paths.filter(isAbsolute))].map((path) => findReachableSocket(normalize(path))),
  )
  return [...new Set(found.filter((path) => path !== undefined))]
}

export async function findReachableSocket(path: string): Promise<string | undefined> {
  const real = await resolveLinks(path)
  return (await statOrNothing(real))?.isSocket() && (await isReachableWithoutRoot(real)) ? real : undefined
}
