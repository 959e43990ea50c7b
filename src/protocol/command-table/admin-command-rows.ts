/** `kedge admin` and its commands. */
import type { Command } from './command-row.js'
import { DATABASE_FLAG } from './worker-command-row.js'

const TENANT = {
  name: 'tenant',
  kind: 'text',
  value: 'NAME',
  default: 'default',
  help: 'tenant that owns the sessions',
} as const
const JSON_FLAG = { name: 'json', kind: 'switch', help: 'print JSON' } as const
const COMMON = [DATABASE_FLAG, TENANT, JSON_FLAG] as const
const SESSION = [{ name: 'SESSION', help: 'the id of a session' }] as const
const UNCHANGED = 'Nothing was changed.'
const page = 'many-machines'

export const ADMIN_MIGRATE_COMMAND = {
  name: 'admin migrate',
  help: 'create the tables, or update them',
  about:
    'Create the tables of a cluster, or update them after an update of Kedge. The database role needs the right to create schemas.',
  flags: [DATABASE_FLAG],
  hint: UNCHANGED,
  examples: [['kedge admin migrate --database postgres://kedge@db.example/kedge', '']],
  page,
} as const satisfies Command

export const ADMIN_STATUS_COMMAND = {
  name: 'admin status',
  help: 'show workers, queued runs, open requests and problems',
  about: 'Show workers, sessions, queued runs, open requests, and problems with the command that fixes each.',
  flags: [DATABASE_FLAG, JSON_FLAG],
  examples: [['kedge admin status', 'with KEDGE_DATABASE set']],
  sections: [
    {
      title: 'Exit codes',
      rows: [
        ['0', 'no problems'],
        ['1', 'there is a problem, or the database could not be reached'],
      ],
    },
  ],
  page,
} as const satisfies Command

export const ADMIN_LIST_COMMAND = {
  name: 'admin list',
  help: 'list sessions',
  about: 'List the sessions of a tenant with their state, worker, and title.',
  flags: [
    {
      name: 'state',
      kind: 'text',
      value: 'STATE',
      choices: ['idle', 'queued', 'running', 'waiting'],
      help: 'only sessions in this state: idle, queued, running or waiting',
    },
    ...COMMON,
  ],
  examples: [['kedge admin list --state waiting', 'sessions that wait for an answer']],
  page,
} as const satisfies Command

const onSession = (verb: string, help: string, about: string) =>
  ({
    name: `admin ${verb}`,
    help,
    about,
    arguments: SESSION,
    flags: COMMON,
    hint: UNCHANGED,
    examples: [[`kedge admin ${verb} 3f0c1b9e-6d5a-4f1e-9d55-0c2f4a7b8e61 --tenant acme`, '']],
    page,
  }) as const satisfies Command

export const ADMIN_FORGET_COMMAND = {
  name: 'admin forget',
  help: 'delete a session, or all sessions of a tenant',
  about:
    'Permanently delete a session with its history and saved files, or all data of a tenant. Names what could not be deleted, and then exits with 1.',
  usage: ['kedge admin forget SESSION --yes [options]', 'kedge admin forget --all --yes [options]'],
  arguments: [{ name: 'SESSION', isOptional: true, help: 'the id of a session' }],
  flags: [
    { name: 'all', kind: 'switch', help: 'delete all data of the tenant' },
    { name: 'yes', kind: 'switch', help: 'confirm that the data will be gone' },
    ...COMMON,
  ],
  hint: UNCHANGED,
  examples: [
    ['kedge admin forget 3f0c1b9e-6d5a-4f1e-9d55-0c2f4a7b8e61 --yes', 'one session'],
    ['kedge admin forget --all --tenant acme --yes', 'a tenant'],
  ],
  page,
} as const satisfies Command

export const ADMIN_TENANT_COMMAND = {
  name: 'admin tenant',
  help: 'show or change the budget of a tenant, pause or resume it',
  about: 'Show what a tenant has spent. With flags, change its budget, or pause and resume it.',
  flags: [
    { name: 'budget', kind: 'text', value: 'DOLLARS', help: 'refuse prompts after spending this much' },
    { name: 'no-budget', kind: 'switch', help: 'remove the budget' },
    { name: 'pause', kind: 'switch', help: 'refuse prompts and hold queued ones' },
    { name: 'resume', kind: 'switch', help: 'end the pause' },
    ...COMMON,
  ],
  hint: `To choose a tenant, use --tenant NAME. ${UNCHANGED}`,
  examples: [
    ['kedge admin tenant --tenant acme', 'show budget and spending'],
    ['kedge admin tenant --tenant acme --budget 100', 'set the budget to $100'],
  ],
  page,
} as const satisfies Command

export const SCHEDULE_LIST_COMMAND = {
  name: 'admin schedule list',
  help: 'list scheduled prompts',
  about: 'List the scheduled prompts of a tenant, and when each runs next.',
  flags: COMMON,
  examples: [['kedge admin schedule list', '']],
  page,
} as const satisfies Command

export const SCHEDULE_ADD_COMMAND = {
  name: 'admin schedule add',
  help: 'send a prompt to a session at set times',
  about: 'Send a prompt to a session at the times of a cron expression. An existing schedule with this id is replaced.',
  usage: ['kedge admin schedule add ID --session ID --cron CRON --prompt TEXT'],
  arguments: [{ name: 'ID', help: 'a name for the schedule' }],
  flags: [
    { name: 'session', kind: 'text', value: 'ID', help: 'session that gets the prompt' },
    { name: 'cron', kind: 'text', value: 'CRON', help: 'minute, hour, day, month, weekday: "0 9 * * 1-5"' },
    { name: 'prompt', kind: 'text', value: 'TEXT', help: 'the prompt' },
    { name: 'time-zone', kind: 'text', value: 'NAME', default: 'UTC', help: 'such as Europe/Berlin' },
    {
      name: 'missed',
      kind: 'text',
      value: 'WHAT',
      choices: ['skip', 'once'],
      default: 'skip',
      help: 'if no worker ran at a time: skip it, or run once afterwards',
    },
    ...COMMON,
  ],
  hint: UNCHANGED,
  examples: [
    [
      'kedge admin schedule add report --session ID \\\n  --cron "0 9 * * 1-5" --prompt "Morning report"',
      'at 9:00 on weekdays',
    ],
  ],
  page,
} as const satisfies Command

export const SCHEDULE_REMOVE_COMMAND = {
  name: 'admin schedule remove',
  help: 'remove a scheduled prompt',
  about: 'Remove a scheduled prompt.',
  arguments: [{ name: 'ID', help: 'the name of the schedule' }],
  flags: COMMON,
  hint: UNCHANGED,
  examples: [['kedge admin schedule remove report', '']],
  page,
} as const satisfies Command

export const ADMIN_AUDIT_COMMAND = {
  name: 'admin audit',
  help: 'show who answered and changed what',
  about: 'Show the last 1000 answers and changes of a tenant: when, who, and what.',
  flags: [{ name: 'session', kind: 'text', value: 'ID', help: 'only this session' }, ...COMMON],
  examples: [['kedge admin audit --tenant acme', '']],
  page,
} as const satisfies Command

export const ADMIN_MCP_LOGIN_COMMAND = {
  name: 'admin mcp-login',
  help: 'sign in to an MCP server, for all workers',
  about:
    'Sign in to an MCP server for all sessions of a tenant. The tokens are sealed with KEDGE_SECRET_MCP_SIGN_INS before they are stored, and every worker with this key uses them.',
  usage: ['kedge admin mcp-login NAME --url URL'],
  arguments: [{ name: 'NAME', help: 'the name that sessions give the server' }],
  flags: [
    { name: 'url', kind: 'text', value: 'URL', help: "the server's address, as sessions have it" },
    { name: 'no-browser', kind: 'switch', help: 'print the address, and read the address that the browser ended at' },
    { name: 'device', kind: 'switch', help: 'sign in on another device, with a short code' },
    { name: 'scopes', kind: 'text', value: 'SCOPES', help: 'what to ask for, with spaces between' },
    ...COMMON,
  ],
  hint: UNCHANGED,
  examples: [
    ['kedge admin mcp-login tracker \\\n  --url https://mcp.example.com/mcp --device', 'on a server, with a code'],
  ],
  page,
} as const satisfies Command

export const ADMIN_MCP_LOGOUT_COMMAND = {
  name: 'admin mcp-logout',
  help: 'sign out of an MCP server, for all workers',
  about: 'Sign out of an MCP server. Kedge revokes the tokens, and no worker uses them any more.',
  arguments: [{ name: 'NAME', help: 'the name that sessions give the server' }],
  flags: COMMON,
  hint: UNCHANGED,
  examples: [['kedge admin mcp-logout tracker --tenant acme', '']],
  page,
} as const satisfies Command

export const ADMIN_COMMAND = {
  name: 'admin',
  help: "manage a cluster's sessions, workers and tenants",
  about: 'Manage the sessions, workers, and tenants of a cluster. Set KEDGE_DATABASE, or pass --database.',
  commands: [
    ADMIN_MIGRATE_COMMAND,
    ADMIN_STATUS_COMMAND,
    ADMIN_LIST_COMMAND,
    onSession('cancel', 'end the running turn of a session', 'End the running turn of a session, with a result.'),
    onSession(
      'park',
      'stop a session until you resume it',
      'Stop a session at the next boundary between tool calls. It stays stopped until `kedge admin resume`.',
    ),
    onSession('resume', 'continue a parked session', 'Continue a session that was parked, or whose turn was cut off.'),
    onSession(
      'move',
      'let another worker continue a session',
      'Stop a session at the next boundary between tool calls, and let another worker continue it.',
    ),
    ADMIN_FORGET_COMMAND,
    ADMIN_TENANT_COMMAND,
    {
      name: 'admin schedule',
      help: 'list, add and remove scheduled prompts',
      about: 'Manage prompts that are sent at set times.',
      commands: [SCHEDULE_LIST_COMMAND, SCHEDULE_ADD_COMMAND, SCHEDULE_REMOVE_COMMAND],
      fallback: 'list',
      examples: [['kedge admin schedule', 'list the schedules of the tenant']],
      page,
    },
    ADMIN_MCP_LOGIN_COMMAND,
    ADMIN_MCP_LOGOUT_COMMAND,
    ADMIN_AUDIT_COMMAND,
  ],
  examples: [
    ['kedge admin migrate', 'create or update the tables'],
    ['kedge admin status', 'check the cluster'],
  ],
  page,
} as const satisfies Command
