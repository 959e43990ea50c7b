/** Grep and its kin. */
import { fileUseOfFolderSearcher, fileUseOfSearcher } from '../file-uses.js'
import { createReaderForms, HELP_OPTIONS, knowledgeForNames } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { createPrintedNamesReader } from './searched-names.js'

const GREP = createReaderForms(
  'pattern',
  `-EFGPiywxzsvVbnHhoqaIrlLcTZU# -e= -m= -A= -B= -C= -d= -D= -f< --extended-regexp --fixed-strings --basic-regexp --perl-regexp
    --regexp= --file< --ignore-case --no-ignore-case --word-regexp --line-regexp --null-data --no-messages --invert-match
    --max-count= --byte-offset --line-number --line-buffered --with-filename --no-filename --label= --only-matching --quiet
    --silent --binary-files= --text --directories= --devices= --recursive --include= --exclude= --exclude-from< --exclude-dir=
    --files-without-match --files-with-matches --count --initial-tab --null --before-context= --after-context= --context=
    --group-separator= --no-group-separator --color? --colour? --binary ${HELP_OPTIONS}`,
  {
    // `grep -d recurse` too.
    descends: { short: 'rd', long: ['recursive', 'directories'] },
    follows: { short: 'R', long: ['dereference-recursive'] },
  },
)

export const GREP_PROGRAMS: KnownPrograms = {
  grep: {
    looks: { ...GREP, version: /^--version$/ },
    prints: {
      names: createPrintedNamesReader({
        options: `-rlLiIEFPGwxsZ -e= --recursive --files-with-matches --files-without-match --ignore-case --null --include=
          --exclude= --exclude-dir=`,
        goesDownWith: ['-r', '--recursive'],
      }),
      filter: {
        options: '-viEFPGwxsa -e= --invert-match --ignore-case --extended-regexp --fixed-strings',
        pattern: true,
      },
    },
  },
  ...knowledgeForNames('egrep fgrep', { looks: GREP, obeys: { programs: ['grep'] } }),
  rgrep: { files: fileUseOfFolderSearcher },
  ...knowledgeForNames('zgrep zegrep zfgrep bzgrep xzgrep pcregrep pcre2grep', { files: fileUseOfSearcher }),
}
