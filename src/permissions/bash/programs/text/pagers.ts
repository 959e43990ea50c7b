/** Programs that show a text page by page. */
import type { ShellWord } from '../../syntax/syntax.js'
import { fileUseOfReader, noFileUse } from '../file-uses.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const PAGER_PROGRAMS: KnownPrograms = {
  ...knowledgeForNames('less more', { files: fileUseOfReader, risks: { danger: pagerDanger } }),
  ...knowledgeForNames('zless zmore', { files: fileUseOfReader }),
  man: {
    files: noFileUse,
    risks: { options: { runs: '-PHC --pager --html --config-file' } },
    runs: { nothing: true },
  },
  info: { files: noFileUse, runs: { nothing: true } },
}

function pagerDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  return words.slice(1).some((word) => /^[+]|^-[a-zA-Z]*[oOkK]|^--/.test(word.value)) ? 'runs' : undefined
}
