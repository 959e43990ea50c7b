/** All that is known about programs, by name. */
import { wordList } from '../../word-list.js'
import { GIT_PROGRAM } from './git/git-program.js'
import type { KnownPrograms, ProgramKnowledge } from './program-knowledge.js'

const STARTERS: KnownPrograms = {
  egrep: { obeys: { programs: ['grep'] } },
  fgrep: { obeys: { programs: ['grep'] } },
  locale: { obeys: { programs: ['gzip', 'bzip2'] } },
  zcat: { obeys: { programs: ['gzip', 'uncompress'] } },
  gzcat: { obeys: { programs: ['gzip'] } },
  tar: {
    obeys: {
      programs: wordList(
        'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lzip lzop lrzip grzip zstd compress uncompress',
      ),
    },
  },
}

/** Each file of a program, or of a list of simple ones. No name stands in two of them. */
export const KNOWN_PROGRAMS: readonly KnownPrograms[] = [GIT_PROGRAM, STARTERS]

const TABLE = new Map<string, ProgramKnowledge>(KNOWN_PROGRAMS.flatMap((programs) => Object.entries(programs)))

/** `name` without its path; undefined if nothing is known about it. */
export function knowledgeOf(name: string): ProgramKnowledge | undefined {
  return TABLE.get(name)
}
