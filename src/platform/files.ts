/** Files, as a port. Errors are Node's own, with their `code` (ENOENT, EACCES, …). */
import * as fs from 'node:fs'
import * as fsp from 'node:fs/promises'

export type FileKind = 'file' | 'directory' | 'symlink' | 'other'
export type FileStat = { kind: FileKind; size: number; mtimeMs: number; mode: number; dev: number; ino: number }

export interface FileSystem {
  read(path: string): Promise<Uint8Array>
  /** Follows links. Undefined when there is nothing. */
  stat(path: string): Promise<FileStat | undefined>
  /** Does not follow links. */
  lstat(path: string): Promise<FileStat | undefined>
  realpath(path: string): Promise<string>
  /** Names only. */
  list(path: string): Promise<string[]>
  makeDirectory(path: string, mode?: number): Promise<void>
  /** Writes a temporary file beside `path` and renames it over: readers see the old or the new content, never half. */
  replace(path: string, content: Uint8Array | string, mode?: number): Promise<void>
  remove(path: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  /** Appends one record with a single write. Creates the file (0600) but not its folder. */
  appendSync(path: string, content: string): void
  existsSync(path: string): boolean
  readTextSync(path: string): string
  makeDirectorySync(path: string, mode?: number): void
}

function kindOf(stat: fs.Stats): FileKind {
  if (stat.isFile()) return 'file'
  if (stat.isDirectory()) return 'directory'
  return stat.isSymbolicLink() ? 'symlink' : 'other'
}

function toStat(stat: fs.Stats): FileStat {
  return {
    kind: kindOf(stat),
    size: stat.size,
    mtimeMs: stat.mtimeMs,
    mode: stat.mode & 0o7777,
    dev: stat.dev,
    ino: stat.ino,
  }
}

async function orUndefined(stat: Promise<fs.Stats>): Promise<FileStat | undefined> {
  try {
    return toStat(await stat)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

let temporaryCounter = 0

export const nodeFiles: FileSystem = {
  read: (path) => fsp.readFile(path),
  stat: (path) => orUndefined(fsp.stat(path)),
  lstat: (path) => orUndefined(fsp.lstat(path)),
  realpath: (path) => fsp.realpath(path),
  list: (path) => fsp.readdir(path),
  async makeDirectory(path, mode) {
    await fsp.mkdir(path, { recursive: true, mode })
  },
  async replace(path, content, mode) {
    temporaryCounter += 1
    const temporary = `${path}.${process.pid}-${temporaryCounter}.tmp`
    try {
      const handle = await fsp.open(temporary, 'wx', mode ?? 0o666)
      try {
        await handle.writeFile(content)
        // The creation mode is subject to umask; an explicit mode is not.
        if (mode !== undefined) await handle.chmod(mode)
      } finally {
        await handle.close()
      }
      await fsp.rename(temporary, path)
    } catch (error) {
      await fsp.rm(temporary, { force: true })
      throw error
    }
  },
  remove: (path) => fsp.rm(path, { force: true }),
  rename: (from, to) => fsp.rename(from, to),
  appendSync: (path, content) => fs.appendFileSync(path, content, { mode: 0o600 }),
  existsSync: (path) => fs.existsSync(path),
  readTextSync: (path) => fs.readFileSync(path, 'utf8'),
  makeDirectorySync(path, mode) {
    fs.mkdirSync(path, { recursive: true, mode })
  },
}
