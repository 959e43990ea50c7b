/** Programs that compress single files, and those that print compressed ones. */
import { areWordValuesKnown } from '../arguments.js'
import { readingUse } from '../file-roles.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms, LookingForms } from '../program-knowledge.js'
import { archiveFiles, withPossibleEndings } from './archive-files.js'

const replacesFiles = archiveFiles({ recursive: false, changes: 'all' })
const GZIP = ['', '.gz', '.z', '-gz', '-z', '_z', '.Z', '.tgz', '.taz']

export const COMPRESSORS: KnownPrograms = {
  gzip: { looks: { version: /^--version$/ }, files: replacesFiles },
  ...knowledgeForNames('gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4', { files: replacesFiles }),
  zcat: { looks: printsCompressed(GZIP), files: readingUse, obeys: { programs: ['gzip', 'uncompress'] } },
  gzcat: { looks: printsCompressed(GZIP), obeys: { programs: ['gzip'] } },
  xzcat: { looks: printsCompressed(['', '.xz', '.lzma']), files: readingUse },
  bzcat: { looks: printsCompressed(['', '.bz2', '.bz', '.tbz', '.tbz2']), files: readingUse },
  zstdcat: { files: readingUse },
}

/** Where there is no file of that name, gzip takes one with an ending. */
function printsCompressed(endings: readonly string[]): LookingForms {
  return {
    form: (words) => {
      const files = words.slice(1)
      if (!areWordValuesKnown(words) || files.length === 0 || files.some(({ value }) => value.startsWith('-')))
        return undefined
      return files.flatMap((file) => withPossibleEndings(file, endings))
    },
  }
}
