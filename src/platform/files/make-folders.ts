/** Makes folders with those above them that are missing. */
import { mkdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { systemErrorCode } from './file-stat.js'
import { type HeldFolder, holdFolder } from './held-folder.js'

/** Node's own recursive mkdir never returns on file systems that refuse new folders with ENOENT, as /proc does. */
export function makeFolders(path: string, mode?: number): void {
  try {
    makeFolder(path, mode)
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
    makeFolders(dirname(path), mode)
    makeFolder(path, mode)
  }
}

/** A folder that is there, since before or since somebody else was faster, will do. */
function makeFolder(path: string, mode: number | undefined): void {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error
    if (statSync(path).isDirectory()) return
    // The true reason: what stands there is no folder, and nothing can be made below it.
    throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' })
  }
}

/** The same for a real path, following no link: each folder is made in the one above it, which is held meanwhile (`ELOOP`). */
export function makeFoldersWithoutLinks(path: string, mode?: number): void {
  holdMade(path, mode).close()
}

function holdMade(path: string, mode: number | undefined): HeldFolder {
  try {
    return holdFolder(path, { exact: true })
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || dirname(path) === path) throw error
  }
  const above = holdMade(dirname(path), mode)
  try {
    const by = above.at(basename(path))
    makeOne(by, mode, join(dirname(path), basename(path)))
    return holdFolder(path, { exact: true, by })
  } finally {
    above.close()
  }
}

function makeOne(by: string, mode: number | undefined, path: string): void {
  try {
    mkdirSync(by, { mode })
  } catch (error) {
    // Somebody else was faster: whether it is a folder shows when it is opened.
    if (systemErrorCode(error) === 'EEXIST') return
    if (error instanceof Error) error.message = error.message.replaceAll(by, path)
    throw error
  }
}
