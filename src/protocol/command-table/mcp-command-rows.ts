/** `kedge mcp` and its commands. */
import type { Command, CommandSection } from './command-row.js'
import { MCP_SERVE_COMMAND } from './mcp-serve-command-row.js'

const SCOPE_NAMES = ['local', 'project', 'user'] as const

const SCOPES: CommandSection = {
  title: 'Scopes',
  rows: [
    ['local', 'for you, in this folder (~/.claude.json)'],
    ['user', 'for you, in all folders (~/.claude.json)'],
    ['project', 'for everyone who works in this folder (.mcp.json)'],
  ],
}
const VARIABLES: CommandSection = {
  title: 'Variables',
  rows: [[`\${NAME}`, `an environment variable, read when the server starts; \${NAME:-default} has a default`]],
}
const SCOPE = {
  name: 'scope',
  short: 's',
  kind: 'text',
  value: 'SCOPE',
  choices: SCOPE_NAMES,
  default: 'local',
  help: 'where to save it',
} as const
const NAME = { name: 'NAME', help: 'the name of the server' } as const

const REGISTRY = {
  name: 'registry',
  kind: 'text',
  value: 'URL',
  default: 'KEDGE_MCP_REGISTRY',
  help: 'address of an MCP registry',
} as const

export const MCP_ADD_COMMAND = {
  name: 'mcp add',
  help: 'add an MCP server',
  about: 'Add an MCP server: a program that Kedge starts, or a URL.',
  usage: [
    'kedge mcp add [options] NAME COMMAND [ARGUMENT…]',
    'kedge mcp add [options] NAME URL',
    'kedge mcp add [options] --registry URL NAME',
  ],
  arguments: [
    { name: 'NAME', help: 'letters, digits, hyphens and underscores, at most 64; or its name in the registry' },
    { name: 'COMMAND', isOptional: true, isRepeated: true, help: 'the program with its arguments, or a URL' },
  ],
  flags: [
    SCOPE,
    {
      name: 'transport',
      short: 't',
      kind: 'text',
      value: 'TYPE',
      choices: ['stdio', 'http', 'sse'],
      help: 'how to talk to it (default: stdio for a program, http for a URL)',
    },
    {
      name: 'env',
      short: 'e',
      kind: 'repeat',
      value: 'NAME=VALUE',
      secret: true,
      help: "set a variable in the program's environment; repeatable",
    },
    {
      name: 'header',
      short: 'H',
      kind: 'repeat',
      value: 'HEADER',
      secret: true,
      help: "send 'NAME: VALUE' with every request; repeatable",
    },
    {
      name: 'timeout',
      kind: 'text',
      value: 'MS',
      range: [1000, 2_147_483_647],
      help: 'milliseconds that one tool call can take',
    },
    REGISTRY,
  ],
  mostWords: 2,
  hint: 'Put -- before a command with options of its own',
  examples: [
    ['kedge mcp add files -- \\\n  npx -y @modelcontextprotocol/server-filesystem@latest .', 'a program'],
    ['kedge mcp add -s user tracker https://tracker.example/mcp', 'a URL, in all folders'],
    ['kedge mcp add --registry https://registry.example \\\n  io.github.ada/tracker', 'from a registry'],
    [`kedge mcp add -H 'Authorization: Bearer \${TOKEN}' \\\n  tracker https://tracker.example/mcp`, 'with a header'],
  ],
  sections: [SCOPES, VARIABLES],
  page: 'mcp',
} as const satisfies Command

export const MCP_ADD_JSON_COMMAND = {
  name: 'mcp add-json',
  help: 'add an MCP server from its JSON configuration',
  about: 'Add an MCP server from the JSON object that its documentation shows for .mcp.json.',
  arguments: [NAME, { name: 'JSON', help: "the server's configuration" }],
  flags: [SCOPE],
  examples: [[`kedge mcp add-json files '{"command":"npx","args":["-y","files-server"]}'`, 'a program']],
  sections: [SCOPES, VARIABLES],
  page: 'mcp',
} as const satisfies Command

export const MCP_SEARCH_COMMAND = {
  name: 'mcp search',
  help: 'search a registry of MCP servers',
  about: 'Search a registry of MCP servers. Without an address of a registry, Kedge asks none.',
  arguments: [{ name: 'WORD', help: 'a part of the name' }],
  flags: [REGISTRY],
  examples: [['kedge mcp search --registry \\\n  https://registry.modelcontextprotocol.io tracker', '']],
  page: 'mcp-import',
} as const satisfies Command

export const MCP_IMPORT_COMMAND = {
  name: 'mcp import',
  help: 'import MCP servers of other programs',
  about:
    'Import MCP servers from another program or a file. Without --yes, Kedge only shows what it would add. Without SOURCE, it lists what it finds. It starts no server.',
  usage: ['kedge mcp import [options] [SOURCE|FILE]'],
  arguments: [{ name: 'SOURCE', isOptional: true, help: 'mcp-json, claude-desktop, cursor, vscode, codex, or a file' }],
  flags: [
    SCOPE,
    { name: 'yes', kind: 'switch', help: 'add the servers' },
    { name: 'only', kind: 'text', value: 'NAME', help: 'import only this server' },
    {
      name: 'copy-values',
      kind: 'switch',
      help: 'with --scope project: also copy values of variables and headers, which can be secrets',
    },
  ],
  examples: [
    ['kedge mcp import', 'list what there is'],
    ['kedge mcp import cursor', 'show what would be added'],
    ['kedge mcp import --yes ./codex/config.toml', 'add the servers of a file'],
  ],
  sections: [SCOPES],
  page: 'mcp-import',
} as const satisfies Command

export const MCP_LIST_COMMAND = {
  name: 'mcp list',
  help: 'list MCP servers, and whether each can be reached',
  about: 'List all MCP servers of this folder. Kedge connects to each, and prints whether that worked.',
  examples: [['kedge mcp list', '']],
  page: 'mcp',
} as const satisfies Command

export const MCP_GET_COMMAND = {
  name: 'mcp get',
  help: 'show one MCP server',
  about: 'Show the configuration of one MCP server and the file it is in. Values of variables and headers stay hidden.',
  arguments: [NAME],
  examples: [['kedge mcp get files', '']],
  page: 'mcp',
} as const satisfies Command

export const MCP_REMOVE_COMMAND = {
  name: 'mcp remove',
  help: 'remove an MCP server',
  about: 'Remove an MCP server from the file it is in.',
  arguments: [NAME],
  flags: [
    {
      name: 'scope',
      short: 's',
      kind: 'text',
      value: 'SCOPE',
      choices: SCOPE_NAMES,
      help: 'which one, if the name is in several scopes',
    },
  ],
  examples: [['kedge mcp remove files', '']],
  sections: [SCOPES],
  page: 'mcp',
} as const satisfies Command

export const MCP_TEST_COMMAND = {
  name: 'mcp test',
  help: 'connect to an MCP server and list its tools',
  about: 'Connect to one MCP server, and list its tools or print why the connection failed.',
  arguments: [NAME],
  examples: [['kedge mcp test files', '']],
  page: 'mcp',
} as const satisfies Command

export const MCP_LOGIN_COMMAND = {
  name: 'mcp login',
  help: 'sign in to an MCP server',
  about:
    'Sign in to an MCP server in the browser. Kedge keeps the tokens for you, renews them, and sends them to this server only.',
  arguments: [NAME],
  flags: [
    { name: 'no-browser', kind: 'switch', help: 'print the address, and read the address that the browser ended at' },
    { name: 'device', kind: 'switch', help: 'sign in on another device, with a short code' },
    { name: 'again', kind: 'switch', help: 'sign in also if you are signed in already' },
    {
      name: 'scopes',
      kind: 'text',
      value: 'SCOPES',
      help: 'what to ask for, with spaces between (default: what the server asks for)',
    },
    {
      name: 'storage',
      kind: 'text',
      choices: ['file', 'keyring'],
      value: 'WHERE',
      help: 'where to keep all sign-ins from now on: file, or keyring to seal the file with a key in the system keyring',
    },
    { name: 'client-secret', kind: 'switch', help: "ask for the client's secret (or set MCP_CLIENT_SECRET)" },
  ],
  examples: [
    ['kedge mcp login tracker', 'in the browser'],
    ['kedge mcp login --no-browser tracker', 'on a machine without one'],
    ['kedge mcp login --device tracker', 'on your phone, with a code'],
  ],
  page: 'mcp',
} as const satisfies Command

export const MCP_LOGOUT_COMMAND = {
  name: 'mcp logout',
  help: 'sign out of an MCP server',
  about: 'Sign out of an MCP server. Kedge revokes the tokens and forgets them.',
  arguments: [NAME],
  examples: [['kedge mcp logout tracker', '']],
  page: 'mcp',
} as const satisfies Command

export const MCP_STATUS_COMMAND = {
  name: 'mcp status',
  help: 'show where you are signed in',
  about: 'Show whether you are signed in to the MCP servers at an address, and until when. Kedge connects to none.',
  usage: ['kedge mcp status [options] [NAME]'],
  arguments: [{ name: 'NAME', help: 'only this server', isOptional: true }],
  flags: [{ name: 'json', kind: 'switch', help: 'print one JSON object' }],
  examples: [['kedge mcp status', '']],
  page: 'mcp',
} as const satisfies Command

export const MCP_COMMAND = {
  name: 'mcp',
  help: 'add, list, test, remove and sign in to MCP servers',
  about: 'Manage the MCP servers that sessions use.',
  commands: [
    MCP_ADD_COMMAND,
    MCP_ADD_JSON_COMMAND,
    MCP_SEARCH_COMMAND,
    MCP_IMPORT_COMMAND,
    MCP_LIST_COMMAND,
    MCP_GET_COMMAND,
    MCP_REMOVE_COMMAND,
    MCP_TEST_COMMAND,
    MCP_LOGIN_COMMAND,
    MCP_LOGOUT_COMMAND,
    MCP_STATUS_COMMAND,
    MCP_SERVE_COMMAND,
  ],
  examples: [
    ['kedge mcp add files -- \\\n  npx -y @modelcontextprotocol/server-filesystem@latest .', 'add a program'],
    ['kedge mcp list', 'check all servers'],
  ],
  page: 'mcp',
} as const satisfies Command
