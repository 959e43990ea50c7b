/** Step 3. What was saved of a session's files last, one row for each. */
export const SNAPSHOT_TABLE_SQL = `
create table kedge.snapshots (
  tenant text not null,
  session text not null,
  -- Which machine's files are the newest.
  holder text not null default '',
  -- 0: nothing was saved yet.
  seq bigint not null default 0,
  epoch bigint not null default 0,
  kind text not null default '',
  ref text not null default '',
  sha256 text not null default '',
  bytes bigint not null default 0,
  left_out text not null default '[]',
  at timestamptz not null default clock_timestamp(),
  primary key (tenant, session),
  foreign key (tenant, session) references kedge.sessions on delete cascade
);
alter table kedge.snapshots enable row level security;
alter table kedge.snapshots force row level security;
create policy snapshots_of_tenant on kedge.snapshots
  using (current_setting('kedge.tenant', true) in (tenant, '*'))
  with check (current_setting('kedge.tenant', true) in (tenant, '*'));
`
