/**
 * Step 2: what turns need that run on any machine. All of it only adds: programs that know step 1 work on. `facts` is what lists
 * show of a session; it changes with the entries that say so, in the same statement.
 */
const TENANT_TABLES = ['tenants', 'feed', 'feed_places', 'schedules', 'audit', 'server_files'] as const

const TABLES = `
alter table kedge.sessions
  add column facts jsonb not null default '{}',
  add column options text not null default '{}',
  add column workspace text,
  add column resume_at text,
  add column event_batch text;
create index sessions_queued on kedge.sessions (updated) where state = 'queued';

alter table kedge.inbox
  add column message text,
  add column seq bigint not null default 0,
  add column steer boolean not null default false,
  add column place float8,
  drop constraint inbox_kind_check,
  add constraint inbox_kind_check check (kind in ('prompt', 'interrupt', 'wish'));
create index inbox_due on kedge.inbox (not_before) where not done and kind = 'prompt';

alter table kedge.asks
  add column can_park boolean not null default true,
  add column expires timestamptz;
create index asks_expiring on kedge.asks (expires) where state = 'open' and expires is not null;

alter table kedge.workers
  add column capacity int not null default 0,
  add column load int not null default 0,
  add column apps text not null default '';

create table kedge.tenants (
  tenant text primary key check (tenant <> '*'),
  budget_usd float8,
  spent_usd float8 not null default 0,
  paused boolean not null default false,
  feed_seq bigint not null default 0
);

-- One numbered stream over all sessions of a tenant: which entry of which session comes next.
create table kedge.feed (
  tenant text not null,
  seq bigint not null,
  session text not null,
  event_seq bigint not null,
  primary key (tenant, seq),
  foreign key (tenant, session) references kedge.sessions on delete cascade
);
create index feed_by_session on kedge.feed (tenant, session);

-- How far each session is in it. Not in its row: those are locked by who writes entries, several at a time.
create table kedge.feed_places (
  tenant text not null,
  session text not null,
  seq bigint not null,
  primary key (tenant, session),
  foreign key (tenant, session) references kedge.sessions on delete cascade
);

create table kedge.schedules (
  tenant text not null,
  id text not null,
  session text not null,
  cron text not null,
  time_zone text not null,
  prompt text not null,
  missed text not null default 'skip' check (missed in ('skip', 'once')),
  paused boolean not null default false,
  next_at timestamptz not null,
  made timestamptz not null default now(),
  primary key (tenant, id),
  foreign key (tenant, session) references kedge.sessions on delete cascade
);
create index schedules_due on kedge.schedules (next_at) where not paused;

create table kedge.audit (
  n bigserial primary key,
  tenant text not null,
  at timestamptz not null default now(),
  who text not null,
  what text not null,
  session text,
  details text not null default '{}'
);
create index audit_by_session on kedge.audit (tenant, session);

-- What the nodes of a server share: tokens and cookies, as hashes.
create table kedge.server_files (
  tenant text not null,
  name text not null,
  body text not null,
  changed bigint not null default 1,
  primary key (tenant, name)
);

-- What happened, over all machines: takeovers, refused writes.
create table kedge.counters (name text primary key, value bigint not null default 0);

-- How many requests a provider takes, over all workers.
create table kedge.rates (
  name text primary key,
  room float8 not null,
  at timestamptz not null default clock_timestamp()
);
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

export const RUN_TABLES_SQL = `${TABLES}${POLICIES}`
