/** What happens to machines, lines and the database, by a plan that its seed decides alone: the same seed disturbs the same. */
import type { Random } from '../fuzz/random.js'
import { type Place, type Running, startNode, startWorkerProgram } from './programs.js'

export type Worker = Awaited<ReturnType<typeof startWorkerProgram>>
export type Node = Awaited<ReturnType<typeof startNode>>

/** What may be done to the database, and to the lines to it. */
export type Disturbed = {
  /** Cuts all connections to the database. */
  cut(): Promise<void>
  /** Ends the database the hard way, and starts it again. */
  restart?: () => Promise<void>
  /** Nothing gets through for so long, and nobody is told; then the connections end. */
  silence?: (ms: number) => Promise<void>
}

export type Machines = {
  place: Place
  workers: Worker[]
  nodes: Node[]
  /** What programs that are gone have said. */
  said: string[]
}

const EVERYWHERE = [
  ...['kill worker', 'kill worker', 'kill worker', 'pause worker', 'pause worker', 'drain worker'],
  ...['kill node', 'pause node', 'cut'],
] as const
type Kind = (typeof EVERYWHERE)[number] | 'restart' | 'silence'
type Disturbance = { kind: Kind; whom: number; afterMs: number; forMs: number }

/** Half of the pauses are longer than the silence (3 s) after which a worker is taken for lost. */
const PAUSE_MS = { least: 500, more: 6000 }

export function planDisturbances(random: Random, count: number, { workers, nodes }: Sizes, given: Disturbed) {
  const kinds = [
    ...EVERYWHERE,
    ...(given.restart ? ['restart' as const] : []),
    ...(given.silence ? ['silence' as const] : []),
  ]
  return Array.from({ length: count }, (): Disturbance => {
    const kind = random.pick(kinds)
    const whom = random.int(kind.endsWith('node') ? nodes : workers)
    return { kind, whom, afterMs: 100 + random.int(1300), forMs: PAUSE_MS.least + random.int(PAUSE_MS.more) }
  })
}
type Sizes = { workers: number; nodes: number }

/** Which flags a worker has, by its place: one of them parks a question at once, another waits for the answer. */
export const flagsOf = (place: number): string[] => ['--warm-seconds', String(place % 2)]

/** One after the other begins; what is done to different machines goes on at the same time. */
export async function disturb(
  machines: Machines,
  plan: readonly Disturbance[],
  given: Disturbed,
  isOver: () => boolean,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const busy = new Map<string, Promise<void>>()
  let failure: unknown
  let begun = 0
  for (const one of plan) {
    await pause(one.afterMs)
    const what = one.kind.split(' ')[1]
    const whom = what === undefined ? 'database' : `${what} ${one.whom}`
    await busy.get(whom)
    if (failure !== undefined || isOver()) break
    const name = one.kind.startsWith('pause') && one.forMs > 3000 ? `${one.kind}, for long` : one.kind
    counts[name] = (counts[name] ?? 0) + 1
    begun += 1
    if (begun % 50 === 0) process.stderr.write(`chaos: ${begun} of ${plan.length} disturbances\n`)
    busy.set(
      whom,
      perform(machines, one, given).catch((error: unknown) => {
        failure ??= error
      }),
    )
  }
  await Promise.all(busy.values())
  if (failure !== undefined) throw failure
  return counts
}

async function perform(machines: Machines, { kind, whom, forMs }: Disturbance, given: Disturbed): Promise<void> {
  const { place, workers, nodes } = machines
  const anotherWorker = () => startWorkerProgram(place, ...flagsOf(whom))
  switch (kind) {
    case 'kill worker':
      return replace(machines, workers, whom, 'SIGKILL', anotherWorker)
    case 'drain worker':
      return replace(machines, workers, whom, 'SIGTERM', anotherWorker)
    case 'kill node':
      return replace(machines, nodes, whom, 'SIGKILL', () => startNode(place))
    case 'pause worker':
      return pauseProgram(workers[whom], forMs)
    case 'pause node':
      return pauseProgram(nodes[whom], forMs)
    case 'cut':
      return given.cut()
    case 'restart':
      return given.restart?.()
    case 'silence':
      return given.silence?.(forMs)
  }
}

async function replace<T extends Running>(
  { said }: Machines,
  list: T[],
  index: number,
  signal: NodeJS.Signals,
  start: () => Promise<T>,
): Promise<void> {
  const old = list[index]
  const code = await old?.end(signal)
  if (old) said.push(`[${index}] ${old.log()}`)
  if (signal === 'SIGTERM' && code !== 0) throw new Error(`A worker that was asked to end: ${code}\n${old?.log()}`)
  list[index] = await supervised(said, start)
}

/** One that finds no database when it starts says so and ends; whoever looks after programs starts it again. */
async function supervised<T>(said: string[], start: () => Promise<T>): Promise<T> {
  for (let left = 5; ; left -= 1) {
    try {
      return await start()
    } catch (error) {
      if (left === 1 || !/can't be reached|has no connection left/.test(String(error))) throw error
      said.push(String(error))
      await pause(200)
    }
  }
}

async function pauseProgram(program: Running | undefined, forMs: number): Promise<void> {
  program?.child.kill('SIGSTOP')
  await pause(forMs)
  program?.child.kill('SIGCONT')
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))
