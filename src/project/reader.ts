/**
 * Reads files that may come from strangers: regular files only, of bounded size and number, and never through a link that
 * leads out of the folder they belong to. What is judged is what is read.
 */
import { systemErrorCode } from '../platform/files/file-stat.js'
import { readWholeFile } from '../platform/files/open-file.js'
import { isInside, join } from '../platform/paths.js'
import { withoutInvisible } from '../platform/visible-text.js'
import type { ProblemCollector } from './file-problems.js'
import { type MarkdownFile, parseMarkdown } from './frontmatter.js'
import type { DefinitionOrigin, ProjectFileAccess } from './project.js'

export type ReadingContext = { files: ProjectFileAccess; problems: ProblemCollector }

/** A folder with things of one kind, and whose it is. */
export type DefinitionFolder = {
  folder: string
  origin: DefinitionOrigin
  /** Links may not lead out of this real folder; absent for the user's own. */
  within?: string
  plugin?: { name: string; path: string }
  /** Only texts of it are used: no tools, models, servers, or commands that would run. */
  untrusted?: boolean
}

export type ProjectTextResult =
  | { kind: 'absent' }
  | { kind: 'text'; text: string; real: string; uid: number }
  | { kind: 'unusable'; reason: string }

/** Far more than anybody writes by hand. */
const MAX_BYTES = 256 * 1024
/** Maximum entries of one folder; more aren't looked at. */
const MAX_ENTRIES = 1000
/** Limits for one tree of folders. */
const MAX_FILES = 300
const MAX_FOLDERS = 100
const MAX_DEPTH = 6

/** `within` is a real path. Without it links may lead anywhere: the file is the user's own. */
export async function readProjectText(
  path: string,
  within: string | undefined,
  files: ProjectFileAccess,
): Promise<ProjectTextResult> {
  try {
    if (!(await files.lstat(path))) return { kind: 'absent' }
    const real = await files.realpath(path)
    if (within !== undefined && !isInside(real, within)) return unusable(`is a link that leads out of ${within}`)
    const { file, stat } = await files.open(real)
    if (!file) return unusable('is not a file')
    try {
      const content = await readWholeFile(file, MAX_BYTES)
      if (!content) return unusable(`is larger than ${MAX_BYTES / 1024} KiB`)
      const text = decode(content)
      return text === undefined ? unusable('is not UTF-8 text') : { kind: 'text', text, real, uid: stat.uid }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = systemErrorCode(error)
    // Not the same as no file: somebody meant something to be there.
    if (code === 'ENOENT' || code === 'ELOOP') return unusable('is a link that leads nowhere')
    return unusable(`can't be read (${code ?? 'for an unknown reason'})`)
  }
}

/** The same without invisible characters, and with what is wrong told as a problem. */
export async function readTextReportingProblems(
  path: string,
  within: string | undefined,
  { files, problems }: ReadingContext,
): Promise<ProjectTextResult> {
  const found = await readProjectText(path, within, files)
  if (found.kind === 'unusable') problems.add(path, `${found.reason}. It is not used.`)
  if (found.kind !== 'text') return found
  const { text, removed } = withoutInvisible(found.text)
  if (removed > 0) problems.add(path, `${removed} invisible characters were left out.`)
  return { ...found, text }
}

/** A file with fields on top. Undefined when there is none, or one that can't be used. */
export async function readMarkdown(
  path: string,
  within: string | undefined,
  reading: ReadingContext,
): Promise<MarkdownFile | undefined> {
  const found = await readTextReportingProblems(path, within, reading)
  return found.kind === 'text' ? parseProjectMarkdown(path, found.text, reading) : undefined
}

export function parseProjectMarkdown(
  path: string,
  text: string,
  { problems }: ReadingContext,
): MarkdownFile | undefined {
  const parsed = parseMarkdown(text)
  if ('fields' in parsed) return parsed
  problems.add(path, `${parsed.text}. The file is not used.`, parsed.line)
  return undefined
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function unusable(reason: string): ProjectTextResult {
  return { kind: 'unusable', reason }
}

/** `segments` are the names of the folders on the way, then its own. */
export type ProjectFilePath = { path: string; segments: string[] }
type Step = { folder: string; segments: string[] }

/** All files below `folder` whose name ends with `.md`, in the order of their paths. A missing folder has none. */
export async function findMarkdownFiles(
  folder: string,
  within: string | undefined,
  reading: ReadingContext,
): Promise<ProjectFilePath[]> {
  const found: ProjectFilePath[] = []
  const seen = new Set<string>()
  let folders = 1
  let level: Step[] = [{ folder, segments: [] }]
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: Step[] = []
    for (const { entries, step } of await Promise.all(level.map(list))) {
      for (const { name, kind } of entries) {
        const path = join(step.folder, name)
        const segments = [...step.segments, name]
        if (kind === 'directory') next.push({ folder: path, segments })
        else if (kind === 'file' && name.endsWith('.md')) found.push({ path, segments })
      }
    }
    folders += next.length
    if (found.length > MAX_FILES || folders > MAX_FOLDERS || (next.length > 0 && depth === MAX_DEPTH)) {
      reading.problems.add(folder, 'holds more files or deeper folders than are read; what is beyond is not used.')
      break
    }
    level = next
  }
  return found.slice(0, MAX_FILES).sort((a, b) => (a.path < b.path ? -1 : 1))

  async function list(step: Step) {
    const real = await realFolderWithin(step.folder, within, reading)
    // Two ways to one folder, or a link to a folder above: once is enough.
    if (real === undefined || seen.has(real)) return { step, entries: [] }
    seen.add(real)
    return { step, entries: await listFolder(step.folder, reading) }
  }
}

/** Names and kinds in the order of names; links count as what they lead to. Names that begin with a dot are left out. */
export async function listFolder(folder: string, reading: ReadingContext) {
  const { files, problems } = reading
  try {
    const entries = await files.entries(folder, MAX_ENTRIES + 1)
    if (entries.length > MAX_ENTRIES) problems.add(folder, `holds more than ${MAX_ENTRIES} entries; not all are used.`)
    const visible = entries.slice(0, MAX_ENTRIES).filter(({ name }) => !name.startsWith('.'))
    const kinds = await Promise.all(
      visible.map(async ({ name, kind }) => ({
        name,
        kind: kind === 'symlink' ? await kindBehind(join(folder, name), reading) : kind,
      })),
    )
    return kinds.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const code = systemErrorCode(error)
    if (code !== 'ENOENT' && code !== 'ENOTDIR') problems.add(folder, `can't be read (${code ?? 'unknown reason'}).`)
    return []
  }
}

async function kindBehind(path: string, { files, problems }: ReadingContext) {
  try {
    return (await files.lstat(await files.realpath(path)))?.kind ?? 'other'
  } catch {
    problems.add(path, 'is a link that leads nowhere.')
    return 'other'
  }
}

/** Undefined when there is none, or when it lies outside. */
export async function realFolderWithin(
  folder: string,
  within: string | undefined,
  { files, problems }: ReadingContext,
): Promise<string | undefined> {
  try {
    const real = await files.realpath(folder)
    if (within === undefined || isInside(real, within)) return real
    problems.add(folder, `is a link that leads out of ${within}. It is not used.`)
  } catch {
    // Nothing there.
  }
  return undefined
}
