/** Collects the texts a model is to follow, each file once in a session, with what they import. */
import { dirname, isInside, join, resolve } from '../platform/paths.js'
import { createFieldReader, toStringList } from './frontmatter.js'
import { findImportReferences, withoutHtmlComments } from './import-references.js'
import type { Instruction, ProjectOptions } from './project.js'
import {
  findMarkdownFiles,
  type ProjectTextResult,
  parseProjectMarkdown,
  type ReadingContext,
  readTextReportingProblems,
} from './reader.js'
import type { YamlValue } from './yaml.js'

const MAX_FILES = 200
/** About a hundred thousand tokens. A folder that the user doesn't trust must not fill the context at the user's cost. */
const MAX_CHARACTERS = { trusted: 400_000, untrusted: 100_000 }
const MAX_IMPORT_DEPTH = 5
const MAX_PATTERNS = 100

/** A file to follow, and what it may do. */
export type InstructionOriginAndTrust = {
  kind: Instruction['kind']
  reason: Instruction['reason']
  /** Neither links nor imports lead out of this real folder; absent for the user's own files. */
  within?: string
  /** Only files of these users count; absent: everybody's. */
  owners?: readonly number[]
  /** The user doesn't trust the folder. */
  untrusted?: boolean
}

/** A rule that waits for a file its patterns match. */
export type PathScopedInstruction = {
  path: string
  text: string
  patterns: string[]
  base: string
  place: InstructionOriginAndTrust
}

export type InstructionCollector = {
  /** False when there is no such file. What it imports follows it. */
  add(path: string, place: InstructionOriginAndTrust): Promise<boolean>
  /** `rules/*.md`: those with `paths` wait, the others count at once. */
  addRules(folder: string, base: string, place: InstructionOriginAndTrust): Promise<void>
  addWaiting(rule: PathScopedInstruction): Promise<void>
  /** By path. */
  waiting: ReadonlyMap<string, PathScopedInstruction>
  /** What was added since the last call. */
  take(): Instruction[]
  /** Files added with one of these reasons may be added again. */
  forget(reasons: readonly Instruction['reason'][]): void
}

export function createInstructionCollector(options: ProjectOptions, reading: ReadingContext): InstructionCollector {
  const { files, problems } = reading
  const seen = new Map<
    string,
    { reason: Instruction['reason']; characters: number; whose: keyof typeof MAX_CHARACTERS }
  >()
  const waiting = new Map<string, PathScopedInstruction>()
  let added: Instruction[] = []
  const characters = { trusted: 0, untrusted: 0 }

  type File = {
    path: string
    real: string
    text: string
    place: InstructionOriginAndTrust
    depth: number
    importedBy?: string
  }

  async function read(path: string, { within, owners }: InstructionOriginAndTrust): Promise<ProjectTextResult> {
    const found = await readTextReportingProblems(path, within, reading)
    if (found.kind !== 'text' || !owners || owners.includes(found.uid)) return found
    const reason = 'belongs to another user and lies above your project'
    problems.add(path, `${reason}. It is not used.`)
    return { kind: 'unusable', reason }
  }

  async function put({ path, real, text: written, place, depth, importedBy }: File): Promise<void> {
    if (seen.has(real)) return
    const text = withoutHtmlComments(written)
    const whose = place.untrusted ? 'untrusted' : 'trusted'
    const isTooMuch = characters[whose] + text.length > MAX_CHARACTERS[whose] || seen.size >= MAX_FILES
    seen.set(real, { reason: place.reason, characters: isTooMuch ? 0 : text.length, whose })
    if (isTooMuch) problems.add(path, 'is not used: all instructions together are too long. Shorten them.')
    if (isTooMuch || text.trim() === '') return
    characters[whose] += text.length
    const { kind } = place
    const reason = importedBy === undefined ? place.reason : 'include'
    const from = importedBy === undefined ? {} : { importedBy }
    added.push({ path, text, kind, reason, ...from, ...(place.untrusted && { untrusted: true }) })
    for (const spellings of findImportReferences(text)) await follow(spellings, { path, place, depth })
  }

  async function follow(spellings: readonly string[], from: Pick<File, 'path' | 'place' | 'depth'>): Promise<void> {
    for (const spelling of spellings) {
      const path = toPath(spelling, from.path)
      const real = await realFile(path)
      if (real === undefined) continue
      if (seen.has(real) || seen.size >= MAX_FILES) return
      const refused = await refusal(real, from)
      if (refused !== undefined) return problems.add(from.path, `imports ${spelling}, which ${refused}`)
      const { place, depth } = from
      // The real path: what was judged is what is read.
      const found = await readTextReportingProblems(real, place.within, reading)
      if (found.kind === 'text') await put({ ...found, path, place, depth: depth + 1, importedBy: from.path })
      return
    }
  }

  function toPath(reference: string, from: string): string {
    if (reference.startsWith('~/')) return join(options.home, reference.slice(2))
    return resolve(dirname(from), reference)
  }

  /** Undefined for what isn't a file: most words with `@` are no imports, so that isn't a problem. */
  async function realFile(path: string): Promise<string | undefined> {
    try {
      const real = await files.realpath(path)
      return (await files.lstat(real))?.kind === 'file' ? real : undefined
    } catch {
      return undefined
    }
  }

  async function refusal(real: string, { place, depth }: Pick<File, 'place' | 'depth'>): Promise<string | undefined> {
    if (place.within !== undefined && !isInside(real, place.within)) {
      return `lies outside of ${place.within}. It is not followed; your own CLAUDE.md can import it.`
    }
    if (depth >= MAX_IMPORT_DEPTH) return `would be import number ${depth + 1} in a row. It is not followed.`
    if (options.mayRead && !(await options.mayRead(real))) return 'your rules keep from being read. It is not followed.'
    return undefined
  }

  return {
    waiting,
    async add(path, place) {
      const found = await read(path, place)
      if (found.kind === 'text') await put({ ...found, path, place, depth: 0 })
      return found.kind !== 'absent'
    },
    async addRules(folder, base, place) {
      const { within } = place
      for (const { path } of await findMarkdownFiles(folder, within, reading)) {
        const found = await read(path, place)
        if (found.kind !== 'text' || seen.has(found.real)) continue
        const parsed = parseProjectMarkdown(path, found.text, reading)
        if (!parsed) continue
        const fields = createFieldReader(parsed.fields, path, problems)
        const patterns = fields.checked('paths', toPatterns, `a list of at most ${MAX_PATTERNS} patterns`)
        const rule = { path, text: parsed.body, base, place }
        if (patterns) waiting.set(path, { ...rule, patterns, place: { ...place, reason: 'path_glob_match' } })
        else if (fields.isRight()) await put({ ...rule, real: found.real, depth: 0 })
      }
    },
    addWaiting: async ({ path, text, place }) => put({ path, real: path, text, place, depth: 0 }),
    take() {
      const taken = added
      added = []
      return taken
    },
    forget(reasons) {
      for (const [real, file] of seen) {
        if (!reasons.includes(file.reason)) continue
        characters[file.whose] -= file.characters
        seen.delete(real)
      }
    },
  }
}

function toPatterns(value: YamlValue): string[] | undefined {
  const patterns = toStringList(value)
  return patterns && patterns.length <= MAX_PATTERNS ? patterns : undefined
}
