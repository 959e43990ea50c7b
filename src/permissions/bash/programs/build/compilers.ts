/** Compilers, and other programs that make files from files. */
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms, RiskyOptions } from '../program-knowledge.js'

const COMPILER: RiskyOptions = { named: '-wrapper -B -specs --specs -fplugin' }

export const COMPILER_PROGRAMS: KnownPrograms = {
  ...knowledgeForNames('gcc cc g++ clang clang++', {
    looks: { version: /^(?:--version|-v)$/ },
    risks: { options: COMPILER },
  }),
  'c++': { risks: { options: COMPILER } },
  ...knowledgeForNames('pdflatex latex xelatex lualatex tex', {
    risks: { options: { named: '-shell-escape --shell-escape -enable-write18 --enable-write18' } },
  }),
  cmake: {
    looks: { version: /^--version$/ },
    risks: { options: { runs: '-PE' } },
    runs: { nothing: true },
  },
  ninja: { looks: { version: /^--version$/ }, runs: { nothing: true }, obeys: { enters: /^-C$/ } },
  ctags: { risks: { options: { runs: '--options' } } },
  pandoc: { risks: { options: { runs: '-FL --filter --lua-filter --pdf-engine' } } },
  groff: { risks: { options: { runs: '-U' } } },
}
