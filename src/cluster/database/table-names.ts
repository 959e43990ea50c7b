/**
 * Step 6. The names of tables say what they hold: `transcript_lines` are the lines of transcripts, `log_entries` the numbered entries of
 * session logs.
 */
import { LOWEST_VALID_EPOCH_SQL } from './database-restore-check.js'

export const RENAME_TABLES_SQL = `
alter table kedge.entries rename to transcript_lines;
alter index kedge.entries_once rename to transcript_lines_once;
alter table kedge.events rename to log_entries;

drop function kedge.append_entries;
create function kedge.append_transcript_lines(
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
      select 1 from kedge.transcript_lines where tenant = of_tenant and project_key = of_project and session = of_session
        and sub = of_sub and uuid = uuids[i]);
    line_seq := line_seq + 1;
    insert into kedge.transcript_lines (tenant, project_key, session, seq, sub, uuid, epoch, line)
      values (of_tenant, of_project, of_session, line_seq, of_sub, uuids[i], coalesce(with_token, head.epoch), lines[i]);
  end loop;
  update kedge.transcripts set seq = line_seq, changed = greatest(clock_timestamp(), changed + interval '1 microsecond')
    where tenant = of_tenant and project_key = of_project and session = of_session;
  return line_seq;
end $$;
`
