/** `kedge mcp`: people's MCP servers, kept in the same files that sessions read. */

import { homeFolder } from '../platform/home.js'
import { nodePlatform } from '../platform/node-platform.js'
import { printableText } from '../platform/visible-text.js'
import { isObject } from '../protocol/json.js'
import type { McpServerStatus } from '../protocol/mcp-servers.js'
import { messageOf } from '../protocol/thrown.js'
import { readServerArguments } from './mcp-arguments.js'
import {
  changeServers,
  MCP_SCOPES,
  type McpScope,
  mcpConfigFile,
  readServerFile,
  type ServerEntries,
} from './mcp-files.js'
import { isFolderTrusted } from './session-settings.js'
import { print, printToStderr } from './terminal-output.js'

const USAGE = `Usage: kedge mcp COMMAND

  kedge mcp add [options] NAME COMMAND [ARGUMENT…]    a server that is started as a program
  kedge mcp add [options] NAME URL                    a server that is reached over HTTP
  kedge mcp add-json [--scope SCOPE] NAME JSON        the same, as it stands in the file
  kedge mcp list                                      all servers, and whether each can be reached
  kedge mcp get NAME                                  one server in detail
  kedge mcp remove [--scope SCOPE] NAME
  kedge mcp test NAME                                 connects to it and lists its tools

Options of add:
  -s, --scope SCOPE        local (default): for you, in this folder; user: for you, everywhere;
                           project: for everybody who works here (.mcp.json)
  -t, --transport TYPE     stdio (default for a command), http (default for a URL) or sse
  -e, --env NAME=VALUE     for the program's environment; repeatable
  -H, --header 'NAME: VALUE'   sent with every request; repeatable
  --timeout MS             how long one call of a tool may take

  kedge mcp add files -- npx -y @modelcontextprotocol/server-filesystem .
  kedge mcp add -s user -H 'Authorization: Bearer \${TOKEN}' tracker https://tracker.example/mcp

\${NAME} and \${NAME:-default} stand for environment variables and are put in when the server is started.
`

type Status = Pick<McpServerStatus, 'name' | 'status'>

/** Connects to servers and says how they are. */
export type FetchServerStatuses = (servers: Readonly<Record<string, unknown>>) => Promise<readonly Status[]>

const connect: FetchServerStatuses = async (servers) => (await import('./mcp-test.js')).fetchServerStatuses(servers)

export async function mcpCommand(args: readonly string[], ask: FetchServerStatuses = connect): Promise<number> {
  const [command, ...rest] = args
  if (command === 'help' || [command, rest[0]].some((word) => word === '--help' || word === '-h')) {
    print(USAGE)
    return 0
  }
  try {
    switch (command) {
      case 'add':
      case 'add-json':
        return await add(rest, command)
      case 'list':
        return await list(ask)
      case 'get':
        return await get(rest)
      case 'remove':
        return await remove(rest)
      case 'test':
        return await test(rest)
      case undefined:
        printToStderr(USAGE)
        return 1
      default:
        return fail(`unknown command: mcp ${shown(command)}`, `\n${USAGE}`)
    }
  } catch (error) {
    return fail(messageOf(error))
  }
}

async function add(args: readonly string[], command: 'add' | 'add-json'): Promise<number> {
  const read = readServerArguments(args, command)
  if (!read.ok) return fail(read.problem, '\nRun `kedge mcp --help` for how to say it.\n')
  const { name, scope, config } = read
  const path = await changeServers(scope, (servers) => {
    if (Object.hasOwn(servers, name))
      throw new Error(`there is a server ${name} already (${scope}). \`kedge mcp remove -s ${scope} ${name}\` first.`)
    Object.defineProperty(servers, name, { value: config, enumerable: true, writable: true, configurable: true })
    return true
  })
  print(`Added ${name} (${scope}) to ${shown(path)}\n`)
  if (scope === 'project') print('It is used where this folder is trusted.\n')
  return 0
}

const STATES: Readonly<Record<Status['status'], string>> = {
  connected: '✓ Connected',
  'needs-auth': '! Needs authentication',
  failed: '✗ Failed to connect',
  pending: '✗ Failed to connect',
  disabled: '✗ Disabled',
}

/** Programs read these lines: a name, a colon, what is started or reached, ` - `, how it is. Of one name, the nearest. */
async function list(ask: FetchServerStatuses): Promise<number> {
  const all = await findAll()
  const found = all.filter(({ name }, index) => all.findIndex((other) => other.name === name) === index)
  if (found.length === 0) {
    print('No MCP servers configured. Use `kedge mcp add` to add a server.\n')
    return 0
  }
  // What comes with a folder is not started before somebody said that it may be.
  const trusted = found.some(({ scope }) => scope === 'project') && (await trustsFolder())
  const started = found.filter(({ scope }) => scope !== 'project' || trusted)
  print('Checking MCP server health...\n\n')
  const states =
    started.length > 0 ? await ask(Object.fromEntries(started.map(({ name, config }) => [name, config]))) : []
  for (const { name, scope, config } of found) {
    const status = states.find((one) => one.name === name)?.status
    const unknown = scope === 'project' && !trusted ? '? Not started: this folder is not trusted' : STATES.failed
    print(`${shown(name)}: ${summary(config)} - ${status === undefined ? unknown : STATES[status]}\n`)
  }
  return 0
}

function trustsFolder(): Promise<boolean> {
  return isFolderTrusted(process.cwd(), homeFolder(process.env), nodePlatform())
}

async function get(args: readonly string[]): Promise<number> {
  const [name, ...more] = args
  if (name === undefined || more.length > 0) return fail('kedge mcp get NAME')
  const found = (await findAll()).filter((server) => server.name === name)
  if (found.length === 0) return unknown(name)
  for (const { scope, config } of found) {
    const file = shown(mcpConfigFile(scope).path)
    print(`${shown(name)} (${scope}, ${file})\n${details(config)}`)
  }
  return 0
}

async function remove(args: readonly string[]): Promise<number> {
  const { scope, names } = readScope(args)
  const [name, ...more] = names
  if (name === undefined || more.length > 0) return fail('kedge mcp remove [--scope SCOPE] NAME')
  const found = (await findAll()).filter(
    (server) => server.name === name && (scope === undefined || server.scope === scope),
  )
  const [first, ...others] = found
  if (!first) return unknown(name, scope)
  if (others.length > 0)
    return fail(
      `${shown(name)} is kept in several places: say which with --scope ${found.map((s) => s.scope).join(', ')}`,
    )
  const path = await changeServers(first.scope, (servers) => delete servers[name])
  print(`Removed ${shown(name)} (${first.scope}) from ${shown(path)}\n`)
  return 0
}

async function test(args: readonly string[]): Promise<number> {
  const [name, ...more] = args
  if (name === undefined || more.length > 0) return fail('kedge mcp test NAME')
  const found = (await findAll()).find((server) => server.name === name)
  if (!found) return unknown(name)
  const { testMcpServer } = await import('./mcp-test.js')
  return testMcpServer(name, found.config)
}

/** The nearest first: the order in which they count. */
async function findAll(): Promise<{ name: string; scope: McpScope; config: unknown }[]> {
  const all: { name: string; scope: McpScope; config: unknown }[] = []
  for (const scope of MCP_SCOPES) {
    const servers: ServerEntries = await readServerFile(scope)
    for (const [name, config] of Object.entries(servers)) all.push({ name, scope, config })
  }
  return all
}

function readScope(args: readonly string[]): { scope: McpScope | undefined; names: string[] } {
  const names = [...args]
  const at = names.findIndex((argument) => argument === '--scope' || argument === '-s')
  if (at < 0) return { scope: undefined, names }
  const [, value] = names.splice(at, 2)
  const scope = MCP_SCOPES.find((known) => known === value)
  if (!scope) throw new Error(`--scope is ${MCP_SCOPES.join(', ')}, not ${shown(String(value))}`)
  return { scope, names }
}

/** What was written by others, on one line of a terminal. Values of variables and headers are never shown. */
function summary(config: unknown): string {
  if (!isObject(config)) return 'not a JSON object'
  if (typeof config.command === 'string') return shown([config.command, ...listOf(config.args)].join(' '))
  if (typeof config.url === 'string') return `${shown(config.url)} (${shown(String(config.type)).toUpperCase()})`
  return `type ${shown(String(config.type))}`
}

function details(config: unknown): string {
  const lines = [`  ${summary(config)}`]
  if (isObject(config)) {
    for (const key of ['env', 'headers'] as const) {
      const names = isObject(config[key]) ? Object.keys(config[key]) : []
      if (names.length > 0) lines.push(`  ${key}: ${names.map((name) => shown(name)).join(', ')} (values not shown)`)
    }
    if (config.timeout !== undefined) lines.push(`  timeout: ${shown(String(config.timeout))} ms`)
  }
  return `${lines.join('\n')}\n`
}

function unknown(name: string, scope?: McpScope): number {
  return fail(`there is no MCP server ${shown(name)}${scope ? ` (${scope})` : ''}. \`kedge mcp list\` names them all.`)
}

function fail(problem: string, hint = ''): number {
  printToStderr(`error: ${problem}\n${hint}`)
  return 1
}

function shown(text: string): string {
  return printableText(text, 500)
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
