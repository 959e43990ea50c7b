/** Looks for a program in PATH, passing by what a sandboxed command could have put there. */
import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { isAbsolute, isInside, join } from '../platform/paths.js'

/** The first in `path` (a PATH) that is not in one of `untrusted`; links resolved. */
export async function findTrustedProgram(
  name: string,
  path: string | undefined,
  untrusted: readonly string[],
): Promise<{ found: string | undefined; notExecutable: string | undefined }> {
  let notExecutable: string | undefined
  for (const folder of (path ?? '').split(':').filter(isAbsolute)) {
    const candidate = join(folder, name)
    try {
      const real = await realpath(candidate)
      if (!(await stat(real)).isFile()) continue
      if ([candidate, real].some((place) => untrusted.some((root) => isInside(place, root)))) continue
      notExecutable ??= candidate
      await access(real, constants.X_OK)
      return { found: real, notExecutable: undefined }
    } catch {
      // Not here, or not for us.
    }
  }
  return { found: undefined, notExecutable }
}
