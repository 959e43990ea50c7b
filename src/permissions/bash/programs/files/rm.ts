/** `rm` and `rmdir`. */
import type { ShellWord } from '../../syntax/syntax.js'
import { fileUseOfChanger } from '../file-uses.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const REMOVAL_PROGRAMS: KnownPrograms = {
  rm: {
    files: fileUseOfChanger,
    edits: {
      options: '-rRfivdI --recursive --force --verbose --dir --interactive? --one-file-system --preserve-root?',
    },
    makes: 'nothing',
    removes: (words) => ({ targets: words.slice(1), recursive: isRecursive(words) }),
  },
  rmdir: {
    files: fileUseOfChanger,
    edits: { options: '-pv --parents --verbose --ignore-fail-on-non-empty' },
    makes: 'named',
    removes: (words) => ({ targets: words.slice(1), recursive: false }),
  },
}

function isRecursive(words: readonly ShellWord[]): boolean {
  return words.some((word) => /^-[a-zA-Z]*[rR]|^--recursive/.test(word.value))
}
