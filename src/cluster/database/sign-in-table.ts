/** Step 8. Sign-ins to MCP servers: sealed with a key that the database never has. */
export const CREATE_SIGN_IN_TABLE_SQL = `
create table kedge.sign_ins (
  tenant text not null check (tenant <> '*'),
  -- A hash of the server's name and address: an address can hold a key.
  id text not null,
  server text not null,
  sealed text not null,
  -- One worker at a time renews it.
  holder text,
  held_until timestamptz,
  changed timestamptz not null default now(),
  primary key (tenant, id)
);
alter table kedge.sign_ins enable row level security;
alter table kedge.sign_ins force row level security;
create policy sign_ins_of_tenant on kedge.sign_ins
  using (current_setting('kedge.tenant', true) in (tenant, '*'))
  with check (current_setting('kedge.tenant', true) in (tenant, '*'));
`
