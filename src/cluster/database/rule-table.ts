/** Step 4. What people have said for all that comes: rules of a session, in the order they were given. */
export const CREATE_RULE_TABLE_SQL = `
create table kedge.rules (
  n bigserial primary key,
  tenant text not null check (tenant <> '*'),
  scope text not null check (scope in ('session')),
  -- Of a session: its id.
  key text not null,
  rule text not null,
  by text not null,
  at timestamptz not null default now()
);
create index rules_by_key on kedge.rules (tenant, scope, key, n);
alter table kedge.rules enable row level security;
alter table kedge.rules force row level security;
create policy rules_of_tenant on kedge.rules
  using (current_setting('kedge.tenant', true) in (tenant, '*'))
  with check (current_setting('kedge.tenant', true) in (tenant, '*'));
`
