/** Tar: with what its options say, it runs other programs, and takes archives apart. */
import { wordList } from '../../../word-list.js'
import type { ShellWord } from '../../syntax/syntax.js'
import { areWordValuesKnown, readOperands } from '../arguments.js'
import { hasOption, type OptionDanger } from '../option-words.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { createArchiverFileUse } from './archive-files.js'

export const TAR_PROGRAMS: KnownPrograms = {
  tar: {
    looks: { form: listedArchive, version: /^--version$/ },
    files: createArchiverFileUse({
      recursive: true,
      changes: 'none',
      bareFirst: true,
      follows: { short: 'hT', long: ['dereference', 'files-from'] },
    }),
    risks: {
      options: {
        runs: '-IF --use-compress-program --to-command --checkpoint-action --info-script --new-volume-script --rsh-command --rmt-command',
        writes: '-P --absolute-names --index-file --volno-file',
        bareFirst: true,
      },
      danger: otherMachineDanger,
      unpacks: takesApart,
    },
    obeys: {
      programs: wordList(
        'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma lzip lzop lrzip grzip zstd compress uncompress',
      ),
      enters: /^(?:-C|--directory|--cd)(?:=|$)/,
    },
  },
  bsdtar: {
    files: createArchiverFileUse({
      recursive: false,
      changes: 'all',
      bareFirst: true,
      follows: { short: 'hLT', long: ['dereference', 'files-from'] },
    }),
    risks: { options: { runs: '--use-compress-program' }, unpacks: takesApart },
  },
  gtar: { risks: { unpacks: takesApart } },
}

/** Only what lists an archive of this machine: before a colon tar sees the name of another one. */
function listedArchive(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  if (!areWordValuesKnown(words)) return undefined
  const [, first] = words
  if (first === undefined) return undefined
  // The old way of writing the options, without a dash: their values follow in order, so none stands among the letters.
  if (!first.value.startsWith('-') && !/^[tvzjJZ]+f?$/.test(first.value)) return undefined
  const args = first.value.startsWith('-')
    ? words
    : [...words.slice(0, 1), { ...first, value: `-${first.value}`, head: `-${first.value}` }, ...words.slice(2)]
  const { certain, options, reads } = readOperands(
    args,
    '-tvzjJZ -f< --list --verbose --gzip --bzip2 --xz --zstd --lzma --file<',
  )
  const lists = options.has('-t') || options.has('--list')
  return certain && lists && reads.length === 1 && !reads.some(({ value }) => value === '-' || value.includes(':'))
    ? reads
    : undefined
}

/**
 * Returns whether an operand leads to another machine. Before a colon they see the name of another machine, and start
 * ssh to get there.
 */
export function otherMachineDanger(words: readonly ShellWord[]): OptionDanger | undefined {
  if (words.some(({ value }) => value === '--force-local')) return undefined
  return words.slice(1).some(({ value }) => /^[^/]*:/.test(value)) ? 'runs' : undefined
}

/** The letter or word that says what is done to the archive, where it is not to be taken apart. */
const TAR_LOOKS =
  /^-?[a-zA-Z]*[ctruA]|^--(?:create|list|append|update|diff|compare|delete|concatenate|catenate|help|version|test-label)$/

function takesApart(words: readonly ShellWord[]): boolean {
  return !looksAtArchive(words.slice(1))
}

/** The first word may be letters without a dash. Of several commands the last counts, so that none may be to take it apart. */
function looksAtArchive(args: readonly ShellWord[]): boolean {
  const letters = args.filter(({ value }, i) => (i === 0 || value.startsWith('-')) && !value.startsWith('--'))
  const isTakenApart =
    letters.some(({ value }) => /^-?[a-zA-Z]*x/.test(value)) ||
    args.some(({ value }) => hasOption(value, { long: ['extract', 'get'] }))
  return !isTakenApart && args.some(({ value }, i) => (i === 0 || value.startsWith('-')) && TAR_LOOKS.test(value))
}
