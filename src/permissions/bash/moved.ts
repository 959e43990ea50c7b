/** Folders that a command line puts somewhere, with all they hold: links in them lead where nobody has looked. */
import type { PathFinder } from '../paths.js'
import { fileUseOf } from './file-use.js'
import { hasOption } from './option-words.js'
import type { SimpleCommand, Word } from './syntax.js'
import type { Whereabouts } from './whereabouts.js'
import { innerCommands } from './wrappers.js'

export type Moved = { command: SimpleCommand; path: string }

type Ground = { whereabouts: Whereabouts; finder: PathFinder }

export async function findMoved(commands: readonly SimpleCommand[], ground: Ground): Promise<Moved[]> {
  const found: Moved[] = []
  if (commands.length < 2) return found
  for (const command of commands) {
    for (const words of [command.words, ...innerCommands(command.words)]) {
      if (!/^(?:mv|cp)$/.test(words[0]?.value ?? '') || !(await movesFolder(words, ground))) continue
      for (const word of fileUseOf(words).writes) {
        for (const { place } of (await ground.whereabouts.locate(word)) ?? [])
          found.push({ command, path: place.lexical })
      }
    }
  }
  return found
}

/** A file is a file wherever it stands. */
async function movesFolder(words: readonly Word[], { whereabouts, finder }: Ground): Promise<boolean> {
  for (const word of fileUseOf(words).reads) {
    const targets = word.glob ? undefined : await whereabouts.locate(word)
    if (!targets) return true
    for (const { place } of targets) if ((await finder.kind(place.lexical)) !== 'file') return true
  }
  return false
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
      if (!glob && (await finder.kind(place.real ?? place.lexical)) !== undefined) return true
    }
  }
  return false
}
