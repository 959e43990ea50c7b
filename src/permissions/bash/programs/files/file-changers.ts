/** Programs that make or change the files they name. */
import { changesFiles, changesModes } from '../file-roles.js'
import { named } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { assignedValues } from '../word-files.js'

export const FILE_CHANGERS: KnownPrograms = {
  mkdir: { files: changesFiles, makes: 'named', edits: { options: '-pv -m= --parents --verbose --mode=' } },
  touch: {
    files: changesFiles,
    makes: 'named',
    edits: { options: '-acmfh -d= -t= -r< --no-create --no-dereference --date= --reference< --time=' },
  },
  tee: { files: changesFiles, makes: 'named' },
  ...named('truncate unlink shred mkfifo mknod srm trash sponge fallocate', { files: changesFiles }),
  chmod: { files: changesModes, makes: 'named' },
  ...named('chown chgrp chattr', { files: changesModes }),
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
