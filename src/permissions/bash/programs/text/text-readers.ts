/** Programs that print files, or sums of them, and do nothing else. */
import type { ShellWord } from '../../syntax/syntax.js'
import { createReaderForms, HELP_OPTIONS, knowledgeForNames } from '../knowledge-parts.js'
import { hasOption } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

const FIRST_LINES = { options: '-q# -n= --lines=' }

export const TEXT_READING_PROGRAMS: KnownPrograms = {
  cat: {
    looks: createReaderForms(
      'files',
      `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${HELP_OPTIONS}`,
    ),
    prints: { filter: { options: '-u' } },
  },
  head: {
    looks: createReaderForms(
      'files',
      `-qvz# -c= -n= --bytes= --lines= --quiet --silent --verbose --zero-terminated ${HELP_OPTIONS}`,
    ),
    prints: { filter: FIRST_LINES },
  },
  tail: {
    looks: createReaderForms(
      'files',
      `-fFqrvz# -c= -n= -s= --bytes= --lines= --follow? --max-unchanged-stats= --pid= --quiet --silent --retry --sleep-interval=
        --verbose --zero-terminated ${HELP_OPTIONS}`,
    ),
    prints: { filter: FIRST_LINES },
    waits: followsFile,
  },
  wc: {
    looks: createReaderForms(
      'files',
      `-clLmw --bytes --chars --lines --max-line-length --words --total= ${HELP_OPTIONS}`,
    ),
  },
  nl: {
    looks: createReaderForms(
      'files',
      `-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --number-width= --starting-line-number= ${HELP_OPTIONS}`,
    ),
  },
  tac: { looks: createReaderForms('files', `-br -s= --before --regex --separator= ${HELP_OPTIONS}`) },
  rev: { looks: createReaderForms('files', `-hV0 ${HELP_OPTIONS}`) },
  od: {
    looks: createReaderForms(
      'files',
      `-abcdfilosxv -A= -j= -N= -S= -t= -w? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format=
        --output-duplicates --width? ${HELP_OPTIONS}`,
    ),
  },
  hexdump: {
    looks: createReaderForms(
      'files',
      `-bcCdoxv -e= -n= -s= -L? --canonical --length= --skip= --no-squeezing ${HELP_OPTIONS}`,
    ),
  },
  fold: { looks: createReaderForms('files', `-bs# -w= --bytes --spaces --width= ${HELP_OPTIONS}`) },
  fmt: {
    looks: createReaderForms(
      'files',
      `-cstu# -w= -g= --crown-margin --split-only --tagged-paragraph --uniform-spacing --width= --goal= ${HELP_OPTIONS}`,
    ),
  },
  expand: { looks: createReaderForms('files', `-i -t= --initial --tabs= ${HELP_OPTIONS}`) },
  unexpand: { looks: createReaderForms('files', `-a -t= --all --first-only --tabs= ${HELP_OPTIONS}`) },
  column: {
    looks: createReaderForms(
      'files',
      `-tdeLJxhV -n= -O= -N= -l= -E= -H= -R= -T= -W= -r= -i= -p= -c= -o= -s= --table --json --fillrows --separator=
        --output-separator= --output-width= --table-columns= --table-right= --table-hide= --table-noheadings ${HELP_OPTIONS}`,
    ),
  },
  paste: { looks: createReaderForms('files', `-sz -d= --delimiters= --serial --zero-terminated ${HELP_OPTIONS}`) },
  join: {
    looks: createReaderForms(
      'files',
      `-iz -a= -e= -j= -o= -t= -v= -1= -2= --ignore-case --check-order --nocheck-order --header --zero-terminated ${HELP_OPTIONS}`,
    ),
  },
  comm: {
    looks: createReaderForms(
      'files',
      `-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated ${HELP_OPTIONS}`,
    ),
  },
  cmp: {
    looks: createReaderForms(
      'files',
      `-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent ${HELP_OPTIONS}`,
    ),
  },
  cut: {
    looks: createReaderForms(
      'files',
      `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=
        --zero-terminated ${HELP_OPTIONS}`,
    ),
  },
  base64: { looks: createReaderForms('files', `-dDi -w= -b= --decode --ignore-garbage --wrap= ${HELP_OPTIONS}`) },
  base32: { looks: createReaderForms('files', `-di -w= --decode --ignore-garbage --wrap= ${HELP_OPTIONS}`) },
  cksum: {
    looks: createReaderForms(
      'files',
      `-z -a= -l= --algorithm= --length= --tag --untagged --zero --debug --raw --base64 ${HELP_OPTIONS}`,
    ),
  },
  sum: { looks: createReaderForms('files', `-rs --sysv ${HELP_OPTIONS}`) },
  ...knowledgeForNames('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum', {
    looks: createReaderForms('files', `-btwz --binary --tag --text --zero --length= -l= ${HELP_OPTIONS}`),
  }),
}

/** `tail -f` ends when it is stopped. */
function followsFile(words: readonly ShellWord[]): boolean {
  return words.some(({ value }) => hasOption(value, { short: 'fF', long: ['follow', 'retry', 'pid'] }))
}
