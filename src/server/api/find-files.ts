/** Names of files in a folder that match a few letters, for completion. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

const MOST_NAMES = 20_000
const DEEPEST = 12
const LEFT_OUT = new Set(['node_modules', '.git'])

/** Doesn't follow links. Hidden files are only found if the search names them. */
export async function findFileNames(root: string, wanted: string, limit: number): Promise<string[]> {
  const letters = wanted.toLowerCase()
  const showsHidden = /(^|\/)\./.test(wanted)
  const found: string[] = []
  let folders = ['']
  let seen = 0
  for (let depth = 0; depth < DEEPEST && folders.length > 0 && found.length < limit; depth += 1) {
    const next: string[] = []
    for (const folder of folders) {
      // One that can't be read has nothing to offer.
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => [])
      for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
        if (LEFT_OUT.has(entry.name) || (entry.name.startsWith('.') && !showsHidden)) continue
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        seen += 1
        if (entry.isDirectory()) next.push(path)
        else if (entry.isFile() && fits(path.toLowerCase(), letters)) found.push(path)
      }
      if (seen > MOST_NAMES) return found.slice(0, limit)
    }
    folders = next
  }
  return found.slice(0, limit)
}

/** All letters, in their order. */
function fits(path: string, letters: string): boolean {
  let at = 0
  for (const letter of letters) {
    at = path.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}
