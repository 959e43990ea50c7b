/**
 * Step 7. Entries of several sessions are written by a function, whose statements each see what was committed before
 * them. In a single statement, the update would look for the rows as they were before they were locked, and could wait
 * in a circle with a transaction that waits for one of them.
 */
import { LOWEST_VALID_EPOCH_SQL } from './database-restore-check.js'

export const LOG_ENTRY_FUNCTION_SQL = `
create function kedge.add_log_entries(
  tenants text[], sessions text[], epochs bigint[], batches text[], sizes int[], batch_facts text[],
  entry_tenants text[], entry_sessions text[], places int[], kinds text[], befores text[], afters text[])
returns table (in_tenant text, in_session text, last_seq bigint) language plpgsql as $$
#variable_conflict use_column
begin
  -- All transactions lock sessions in this order.
  perform 1 from kedge.sessions as one
    join unnest($1, $2) as given (tenant, session) on one.tenant = given.tenant and one.id = given.session
    order by one.tenant, one.id for no key update of one;
  return query with head as ( /* numbers the entries */
    update kedge.sessions as one set event_seq = one.event_seq + given.size, event_batch = given.batch,
      facts = one.facts || given.facts::jsonb, updated = clock_timestamp()
    from unnest($1, $2, $3, $4, $5, $6) as given (tenant, session, epoch, batch, size, facts)
    where one.tenant = given.tenant and one.id = given.session and one.epoch = given.epoch and one.state = 'running'
      and one.epoch >= ${LOWEST_VALID_EPOCH_SQL} and one.event_batch is distinct from given.batch
    returning one.tenant, one.id, one.event_seq as last, one.event_seq - given.size as first
  ),
  added as ( /* with the head, or not at all */
    insert into kedge.log_entries (tenant, session, seq, kind, body)
    select head.tenant, head.id, head.first + entry.place, entry.kind,
      entry.before || (head.first + entry.place)::text || entry.after
    from head join unnest($7, $8, $9, $10, $11, $12) as entry (tenant, session, place, kind, before, after)
      on entry.tenant = head.tenant and entry.session = head.id)
  select head.tenant, head.id, head.last from head;
end $$;
`
