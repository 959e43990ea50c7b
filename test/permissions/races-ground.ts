/** Where races are run: a project with one folder that is swapped for a link, and what that link leads to. */
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PermissionFacts } from '../../src/engine/ports.js'
import { createPermissions, type Permissions } from '../../src/permissions/permission-engine.js'
import { nodeFiles } from '../../src/platform/files/files.js'
import { createTestContext, type TestContext } from '../../src/tools/test-context.js'
import type { CallContext, Tool } from '../../src/tools/tool.js'
import { byTier } from '../support/tier.js'
import type { Swap } from './races-swapper.js'

/** Few enough for every day; all that were promised with KEDGE_LONG. */
const RACES = byTier({ quick: 40, all: 250, long: 10_000 })
/** The same for what takes long: commands in the sandbox. */
export const FEWER_RACES = byTier({ quick: 15, all: 50, long: 10_000 })

export type Ground = {
  project: string
  outside: string
  /** In the project, swapped for a link to `outside`. */
  swap: Swap
  context: CallContext
  permissions: Permissions
  /** What is in `outside`, with contents, as one text. */
  seen(): string
  /** As it was at first. */
  cleanOutside(): void
  /** Makes `outside` look like a repository. */
  makeRepository(): void
  /** Tasks in the background. */
  running(): number
  stopAll(): Promise<void>
  dispose(): Promise<void>
}

export async function createGround(parent = tmpdir()): Promise<Ground> {
  const base = realpathSync(mkdtempSync(join(parent, 'kedge-race-')))
  const [project, outside] = [join(base, 'project'), join(base, 'outside')]
  const swap = { spot: join(project, 'spot'), aside: join(project, 'aside'), link: join(project, 'link') }
  for (const folder of [outside, swap.spot]) mkdirSync(folder, { recursive: true })
  symlinkSync(outside, swap.link)
  const made: TestContext = await createTestContext()
  const context: CallContext = {
    ...made.context,
    cwd: project,
    directories: () => [project],
    session: { ...made.context.session, shellCwd: project },
  }
  const permissions = createPermissions({
    files: nodeFiles,
    cwd: project,
    home: join(base, 'home'),
    mode: 'acceptEdits',
    allowBypass: false,
  })
  await permissions.prepare()
  let isRepository = false
  return {
    project,
    outside,
    swap,
    context,
    permissions,
    seen: () => contentOf(outside),
    cleanOutside() {
      for (const name of readdirSync(outside)) rmSync(join(outside, name), { recursive: true, force: true })
      if (isRepository) makeRepository(outside)
    },
    makeRepository() {
      isRepository = true
      makeRepository(outside)
    },
    running: () => made.tasks.running().length,
    stopAll: () => made.tasks.stopAll(),
    async dispose() {
      await made.dispose()
      rmSync(base, { recursive: true, force: true })
    },
  }
}

function makeRepository(folder: string): void {
  mkdirSync(join(folder, '.git'))
  writeFileSync(join(folder, '.git', 'config'), '[core]\n')
}

/** With the times of folders, which also tell of what was made there and removed again. */
function contentOf(folder: string): string {
  const inside = readdirSync(folder, { withFileTypes: true }).map((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return contentOf(path)
    return `${path}: ${entry.isFile() ? readFileSync(path, 'utf8') : 'no file'}`
  })
  return [`${folder}: ${statSync(folder).mtimeMs}`, ...inside.sort()].join('\n')
}

/** Every file below a folder, links not followed. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

export type Raced = 'refused' | 'done' | 'not allowed'

/** A call as a session makes it: checked, judged, run if it may. */
export async function call<Input extends object>(
  tool: Tool<Input>,
  input: Input,
  { context, permissions }: Ground,
  see: (content: unknown) => void = () => {},
): Promise<Raced> {
  if ((await tool.check?.(input, context)) !== undefined) return 'not allowed'
  const facts: PermissionFacts = tool.facts(input, context)
  const { behavior } = await permissions.decide(
    { id: 'toolu_race', name: tool.name, input: Object.fromEntries(Object.entries(input)) },
    facts,
  )
  if (behavior !== 'allow') return 'not allowed'
  const outcome = await tool.execute(input, context)
  if (outcome.ok) see(outcome.content)
  return outcome.ok ? 'done' : 'refused'
}

export type Tally = { done: number; refused: number; outside: number }

export type RaceOptions = {
  /** Before each. */
  prepare?: () => void
  races?: number
}

/** Where nothing is ever allowed, there is no end otherwise. */
const MOST_CALLS = 100

/** Until so many calls were allowed and run. `outside` counts those after which anything there was not as before. */
export async function race(
  ground: Ground,
  one: (index: number) => Promise<Raced>,
  { prepare = () => {}, races = RACES }: RaceOptions = {},
): Promise<Tally> {
  const tally: Tally = { done: 0, refused: 0, outside: 0 }
  let calls = 0
  // On a busy machine the other process can rest for all of them: without both endings there was no race yet.
  const isEnough = () => tally.done + tally.refused >= races && tally.done > 0 && tally.refused > 0
  for (; !isEnough() && calls < MOST_CALLS * races; calls += 1) {
    prepare()
    // A call that begins while the link is there is not allowed, and no race.
    while (!lstatSync(ground.swap.spot, { throwIfNoEntry: false })?.isDirectory()) await nextTurn()
    const before = ground.seen()
    if (calls % 500 === 499) report(tally, calls)
    const end = await one(calls)
    if (end !== 'not allowed') tally[end] += 1
    if (ground.seen() === before) continue
    tally.outside += 1
    ground.cleanOutside()
  }
  report(tally, calls)
  return tally
}

/** A long run tells how far it is. */
function report(tally: Tally, calls: number): void {
  if (process.env['KEDGE_LONG']) process.stderr.write(`races: ${JSON.stringify(tally)} of ${calls} calls\n`)
}
