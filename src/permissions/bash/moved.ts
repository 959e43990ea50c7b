/** Folders that a command line puts somewhere, with all they hold: links in them lead where nobody has looked. */
import type { PathFinder } from '../paths.js'
import { fileUseOf } from './file-use.js'
import { hasOption } from './option-words.js'
import { type SimpleCommand, valueAt, type Word } from './syntax.js'
import { realOf, type Whereabouts } from './whereabouts.js'
import { innerCommands } from './wrappers.js'

/** `itself`: what was put there may be a link, which means something else in another place. */
export type Moved = { command: SimpleCommand; path: string; itself: boolean }

type Ground = { whereabouts: Whereabouts; finder: PathFinder }

export async function findMoved(commands: readonly SimpleCommand[], ground: Ground): Promise<Moved[]> {
  const found: Moved[] = []
  if (commands.length < 2) return found
  for (const command of commands) {
    for (const words of [command.words, ...innerCommands(command.words)]) {
      const moves = /^(?:mv|cp)$/.test(valueAt(words, 0)) ? await movesMore(words, ground) : undefined
      if (!moves) continue
      const { reads, writes } = fileUseOf(words)
      for (const word of writes.filter((one) => !reads.includes(one))) {
        for (const { place } of (await ground.whereabouts.locate(word)) ?? [])
          found.push({ command, path: place.lexical, itself: moves === 'link' })
      }
    }
  }
  return found
}

/** A file is a file wherever it stands; a folder may hold links, and a link may lead elsewhere from another place. */
async function movesMore(
  words: readonly Word[],
  { whereabouts, finder }: Ground,
): Promise<'link' | 'folder' | undefined> {
  let found: 'folder' | undefined
  for (const word of fileUseOf(words).reads) {
    const targets = word.glob ? undefined : await whereabouts.locate(word)
    if (!targets) return 'link'
    for (const { place } of targets) {
      const kind = await finder.kind(place.lexical)
      if (kind === 'symlink') return 'link'
      if (kind !== 'file') found = 'folder'
    }
  }
  return found
}

/** Does a copy of a folder go into one that is there? Then any of its files may be one that is protected, or a link that leads out. */
export async function replacesFolder(words: readonly Word[], { whereabouts, finder }: Ground): Promise<boolean> {
  const { reads, writes, recursive } = fileUseOf(words)
  if (words[0]?.value !== 'cp' || !recursive) return false
  const onto =
    reads.some((word) => /(?:^|\/)\.{0,2}$/.test(word.value)) ||
    words.some((word) => hasOption(word.value, { short: 'T', long: ['no-target-directory'] }))
  // The target itself may be there: then the copy is made inside, under its own name.
  for (const word of onto ? writes : writes.slice(1)) {
    for (const { place, glob } of (await whereabouts.locate(word)) ?? []) {
      if (!glob && (await finder.kind(realOf(place))) !== undefined) return true
    }
  }
  return false
}
