/** Where the shell stands: carried over from call to call, and never outside the working directories. */
import { systemErrorCode } from '../../platform/files/file-stat.js'
import { isInside, join, relative } from '../../platform/paths.js'
import type { ToolContext } from '../tool.js'

/**
 * The folder in which a command starts. Where a command begins: found before it is judged, which goes by this, and
 * nowhere else does it run.
 */
export type CommandFolder = {
  /** As the shell calls it. */
  readonly cwd: string
  /** Links followed. Undefined: that was not possible, so nobody can judge it, and nothing is to run. */
  readonly real: string | undefined
  /** The folder that the shell stood in is gone. */
  readonly lost?: string
}

/** Returns the folder in which the next command starts. A folder that is gone is left for the session's own. */
export async function findCommandFolder({ session, cwd, platform }: ToolContext): Promise<CommandFolder> {
  const { files } = platform
  const { shellCwd } = session
  const follow = (path: string) => files.realpath(path).catch(() => undefined)
  const real = await follow(shellCwd)
  const isThere = real !== undefined && (await files.stat(real).catch(() => undefined))?.kind === 'directory'
  return isThere ? { cwd: shellCwd, real } : { cwd, real: await follow(cwd), lost: shellCwd }
}

/** The shell leaves a folder that is gone for that of the session, unless another command has led it elsewhere. */
export function resetLostShellFolder(lost: string | undefined, { session, cwd }: ToolContext): void {
  if (session.shellCwd === lost) session.shellCwd = cwd
}

/**
 * After a command could not be started: was it for its folder, and why? A folder that is gone is left. Undefined: it was
 * for something else.
 */
export async function explainStartFolderFailure(
  { cwd, real }: CommandFolder,
  error: unknown,
  context: ToolContext,
): Promise<string | undefined> {
  const now = await context.platform.files.realpath(cwd).catch(() => undefined)
  if (now === undefined) {
    if (cwd === context.cwd) return missingFolderText(cwd)
    resetLostShellFolder(cwd, context)
    return `The folder that the command was to run in is gone: ${cwd}. The shell stands in ${context.session.shellCwd} now. ${AGAIN}`
  }
  if (now === real && systemErrorCode(error) !== 'ELOOP') return undefined
  return `${replacedFolderText(cwd)} ${AGAIN}`
}

export function missingFolderText(cwd: string): string {
  return `The working directory does not exist any more: ${cwd}`
}

const AGAIN = 'Nothing was run. Run it again if that is where it is meant to run.'

export function replacedFolderText(cwd: string): string {
  return `The folder that the command was allowed to run in has been moved, or a link has taken its place: ${cwd}.`
}

/**
 * Follows a command that began in `from` to where it ended (links resolved). Outside the working directories the shell
 * goes back to the session's folder instead; true says that it did.
 */
export async function followShellFolder(from: string, reached: string, context: ToolContext): Promise<boolean> {
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

/** May the command lead the shell elsewhere? Rather too often than not: what may, runs alone, and that costs little. */
export function mayChangeFolder(command: string): boolean {
  return /(?:^|[^\w./-])(?:cd|pushd|popd|eval|source)(?![\w-])/.test(command)
}
