/** What is known of a file without reading it, or of why it can't be read. */
import type { Stats } from 'node:fs'
import type { FileKind, FileStat } from '../../protocol/workspace/workspace-files.js'

export type { FileKind, FileStat } from '../../protocol/workspace/workspace-files.js'

export function toFileStat(stat: Stats): FileStat {
  return {
    kind: kindOf(stat),
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    mode: stat.mode & 0o7777,
    dev: stat.dev,
    ino: stat.ino,
    uid: stat.uid,
    links: stat.nlink,
  }
}

function kindOf(stat: Stats): FileKind {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  return stat.isSymbolicLink() ? 'symlink' : 'other'
}

/** The `code` of a failed system call: ENOENT, EACCES, … */
export function systemErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
