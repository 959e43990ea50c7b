/** The commands beside `kedge -p`: what `--help` says of each, and what completion offers after it. */
import { editDistance } from '../protocol/option-table/parse-argv.js'

export type Subcommand = {
  name: string
  help: string
  /** What may follow. */
  words?: readonly string[]
  flags?: readonly string[]
}

export const SUBCOMMANDS = [
  {
    name: 'acp',
    help: 'an agent for editors that speak the Agent Client Protocol (acp --help)',
    flags: ['--model', '--permission-mode', '--settings', '--no-project-settings', '--help'],
  },
  {
    name: 'attach',
    help: 'join a session of a server from this terminal: attach URL or ID',
    flags: ['--token', '--plain'],
  },
  {
    name: 'doctor',
    help: 'what is wrong with this set-up, and how to mend it',
    flags: ['--offline', '--json', '--help'],
  },
  {
    name: 'eval',
    help: 'try an agent on tasks and compare models (eval --help)',
    words: ['init', 'run', 'list', 'report', 'diff', 'hand'],
    flags: [
      ...['--model', '--by-hand', '--hand-folder', '--variant', '--interface', '--only', '--repeat', '--jobs'],
      ...['--max-cost', '--max-tokens', '--max-minutes', '--out', '--keep', '--fail-under', '--json', '--junit'],
      ...['--html', '--fail', '--wait', '--help'],
    ],
  },
  { name: 'update', help: 'which command updates Kedge here' },
  {
    name: 'migrate',
    help: 'what becomes of a project for the Claude Agent SDK; --write changes its imports',
    flags: ['--write', '--json', '--help'],
  },
  { name: 'models', help: 'models you can use', flags: ['--json', '--help'] },
  {
    name: 'mcp',
    help: 'add, list, test and remove MCP servers',
    words: ['add', 'add-json', 'list', 'get', 'remove', 'test'],
    flags: ['--scope', '--transport', '--env', '--header', '--timeout', '--help'],
  },
  {
    name: 'permissions',
    help: 'what would happen to a tool call here, and why (permissions explain --help)',
    words: ['explain'],
    flags: [
      ...['--tool', '--input', '--mode', '--allow', '--ask', '--deny', '--cwd', '--add-dir', '--setting-sources'],
      ...['--trust', '--json', '--help'],
    ],
  },
  {
    name: 'serve',
    help: 'sessions over HTTP, for programs and browsers (serve --help)',
    flags: [
      ...['--host', '--port', '--root', '--token', '--model', '--trust', '--allow-host', '--allow-origin'],
      ...['--allow-remote', '--ask-timeout', '--drain-seconds', '--max-body', '--database', '--tenant', '--app'],
      '--help',
    ],
  },
  {
    name: 'worker',
    help: 'runs turns of a server whose sessions are in PostgreSQL (worker --help)',
    flags: [
      ...['--database', '--app', '--root', '--files', '--machine', '--model', '--trust', '--capacity', '--per-tenant'],
      ...['--connections', '--port', '--host', '--log-format'],
      ...['--requests-per-minute', '--warm-seconds', '--ask-timeout', '--drain-seconds', '--silent-seconds', '--help'],
    ],
  },
  {
    name: 'admin',
    help: 'looks after such sessions and machines (admin --help)',
    words: ['migrate', 'status', 'list', 'cancel', 'park', 'resume', 'move', 'forget', 'tenant', 'schedule', 'audit'],
    flags: [
      ...['--database', '--tenant', '--state', '--session', '--cron', '--time-zone', '--prompt', '--missed'],
      ...['--budget', '--no-budget', '--pause', '--resume', '--all', '--json', '--yes', '--help'],
    ],
  },
  {
    name: 'completion',
    help: 'completion for your shell: completion bash, zsh or fish',
    words: ['bash', 'zsh', 'fish'],
  },
] as const satisfies readonly Subcommand[]

/** Commands of the original, and words that look like one: each with what there is instead. None is ever a prompt. */
const INSTEAD: Readonly<Record<string, string>> = {
  agents: 'Agents come from .claude/agents, --agents and the option agents.',
  auth: 'Kedge has no login: set ANTHROPIC_API_KEY. `kedge doctor` says which key is used.',
  config: 'Settings are in files (~/.claude/settings.json, .claude/settings.json). `kedge doctor` checks them.',
  install: 'Kedge is installed with npm: npm install -g kedge',
  login: 'Kedge has no login: set ANTHROPIC_API_KEY.',
  logout: 'Kedge has no login: unset ANTHROPIC_API_KEY.',
  'migrate-installer': 'Kedge is installed with npm: npm install -g kedge',
  plugin: 'Plugins come from folders: --plugin-dir DIR.',
  plugins: 'Plugins come from folders: --plugin-dir DIR.',
  'remote-control': 'Programs drive Kedge with --input-format stream-json.',
  sessions: 'kedge --resume shows sessions to choose from; kedge --continue goes on with the last one of this folder.',
  'setup-token': 'Kedge has no login: set ANTHROPIC_API_KEY.',
  upgrade: 'Kedge is updated with npm: npm install -g kedge@latest',
}

const HINT = "(To ask a model: kedge -p '…')"

/** Undefined: it isn't a command of the original that is missing here. */
export function unsupportedSubcommandText(word = ''): string | undefined {
  const instead = Object.hasOwn(INSTEAD, word) ? INSTEAD[word] : undefined
  return instead && `error: there is no command '${word}' here. ${instead}\n${HINT}`
}

/** Why these words are no prompt; undefined: they are one. Only for words without `-p`. */
export function whyNotAPrompt([word = '', ...more]: readonly string[]): string | undefined {
  const missing = unsupportedSubcommandText(word)
  if (missing !== undefined) return missing
  if (more.length > 0 || !/^[a-z][\w-]*$/i.test(word)) return undefined
  const meant = SUBCOMMANDS.find(({ name }) => editDistance(word.toLowerCase(), name) <= 2)?.name
  return `error: unknown command '${word}'\n${meant === undefined ? HINT : `(Did you mean kedge ${meant}? ${HINT.slice(1)}`}`
}
