/** Path arithmetic with slashes whatever the machine: permissions are judged in one spelling (`windows/judged-path.ts`). */
import { posix } from 'node:path'

export const { basename, delimiter, dirname, isAbsolute, join, resolve } = posix

/** Is `path` the folder itself or inside it? Both absolute and normal. */
export function isInsidePosix(path: string, folder: string): boolean {
  if (path === folder) return true
  if (isPlain(path) && isPlain(folder)) return path.startsWith(`${folder}/`)
  const rest = posix.relative(folder, path)
  return rest === '' || (rest !== '..' && !rest.startsWith('../') && !isAbsolute(rest))
}

/** Nothing has to be worked out: no empty name, no `.` or `..`. */
function isPlain(path: string): boolean {
  return path.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(path)
}
