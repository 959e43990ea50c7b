/**
 * Step 5. Records the history of the rows: a database that lost its last transactions continues under the next number.
 * Entry and lease numbers start above it, so none that was lost is given again; a lease of an earlier number is void.
 */
import { LOWEST_VALID_EPOCH_SQL } from './database-restore-check.js'

export const RESTORE_HISTORY_MIGRATION_SQL = `
create table kedge.history (
  number int primary key,
  -- Which server, and which line of its past. Empty: not seen yet.
  server text not null,
  -- Its sessions say so.
  told boolean not null default false,
  at timestamptz not null default clock_timestamp()
);
insert into kedge.history (number, server, told) values (0, '', true);

create or replace function kedge.append_entries(
  of_tenant text, of_project text, of_session text, of_sub text, with_token bigint, uuids text[], lines text[])
returns bigint language plpgsql as $$
declare head kedge.transcripts; line_seq bigint;
begin
  insert into kedge.transcripts (tenant, project_key, session)
    values (of_tenant, of_project, of_session) on conflict do nothing;
  select * into head from kedge.transcripts
    where tenant = of_tenant and project_key = of_project and session = of_session for update;
  if with_token <> head.epoch or with_token < ${LOWEST_VALID_EPOCH_SQL} then return null; end if;
  line_seq := head.seq;
  for i in 1 .. coalesce(array_length(lines, 1), 0) loop
    continue when uuids[i] is not null and exists (
      select 1 from kedge.entries where tenant = of_tenant and project_key = of_project and session = of_session
        and sub = of_sub and uuid = uuids[i]);
    line_seq := line_seq + 1;
    insert into kedge.entries (tenant, project_key, session, seq, sub, uuid, epoch, line)
      values (of_tenant, of_project, of_session, line_seq, of_sub, uuids[i], coalesce(with_token, head.epoch), lines[i]);
  end loop;
  update kedge.transcripts set seq = line_seq, changed = greatest(clock_timestamp(), changed + interval '1 microsecond')
    where tenant = of_tenant and project_key = of_project and session = of_session;
  return line_seq;
end $$;
`
