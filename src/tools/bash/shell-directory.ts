/** Where the shell stands: carried over from call to call, and never outside the working directories. */
import { isInside, join, relative } from '../../platform/paths.js'
import type { ToolContext } from '../tool.js'

/** The folder to start in. One that is gone is left for the session's own folder; undefined when that is gone too. */
export async function startDirectory(context: ToolContext): Promise<{ path: string; reset: boolean } | undefined> {
  const { session, cwd, platform } = context
  const exists = async (path: string) => (await platform.files.stat(path))?.kind === 'directory'
  if (await exists(session.shellCwd)) return { path: session.shellCwd, reset: false }
  if (!(await exists(cwd))) return undefined
  session.shellCwd = cwd
  return { path: cwd, reset: true }
}

/**
 * Follows a command that began in `from` to where it ended (links resolved). Outside the working directories the shell
 * goes back to the session's folder instead; true says that it did.
 */
export async function followShell(from: string, reached: string, context: ToolContext): Promise<boolean> {
  const { session, platform } = context
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
