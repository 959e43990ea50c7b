/**
 * How much of the tests runs. `npm test` runs a part that covers every capability, `npm run test:all` all of it, and
 * `npm run test:long` all of it with many more generated cases.
 */
import { createHash } from 'node:crypto'
import { type TestContext, test } from 'node:test'

export const IS_LONG = process.env['KEDGE_LONG'] !== undefined
export const IS_ALL = IS_LONG || process.env['KEDGE_ALL'] !== undefined

export type Isolation = 'in-process' | 'process'
export const ISOLATIONS: readonly Isolation[] = ['in-process', 'process']

/** `npm test` runs one in this many process halves and sampled tests. */
const EVERY = 5
const seed = process.env['KEDGE_PART'] ?? '0'

/** Chooses a value by the part of the tests that runs. Without `long` it is the same as `all`. */
export function byTier<T>({ quick, all, long = all }: { quick: T; all: T; long?: T }): T {
  if (IS_LONG) return long
  return IS_ALL ? all : quick
}

/** Whether a case with this title runs: always in `test:all`, otherwise in one of five runs, chosen by a seed. */
export function isInPart(title: string): boolean {
  return IS_ALL || isChosen(title, seed)
}

export function isChosen(title: string, by: string): boolean {
  return createHash('sha256').update(`${by} ${title}`).digest().readUInt32LE() % EVERY === 0
}

/** Returns the rows of a table that run, each of which starts a process: the first one, and a seeded fifth of the others. */
export function rowsInPart<T>(rows: readonly T[], titleOf: (row: T) => string = String): T[] {
  return rows.filter((row, index) => index === 0 || isInPart(titleOf(row)))
}

/**
 * Returns where a test's agent runs: always in this process, and as a child process in a fifth of the tests. `npm test`
 * prints the seed that chooses them, and KEDGE_SEED repeats it.
 */
export function isolationsOf(title: string): readonly Isolation[] {
  return isInPart(title) ? ISOLATIONS : ['in-process']
}

const sampled = new Set<string>()
function isFirstOf(file: string): boolean {
  if (sampled.has(file)) return false
  sampled.add(file)
  return true
}

/** Several files can share a process. A helper that defines tests is called by one of them. */
export function callingFile(stack: string): string {
  return /\S+\.test\.[jt]s/.exec(stack)?.[0] ?? ''
}

type Body = (context: TestContext) => void | Promise<void>
type Settings = { skip?: boolean | string; timeout?: number; concurrency?: number }

/**
 * Defines a test that starts a process, one of many that differ in a detail: `npm test` runs a seeded fifth of them, and
 * always the first one of a file. So the first one is about the capability itself.
 */
export function sampledTest(title: string, body: Body): void
export function sampledTest(title: string, settings: Settings, body: Body): void
export function sampledTest(title: string, ...rest: [Body] | [Settings, Body]): void {
  if (!isFirstOf(callingFile(new Error().stack ?? '')) && !isInPart(title)) return
  const [settings, body] = rest.length === 1 ? [{}, rest[0]] : rest
  void test(title, settings, body)
}
