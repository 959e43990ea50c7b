/** `fd`: it finds files, and runs commands on them. */
import type { KnownPrograms, ProgramKnowledge } from '../program-knowledge.js'

const FD: ProgramKnowledge = {
  risks: { options: { runs: '-xX --exec --exec-batch' } },
  runs: { behind: /^(?:-[xX]|--exec|--exec-batch)$/, adds: 'found' },
}

export const FD_PROGRAMS: KnownPrograms = {
  fd: { ...FD, looks: { version: /^--version$/ } },
  fdfind: FD,
}
