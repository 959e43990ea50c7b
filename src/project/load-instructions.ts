/** Which instructions a session has: at its start, and when files below the working directory are touched. */
import { basename, dirname, isInside, join, relative, sep } from '../platform/paths.js'
import { findProjectConfigFolder, foldersDownTo, isRepository, realPath } from './folders.js'
import {
  createInstructionCollector,
  type InstructionCollector,
  type InstructionOriginAndTrust,
} from './instructions.js'
import { matchesGlob } from './path-patterns.js'
import type { Instruction, Project, ProjectOptions } from './project.js'
import type { ReadingContext } from './reader.js'

export type LoadedInstructions = Pick<Project, 'instructions' | 'nestedInstructions' | 'forgetNestedInstructions'>

/** The project's folder, and whether only its words are used. */
type ProjectFolder = { root: string; untrusted: boolean }

/** Loads the instructions of a session. `project` is undefined when nothing that came with the folder is wanted. */
export async function loadInstructions(
  options: ProjectOptions,
  project: ProjectFolder | undefined,
  reading: ReadingContext,
): Promise<LoadedInstructions> {
  const { cwd, configDir, sources, managedInstructions, files } = options
  const collector = createInstructionCollector(options, reading)
  for (const path of managedInstructions) await collector.add(path, { kind: 'Managed', reason: 'session_start' })
  if (sources.includes('user')) {
    const place: InstructionOriginAndTrust = { kind: 'User', reason: 'session_start' }
    await collector.add(join(configDir, 'CLAUDE.md'), place)
    await collector.addRules(join(configDir, 'rules'), cwd, place)
  }
  const within = project && (await realPath(project.root, files))
  const inside = project && within !== undefined ? { ...project, within } : undefined
  if (inside) {
    for (const folder of foldersDownTo(cwd)) {
      await addFolder(folder, await placeOf(folder, inside, options), collector, options)
    }
  }
  for (const folder of options.addedFolders ?? []) {
    const place = {
      kind: 'Project',
      reason: 'session_start',
      within: (await realPath(folder, files)) ?? folder,
    } as const
    await addFolder(folder, place, collector, { ...options, sources: ['project', 'local'] })
  }
  const instructions = collector.take()
  return { instructions, ...nested({ options, inside, collector }, reading) }
}

async function placeOf(
  folder: string,
  { root, within, untrusted }: Inside,
  { cwd, home, files }: ProjectOptions,
): Promise<InstructionOriginAndTrust> {
  const place: InstructionOriginAndTrust = { kind: 'Project', reason: 'session_start', within, untrusted }
  if (isInside(folder, root)) return place
  // Above the project, in folders such as /tmp, others may have put files in our way.
  const owners = await Promise.all([home, cwd].map((one) => ownerOf(one, files)))
  const real = await realPath(folder, files)
  return { ...place, within: real ?? folder, owners: [0, ...owners.flatMap((owner) => owner ?? [])] }
}

async function ownerOf(folder: string, files: ProjectOptions['files']): Promise<number | undefined> {
  try {
    return (await files.lstat(await files.realpath(folder)))?.uid
  } catch {
    return undefined
  }
}

/** The files of one folder, in the order they count. */
async function addFolder(
  folder: string,
  place: InstructionOriginAndTrust,
  collector: InstructionCollector,
  options: ProjectOptions,
): Promise<void> {
  const { sources } = options
  if (sources.includes('project')) {
    const own = await findProjectConfigFolder(folder, options)
    const found = await collector.add(join(folder, 'CLAUDE.md'), place)
    const foundOwn = own !== undefined && (await collector.add(join(own, 'CLAUDE.md'), place))
    if (!found && !foundOwn) await collector.add(join(folder, 'AGENTS.md'), place)
    if (own !== undefined) await collector.addRules(join(own, 'rules'), folder, place)
  }
  if (sources.includes('local')) await collector.add(join(folder, 'CLAUDE.local.md'), { ...place, kind: 'Local' })
}

/** `within`: the real folder that neither links nor imports lead out of. */
type Inside = ProjectFolder & { within: string }
type Session = { options: ProjectOptions; inside: Inside | undefined; collector: InstructionCollector }

/** Other people's code inside the project: its instructions are for those who work on it there. */
const FOREIGN = new Set(['node_modules', '.git'])

function nested({ options, inside, collector }: Session, { problems }: ReadingContext) {
  const { cwd, files, isTrusted } = options
  const visited = new Set<string>()
  const known = new Map<string, Inside>()
  // One after the other: calls come side by side, and each file is given once.
  let last: Promise<unknown> = Promise.resolve()

  /** A repository inside is other people's work: the trust in the folder around it doesn't cover it. */
  async function enter(folder: string, around: Inside): Promise<Inside> {
    if (!(await isRepository(folder, files)) || (await isTrusted(folder))) return around
    return { root: folder, within: (await realPath(folder, files)) ?? folder, untrusted: true }
  }

  async function look(path: string): Promise<{ instructions: Instruction[]; problems: string[] }> {
    let now = inside
    for (const folder of foldersBelow(cwd, dirname(path))) {
      if (!now || FOREIGN.has(basename(folder))) break
      now = known.get(folder) ?? (await enter(folder, now))
      known.set(folder, now)
      if (visited.has(folder)) continue
      visited.add(folder)
      const { within, untrusted } = now
      await addFolder(folder, { kind: 'Project', reason: 'nested_traversal', within, untrusted }, collector, options)
    }
    const name = relative(cwd, path)
    for (const rule of collector.waiting.values()) {
      const inBase = isInside(path, rule.base) ? relative(rule.base, path) : name
      const slashed = inBase.split(sep).join('/')
      if (rule.patterns.some((pattern) => matchesGlob(slashed, pattern))) await collector.addWaiting(rule)
    }
    return { instructions: collector.take(), problems: problems.take() }
  }

  return {
    nestedInstructions(path: string) {
      const mayMatter = isInside(path, cwd) && (inside !== undefined || collector.waiting.size > 0)
      const result = last.then(() => (mayMatter ? look(path) : { instructions: [], problems: [] }))
      last = result.catch(() => {})
      return result
    },
    forgetNestedInstructions() {
      visited.clear()
      collector.forget(['nested_traversal', 'path_glob_match'])
    },
  }
}

/** From the one right below `cwd` to `folder`. */
function foldersBelow(cwd: string, folder: string): string[] {
  return isInside(folder, cwd) ? foldersDownTo(folder).filter((one) => one !== cwd && isInside(one, cwd)) : []
}
