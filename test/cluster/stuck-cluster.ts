/** When nothing goes on any more: what the database has open, how far readers are, who works. For whoever has to find out why. */
import { openDatabase } from '../../src/cluster/database/database.js'

const OPEN = {
  sessions: `select id, state, owner, epoch, run, attempts, owned_until - now() as owned_for, event_seq,
    (select count(*) from kedge.inbox i where i.session = s.id and not done) as prompts,
    (select count(*) from kedge.asks a where a.session = s.id and a.state = 'open') as asks
    from kedge.sessions s where state <> 'idle'
      or exists (select 1 from kedge.inbox i where i.session = s.id and not done and kind = 'prompt')`,
  workers: 'select *, now() as now from kedge.workers',
  runs: `select workflow_uuid, status, executor_id, queue_name, application_version, created_at, updated_at
    from kedge_engine.workflow_status where status in ('PENDING', 'ENQUEUED') limit 100`,
  connections: `select application_name, state, wait_event, left(query, 200) as query, now() - state_change as since
    from pg_stat_activity where datname = current_database()`,
}

/** `readTo`: by session, the last that its reader has. */
export async function whatIsOpen(url: string, readTo: ReadonlyMap<string, number>): Promise<string> {
  const database = await openDatabase({ url, connections: 1 })
  const rows = database.asOperator()
  const lines: string[] = []
  for (const [name, text] of Object.entries(OPEN)) {
    const found = await rows.query<Record<string, unknown>>(text, []).catch((error: unknown) => [{ error: `${error}` }])
    for (const row of found) lines.push(`${name} ${JSON.stringify(row)}`)
  }
  const written = await rows.query<{ id: string; event_seq: string }>('select id, event_seq from kedge.sessions', [])
  for (const { id, event_seq } of written)
    if (Number(event_seq) !== readTo.get(id)) lines.push(`reader of ${id}: ${readTo.get(id)} of ${event_seq}`)
  await database.close()
  return lines.join('\n')
}
