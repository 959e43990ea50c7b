/** `diff` and its kin. */
import { fileUseOfReader } from '../file-uses.js'
import { createReaderForms, HELP_OPTIONS, knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const DIFF_PROGRAMS: KnownPrograms = {
  diff: {
    looks: {
      ...createReaderForms(
        'files',
        `-qscueNnypTtiEZbwBad# -C= -U= -W= -F= -I= -L= -D= -X< --normal --brief --report-identical-files --context? --unified?
          --ed --rcs --side-by-side --width= --left-column --suppress-common-lines --show-c-function --show-function-line=
          --label= --expand-tabs --initial-tab --tabsize= --suppress-blank-empty --no-dereference --new-file --ignore-case
          --ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines
          --ignore-matching-lines= --text --strip-trailing-cr --minimal --horizon-lines= --speed-large-files --color? --palette=
          --from-file< --to-file< --exclude-from< ${HELP_OPTIONS}`,
        { follows: { short: 'r', long: ['recursive'] } },
      ),
      version: /^--version$/,
      alone: true,
      comparesFolders: true,
    },
    risks: { options: { runs: '-l --paginate' } },
  },
  sdiff: { files: fileUseOfReader, risks: { options: { runs: '--diff-program', writes: '-o --output' } } },
  diff3: { files: fileUseOfReader, risks: { options: { runs: '--diff-program' } } },
  ...knowledgeForNames('colordiff delta icdiff', { files: fileUseOfReader }),
}
