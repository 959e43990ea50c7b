/** Programs that print files, or sums of them, and do nothing else. */
import type { ShellWord } from '../../syntax/syntax.js'
import { createReader, HELP_OPTIONS, knowledgeForNames } from '../knowledge-parts.js'
import { hasOption } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'

const FIRST_LINES = { options: '-q# -n= --lines=' }

export const TEXT_READERS: KnownPrograms = {
  cat: {
    looks: createReader(
      'files',
      `-AbeEnstTuv --show-all --number-nonblank --show-ends --number --squeeze-blank --show-tabs --show-nonprinting ${HELP_OPTIONS}`,
    ),
    prints: { filter: { options: '-u' } },
  },
  head: {
    looks: createReader(
      'files',
      `-qvz# -c= -n= --bytes= --lines= --quiet --silent --verbose --zero-terminated ${HELP_OPTIONS}`,
    ),
    prints: { filter: FIRST_LINES },
  },
  tail: {
    looks: createReader(
      'files',
      `-fFqrvz# -c= -n= -s= --bytes= --lines= --follow? --max-unchanged-stats= --pid= --quiet --silent --retry --sleep-interval=
        --verbose --zero-terminated ${HELP_OPTIONS}`,
    ),
    prints: { filter: FIRST_LINES },
    waits: followsFile,
  },
  wc: {
    looks: createReader('files', `-clLmw --bytes --chars --lines --max-line-length --words --total= ${HELP_OPTIONS}`),
  },
  nl: {
    looks: createReader(
      'files',
      `-p -b= -d= -f= -h= -i= -l= -n= -s= -v= -w= --body-numbering= --number-width= --starting-line-number= ${HELP_OPTIONS}`,
    ),
  },
  tac: { looks: createReader('files', `-br -s= --before --regex --separator= ${HELP_OPTIONS}`) },
  rev: { looks: createReader('files', `-hV0 ${HELP_OPTIONS}`) },
  od: {
    looks: createReader(
      'files',
      `-abcdfilosxv -A= -j= -N= -S= -t= -w? --address-radix= --endian= --skip-bytes= --read-bytes= --strings? --format=
        --output-duplicates --width? ${HELP_OPTIONS}`,
    ),
  },
  hexdump: {
    looks: createReader(
      'files',
      `-bcCdoxv -e= -n= -s= -L? --canonical --length= --skip= --no-squeezing ${HELP_OPTIONS}`,
    ),
  },
  fold: { looks: createReader('files', `-bs# -w= --bytes --spaces --width= ${HELP_OPTIONS}`) },
  fmt: {
    looks: createReader(
      'files',
      `-cstu# -w= -g= --crown-margin --split-only --tagged-paragraph --uniform-spacing --width= --goal= ${HELP_OPTIONS}`,
    ),
  },
  expand: { looks: createReader('files', `-i -t= --initial --tabs= ${HELP_OPTIONS}`) },
  unexpand: { looks: createReader('files', `-a -t= --all --first-only --tabs= ${HELP_OPTIONS}`) },
  column: {
    looks: createReader(
      'files',
      `-tdeLJxhV -n= -O= -N= -l= -E= -H= -R= -T= -W= -r= -i= -p= -c= -o= -s= --table --json --fillrows --separator=
        --output-separator= --output-width= --table-columns= --table-right= --table-hide= --table-noheadings ${HELP_OPTIONS}`,
    ),
  },
  paste: { looks: createReader('files', `-sz -d= --delimiters= --serial --zero-terminated ${HELP_OPTIONS}`) },
  join: {
    looks: createReader(
      'files',
      `-iz -a= -e= -j= -o= -t= -v= -1= -2= --ignore-case --check-order --nocheck-order --header --zero-terminated ${HELP_OPTIONS}`,
    ),
  },
  comm: {
    looks: createReader(
      'files',
      `-123z --check-order --nocheck-order --output-delimiter= --total --zero-terminated ${HELP_OPTIONS}`,
    ),
  },
  cmp: {
    looks: createReader(
      'files',
      `-bls -i= -n= --print-bytes --ignore-initial= --verbose --bytes= --quiet --silent ${HELP_OPTIONS}`,
    ),
  },
  cut: {
    looks: createReader(
      'files',
      `-nsz -b= -c= -d= -f= --bytes= --characters= --delimiter= --fields= --complement --only-delimited --output-delimiter=
        --zero-terminated ${HELP_OPTIONS}`,
    ),
  },
  base64: { looks: createReader('files', `-dDi -w= -b= --decode --ignore-garbage --wrap= ${HELP_OPTIONS}`) },
  base32: { looks: createReader('files', `-di -w= --decode --ignore-garbage --wrap= ${HELP_OPTIONS}`) },
  cksum: {
    looks: createReader(
      'files',
      `-z -a= -l= --algorithm= --length= --tag --untagged --zero --debug --raw --base64 ${HELP_OPTIONS}`,
    ),
  },
  sum: { looks: createReader('files', `-rs --sysv ${HELP_OPTIONS}`) },
  ...knowledgeForNames('md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum', {
    looks: createReader('files', `-btwz --binary --tag --text --zero --length= -l= ${HELP_OPTIONS}`),
  }),
}

/** `tail -f` ends when it is stopped. */
function followsFile(words: readonly ShellWord[]): boolean {
  return words.some(({ value }) => hasOption(value, { short: 'fF', long: ['follow', 'retry', 'pid'] }))
}
