/** Where the shell stands: carried over from call to call, and never outside the working directories. */
import { isInside, join, relative } from '../../platform/paths.js'
import type { ToolContext } from '../tool.js'

/** Where the next command begins: what it will touch is judged by this. A folder that is gone is left for the session's own. */
export function standsIn({ session, cwd, platform }: ToolContext): string {
  const isGone = platform.files.existsSync?.(session.shellCwd) === false
  return isGone ? cwd : session.shellCwd
}

/**
 * After a command could not be started: was it for its folder? A folder that is gone is left for the session's own, and
 * true says that it was; `gone` when there is none left to go to.
 */
export async function leaveLostDirectory({ session, cwd, platform }: ToolContext): Promise<boolean | 'gone'> {
  const exists = async (path: string) => (await platform.files.stat(path))?.kind === 'directory'
  if (await exists(session.shellCwd)) return false
  if (!(await exists(cwd))) return 'gone'
  session.shellCwd = cwd
  return true
}

/**
 * Follows a command that began in `from` to where it ended (links resolved). Outside the working directories the shell
 * goes back to the session's folder instead; true says that it did.
 */
export async function followShell(from: string, reached: string, context: ToolContext): Promise<boolean> {
  const { session, platform } = context
  // By far the most commands stay where they are.
  if (reached === from && context.directories().some((directory) => isInside(reached, directory))) return false
  if ((await platform.files.stat(reached))?.kind !== 'directory') return false
  const to = await insideName(reached, context)
  // Commands may run side by side: one that did not move must not undo the move of another.
  if (to !== from) session.shellCwd = to ?? context.cwd
  return to === undefined
}

/** The place named by way of the working directory it is in, which may itself be a link. */
async function insideName(reached: string, context: ToolContext): Promise<string | undefined> {
  for (const directory of context.directories()) {
    const real = await context.platform.files.realpath(directory).catch(() => directory)
    if (isInside(reached, real)) return join(directory, relative(real, reached))
  }
  return undefined
}
