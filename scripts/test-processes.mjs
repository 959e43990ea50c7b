// Which test files run in which process, each process a file to start.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ONLY_IN_ALL } from './test-tiers.mjs'

const root = new URL('..', import.meta.url).pathname
/** Files beside the source are short; those of whole programs are not, and nobody should wait long for the last of them. */
const FILES_PER_PROCESS = { src: 40, test: 14 }
/** They wait or work longest, and are started first, in this order: at the end everybody would wait for them. */
const LONGEST = [
  /web\/views/,
  /cluster\/(?:chaos|faults|lost-machines)/,
  /api-stream/,
  /fuzz\/differential/,
  /web\/reach/,
  /contract\/(?:types|permission-explain|permission-corpus)/,
  /hundred-sessions|mcp-orphans|packaging\/packaging|next-steps|test\/project\/cli/,
  /matrix|races|interleavings|both-ways|many-writers/,
  /terminal\/terminal|acp\/bad-input|server\/chaos/,
]
/** Runs last: without a cgroup, Kedge can lose the race against self-replacing processes on a busy machine. */
const LAST = /process-zoo/
/** They become another user. */
const ALONE = /sandbox\/escapes/
/** They share what takes long to start: a browser. */
const HAS_BROWSER = /^test\/web\/(?!views|reach|speed)/
/** In a process with others, such a file gets a suite of its own (`file-suites.mjs`). */
const HAS_HOOKS = /^(?:before|beforeEach|afterEach)\(/m
/** Its tests are defined later, when another file is loading. */
const AWAITS = /^(?:await |(?:const|let|export) .*\bawait )/m
/** It changes, or counts, what belongs to the whole process. */
const IS_PROCESS_WIDE =
  /process\.(?:env\S+ = |on\(|memoryUsage|getActiveResourcesInfo)|defineProperty\(process|mock\.timers|childrenOf\(process\.pid|installPage\(/

const BEFORE_TESTS = ['scripts/hang-limit.mjs', 'scripts/cost-probe.mjs', 'scripts/without-tracking.mjs']

/** Folders in memory are below /dev, which a sandbox has of its own; and their names are longer, which budgets count. */
const NEEDS_DISK = /sandbox|contract\/budgets/

/**
 * Starting Node and loading the same modules takes longer than most files do: neighbors share a process, unless they need one
 * of their own. Those last a second or two: they come last and fill the gaps at the end, when the long processes are over.
 */
export function inProcesses(files) {
  const folder = join(root, '.build', 'processes')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const kindOf = (file) => {
    const text = readFileSync(join(root, file), 'utf8')
    if (HAS_BROWSER.test(file) && text.includes("'./page-stage.js'")) return 'together'
    if (LAST.test(file)) return 'last'
    if (rankOf(file) >= 0) return 'longest'
    if (ALONE.test(file) || (!file.startsWith('src/') && IS_PROCESS_WIDE.test(text))) return 'alone'
    if (!HAS_HOOKS.test(text)) return 'shared'
    return AWAITS.test(text) ? 'alone' : 'hooked'
  }
  const kinds = { together: [], longest: [], alone: [], shared: [], hooked: [], last: [] }
  for (const file of files) kinds[kindOf(file)].push(file)
  const inOrder = (some) =>
    ['test', 'src'].flatMap((kind) => {
      const ofKind = some.filter((file) => file.startsWith(`${kind}/`))
      const [disk, memory] = [true, false].map((needs) => ofKind.filter((file) => NEEDS_DISK.test(file) === needs))
      // A few files on their own are over sooner in as many processes as there are cores.
      const size = Math.min(FILES_PER_PROCESS[kind], Math.ceil(ofKind.length / availableParallelism()))
      return [...inGroups(disk, size), ...inGroups(memory, size)]
    })
  const one = (file) => [file]
  const isLong = (file) => Object.hasOwn(ONLY_IN_ALL, file)
  const [long, short] = [kinds.alone.filter(isLong), kinds.alone.filter((file) => !isLong(file))]
  const longest = kinds.longest.sort((a, b) => rankOf(a) - rankOf(b))
  return [
    ...inGroups(kinds.together, kinds.together.length || 1),
    ...[...longest, ...long].map(one),
    ...inOrder(kinds.hooked),
    ...inOrder(kinds.shared),
    ...short.map(one),
    ...kinds.last.map(one),
  ].map((group) => {
    const path = join(folder, group[0].replaceAll('/', '-').replace(/\.ts$/, '.js'))
    const before = NEEDS_DISK.test(group[0]) ? ['scripts/on-disk.mjs'] : []
    const suites = kinds.hooked.includes(group[0]) ? ['scripts/file-suites.mjs'] : []
    const lines = [
      ...[...before, ...BEFORE_TESTS, ...suites].map((module) => importOf(module)),
      ...group.flatMap((file) => [markOf(file), importOf(`.build/${file.replace(/\.ts$/, '.js')}`)]),
      markOf(),
    ]
    writeFileSync(path, lines.join(''))
    return path
  })
}

const rankOf = (file) => LONGEST.findIndex((pattern) => pattern.test(file))
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
