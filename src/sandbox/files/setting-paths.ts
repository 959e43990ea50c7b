/** Paths as settings write them. */
import { join, resolve } from '../../platform/paths.js'
import { statOrNothing } from './file-places.js'

/** The sandbox can't hold what was asked for. */
export class ImpossibleSandboxError extends Error {}

/** `~/x` is in the home folder, `//x` absolute as in permission rules, the rest starts at `base`. */
export function createSettingPathResolver(base: string, home: string | undefined): (path: string) => string {
  return (path) => {
    if (path !== '~' && !path.startsWith('~/')) return resolve(base, path.replace(/^\/+/, '/'))
    if (home === undefined)
      throw new ImpossibleSandboxError(`${path} is in the home folder, and there is none: HOME is not set.`)
    return join(home, path.slice(1))
  }
}

/** `folder/**` is all of the folder. */
export function withoutDoubleStarSuffix(path: string): string {
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
    const place = absolute(withoutDoubleStarSuffix(path))
    if (/[*?[\]{}]/.test(withoutDoubleStarSuffix(path)) && !(await statOrNothing(place))) {
      throw new ImpossibleSandboxError(
        `sandbox.filesystem.${setting} has the pattern ${path}, but a mount has no patterns. Name the files or folders.`,
      )
    }
    found.push(place)
  }
  return found
}
