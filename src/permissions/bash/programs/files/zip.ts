/** `zip` and `unzip`. */
import type { ShellWord } from '../../syntax/syntax.js'
import { areWordValuesKnown } from '../arguments.js'
import { unpacksUnless } from '../knowledge-parts.js'
import type { KnownPrograms } from '../program-knowledge.js'
import { createArchiverFileUse, withPossibleEndings } from './archive-files.js'

export const ZIP_PROGRAMS: KnownPrograms = {
  zip: {
    files: createArchiverFileUse({ recursive: true, changes: 'first' }),
    risks: { options: { runs: '--unzip-command', named: '-TT' } },
  },
  unzip: {
    looks: { form: listedArchive },
    files: createArchiverFileUse({ recursive: false, changes: 'none' }),
    risks: { unpacks: unpacksUnless({ short: 'ltpcvZ' }) },
  },
}

/** Without an ending it tries those of archives. Signs of a pattern it expands itself. */
function listedArchive(words: readonly ShellWord[]): readonly ShellWord[] | undefined {
  const [archive, ...members] = words.slice(1).filter(({ value }) => !value.startsWith('-'))
  const options = words.slice(1).filter(({ value }) => value.startsWith('-'))
  if (!areWordValuesKnown(words) || !archive || /[*?[\\]/.test(archive.value)) return undefined
  if (!options.some(({ value }) => /l|v|t/.test(value)) || !options.every(({ value }) => /^-[lvtqz1]+$/.test(value)))
    return undefined
  // What stands behind the archive is the name of something in it.
  return members.every(({ value }) => !value.startsWith('@'))
    ? withPossibleEndings(archive, ['', '.zip', '.ZIP'])
    : undefined
}
