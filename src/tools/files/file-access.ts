/** What the file tools share about existing files: one look at them, one way to replace them, one memory of them. */
import { hashContent } from '../../platform/files/content-hash.js'
import { systemErrorCode } from '../../platform/files/file-stat.js'
import type { FileStat, OpenFile } from '../../platform/files/files.js'
import { readWholeFile } from '../../platform/files/open-file.js'
import { dirname } from '../../platform/paths.js'
import type { CallContext, ToolContext } from '../tool.js'
import { LINK_CHANGED_TEXT, notedDestination, resolveDestination, toolPath } from './file-paths.js'

/** Larger files are read in parts and not edited. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024

/** An open file; whoever asked for it closes it. */
export type OpenedFile = { realPath: string; file: OpenFile }

export type ReadFileContent = {
  /** Links resolved. */
  realPath: string
  stat: FileStat
  bytes: Buffer
  hash: string
}

/** A call and the path it names. The call's input is what its destination is remembered by. */
export type ToolInputPath = { input: object; path: string }

/** `undefined`: nothing there. A string: why it can't be read, for the model. */
export async function openFileForTool(
  named: ToolInputPath,
  context: ToolContext,
): Promise<OpenedFile | string | undefined> {
  const path = toolPath(named.path, context)
  try {
    const realPath = await resolveDestination(path, context)
    if (hasMoved(named.input, realPath, context)) return LINK_CHANGED_TEXT
    const { stat, file } = await context.platform.files.open(realPath)
    if (file) return { realPath, file }
    if (stat.kind === 'directory')
      return `EISDIR: illegal operation on a directory, read '${path}'. That is a folder: list it with Glob "${path}/*".`
    // The link at the end leads nowhere.
    if (stat.kind === 'symlink') return undefined
    return `Not a regular file but a pipe, socket or device, which can't be read: ${path}`
  } catch (error) {
    const code = systemErrorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    return describeSystemError(error)
  }
}

/** The whole of a file that is to be changed; results as for `openFileForTool`. */
export async function readFileForTool(
  named: ToolInputPath,
  context: ToolContext,
): Promise<ReadFileContent | string | undefined> {
  const opened = await openFileForTool(named, context)
  if (opened === undefined || typeof opened === 'string') return opened
  const { realPath, file } = opened
  try {
    const bytes = await readWholeFile(file, MAX_FILE_BYTES)
    if (bytes) return { realPath, stat: file.stat, bytes, hash: await hashContent(bytes) }
    return `File is too large to be changed here (${formatSize(file.stat.size)}, at most ${formatSize(MAX_FILE_BYTES)}). Change it with a command in Bash.`
  } catch (error) {
    return describeSystemError(error)
  } finally {
    await file.close()
  }
}

/** `path` is absolute. */
export async function missingFileText(path: string, context: ToolContext): Promise<string> {
  const { suggestFileText } = await import('./similar-files.js')
  const hint = await suggestFileText(path, context).catch(() => '')
  const where = context.session.shellCwd
  return `File does not exist. Note: your current working directory is ${where}.${hint && ` ${hint}`}`
}

export function rememberReadFile(
  file: { realPath: string; stat: FileStat; hash: string },
  partial: boolean,
  context: ToolContext,
): void {
  const { mtimeMs, size } = file.stat
  context.session.readFiles.set(file.realPath, { mtimeMs, size, hash: file.hash, partial })
}

const CHANGED =
  'File has changed since it was last read, by the user or by a program. Read it again before writing to it.'

/** Why an existing file may not be overwritten now. */
export async function whyOverwriteIsRefused(file: ReadFileContent, context: ToolContext): Promise<string | undefined> {
  const record = context.session.readFiles.get(file.realPath)
  if (!record) return 'File has not been read yet. Read it first before writing to it.'
  // The hash alone decides: a touched file has not changed, and a changed one may keep its time and size.
  if (record.hash !== file.hash) return CHANGED
  // Renaming over a read-only file would work, and so would root's writes; the mode says what was meant.
  if ((file.stat.mode & 0o222) === 0 || !(await context.platform.files.isWritable(file.realPath))) {
    return `File is read-only: ${file.realPath}`
  }
  // Replacing the file would cut it off from its other names, and writing into it would change those, which nobody was
  // asked about: a package store (pnpm, uv) or a backup keeps its files that way. So it is for the user to say.
  if (file.stat.links > 1) {
    return `File has ${file.stat.links} hard links, and a change would reach or lose the others. Make it a file of its own first (copy it and move the copy over it), or change it with a command in Bash.`
  }
  return undefined
}

/** Why no new file can be made at `path`, where nothing was found. */
export async function whyNewFileIsRefused(path: string, context: ToolContext): Promise<string | undefined> {
  const found = await context.platform.files.lstat(path)
  return found?.kind === 'symlink' ? `The path is a symbolic link that leads nowhere: ${path}` : undefined
}

/** Replaces `old`, or makes a new file with the folders it needs. A string: why it failed; then no file changed. */
export async function saveFileOfTool(
  named: ToolInputPath,
  old: ReadFileContent | undefined,
  bytes: Uint8Array,
  context: CallContext,
): Promise<string | undefined> {
  const { files } = context.platform
  const path = toolPath(named.path, context)
  if (context.signal.aborted) return 'Interrupted before the file was written.'
  try {
    const target = old?.realPath ?? (await resolveDestination(path, context))
    if (hasMoved(named.input, target, context)) return LINK_CHANGED_TEXT
    if (old) {
      await files.replace(target, bytes, old.stat.mode, { ...old.stat, content: old.bytes })
    } else {
      await files.makeDirectory(dirname(target))
      // The new folders stand where permission was given for, not behind a link that came meanwhile.
      if ((await files.realpath(dirname(target))) !== dirname(target)) return LINK_CHANGED_TEXT
      const isTaken = await files.create(target, bytes).then(
        () => false,
        (error) => systemErrorCode(error) === 'EEXIST' || Promise.reject(error),
      )
      if (isTaken) return `Could not write ${path}: another program has made a file there meanwhile. Read it first.`
    }
    const stat = await files.lstat(target)
    const partial = context.session.readFiles.get(target)?.partial ?? false
    if (stat) rememberReadFile({ realPath: target, stat, hash: await hashContent(bytes) }, partial, context)
    return undefined
  } catch (error) {
    if (systemErrorCode(error) === 'ESTALE') return CHANGED
    if (systemErrorCode(error) === 'ELOOP') return LINK_CHANGED_TEXT
    // The path in the message is that of the temporary file, so only its first part is of use.
    return `Could not write ${path}: ${describeSystemError(error).split(',', 1)[0]}`
  }
}

export function formatSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** What the system said about an expected failure; anything else is a bug and thrown on. */
export function describeSystemError(error: unknown): string {
  if (error instanceof Error && systemErrorCode(error) !== undefined) return error.message
  throw error
}

function hasMoved(input: object, realPath: string, context: ToolContext): boolean {
  const noted = notedDestination(input, context)
  return noted !== undefined && noted !== realPath
}
