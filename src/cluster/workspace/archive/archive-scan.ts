/** What of a folder is saved in an archive: files as they are, links that stay inside, folders with nothing in them. */
import type { BigIntStats } from 'node:fs'
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { findFilesToOmitBySize, mayHoldSecrets, SECRET_REASON } from '../omitted-files.js'
import type { OmittedFile } from '../session-workspace.js'
import type { WorkspaceLimits } from '../workspace-machine.js'
import { isSafeLink, isSafePath } from './archive-manifest.js'

/** What a setup command or the next use brings back. */
const REBUILT: readonly string[] = [
  ...['node_modules', '.venv', '__pycache__', '.mypy_cache', '.pytest_cache', '.ruff_cache', '.tox', '.gradle'],
  '.terraform',
]

export type ScannedFile = { path: string; size: number; mode: number; stamp: string }
export type FolderScan = {
  files: ScannedFile[]
  links: { path: string; target: string }[]
  folders: string[]
  leftOut: OmittedFile[]
}

export async function scanFolder(
  folder: string,
  { leaveOut = [], limits }: { leaveOut?: readonly string[] | undefined; limits: WorkspaceLimits },
  signal: AbortSignal | undefined,
): Promise<FolderScan> {
  const unwanted = [...REBUILT, ...leaveOut].map(shape)
  const scan: FolderScan = { files: [], links: [], folders: [], leftOut: [] }
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const leave = (path: string, why: string) => void scan.leftOut.push({ path, why })

  async function take(path: string, isFolder: boolean): Promise<void> {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (unwanted.some((one) => one.test(name))) return leave(path, 'it is not saved by its name')
    if (!isSafePath(path)) return leave(path, 'its name can not be saved')
    if (isFolder) return enter(path)
    const stat = await lstat(join(folder, path), { bigint: true }).catch(() => undefined)
    if (stat?.isSymbolicLink()) {
      const target = await readlink(join(folder, path)).catch(() => '')
      if (isSafeLink(path, target)) scan.links.push({ path, target })
      else leave(path, 'a link that leads outside')
    } else if (stat && !stat.isFile()) leave(path, 'no file')
    else if (mayHoldSecrets(path)) leave(path, SECRET_REASON)
    else if (stat)
      scan.files.push({ path, size: Number(stat.size), mode: Number(stat.mode) & 0o777, stamp: stampOf(stat) })
  }

  async function enter(below: string): Promise<void> {
    signal?.throwIfAborted()
    const entries = await readdir(join(folder, below), { withFileTypes: true, encoding: 'buffer' }).catch(
      () => undefined,
    )
    if (!entries) return leave(below, 'it can not be read')
    if (entries.length === 0 && below !== '') scan.folders.push(below)
    for (const entry of entries) {
      let name: string
      try {
        name = decoder.decode(entry.name)
      } catch {
        leave(join(below, entry.name.toString('latin1')), "its name isn't text")
        continue
      }
      await take(below === '' ? name : `${below}/${name}`, entry.isDirectory())
    }
  }

  await enter('')
  const large = findFilesToOmitBySize(scan.files, limits)
  const isLarge = new Set(large.map(({ path }) => path))
  return { ...scan, files: scan.files.filter(({ path }) => !isLarge.has(path)), leftOut: [...scan.leftOut, ...large] }
}

/** Stays the same while the file isn't written to. */
function stampOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size} ${mtimeNs} ${ctimeNs} ${ino}`
}

/** A file that was written just before it was looked at could be written again without its time being another. */
export function isSettledFile(stamp: string, lookedAtMs: number): boolean {
  return Number(BigInt(stamp.split(' ')[2] ?? 0) / 1_000_000n) < lookedAtMs - 2000
}

function shape(name: string): RegExp {
  return new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
      .join('.*')}$`,
  )
}
