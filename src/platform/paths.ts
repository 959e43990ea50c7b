/** Path arithmetic for the layers that may not import `node:path`; no file is touched. */
export { basename, delimiter, dirname, extname, isAbsolute, join, normalize, relative, resolve, sep } from 'node:path'

import { isAbsolute, relative, sep } from 'node:path'

/** Is `path` the folder itself or inside it? Both absolute and normal. */
export function isInside(path: string, folder: string): boolean {
  if (path === folder) return true
  if (isPlain(path) && isPlain(folder)) return path.startsWith(`${folder}/`)
  const rest = relative(folder, path)
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest))
}

/** Nothing has to be worked out: no empty name, no `.` or `..`, no other separator. */
function isPlain(path: string): boolean {
  return path.startsWith('/') && sep === '/' && !/\/\.{0,2}(?:\/|$)/.test(path)
}
