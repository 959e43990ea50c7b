/** Which files a command line is known to change: for keeping what they were, not for judging it. What is not known is left out. */
import { basename, dirname, isInsidePosix, join } from '../platform/posix-paths.js'
import { isHarmlessRedirectTarget } from './bash/auto-approve.js'
import { collectAllCommands } from './bash/nested.js'
import { PathResolver } from './bash/path-resolver.js'
import { readOperands } from './bash/programs/arguments.js'
import { copiedFiles } from './bash/programs/files/copies.js'
import { hasOption } from './bash/programs/option-words.js'
import { readHarmlessSed } from './bash/programs/text/sed.js'
import { fileUseOf } from './bash/questions/file-use.js'
import { expandGlob } from './bash/syntax/globs.js'
import { loadShellParser } from './bash/syntax/parse-command.js'
import { programOf, type ShellWord } from './bash/syntax/syntax.js'
import { PathFinder, type PathFinderFiles } from './path-finder.js'
import { wordList } from './word-list.js'

/** A real path that changes, or becomes a folder, or goes `deep` with all it holds; or a folder whose content will stand elsewhere too. */
export type PathChangedByCommand = { path: string; deep: boolean; folder?: boolean } | { from: string; to: string }

export type WrittenFilesPorts = { files: PathFinderFiles; home: string; directories: readonly string[] }

/** Change the files they name and nothing else, with their options. */
const WRITERS: Record<string, string> = {
  touch: '-acmfh -d= -t= -r< --no-create --no-dereference --date= --reference< --time=',
  mkdir: '-pvZ -m= --parents --verbose --mode=',
  rmdir: '-pv --parents --verbose --ignore-fail-on-non-empty',
  unlink: '',
  tee: '-aip --append --ignore-interrupts --output-error?',
  truncate: '-co -s= -r< --no-create --io-blocks --size= --reference<',
  shred: '-fuvxz -n= -s= --force --remove? --zero --iterations= --size=',
  sponge: '-a',
  chmod: '-Rcfv --recursive --changes --silent --quiet --verbose --reference<',
}
const MODE = /^(?:[0-7]{1,4}|[ugoa]*[-+=].*)$/
/** What these write is told by more than their operands. */
const OTHER_WRITERS = new Set(['dd', 'ln'])
const REMOVERS = new Set(wordList('rm trash srm'))
const COPIERS = new Set(wordList('cp mv install'))
/** With a script among their words, so only words that name a file count. */
const IN_PLACE = new Set(wordList('sed gsed perl ruby'))
const GIT_VERBS = new Set(wordList('rm mv restore checkout'))

/** Returns the files that a command may change. Only inside the working directories. */
export async function findFilesCommandWrites(
  command: string,
  cwd: string,
  ports: WrittenFilesPorts,
): Promise<PathChangedByCommand[]> {
  const parse = await loadShellParser()
  const script = parse(command)
  if (script.problems.length > 0) return []
  const { commands, redirects } = collectAllCommands(script, parse)
  const finder = new PathFinder(ports.files)
  const resolver = new PathResolver(commands, cwd, ports.home, finder)
  const around: Surroundings = { finder, resolver, isAlone: commands.length === 1 }
  const written: PathChangedByCommand[] = []
  for (const { kind, target } of redirects) {
    if (kind === 'write' && !isHarmlessRedirectTarget(target)) written.push(...at(await pathsOf(target, around)))
  }
  for (const { words } of commands) written.push(...(await changedBy(words, around)))
  return insideOnly(written, finder, ports.directories)
}

type Surroundings = { finder: PathFinder; resolver: PathResolver; isAlone: boolean }

const at = (paths: readonly string[], deep = false): PathChangedByCommand[] => paths.map((path) => ({ path, deep }))

async function changedBy(words: readonly ShellWord[], around: Surroundings): Promise<PathChangedByCommand[]> {
  const program = programOf(words) ?? ''
  const all = async (chosen: readonly ShellWord[]) =>
    (await Promise.all(chosen.map((word) => pathsOf(word, around)))).flat()
  const syntax = Object.hasOwn(WRITERS, program) ? WRITERS[program] : undefined
  if (syntax !== undefined) {
    const { operands, options } = readOperands(words, syntax)
    const named = program === 'chmod' ? operands.filter(({ value }, i) => i > 0 || !MODE.test(value)) : operands
    const about = { deep: options.has('-R') || options.has('--recursive'), folder: program === 'mkdir' }
    return (await all(named)).map((path) => ({ path, ...about }))
  }
  if (OTHER_WRITERS.has(program)) return at(await all(fileUseOf(words).writes))
  if (REMOVERS.has(program)) return at(await all(fileUseOf(words).writes), true)
  if (COPIERS.has(program)) return copied(words, around)
  if (IN_PLACE.has(program)) {
    const files = await existing(await all(fileUseOf(words).writes), around)
    return at([...files, ...files.flatMap((path) => backupsOf(path, words))])
  }
  if (program !== 'git') return []
  const verb = words.findIndex((word) => GIT_VERBS.has(word.value))
  const operands = verb < 0 ? [] : words.slice(verb + 1).filter(({ value }) => !value.startsWith('-'))
  if (words[verb]?.value === 'mv') return copied([...words.slice(verb, verb + 1), ...operands], around)
  return at(await existing(await all(operands), around), true)
}

/** Whether the target is a folder that takes them: behind other commands that shows only when it runs. */
async function copied(words: readonly ShellWord[], around: Surroundings): Promise<PathChangedByCommand[]> {
  const { reads, writes } = copiedFiles(words)
  // Behind the targets come the names that the sources would have in them.
  const targets = writes.slice(0, writes.length / (reads.length + 1))
  const sources = (await Promise.all(reads.map((word) => pathsOf(word, around)))).flat()
  const into = (await Promise.all(targets.map((word) => pathsOf(word, around)))).flat()
  const isMove = words[0]?.value === 'mv'
  const isPlain = words.some(({ value }) => hasOption(value, { short: 'T', long: ['no-target-directory'] }))
  const written = isMove ? at(sources, true) : []
  for (const target of into) {
    const isFolder = (await around.finder.kind((await around.finder.place(target)).real ?? target)) === 'directory'
    if (!isFolder || !around.isAlone || isPlain) {
      written.push(...at([target]), ...sources.map((source) => ({ from: source, to: target })))
    }
    if (isPlain || (!isFolder && around.isAlone)) continue
    for (const source of sources) {
      const inside = join(target, basename(source))
      written.push(...at([inside]), { from: source, to: inside })
    }
  }
  return written
}

/** The copies `sed -i.bak` makes. */
function backupsOf(path: string, words: readonly ShellWord[]): string[] {
  if (!readHarmlessSed(words)?.inPlace) return []
  return words.flatMap(({ value }) => {
    const ending = /^-[nErsuz]*i([^/*]+)$/.exec(value)?.[1]
    return ending === undefined ? [] : `${path}${ending}`
  })
}

async function existing(paths: readonly string[], { finder }: Surroundings): Promise<string[]> {
  const kinds = await Promise.all(paths.map((path) => finder.kind(path)))
  return paths.filter((_, i) => kinds[i] !== undefined)
}

/** Every path a word may mean, links in it not followed; none when that is only known at run time. */
async function pathsOf(word: ShellWord, { resolver, finder }: Surroundings): Promise<string[]> {
  const places = async (one: ShellWord) => ((await resolver.locate(one)) ?? []).map(({ place }) => place)
  if (!word.glob) return (await places(word)).map(({ lexical }) => lexical)
  if (word.dynamic) return []
  const start = word.head.slice(0, word.head.lastIndexOf('/') + 1)
  const bases =
    start === ''
      ? resolver.lost
        ? []
        : resolver.folders
      : (await places({ ...word, value: start, glob: false })).map(({ lexical, real }) => real ?? lexical)
  const pattern = word.value.slice(start.length)
  const found = await Promise.all(bases.map((base) => expandGlob(base, pattern, finder, true)))
  return found.flatMap((paths) => paths ?? [])
}

/** As real paths: what has the name, and what a link of that name leads to. */
async function insideOnly(
  written: readonly PathChangedByCommand[],
  finder: PathFinder,
  directories: readonly string[],
): Promise<PathChangedByCommand[]> {
  const roots = await Promise.all(directories.map(async (directory) => (await finder.place(directory)).real))
  const real = async (path: string): Promise<string[]> => {
    const { real: folder } = await finder.place(dirname(path))
    const { real: target } = await finder.place(path)
    const found = new Set([folder === undefined ? undefined : join(folder, basename(path)), target])
    return [...found].flatMap((one) =>
      one !== undefined && roots.some((root) => root !== undefined && isInsidePosix(one, root)) ? one : [],
    )
  }
  const kept: PathChangedByCommand[] = []
  for (const one of written) {
    if ('path' in one) kept.push(...(await real(one.path)).map((path) => ({ ...one, path })))
    else {
      const [from] = await real(one.from)
      const [to] = await real(one.to)
      if (from !== undefined && to !== undefined) kept.push({ from, to })
    }
  }
  return kept
}
