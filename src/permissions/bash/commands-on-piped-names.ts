/** Commands that are run on what was found: behind xargs, by find itself, in loops. */
import { arePipedNamesInside, hasOnlyPlainGlobMatches, type PipedNamesContext, pipedNames } from './piped-file-names.js'
import { PIPED_FILE_NAMES_WORD, type PipedNames } from './programs/piped-names.js'
import { knowledgeOf } from './programs/program-table.js'
import { fileWordsOfReadOnlyCommand } from './questions/read-only.js'
import { createLiteralWord } from './syntax/shell-words.js'
import { type ShellStream, type ShellWord, type SimpleCommand, wordValueAt } from './syntax/syntax.js'

/** What runs, with `FOUND` for the names, when these are known to be inside; undefined when they are not, or there are none. */
export async function commandsOnPipedNames(
  command: SimpleCommand,
  ground: PipedNamesContext,
): Promise<readonly (readonly ShellWord[])[] | undefined> {
  const { words, input } = command
  const name = wordValueAt(words, 0)
  const { onNames } = knowledgeOf(name)?.runs ?? {}
  if (!onNames) return onKnownWords(command, ground)
  const started = onNames(words)
  if (!started) return undefined
  const names = started.names ?? (input && pipedNames(input))
  // Without their folder they are names of files only for a command that stands there; for these they are text.
  const isText = started.commands.every((inner) => TAKES_TEXT.test(wordValueAt(inner, 0)))
  if (names?.bare && wordValueAt(words, 1).startsWith('-') && !isText) return undefined
  return names && names.exact === started.exact && (await arePipedNamesInside(names, ground))
    ? started.commands
    : undefined
}

const TAKES_TEXT = /^(?:echo|basename|dirname)$/

/** With all that the variables of a loop, or a substitution among the words, stand for; undefined when there are none of these. */
async function onKnownWords(
  command: SimpleCommand,
  ground: PipedNamesContext,
): Promise<(readonly ShellWord[])[] | undefined> {
  const variables = loopNames(command)
  for (const one of variables)
    if (!isReadByLines(one) || !(await arePipedNamesInside(one.names, ground))) return undefined
  const named = withNames(
    command.words,
    variables.map((one) => one.name),
  )
  const words: ShellWord[] = []
  for (const [i, word] of named.entries()) {
    const known = i === 0 ? undefined : ((await globbed(word, command, ground)) ?? (await substituted(word, ground)))
    words.push(...(known ?? [word]))
  }
  return words.length === command.words.length && words.every((word, i) => word === command.words[i])
    ? undefined
    : [words]
}

/** What a variable stands for that a loop gives names by globs: without quotes, only names that stay one word. */
async function globbed(
  word: ShellWord,
  { values = [] }: SimpleCommand,
  ground: PipedNamesContext,
): Promise<readonly ShellWord[] | undefined> {
  const name = variableOf(word)
  const given = values.filter((variable) => variable.name === name)
  if (name === undefined || given.length === 0) return undefined
  const found: ShellWord[] = []
  for (const { value } of given) {
    if (!value || value.dynamic) return undefined
    if (!value.glob && !/^[\w./@%+:,][\w./@%+:,-]*$/.test(value.value)) return undefined
    if (value.glob && !(await hasOnlyPlainGlobMatches(value, ground))) return undefined
    found.push(value)
  }
  return found.some((value) => value.glob) ? found : undefined
}

/** What a substitution without quotes prints: `cat $(git ls-files)`. Its commands are among those of the command line. */
async function substituted(word: ShellWord, ground: PipedNamesContext): Promise<readonly ShellWord[] | undefined> {
  const text = word.dynamic && !word.single ? /^\$\(([\s\S]*)\)$/.exec(word.value)?.[1]?.trim() : undefined
  if (text === undefined) return undefined
  const { commands } = ground
  for (let i = 0; i < commands.length; i++) {
    let joined = ''
    for (let end = i; end < commands.length && joined.length < text.length; end++) {
      joined += `${joined === '' ? '' : ' | '}${commands[end]?.text}`
      if (joined !== text) continue
      const names = pipedNames({ known: true, from: commands.slice(i, end + 1), by: [] })
      return names && !names.exact && !names.bare && (await arePipedNamesInside(names, ground))
        ? [PIPED_FILE_NAMES_WORD]
        : undefined
    }
  }
  return undefined
}

/** A variable that a loop is given names by. */
type LoopNames = { name: string; stream: ShellStream; names: PipedNames }

/** The variables among these words that stand for names from a stream, and for nothing else. */
function loopNames({ words, values = [] }: SimpleCommand): LoopNames[] {
  const used = new Set(words.flatMap((word) => variableOf(word) ?? []))
  return [...used].flatMap((name) => {
    const [given, ...others] = values.filter((variable) => variable.name === name)
    if (!given?.stream || others.length > 0) return []
    const names = pipedNames(given.stream)
    return names && !names.exact && !names.bare ? [{ name, stream: given.stream, names }] : []
  })
}

function variableOf({ value, dynamic }: ShellWord): string | undefined {
  const found = dynamic ? /^\$(?:([a-z]\w*)|\{([a-z]\w*)\})$/.exec(value) : undefined
  return found?.[1] ?? found?.[2]
}

function withNames(
  words: readonly ShellWord[],
  variables: readonly string[],
  instead = PIPED_FILE_NAMES_WORD,
): readonly ShellWord[] {
  return words.map((word, i) => (i > 0 && variables.includes(variableOf(word) ?? '') ? instead : word))
}

/** Does nothing in the loop read from the stream but its `read`? Else that would continue in the middle of a name. */
function isReadByLines({ name, stream }: LoopNames): boolean {
  const mark = createLiteralWord('./f')
  return stream.by.every(
    ({ words }) =>
      words.length === 0 ||
      wordValueAt(words, 0) === 'read' ||
      knowledgeOf(wordValueAt(words, 0))?.ignoresInput ||
      (!words.some(({ value }) => value === '-' || value.startsWith('/dev/')) &&
        fileWordsOfReadOnlyCommand(withNames(words, [name], mark))?.includes(mark) === true),
  )
}
