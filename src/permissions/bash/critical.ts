/** Removals nobody but the user may approve: the root and its children, home, the working directory and what holds it. */
import { dirname, isInside, resolve } from '../../platform/paths.js'
import { programOf, type SimpleCommand, type Word } from './syntax.js'
import type { Whereabouts } from './whereabouts.js'

export type Ground = { cwd: string; home: string; directories: readonly string[] }

/** The words of the first removal that must be asked about. */
export async function findCriticalRemoval(
  commands: readonly SimpleCommand[],
  whereabouts: Whereabouts,
  ground: Ground,
): Promise<string | undefined> {
  for (const { words } of commands) {
    const program = programOf(words)
    if (program === 'rm' || program === 'rmdir') {
      const recursive = program === 'rm' && words.some((word) => /^-[a-zA-Z]*[rR]|^--recursive/.test(word.value))
      for (const word of words.slice(1)) {
        if (await isCritical(word, recursive, whereabouts, ground)) return `${program} ${word.source}`
      }
    } else if (program === 'find' && words.some((word) => word.value === '-delete')) {
      // Searching from the working directory is what find is for; from above it is not.
      const roots = words.slice(1).filter((word) => /^[/~]/.test(word.value))
      for (const word of roots)
        if (await isCritical(word, false, whereabouts, ground)) return `find ${word.source} -delete`
    }
  }
  return undefined
}

async function isCritical(word: Word, recursive: boolean, whereabouts: Whereabouts, ground: Ground): Promise<boolean> {
  if (word.dynamic) {
    if (/^\$(?:HOME|PWD|OLDPWD|\{(?:HOME|PWD|OLDPWD)\})\/*$/.test(word.value)) return true
    // A slash or a glob right after a variable: with the variable empty that is the root.
    if (/^\/+\.{0,2}\/*$|^\/*\.{0,2}[*?[{]/.test(word.tail)) return true
    return recursive && /\$\(|`|\$\{[ |]/.test(word.value)
  }
  if (word.tilde && /^~[^/]/.test(word.value)) return true
  const bare = /^(?:\.\/+)*(?:\.{0,2}[*?]+|\.|\.\.)\/*$/.test(word.value)
  const targets = await whereabouts.locate(word)
  // Somewhere unknown, but all of it.
  if (!targets) return bare || word.glob
  return targets.some(({ place, glob }) => {
    const paths = [place.lexical, place.real ?? place.lexical]
    if (!glob) return paths.some((path) => isVital(path, ground))
    // The glob must stand in the first name below the folder to reach the folder's own entries.
    return paths.some((path) => holdsAll(path, bare, ground))
  })
}

function isVital(path: string, { cwd, home, directories }: Ground): boolean {
  return (
    path === '/' ||
    dirname(path) === '/' ||
    path === home ||
    [cwd, ...directories].some((folder) => isInside(resolve(folder), path))
  )
}

/** A glob right below the root, home, an additional directory or a folder that holds one; in the working directory only `*` itself. */
function holdsAll(folder: string, bare: boolean, { cwd, home, directories }: Ground): boolean {
  if (folder === '/' || folder === home) return true
  if (folder === resolve(cwd)) return bare
  return [cwd, ...directories].some((directory) => isInside(resolve(directory), folder))
}
