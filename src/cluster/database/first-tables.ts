/**
 * Step 1. Every row has a tenant, and a policy that hides it from all others; '*' is the operator's. Lines and events are kept
 * as text and not as jsonb: that forgets the order of fields (requests must be repeated byte for byte) and refuses \u0000.
 */
const TENANT_TABLES = ['sessions', 'transcripts', 'entries', 'events', 'deltas', 'inbox', 'asks'] as const

const TABLES = `
create table kedge.sessions (
  tenant text not null check (tenant <> '*'),
  id text not null,
  app text not null default '',
  project_key text not null default '',
  cwd text not null default '',
  format int not null default 1,
  state text not null default 'idle' check (state in ('idle', 'queued', 'running', 'waiting')),
  run int not null default 0,
  epoch bigint not null default 0,
  owner text,
  owned_until timestamptz,
  attempts int not null default 0,
  attempted_seq bigint not null default 0,
  event_seq bigint not null default 0,
  has_log boolean not null default false,
  summary text,
  created timestamptz not null default now(),
  updated timestamptz not null default clock_timestamp(),
  primary key (tenant, id)
);
create index sessions_by_change on kedge.sessions (tenant, updated desc);
create index sessions_by_owner on kedge.sessions (owner) where state = 'running';

create table kedge.transcripts (
  tenant text not null check (tenant <> '*'),
  project_key text not null,
  session text not null,
  seq bigint not null default 0,
  epoch bigint not null default 0,
  holder text,
  held_until timestamptz,
  began timestamptz not null default clock_timestamp(),
  changed timestamptz,
  summary text,
  summary_seq bigint not null default 0,
  primary key (tenant, project_key, session)
);

create table kedge.entries (
  tenant text not null,
  project_key text not null,
  session text not null,
  seq bigint not null,
  sub text not null,
  uuid text,
  epoch bigint not null,
  line text not null,
  at timestamptz not null default now(),
  primary key (tenant, project_key, session, seq),
  foreign key (tenant, project_key, session) references kedge.transcripts on delete cascade
);
create unique index entries_once on kedge.entries (tenant, project_key, session, sub, uuid);

create table kedge.events (
  tenant text not null,
  session text not null,
  seq bigint not null,
  kind text not null,
  body text not null,
  at timestamptz not null default now(),
  primary key (tenant, session, seq),
  foreign key (tenant, session) references kedge.sessions on delete cascade
);

-- Not kept through a crash of the database: the finished thing comes as an event.
create unlogged table kedge.deltas (
  n bigserial primary key,
  tenant text not null,
  session text not null,
  seq bigint not null,
  body text not null,
  at timestamptz not null default now()
);
create index deltas_by_session on kedge.deltas (tenant, session, n);

create table kedge.inbox (
  n bigserial primary key,
  tenant text not null,
  session text not null,
  client_id text not null,
  kind text not null check (kind in ('prompt', 'interrupt')),
  body text not null,
  priority int not null default 0,
  not_before timestamptz not null default now(),
  taken_run int,
  done boolean not null default false,
  at timestamptz not null default now(),
  unique (tenant, session, client_id),
  foreign key (tenant, session) references kedge.sessions on delete cascade
);
create index inbox_open on kedge.inbox (tenant, session, n) where not done;

create table kedge.asks (
  tenant text not null,
  session text not null,
  id text not null,
  run int not null,
  request text not null,
  state text not null default 'open' check (state in ('open', 'answered', 'void')),
  answer text,
  by text,
  reason text,
  asked timestamptz not null default now(),
  answered timestamptz,
  primary key (tenant, id),
  foreign key (tenant, session) references kedge.sessions on delete cascade
);
create index asks_open on kedge.asks (tenant, session) where state = 'open';

-- Machines belong to no tenant.
create table kedge.workers (
  id text primary key,
  beat timestamptz not null default clock_timestamp(),
  host text not null default '',
  version text not null default '',
  draining boolean not null default false
);
`

/** Adds lines under the lock of the head row; those whose uuid is there are skipped. Null: a later lease was given. */
const APPEND_ENTRIES = `
create function kedge.append_entries(
  of_tenant text, of_project text, of_session text, of_sub text, with_token bigint, uuids text[], lines text[])
returns bigint language plpgsql as $$
declare head kedge.transcripts; line_seq bigint;
begin
  insert into kedge.transcripts (tenant, project_key, session)
    values (of_tenant, of_project, of_session) on conflict do nothing;
  select * into head from kedge.transcripts
    where tenant = of_tenant and project_key = of_project and session = of_session for update;
  if with_token < head.epoch then return null; end if;
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

const POLICIES = TENANT_TABLES.map(
  (table) => `
alter table kedge.${table} enable row level security;
alter table kedge.${table} force row level security;
create policy ${table}_of_tenant on kedge.${table}
  using (current_setting('kedge.tenant', true) in (tenant, '*'))
  with check (current_setting('kedge.tenant', true) in (tenant, '*'));
`,
).join('')

export const FIRST_TABLES_SQL = `${TABLES}${APPEND_ENTRIES}${POLICIES}`
