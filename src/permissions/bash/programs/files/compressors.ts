/** Programs that compress single files, and those that print compressed ones. */
import { areKnown } from '../arguments.js'
import { readsFiles } from '../file-roles.js'
import { named } from '../knowledge-parts.js'
import type { KnownPrograms, LookingForms } from '../program-knowledge.js'
import { archiveFiles, withEndings } from './archive-files.js'

const replacesFiles = archiveFiles({ recursive: false, changes: 'all' })
const GZIP = ['', '.gz', '.z', '-gz', '-z', '_z', '.Z', '.tgz', '.taz']

export const COMPRESSORS: KnownPrograms = {
  gzip: { looks: { version: /^--version$/ }, files: replacesFiles },
  ...named('gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4', { files: replacesFiles }),
  zcat: { looks: printsCompressed(GZIP), files: readsFiles, obeys: { programs: ['gzip', 'uncompress'] } },
  gzcat: { looks: printsCompressed(GZIP), obeys: { programs: ['gzip'] } },
  xzcat: { looks: printsCompressed(['', '.xz', '.lzma']), files: readsFiles },
  bzcat: { looks: printsCompressed(['', '.bz2', '.bz', '.tbz', '.tbz2']), files: readsFiles },
  zstdcat: { files: readsFiles },
}

/** Where there is no file of that name, gzip takes one with an ending. */
function printsCompressed(endings: readonly string[]): LookingForms {
  return {
    form: (words) => {
      const files = words.slice(1)
      if (!areKnown(words) || files.length === 0 || files.some(({ value }) => value.startsWith('-'))) return undefined
      return files.flatMap((file) => withEndings(file, endings))
    },
  }
}
