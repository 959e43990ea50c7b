/** How the file tools reach files: one way to name them, one look at them, one way to replace them, one memory of them. */
import type { FileStat } from '../../platform/files.js'
import { basename, dirname, isAbsolute, join, resolve } from '../../platform/paths.js'
import type { CallContext, ToolContext } from '../tool.js'
import { hashContent } from './content-hash.js'

/** Larger files are for Grep and Bash. */
const MAX_FILE_BYTES = 50 * 1024 * 1024

export type FoundFile = {
  /** Links resolved. */
  realPath: string
  stat: FileStat
  bytes: Uint8Array
}

/** `undefined`: nothing there. A string: why it can't be read, for the model. */
export async function findFile(path: string, context: ToolContext): Promise<FoundFile | string | undefined> {
  const { files } = context.platform
  try {
    const realPath = await files.realpath(path)
    const { stat, content } = await files.snapshot(realPath, MAX_FILE_BYTES)
    if (content) return { realPath, stat, bytes: content }
    if (stat.kind === 'directory') return `EISDIR: illegal operation on a directory, read '${path}'`
    if (stat.kind !== 'file') return `Not a regular file but a pipe, socket or device, which can't be read: ${path}`
    return `File is too large (${formatSize(stat.size)}, at most ${formatSize(MAX_FILE_BYTES)}). Use Grep or Bash to get at parts of it.`
  } catch (error) {
    const code = codeOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return systemMessage(error)
  }
}

/** Absolute, `~` resolved. The same answer for permission facts and for the work itself. */
export function absolutePath(path: string, context: ToolContext): string {
  const home = context.env['HOME']
  if (home && isAbsolute(home) && (path === '~' || path.startsWith('~/'))) return join(home, path.slice(1))
  return resolve(context.cwd, path)
}

export function missingFile(context: ToolContext): string {
  return `File does not exist. Note: your current working directory is ${context.cwd}.`
}

/** No system call takes such a path; refused before anybody is asked about it. */
export function refusePath(path: string): string | undefined {
  return path.includes('\0') ? 'The path contains a NUL character.' : undefined
}

export function rememberFile(file: FoundFile, partial: boolean, context: ToolContext): void {
  const { mtimeMs, size } = file.stat
  context.session.readFiles.set(file.realPath, { mtimeMs, size, hash: hashContent(file.bytes), partial })
}

/** Why an existing file may not be overwritten now. */
export async function refuseOverwrite(file: FoundFile, context: ToolContext): Promise<string | undefined> {
  const record = context.session.readFiles.get(file.realPath)
  if (!record) return 'File has not been read yet. Read it first before writing to it.'
  // The hash alone decides: a touched file has not changed, and a changed one may keep its time and size.
  if (record.hash !== hashContent(file.bytes)) {
    return 'File has changed since it was last read, by the user or by a program. Read it again before writing to it.'
  }
  // Renaming over a read-only file would work, and so would root's writes; the mode says what was meant.
  if ((file.stat.mode & 0o222) === 0 || !(await context.platform.files.isWritable(file.realPath))) {
    return `File is read-only: ${file.realPath}`
  }
  return undefined
}

/** Why no new file can be made at `path`, where nothing was found. */
export async function refuseNewFile(path: string, context: ToolContext): Promise<string | undefined> {
  const link = await context.platform.files.lstat(path)
  return link ? `The path is a symbolic link that leads nowhere: ${path}` : undefined
}

/** Replaces `old`, or makes a new file at `path` with the folders it needs. A string: why it failed; then nothing changed. */
export async function saveFile(
  path: string,
  old: FoundFile | undefined,
  bytes: Uint8Array,
  context: CallContext,
): Promise<string | undefined> {
  const { files } = context.platform
  if (context.signal.aborted) return 'Interrupted before the file was written.'
  try {
    const target = old?.realPath ?? (await newTarget(path, context))
    await files.replace(target, bytes, old?.stat.mode)
    const stat = await files.stat(target)
    const partial = context.session.readFiles.get(target)?.partial ?? false
    if (stat) rememberFile({ realPath: target, stat, bytes }, partial, context)
    return undefined
  } catch (error) {
    // The path in the message is that of the temporary file, so only its first part is of use.
    return `Could not write ${path}: ${systemMessage(error).split(',', 1)[0]}`
  }
}

export function formatSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

async function newTarget(path: string, context: ToolContext): Promise<string> {
  await context.platform.files.makeDirectory(dirname(path))
  return join(await context.platform.files.realpath(dirname(path)), basename(path))
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** What the system said about an expected failure; anything else is a bug and thrown on. */
function systemMessage(error: unknown): string {
  if (error instanceof Error && codeOf(error) !== undefined) return error.message
  throw error
}
