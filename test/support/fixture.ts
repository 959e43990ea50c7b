/** A folder that many tests of a process begin with: made when the first one needs it, and copied by all. */
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Returns what puts a copy of the contents into a folder. */
export function fixture(make: (folder: string) => void): (target: string) => void {
  let made: string | undefined
  return (target) => {
    if (made === undefined) {
      const folder = realpathSync(mkdtempSync(join(tmpdir(), 'kedge-fixture-')))
      process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
      make(folder)
      made = folder
    }
    cpSync(made, target, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true })
  }
}
