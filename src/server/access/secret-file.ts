/** A file of the server that no other user can read: written as a whole, or not at all. */
import { chmodSync, lstatSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export function writeSecret(file: string, content: string): void {
  const temporary = `${file}.${process.pid}`
  writeFileSync(temporary, content, { mode: 0o600 })
  renameSync(temporary, file)
}

/** Reads a secret from a file. Undefined: there is none. One that others can read is made ours alone. */
export function readSecret(file: string): string | undefined {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (!stat) return undefined
  if (!stat.isFile()) throw new Error(`${file} is not a file: remove it.`)
  if ((stat.mode & 0o077) !== 0) chmodSync(file, 0o600)
  return readFileSync(file, 'utf8')
}

/** As JSON; what is damaged counts as not there. */
export function readSecretJson(file: string): unknown {
  const text = readSecret(file)
  if (text === undefined) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
