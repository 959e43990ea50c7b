/** Paths as settings write them. */
import { join, resolve } from '../../platform/paths.js'
import { statOrNothing } from './file-places.js'

/** The sandbox can't hold what was asked for. */
export class ImpossibleSandbox extends Error {}

/** `~/x` is in the home folder, `//x` absolute as in permission rules, the rest starts at `base`. */
export function settingPathReader(base: string, home: string | undefined): (path: string) => string {
  return (path) => {
    if (path !== '~' && !path.startsWith('~/')) return resolve(base, path.replace(/^\/+/, '/'))
    if (home === undefined)
      throw new ImpossibleSandbox(`${path} is in the home folder, and there is none: HOME is not set.`)
    return join(home, path.slice(1))
  }
}

/** `folder/**` is all of the folder. */
export function withoutAllSuffix(path: string): string {
  return path.replace(/\/\*\*$/, '')
}

/** Refuses patterns: to leave one out would let through what it denies. */
export async function requireLiteralPaths(
  paths: readonly string[] | undefined,
  setting: 'denyWrite' | 'denyRead',
  absolute: (path: string) => string,
): Promise<string[]> {
  const found: string[] = []
  for (const path of paths ?? []) {
    const place = absolute(withoutAllSuffix(path))
    if (/[*?[\]{}]/.test(withoutAllSuffix(path)) && !(await statOrNothing(place))) {
      throw new ImpossibleSandbox(
        `sandbox.filesystem.${setting} has the pattern ${path}, but a mount has no patterns. Name the files or folders.`,
      )
    }
    found.push(place)
  }
  return found
}
