/** Programs that put files somewhere else: what they read, and every path they write to. */
import { trimTrailingCharacters } from '../../../../platform/trim-end.js'
import { createLiteralWord, shellWordAt, sliceWord } from '../../syntax/shell-words.js'
import type { ShellWord } from '../../syntax/syntax.js'
import { knowledgeForNames } from '../knowledge-parts.js'
import { hasOption } from '../option-words.js'
import type { FileUse, KnownPrograms } from '../program-knowledge.js'

export const COPY_PROGRAMS: KnownPrograms = {
  cp: {
    files: fileUseOfCopier,
    carries: 'copy',
    edits: {
      options: `-rRapfinuvTdP -t> --recursive --archive --force --interactive --no-clobber --update? --verbose
        --no-target-directory --target-directory> --no-dereference --preserve?`,
      strict: true,
    },
  },
  mv: {
    files: fileUseOfCopier,
    carries: 'move',
    edits: {
      options:
        '-finuvT -t> --force --interactive --no-clobber --update? --verbose --no-target-directory --target-directory>',
      strict: true,
    },
  },
  ...knowledgeForNames('ln gcp', { files: fileUseOfCopier }),
  install: { files: fileUseOfCopier, risks: { options: { runs: '--strip-program' } } },
  ditto: { files: (words) => fileUseOfCopier(words, { recursive: true }), risks: { unpacks: () => true } },
}

export type CopiedFiles = {
  reads: readonly ShellWord[]
  writes: readonly ShellWord[]
  recursive: boolean
  /** Links in what is copied are followed, or a list names more, wherever it is. */
  follows: boolean
}

/** Above this number of copies, the resulting files are treated as unknown. */
const MOST_COPIES = 2_000
const FOLLOWING = {
  short: 'L',
  long: ['dereference', 'copy-links', 'copy-unsafe-links', 'copy-dirlinks', 'files-from'],
}

/** What a program does without an option for it. */
type AlwaysCopies = { readonly recursive?: true; readonly follows?: true }

export function fileUseOfCopier(words: readonly ShellWord[], always?: AlwaysCopies): FileUse {
  return { known: true, ...copiedFiles(words, always) }
}

/**
 * Returns the files that a copy reads and writes: `cp a b c` and `cp -t c a b`. A target that is a folder takes the
 * files under their own names, so these count too.
 */
export function copiedFiles(words: readonly ShellWord[], always: AlwaysCopies = {}): CopiedFiles {
  const files: ShellWord[] = []
  const folders: ShellWord[] = []
  const recursive =
    always.recursive || words.some((word) => hasOption(word.value, { short: 'rRa', long: ['recursive', 'archive'] }))
  const follows = recursive && (always.follows || words.some((word) => hasOption(word.value, FOLLOWING)))
  let ended = false
  for (let i = 1; i < words.length; i++) {
    const word = shellWordAt(words, i)
    const { value } = word
    if (!ended && value === '--') ended = true
    else if (ended || value === '-' || !value.startsWith('-')) files.push(word)
    else if (/^--t[a-z-]*=/.test(value)) folders.push(sliceWord(word, value.indexOf('=') + 1))
    else if (/^-[a-zA-Z]*t$|^--t[a-z-]*$/.test(value)) folders.push(words[++i] ?? createLiteralWord('.'))
    else if (/^-[a-zA-Z]*?t./.test(value)) folders.push(sliceWord(word, value.indexOf('t') + 1))
  }
  const sources = folders.length > 0 ? files : files.slice(0, -1)
  const targets = folders.length > 0 ? folders : files.slice(-1)
  // A glob for the target may find several names: then the last is the target, and the others are put into it.
  const isOpen = targets.some((target) => target.glob) || targets.length * sources.length > MOST_COPIES
  const inside = isOpen
    ? targets.map((target) => ({ ...target, dynamic: true }))
    : targets.flatMap((target) => sources.map((source) => copyTarget(target, source)))
  // What is moved is gone from where it was.
  const taken = words[0]?.value.endsWith('mv') ? sources : []
  return { reads: sources, writes: [...targets, ...inside, ...taken], recursive, follows }
}

/** The file `source` becomes in the folder `target`. */
export function copyTarget(target: ShellWord, source: ShellWord): ShellWord {
  const path = trimTrailingCharacters(source.value, '/')
  const name = path.slice(path.lastIndexOf('/') + 1)
  const folder = target.value.endsWith('/') ? target.value : `${target.value}/`
  const value = folder + name
  const open = source.dynamic || source.glob
  const head = target.dynamic || target.glob ? target.head : open ? folder : value
  return {
    ...target,
    value,
    head,
    tail: '',
    dynamic: target.dynamic || source.dynamic,
    glob: target.glob || source.glob,
    single: target.single && source.single,
    pipe: false,
    ...(source.glob && !source.dynamic ? { from: source } : {}),
  }
}
