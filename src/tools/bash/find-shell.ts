/** Where programs are looked for: never where a repository could have put them. */
import { delimiter, isAbsolute, isInside, join } from '../../platform/paths.js'
import { gitBashCandidatePaths } from '../../platform/windows/git-bash.js'
import type { ToolContext } from '../tool.js'

/** Bash has one of its own for when there is none, and on some systems that begins where the shell stands. */
const USUAL_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'

/**
 * Returns the PATH without empty and relative parts: they mean the folder the shell stands in, and a repository that
 * has its own `ls` there would run it whenever somebody looks around.
 */
export function onlyAbsolutePathEntries(path: string | undefined): string {
  const folders = (path ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.length > 0 ? folders.join(delimiter) : USUAL_PATH
}

/** Bash by its whole name. Not one in a working directory, even if PATH leads there. */
export async function findShell(
  path: string | undefined,
  {
    platform,
    directories,
    env,
  }: Pick<ToolContext, 'directories' | 'env'> & {
    platform: Pick<ToolContext['platform'], 'files' | 'identity'>
  },
): Promise<string> {
  const { files, identity } = platform
  const isWindows = identity.os === 'win32'
  const places = isWindows
    ? gitBashCandidatePaths(env)
    : onlyAbsolutePathEntries(path)
        .split(delimiter)
        .map((folder) => join(folder, 'bash'))
  const untrusted = await Promise.all(
    directories().map(async (directory) => [directory, await files.realpath(directory).catch(() => directory)]),
  )
  for (const candidate of places) {
    try {
      const real = await files.realpath(candidate)
      const stat = await files.stat(real)
      if (stat?.kind !== 'file' || (!isWindows && (stat.mode & 0o111) === 0)) continue
      if (![candidate, real].some((place) => untrusted.flat().some((root) => isInside(place, root)))) return candidate
    } catch {
      // Not here, or not for us.
    }
  }
  return isWindows ? 'C:\\Program Files\\Git\\bin\\bash.exe' : '/bin/bash'
}
