/**
 * Consequences of a database that lost its last transactions, apart from numbers: its sessions report it, and the model
 * sees it.
 */
import type { SessionStoreEntry } from '../../protocol/stored-sessions.js'
import type { TenantDatabase } from '../database/database.js'
import { LOWEST_VALID_EPOCH_SQL } from '../database/database-restore-check.js'
import { lockSession, type RunPorts } from './run-changes.js'

export const SELECT_UNREPORTED_RESTORE_SQL = 'select 1 from kedge.history where not told'

/** Sessions whose readers might have seen more entries than exist now. Other sessions report it on their next use. */
const RECENT = `select tenant, id from kedge.sessions where has_log and event_seq > 0 and event_seq < ${LOWEST_VALID_EPOCH_SQL}
  and updated > now() - interval '1 day' order by updated limit 200`

/**
 * Writes an entry into each session that lost transactions when the database was restored. `ports.database` must be
 * the operator's. Twice is once.
 */
export async function reportLostTransactions({ database, wake }: RunPorts): Promise<void> {
  for (;;) {
    const untold = await database.query<{ tenant: string; id: string }>(RECENT)
    for (const { tenant, id } of untold) {
      // `lockSession` notes the rollback.
      await database.transaction((tx) => lockSession(tx, tenant, id))
      wake(tenant, id)
    }
    if (untold.length === 0) break
  }
  await database.query('update kedge.history set told = true where not told')
}

export const LOST_TRANSACTIONS_NOTE = `The database of this conversation was set back. Your last messages and calls may be missing from it. Calls that are missing may have taken effect: look before you repeat one.`

/**
 * Calls whose start isn't in the transcript might have begun in the lost part. The transcript now says so, and the
 * model sees that their outcome is unknown. Calls that a user allowed since are exempt.
 */
export async function createUnknownOutcomeLines(
  database: TenantDatabase,
  session: string,
  lines: readonly SessionStoreEntry[],
  wentBack: string,
): Promise<SessionStoreEntry[]> {
  const open = new Map<string, string>()
  for (const line of lines) {
    if (line.type === 'tool-start') open.delete(String(line['toolUseId']))
    for (const block of blocksOf(line)) {
      if (block.type === 'tool_use') open.set(block.id ?? '', block.name ?? '')
      if (block.type === 'tool_result') open.delete(block.tool_use_id ?? '')
    }
  }
  if (open.size === 0) return []
  const asked = await database.query<{ request: string }>(
    `select request from kedge.asks where tenant = $1 and session = $2 and (state = 'open' or answered > $3::timestamptz)`,
    [database.tenant, session, wentBack],
  )
  const timestamp = new Date().toISOString()
  return [...open]
    .filter(([id]) => !asked.some(({ request }) => request.includes(JSON.stringify(id))))
    .map(([toolUseId, toolName]) => ({ type: 'tool-start', sessionId: session, timestamp, toolUseId, toolName }))
}

type Block = { type?: string; id?: string; name?: string; tool_use_id?: string }

function blocksOf(line: SessionStoreEntry): Block[] {
  const { message } = line as { message?: { content?: unknown } } // what else it is does not matter
  return Array.isArray(message?.content) ? message.content : []
}
