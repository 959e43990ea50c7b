/** Which files a command reads and writes, as far as its words tell. What is not certain counts as used. */
import { PATTERN_GIVING_OPTIONS, readOperands } from '../programs/arguments.js'
import { hasOption } from '../programs/option-words.js'
import type { FileUse, ReaderProgram } from '../programs/program-knowledge.js'
import { knowledgeOf } from '../programs/program-table.js'
import { fileWords, mentionedPaths, outputFileWords } from '../programs/word-files.js'
import { createLiteralWord } from '../syntax/shell-words.js'
import { programOf, type ShellWord } from '../syntax/syntax.js'

export function fileUseOf(words: readonly ShellWord[]): FileUse {
  const program = programOf(words)
  if (program === undefined) return { reads: [], writes: [], known: false, recursive: false }
  const { files, looks } = knowledgeOf(program) ?? {}
  const use = files?.(words)
  if (use) return use
  if (looks?.reader) return readerUse(looks.reader, words)
  const args = words.slice(1)
  return { reads: mentionedPaths(args), writes: outputFileWords(args), known: false, recursive: false }
}

function readerUse(reader: ReaderProgram, words: readonly ShellWord[]): FileUse {
  const { certain, options, operands, reads, writes } = readOperands(words, reader.options)
  const has = (...names: readonly string[]) => names.some((name) => options.has(name))
  const { descends } = reader
  const follows = words.some((word) => hasOption(word.value, reader.follows))
  const recursive =
    descends === 'always' || has('--recursive') || words.some((word) => hasOption(word.value, descends)) || follows
  const pattern = reader.operands === 'pattern' && certain && !has(...PATTERN_GIVING_OPTIONS) ? 1 : 0
  const files = reader.operands === 'text' || reader.operands === 'none' ? [] : operands.slice(pattern)
  const searched = recursive && files.length === 0 && reader.operands === 'pattern' ? [createLiteralWord('.')] : files
  const output = reader.operands === 'output' ? files.slice(1) : []
  // An option that is not known may take its neighbor for a file, or hide one behind its letter.
  const others = certain ? [] : fileWords(words.slice(1))
  return { reads: [...reads, ...searched, ...others], writes: [...writes, ...output], known: true, recursive, follows }
}
