/** `sort` and `uniq`: they print what they read, but for a file that an option or the second word names. */
import type { ShellWord } from '../../syntax/syntax.js'
import { createReaderForms, HELP_OPTIONS } from '../knowledge-parts.js'
import type { OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

export const SORT_PROGRAMS: KnownPrograms = {
  sort: {
    looks: createReaderForms(
      'files',
      `-bdfgiMhnRrVcCmsuz -k= -S= -t= -o> --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort
        --ignore-nonprinting --month-sort --human-numeric-sort --numeric-sort --random-sort --random-source< --reverse --sort=
        --version-sort --batch-size= --check? --debug --key= --merge --output> --stable --buffer-size= --field-separator=
        --parallel= --unique --zero-terminated ${HELP_OPTIONS}`,
      { strict: true },
    ),
    risks: { options: { runs: '--compress-program', writes: '-oT --output --temporary-directory' } },
    prints: { filter: { options: '-urnfVbh' } },
  },
  uniq: {
    looks: createReaderForms(
      'output',
      `-cdDiuz# -f= -s= -w= --count --repeated --all-repeated? --skip-fields= --group? --ignore-case --skip-chars= --unique
        --zero-terminated --check-chars= ${HELP_OPTIONS}`,
      { strict: true },
    ),
    risks: { danger: outputDanger },
    prints: { filter: { options: '-iud' } },
  },
}

/** The second file is written to. Values of options count too: better to ask than to miss one. */
function outputDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  return words.slice(1).filter((word) => word.value === '-' || !word.value.startsWith('-')).length > 1
    ? 'writes'
    : undefined
}
