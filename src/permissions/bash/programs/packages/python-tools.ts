/** Python and the tools around it. */
import { wordList } from '../../../word-list.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const PYTHON_PROGRAMS: KnownPrograms = {
  // It prints its version before it loads anything.
  ...knowledgeForNames('python python3', { looks: { version: /^(?:--version|-V)$/ }, runs: { nothing: true } }),
  ...knowledgeForNames('pip pip3', {
    looks: { version: /^--version$/ },
    runs: { nothing: true },
    obeys: { variables: wordList('PYTHONPATH PYTHONHOME PYTHONUSERBASE PYTHONPLATLIBDIR') },
  }),
  uv: { looks: { version: /^--version$/ }, runs: { verbs: ['run'] } },
  ruff: { looks: { version: /^--version$/ } },
  uvx: { runs: { anyWord: 'named' } },
  ...knowledgeForNames('poetry pipx conda pipenv pdm rye hatch', { runs: { verbs: ['run'] } }),
  pyenv: { runs: { verbs: ['exec', 'run'] } },
}
