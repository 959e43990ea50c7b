/** Programs that compress single files, and those that print compressed ones. */
import { areWordValuesKnown } from '../arguments.js'
import { fileUseOfReader } from '../file-uses.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms, ReadOnlyForms } from '../program-knowledge.js'
import { createArchiverFileUse, withPossibleEndings } from './archive-files.js'

const replacesFiles = createArchiverFileUse({ recursive: false, changes: 'all' })
const GZIP = ['', '.gz', '.z', '-gz', '-z', '_z', '.Z', '.tgz', '.taz']

export const COMPRESSION_PROGRAMS: KnownPrograms = {
  gzip: { looks: { version: /^--version$/ }, files: replacesFiles },
  ...knowledgeForNames('gunzip bzip2 bunzip2 xz unxz zstd unzstd lz4', { files: replacesFiles }),
  zcat: { looks: printsCompressed(GZIP), files: fileUseOfReader, obeys: { programs: ['gzip', 'uncompress'] } },
  gzcat: { looks: printsCompressed(GZIP), obeys: { programs: ['gzip'] } },
  xzcat: { looks: printsCompressed(['', '.xz', '.lzma']), files: fileUseOfReader },
  bzcat: { looks: printsCompressed(['', '.bz2', '.bz', '.tbz', '.tbz2']), files: fileUseOfReader },
  zstdcat: { files: fileUseOfReader },
}

/** Where there is no file of that name, gzip takes one with an ending. */
function printsCompressed(endings: readonly string[]): ReadOnlyForms {
  return {
    form: (words) => {
      const files = words.slice(1)
      if (!areWordValuesKnown(words) || files.length === 0 || files.some(({ value }) => value.startsWith('-')))
        return undefined
      return files.flatMap((file) => withPossibleEndings(file, endings))
    },
  }
}
