/** Programs that make or change the files they name. */
import { fileUseOfChanger, fileUseOfModeChanger } from '../file-uses.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { assignedValues } from '../word-files.js'

export const FILE_CHANGING_PROGRAMS: KnownPrograms = {
  mkdir: { files: fileUseOfChanger, makes: 'named', edits: { options: '-pv -m= --parents --verbose --mode=' } },
  touch: {
    files: fileUseOfChanger,
    makes: 'named',
    edits: { options: '-acmfh -d= -t= -r< --no-create --no-dereference --date= --reference< --time=' },
  },
  tee: { files: fileUseOfChanger, makes: 'named' },
  ...knowledgeForNames('truncate unlink shred mkfifo mknod srm trash sponge fallocate', { files: fileUseOfChanger }),
  chmod: { files: fileUseOfModeChanger, makes: 'named' },
  ...knowledgeForNames('chown chgrp chattr', { files: fileUseOfModeChanger }),
  dd: {
    files: (words) => ({
      reads: assignedValues(words.slice(1), 'if='),
      writes: assignedValues(words.slice(1), 'of='),
      known: true,
      recursive: false,
    }),
  },
  split: { risks: { options: { runs: '--filter' } } },
}
