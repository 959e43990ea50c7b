/** `kedge worker`, and the address of a cluster's database. */
import type { Command } from './command-row.js'

export const DATABASE_FLAG = {
  name: 'database',
  kind: 'text',
  value: 'ADDRESS',
  secret: true,
  help: 'postgres://USER:PASSWORD@HOST:PORT/NAME, or embedded (embedded:FOLDER) for a database on this machine; KEDGE_DATABASE sets it too, and hides the password from process lists',
} as const

const seconds = (range: readonly [number, number]) => ({ kind: 'text', value: 'SECONDS', range }) as const
const count = (range: readonly [number, number]) => ({ kind: 'text', value: 'NUMBER', range }) as const

export const WORKER_COMMAND = {
  name: 'worker',
  help: 'run the turns of sessions in PostgreSQL',
  about:
    'Run the turns of sessions that are in PostgreSQL. Start any number of workers, on any number of machines: if one stops, another continues its turns.',
  flags: [
    DATABASE_FLAG,
    {
      name: 'app',
      kind: 'repeat',
      value: 'FILE',
      help: 'module whose default export is defineApp({ name, options }); repeatable',
    },
    {
      name: 'root',
      kind: 'repeat',
      value: 'FOLDER',
      default: 'anywhere',
      help: 'let sessions work in this folder and below; repeatable',
    },
    {
      name: 'files',
      kind: 'text',
      value: 'FOLDER',
      default: '~/.kedge/files',
      help: 'folder for the workspaces of sessions',
    },
    {
      name: 'machine',
      kind: 'text',
      value: 'NAME',
      default: 'the hostname',
      help: "this machine's name in workspaces that aren't shared",
    },
    { name: 'model', kind: 'text', value: 'NAME', help: 'model for sessions that name none; practice needs no key' },
    { name: 'trust', kind: 'switch', help: 'use settings, hooks, and MCP servers of all folders' },
    { name: 'capacity', ...count([1, 10_000]), default: '50', help: 'sessions at a time' },
    {
      name: 'per-tenant',
      ...count([1, 100_000]),
      default: '20',
      help: 'sessions of one tenant at a time, across all workers',
    },
    {
      name: 'requests-per-minute',
      ...count([1, 1_000_000]),
      default: 'unlimited',
      help: 'model requests per minute, across all workers',
    },
    {
      name: 'warm-seconds',
      ...seconds([0, 86_400]),
      default: '20',
      help: 'how long to wait for an answer before parking the turn',
    },
    {
      name: 'ask-timeout',
      ...seconds([1, 31_536_000]),
      default: 'wait',
      help: 'deny requests left unanswered this long',
    },
    {
      name: 'silent-seconds',
      ...seconds([2, 3600]),
      default: '6',
      help: 'how long a worker can be silent before it counts as lost; use the same value for all workers',
    },
    {
      name: 'drain-seconds',
      ...seconds([0, 86_400]),
      default: '30',
      help: 'how long running turns can take to reach a safe point after SIGTERM',
    },
    {
      name: 'connections',
      ...count([2, 1000]),
      default: '10',
      help: 'database connections; another 5 run the queue',
    },
    {
      name: 'port',
      ...count([0, 65_535]),
      default: 'off',
      help: 'port for /healthz and /metrics, without a token; 0 picks a free one',
    },
    { name: 'host', kind: 'text', value: 'ADDRESS', default: '127.0.0.1', help: 'address for --port' },
    {
      name: 'log-format',
      kind: 'text',
      value: 'FORMAT',
      choices: ['text', 'json'],
      default: 'text',
      help: 'format of the log on stderr',
    },
  ],
  examples: [
    ['kedge worker --database embedded --model practice', 'try it on one machine, without an API key'],
    ['kedge worker --app ./support.mjs --capacity 20', 'with KEDGE_DATABASE set'],
  ],
  page: 'many-machines',
} as const satisfies Command
