/** `ls`: it lists folders. */
import { createLiteralWord } from '../../syntax/shell-words.js'
import type { ShellWord } from '../../syntax/syntax.js'
import { readOperands } from '../arguments.js'
import { createReaderForms, HELP_OPTIONS } from '../knowledge-parts.js'
import type { PipedNames } from '../piped-names.js'
import type { KnownPrograms } from '../program-knowledge.js'

const RECURSIVE = /^-[a-zA-Z0-9]*R|^--rec/

export const LS_PROGRAM: KnownPrograms = {
  ls: {
    looks: {
      ...createReaderForms(
        'files',
        `-1aAbBcCdfFgGhHiklmnNopqQrRsStuUvxXZ -I? -w? -T? --all --almost-all --author --escape --block-size= --ignore-backups
          --color? --directory --classify? --file-type --format= --full-time --group-directories-first --no-group --human-readable
          --si --dereference-command-line --hide= --hyperlink? --indicator-style= --inode --ignore= --kibibytes --numeric-uid-gid
          --literal --hide-control-chars --show-control-chars --quote-name --quoting-style= --reverse --recursive --size --sort=
          --time= --time-style= --tabsize= --width= --context --zero ${HELP_OPTIONS}`,
        { around: true, follows: { short: 'L', long: ['dereference'] } },
      ),
      onlyNames: (words) => !words.some(({ value, glob }) => glob || RECURSIVE.test(value)),
    },
    prints: { names: listedNames },
    ignoresInput: true,
  },
}

/** Names without their folder: what they mean is told by the folder the next command stands in. */
function listedNames(words: readonly ShellWord[]): PipedNames | undefined {
  const { certain, loose, operands } = readOperands(words, '-1Atr')
  if (!certain || loose || operands.length > 1 || operands.some((word) => word.dynamic || word.glob)) return undefined
  return { roots: [...operands, createLiteralWord('.')], exact: false, bare: true }
}
