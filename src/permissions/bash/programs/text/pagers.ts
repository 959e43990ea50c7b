/** Programs that show a text page by page. */
import type { ShellWord } from '../../syntax/syntax.js'
import { readsFiles, usesNoFiles } from '../file-roles.js'
import { named } from '../knowledge-parts.js'
import type { Danger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const PAGERS: KnownPrograms = {
  ...named('less more', { files: readsFiles, risks: { danger: pagerDanger } }),
  ...named('zless zmore', { files: readsFiles }),
  man: {
    files: usesNoFiles,
    risks: { options: { runs: '-PHC --pager --html --config-file' } },
    runs: { nothing: true },
  },
  info: { files: usesNoFiles, runs: { nothing: true } },
}

function pagerDanger(words: readonly ShellWord[]): Danger | undefined {
  return words.slice(1).some((word) => /^[+]|^-[a-zA-Z]*[oOkK]|^--/.test(word.value)) ? 'runs' : undefined
}
