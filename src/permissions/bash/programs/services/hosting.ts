/** Other programs for versions, and for the sites that keep repositories. */
import { wordValueAt } from '../../syntax/syntax.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const GIT_HOSTING_PROGRAMS: KnownPrograms = {
  gh: {
    looks: { version: /^--version$/ },
    risks: { danger: (words) => (/^(?:alias|extension)$/.test(wordValueAt(words, 1)) ? 'runs' : undefined) },
    runs: { nothing: true },
  },
  ...knowledgeForNames('glab hub', { runs: { nothing: true } }),
  hg: { risks: { options: { runs: '-R --config --cwd' } } },
  svn: { risks: { options: { runs: '--config-option --diff-cmd --diff3-cmd --editor-cmd --config-dir' } } },
}
