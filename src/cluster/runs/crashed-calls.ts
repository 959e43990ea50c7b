/**
 * Finds the tool calls that were running when a worker crashed: those in the transcript that started and have no result. A call
 * that crashes its worker appears in the transcript at every attempt, so new transcript lines alone don't prove progress.
 */
import { unwrapKedgeLine } from '../../sessions/kedge-lines.js'
import type { Transaction } from '../database/database.js'

/** The number of consecutive workers that crashed during each of these calls. */
export type CrashCounts = Record<string, number>

/** Only the worker that claimed the run calls this, so no line is added meanwhile. */
export async function countCrashes(
  tx: Transaction,
  [tenant, projectKey, session]: readonly [tenant: string, projectKey: string, session: string],
  before: CrashCounts = {},
): Promise<CrashCounts> {
  const rows = await tx.query<{ line: string }>(LAST_LINES, [tenant, projectKey, session])
  const calls = openCalls(rows.reverse().map(({ line }) => unwrapKedgeLine(JSON.parse(line)) as Line)) // a line is an object
  return Object.fromEntries(calls.map((call) => [call, (before[call] ?? 0) + 1]))
}

/** The most parallel calls that are compared. */
const LAST_LINES = `select line from kedge.transcript_lines
  where tenant = $1 and project_key = $2 and session = $3 and sub = '' order by seq desc limit 40`
/** The most characters of a call's input in the error message. */
const MOST_TEXT = 300

type Line = { type?: unknown; toolUseId?: unknown; message?: { content?: unknown } }
type Block = { type?: unknown; id?: unknown; name?: unknown; input?: unknown; tool_use_id?: unknown }

/** Describes a call by name and input, because the same call has a different id in the next worker. */
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

/** Returns the call that crashed the most workers, with their number. */
export function callWithMostCrashes(crashes: CrashCounts = {}): { call: string | undefined; times: number } {
  const [[call, times] = [undefined, 0]] = Object.entries(crashes).sort(([, one], [, other]) => other - one)
  return { call, times }
}
