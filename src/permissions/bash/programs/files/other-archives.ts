/** Programs for other archives, and `patch`: they write files that only the archive or the patch names. */
import type { ShellWord } from '../../syntax/syntax.js'
import { wordValueAt } from '../../syntax/syntax.js'
import { fileUseOfChanger } from '../file-uses.js'
import { knowledgeForNames, unpacksUnless } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { createArchiverFileUse } from './archive-files.js'
import { otherMachineDanger } from './tar.js'

export const OTHER_ARCHIVE_PROGRAMS: KnownPrograms = {
  ...knowledgeForNames('7z 7za', {
    files: createArchiverFileUse({ recursive: true, changes: 'first' }),
    risks: { unpacks: unpacksUnlessVerb(/^(?:l|t|a|h|i|u|d|rn|b)$/) },
  }),
  ar: {
    files: createArchiverFileUse({ recursive: true, changes: 'none' }),
    risks: { unpacks: unpacksUnlessVerb(/^-?[abilNoPsSTuvUDc]*[trdqmps][a-zA-Z]*$/) },
  },
  jar: {
    risks: {
      unpacks: unpacksUnlessVerb(/^(?:-?[vfm0Me]*[ctu][a-zA-Z]*|--(?:create|list|update|help|version)(?:=.*)?)$/),
    },
  },
  cpio: {
    files: createArchiverFileUse({ recursive: true, changes: 'none' }),
    risks: {
      options: { runs: '--rsh-command' },
      danger: otherMachineDanger,
      unpacks: unpacksUnless({ short: 'ot', long: ['create', 'list', 'help', 'version'] }),
    },
  },
  ...knowledgeForNames('pax unrar unar', { risks: { unpacks: () => true } }),
  patch: {
    files: fileUseOfChanger,
    risks: {
      options: { writes: '-or --output --reject-file' },
      unpacks: unpacksUnless({ short: 'C', long: ['dry-run', 'check', 'help', 'version'] }),
    },
  },
}

/** The verb is the first word. */
function unpacksUnlessVerb(looking: RegExp) {
  return (words: readonly ShellWord[]) => !looking.test(wordValueAt(words, 1))
}
