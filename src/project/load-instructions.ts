/** Which instructions a session has: at its start, and when files below the working directory are touched. */
import { basename, dirname, isInside, join, relative, sep } from '../platform/paths.js'
import { foldersDownTo, isRepository, projectsOwn, realPath } from './folders.js'
import { type Collector, createCollector, type InstructionPlace } from './instructions.js'
import { matchesGlob } from './path-patterns.js'
import type { Instruction, Project, ProjectOptions } from './project.js'
import type { Reading } from './reader.js'

export type LoadedInstructions = Pick<Project, 'instructions' | 'nestedInstructions' | 'forgetNestedInstructions'>

/** `root` is the project's folder; undefined when nothing that came with it may be used. */
export async function loadInstructions(
  options: ProjectOptions,
  root: string | undefined,
  reading: Reading,
): Promise<LoadedInstructions> {
  const { cwd, configDir, sources, managedInstructions, files } = options
  const collector = createCollector(options, reading)
  for (const path of managedInstructions) await collector.add(path, { kind: 'Managed', reason: 'session_start' })
  if (sources.includes('user')) {
    const place: InstructionPlace = { kind: 'User', reason: 'session_start' }
    await collector.add(join(configDir, 'CLAUDE.md'), place)
    await collector.addRules(join(configDir, 'rules'), cwd, place)
  }
  const within = root === undefined ? undefined : await realPath(root, files)
  if (root !== undefined && within !== undefined) {
    for (const folder of foldersDownTo(cwd)) {
      await addFolder(folder, await placeOf(folder, { root, within }, options), collector, options)
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
  return { instructions, ...nested({ options, within, collector, reading }) }
}

async function placeOf(
  folder: string,
  { root, within }: { root: string; within: string },
  { cwd, home, files }: ProjectOptions,
): Promise<InstructionPlace> {
  const place: InstructionPlace = { kind: 'Project', reason: 'session_start', within }
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
  place: InstructionPlace,
  collector: Collector,
  options: ProjectOptions,
): Promise<void> {
  const { sources } = options
  if (sources.includes('project')) {
    const own = await projectsOwn(folder, options)
    const found = await collector.add(join(folder, 'CLAUDE.md'), place)
    const foundOwn = own !== undefined && (await collector.add(join(own, 'CLAUDE.md'), place))
    if (!found && !foundOwn) await collector.add(join(folder, 'AGENTS.md'), place)
    if (own !== undefined) await collector.addRules(join(own, 'rules'), folder, place)
  }
  if (sources.includes('local')) await collector.add(join(folder, 'CLAUDE.local.md'), { ...place, kind: 'Local' })
}

type Session = { options: ProjectOptions; within: string | undefined; collector: Collector; reading: Reading }

/** Other people's code inside the project: its instructions are for those who work on it there. */
const FOREIGN = new Set(['node_modules', '.git'])

function nested({ options, within, collector, reading }: Session) {
  const { cwd, files, isTrusted } = options
  const { problems } = reading
  const visited = new Set<string>()
  const refused = new Set<string>()
  // One after the other: calls come side by side, and each file is given once.
  let last: Promise<unknown> = Promise.resolve()

  async function look(path: string): Promise<{ instructions: Instruction[]; problems: string[] }> {
    for (const folder of foldersBelow(cwd, dirname(path))) {
      if (refused.has(folder) || FOREIGN.has(basename(folder))) break
      if (visited.has(folder)) continue
      if ((await isRepository(folder, files)) && !(await isTrusted(folder))) {
        refused.add(folder)
        problems.add(folder, 'is a repository of its own that is not trusted: its instructions are not used.')
        break
      }
      visited.add(folder)
      if (within === undefined) continue
      await addFolder(folder, { kind: 'Project', reason: 'nested_traversal', within }, collector, options)
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
      const mayMatter = isInside(path, cwd) && (within !== undefined || collector.waiting.size > 0)
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
