/** Commands that are run on what was found: behind xargs, by find itself, in loops. */
import {
  areInside,
  findsOnlyPlainNames,
  namesFromFind,
  type PipedNamesContext,
  pipedNames,
} from './piped-file-names.js'
import { endOfCommand } from './programs/find.js'
import { inPlaceOf, PIPED_FILES, type PipedNames } from './programs/piped-names.js'
import { readOnlyFiles } from './programs/read-only.js'
import { knownWord } from './syntax/shell-words.js'
import { type ShellWord, type SimpleCommand, type Stream, valueAt } from './syntax/syntax.js'

/** What runs, with `FOUND` for the names, when these are known to be inside; undefined when they are not, or there are none. */
export async function commandsOnFound(
  command: SimpleCommand,
  ground: PipedNamesContext,
): Promise<(readonly ShellWord[])[] | undefined> {
  const { words, input } = command
  const name = valueAt(words, 0)
  if (name === 'xargs') {
    const through = throughXargs(words)
    const names = through && input && pipedNames(input)
    // Without their folder they are names of files only for a command that stands there; for these they are text.
    if (names?.bare && valueAt(words, 1).startsWith('-') && !TAKES_TEXT.test(valueAt(through?.words ?? [], 0)))
      return undefined
    return names && names.exact === through.exact && (await areInside(names, ground)) ? [through.words] : undefined
  }
  if (name === 'find') {
    const through = throughFind(words)
    return through && (await areInside(through.names, ground)) ? through.commands : undefined
  }
  return onKnownWords(command, ground)
}

const TAKES_TEXT = /^(?:echo|basename|dirname)$/

/** With all that the variables of a loop, or a substitution among the words, stand for; undefined when there are none of these. */
async function onKnownWords(
  command: SimpleCommand,
  ground: PipedNamesContext,
): Promise<(readonly ShellWord[])[] | undefined> {
  const variables = loopNames(command)
  for (const one of variables) if (!isReadByLines(one) || !(await areInside(one.names, ground))) return undefined
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
    if (value.glob && !(await findsOnlyPlainNames(value, ground))) return undefined
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
      return names && !names.exact && !names.bare && (await areInside(names, ground)) ? [PIPED_FILES] : undefined
    }
  }
  return undefined
}

/** The command that xargs runs, with what it adds; undefined when its options are not known. */
function throughXargs(words: readonly ShellWord[]): { words: readonly ShellWord[]; exact: boolean } | undefined {
  let exact = false
  let mark: string | undefined
  let i = 1
  for (; valueAt(words, i).startsWith('-'); i++) {
    const value = valueAt(words, i)
    if (/^(?:-0|--null)$/.test(value)) exact = true
    else if (/^-0r$|^-r0$/.test(value)) exact = true
    else if (/^-I$/.test(value)) mark = valueAt(words, ++i)
    else if (/^-I./.test(value)) mark = value.slice(2)
    else if (/^-[nPL]$/.test(value)) {
      if (!/^\d+$/.test(valueAt(words, ++i))) return undefined
    } else if (!/^-[nPL]\d+$|^-[rt]$|^--no-run-if-empty$|^--max-(?:args|procs)=\d+$/.test(value)) return undefined
  }
  if (mark !== undefined && mark !== '{}') return undefined
  const inner = i < words.length ? words.slice(i) : [knownWord('echo')]
  if (words.slice(1, i + 1).some((word) => word.dynamic || word.glob)) return undefined
  return { words: mark === undefined ? [...inner, PIPED_FILES] : inner.map((word) => inPlaceOf(word)), exact }
}

/** The commands that find runs on what it finds, and what that is. */
function throughFind(
  words: readonly ShellWord[],
): { commands: (readonly ShellWord[])[]; names: PipedNames } | undefined {
  const commands: (readonly ShellWord[])[] = []
  const rest: ShellWord[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]
    if (!word) continue
    if (word.value !== '-exec') rest.push(word)
    else {
      const end = endOfCommand(words, i + 1)
      if (!end?.certain) return undefined
      commands.push(words.slice(i + 1, end.at).map((one) => inPlaceOf(one)))
      i = end.at
      // In its place: what comes before decides, what comes after does not.
      if (commands.length === 1) rest.push(knownWord('-print0'))
    }
  }
  if (commands.length === 0 || rest.filter(({ value }) => value === '-print0').length > 1) return undefined
  const names = namesFromFind(rest)
  return names && { commands, names }
}

/** A variable that a loop is given names by. */
type LoopNames = { name: string; stream: Stream; names: PipedNames }

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
  instead = PIPED_FILES,
): readonly ShellWord[] {
  return words.map((word, i) => (i > 0 && variables.includes(variableOf(word) ?? '') ? instead : word))
}

const NEVER_READ = /^(?:read|echo|printf|test|\[|:|true|false|basename|dirname|ls|stat|du|realpath|readlink)$/

/** Does nothing in the loop read from the stream but its `read`? Else that would go on in the middle of a name. */
function isReadByLines({ name, stream }: LoopNames): boolean {
  const mark = knownWord('./f')
  return stream.by.every(
    ({ words }) =>
      words.length === 0 ||
      NEVER_READ.test(valueAt(words, 0)) ||
      (!words.some(({ value }) => value === '-' || value.startsWith('/dev/')) &&
        readOnlyFiles(withNames(words, [name], mark))?.includes(mark) === true),
  )
}
