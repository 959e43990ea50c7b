// Which test files run in which process, each process a file to start.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const root = new URL('..', import.meta.url).pathname
/** Files beside the source are short; those of whole programs are not, and nobody should wait long for the last of them. */
const FILES_PER_PROCESS = { src: 20, test: 8 }
/** They take longest, and are started first: at the end everybody would wait for them. */
const LONGEST = new RegExp(
  [
    'both-ways|hundred-sessions|api-stream|contract/types|process-zoo|permission-explain|matrix|next-steps|races|interleavings',
    'cluster/(?:faults|lost-machines)|web/(?:views|reach|answering|working)|packaging/packaging|terminal/terminal|mcp-orphans',
    'hostile/cli',
  ].join('|'),
)
/** Hooks for all tests of a file would be called for its neighbours' tests, too; `after` comes when all are through. */
const HAS_HOOKS = /^(?:before|beforeEach|afterEach)\(/m
/** It changes, or counts, what belongs to the whole process. */
const IS_PROCESS_WIDE =
  /process\.(?:env\S+ = |on\(|memoryUsage|getActiveResourcesInfo)|defineProperty\(process|mock\.timers|childrenOf\(process\.pid/

/** Folders in memory are below /dev, which a sandbox has of its own; and their names are longer, which budgets count. */
const NEEDS_DISK = /sandbox|contract\/budgets/

/**
 * Starting Node and loading the same modules takes longer than most files do: neighbours share a process, unless they need one
 * of their own. Short work comes last and fills the gaps at the end.
 */
export function inProcesses(files) {
  const folder = join(root, '.build', 'processes')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const isAlone = (file) => {
    if (LONGEST.test(file)) return true
    const text = readFileSync(join(root, file), 'utf8')
    return HAS_HOOKS.test(text) || (!file.startsWith('src/') && IS_PROCESS_WIDE.test(text))
  }
  const alone = files.filter(isAlone)
  const together = ['test', 'src'].flatMap((kind) => {
    const some = files.filter((file) => file.startsWith(`${kind}/`) && !alone.includes(file))
    const [disk, memory] = [true, false].map((needs) => some.filter((file) => NEEDS_DISK.test(file) === needs))
    return [...inGroups(disk, FILES_PER_PROCESS[kind]), ...inGroups(memory, FILES_PER_PROCESS[kind])]
  })
  const one = (file) => [file]
  const first = alone.filter((file) => LONGEST.test(file))
  const rest = alone.filter((file) => !LONGEST.test(file))
  return [...first.map(one), ...rest.map(one), ...together].map((group) => {
    const path = join(folder, group[0].replaceAll('/', '-').replace(/\.ts$/, '.js'))
    const before = NEEDS_DISK.test(group[0]) ? ['scripts/on-disk.mjs'] : []
    const lines = [
      ...[...before, 'scripts/hang-limit.mjs', 'scripts/cost-probe.mjs', 'scripts/without-tracking.mjs'].map((module) =>
        importOf(module),
      ),
      ...group.flatMap((file) => [markOf(file), importOf(`.build/${file.replace(/\.ts$/, '.js')}`)]),
      markOf(),
    ]
    writeFileSync(path, lines.join(''))
    return path
  })
}

const importOf = (module) => `import ${JSON.stringify(pathToFileURL(join(root, module)).href)}\n`

/** A module that tells `cost-probe.mjs` which file loads next. */
function markOf(file) {
  const code = `globalThis[Symbol.for('kedge.loading')](${file === undefined ? '' : JSON.stringify(file)})`
  return `import 'data:text/javascript,${encodeURIComponent(code).replaceAll("'", '%27')}'\n`
}

function inGroups(files, size) {
  const groups = []
  for (let from = 0; from < files.length; from += size) groups.push(files.slice(from, from + size))
  return groups
}
