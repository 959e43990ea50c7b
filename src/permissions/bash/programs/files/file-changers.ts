/** Programs that make or change the files they name. */
import { changingUse, modeChangingUse } from '../file-roles.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { assignedValues } from '../word-files.js'

export const FILE_CHANGERS: KnownPrograms = {
  mkdir: { files: changingUse, makes: 'named', edits: { options: '-pv -m= --parents --verbose --mode=' } },
  touch: {
    files: changingUse,
    makes: 'named',
    edits: { options: '-acmfh -d= -t= -r< --no-create --no-dereference --date= --reference< --time=' },
  },
  tee: { files: changingUse, makes: 'named' },
  ...knowledgeForNames('truncate unlink shred mkfifo mknod srm trash sponge fallocate', { files: changingUse }),
  chmod: { files: modeChangingUse, makes: 'named' },
  ...knowledgeForNames('chown chgrp chattr', { files: modeChangingUse }),
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
