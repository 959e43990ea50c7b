/** Ripgrep, and other programs that search a whole folder. */
import { fileUseOfFolderSearcher } from '../file-uses.js'
import { createReaderForms, HELP_OPTIONS } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { createPrintedNamesReader } from './searched-names.js'

export const RIPGREP_PROGRAMS: KnownPrograms = {
  rg: {
    looks: {
      ...createReaderForms(
        'pattern',
        `-bcFhiHIlnNopPqsSuUvVwxa0. -A= -B= -C= -d= -e= -E= -g= -j= -m= -M= -r= -t= -T= -f< --after-context= --before-context=
          --binary --block-buffered --byte-offset --case-sensitive --color= --colors= --column --context= --context-separator=
          --count --count-matches --crlf --encoding= --engine= --field-context-separator= --field-match-separator= --file< --files
          --files-with-matches --files-without-match --fixed-strings --glob= --glob-case-insensitive --heading --hidden --iglob=
          --ignore-case --ignore-file< --include-zero --invert-match --json --line-buffered --line-number --line-regexp
          --max-columns= --max-columns-preview --max-count= --max-depth= --max-filesize= --mmap --multiline --multiline-dotall
          --no-config --no-filename --no-heading --no-ignore --no-ignore-dot --no-ignore-exclude --no-ignore-files
          --no-ignore-global --no-ignore-messages --no-ignore-parent --no-ignore-vcs --no-line-number --no-messages --no-mmap
          --no-require-git --no-unicode --null --null-data --one-file-system --only-matching --passthru --path-separator= --pcre2
          --pretty --quiet --regexp= --replace= --smart-case --sort= --sortr= --stats --text --threads= --trim --type= --type-add=
          --type-clear= --type-list --type-not= --unrestricted --vimgrep --with-filename --word-regexp ${HELP_OPTIONS}`,
        { strict: true, around: true, descends: 'always', follows: { short: 'L', long: ['follow'] } },
      ),
      version: /^--version$/,
    },
    risks: { options: { runs: '--pre --pre-glob --hostname-bin' } },
    prints: {
      names: createPrintedNamesReader({
        options: `-liFSwsUu0. -g= -t= -T= -e= --files --files-with-matches --hidden --glob= --type= --type-not= --null --no-ignore --ignore-case`,
      }),
    },
  },
  ag: { files: fileUseOfFolderSearcher, risks: { options: { runs: '--pager' } } },
  ack: { files: fileUseOfFolderSearcher, risks: { options: { runs: '--pager --ackrc' } } },
}
