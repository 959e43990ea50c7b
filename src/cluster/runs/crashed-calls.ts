/**
 * What a worker was at when it ended without a word: the calls in the transcript that had begun and have no result. A call that
 * ends its worker each time is written down each time, so that what is written does not show that a turn gets anywhere.
 */
import { carriedBy } from '../../sessions/own-lines.js'
import type { Transaction } from '../database/database.js'

/** How many workers in a row ended at each of these calls. */
export type Crashes = Record<string, number>

/** Whoever counts here has claimed the run, so that nobody adds a line. */
export async function countCrashes(
  tx: Transaction,
  [tenant, projectKey, session]: readonly [tenant: string, projectKey: string, session: string],
  before: Crashes = {},
): Promise<Crashes> {
  const rows = await tx.query<{ line: string }>(LAST_LINES, [tenant, projectKey, session])
  const calls = openCalls(rows.reverse().map(({ line }) => carriedBy(JSON.parse(line)) as Line)) // a line is an object
  return Object.fromEntries(calls.map((call) => [call, (before[call] ?? 0) + 1]))
}

/** Many calls may run together; more than these are not told apart. */
const LAST_LINES = `select line from kedge.entries
  where tenant = $1 and project_key = $2 and session = $3 and sub = '' order by seq desc limit 40`
/** Of its input, in a message for people. */
const MOST_TEXT = 300

type Line = { type?: unknown; toolUseId?: unknown; message?: { content?: unknown } }
type Block = { type?: unknown; id?: unknown; name?: unknown; input?: unknown; tool_use_id?: unknown }

/** In words: the next worker's call of the same input has another id. */
function openCalls(lines: readonly Line[]): string[] {
  const texts = new Map<unknown, string>()
  const begun = new Set<unknown>()
  for (const { type, toolUseId, message } of lines) {
    if (type === 'tool-start') begun.add(toolUseId)
    const blocks: Block[] = Array.isArray(message?.content) ? message.content : []
    for (const block of blocks) {
      if (block.type === 'tool_use') texts.set(block.id, `${block.name} ${JSON.stringify(block.input)}`)
      if (block.type === 'tool_result') begun.delete(block.tool_use_id)
    }
  }
  return [...begun].map((id) => (texts.get(id) ?? 'a call').slice(0, MOST_TEXT))
}

/** The call that ended the most workers, and how many. */
export function worstOf(crashes: Crashes = {}): { call: string | undefined; times: number } {
  const [[call, times] = [undefined, 0]] = Object.entries(crashes).sort(([, one], [, other]) => other - one)
  return { call, times }
}
