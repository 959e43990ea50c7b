/** `kedge mcp`: people's MCP servers, kept in the same files that sessions read. */

import { type ChosenCommand, chooseCommand, readCommandLine } from '../../platform/command-line/read-command-line.js'
import { homeFolder } from '../../platform/home.js'
import { nodePlatform } from '../../platform/node-platform.js'
import { printableText } from '../../platform/visible-text.js'
import {
  MCP_ADD_COMMAND,
  MCP_ADD_JSON_COMMAND,
  MCP_COMMAND,
  MCP_GET_COMMAND,
  MCP_IMPORT_COMMAND,
  MCP_LIST_COMMAND,
  MCP_LOGIN_COMMAND,
  MCP_LOGOUT_COMMAND,
  MCP_REMOVE_COMMAND,
  MCP_SEARCH_COMMAND,
  MCP_STATUS_COMMAND,
} from '../../protocol/command-table/mcp-command-rows.js'
import { isObject } from '../../protocol/json.js'
import { messageOf } from '../../protocol/thrown.js'
import { isFolderTrusted } from '../session-settings.js'
import { print, printCommandText, printToStderr } from '../terminal-output.js'
import type { FetchServerStatuses, FoundMcpServer } from './found-servers.js'
import { readMcpServerArguments } from './mcp-arguments.js'
import type { McpCommandParts } from './mcp-command-parts.js'
import {
  changeMcpServers,
  MCP_SCOPES,
  type McpScope,
  type McpServerEntries,
  mcpConfigFile,
  readMcpServers,
} from './mcp-files.js'

type Status = Awaited<ReturnType<FetchServerStatuses>>[number]

export async function mcpCommand(args: readonly string[], parts: McpCommandParts): Promise<number> {
  const chosen = chooseCommand(MCP_COMMAND, args)
  if ('text' in chosen) return printCommandText(chosen)
  try {
    return await run(chosen, parts)
  } catch (error) {
    return fail(messageOf(error))
  }
}

async function run({ command, args }: ChosenCommand, { ask, signIn, library }: McpCommandParts): Promise<number> {
  if (command === MCP_ADD_COMMAND) return add(args, 'add')
  if (command === MCP_ADD_JSON_COMMAND) return add(args, 'add-json')
  if (command === MCP_REMOVE_COMMAND) {
    const read = readCommandLine(MCP_REMOVE_COMMAND, args)
    return 'text' in read ? printCommandText(read) : remove(read.words[0] ?? '', read.values.scope)
  }
  if (command === MCP_SEARCH_COMMAND) return search(args)
  if (command === MCP_IMPORT_COMMAND) return importServers(args)
  if (command === MCP_LOGIN_COMMAND || command === MCP_LOGOUT_COMMAND || command === MCP_STATUS_COMMAND) {
    const { mcpSignInCommand } = await signIn()
    return mcpSignInCommand(command, args, { servers: await findAll(), ask, library })
  }
  const read = readCommandLine(command, args)
  if ('text' in read) return printCommandText(read)
  const [name = ''] = read.words
  if (command === MCP_LIST_COMMAND) return list(ask)
  return command === MCP_GET_COMMAND ? get(name) : test(name, ask)
}

async function add(args: readonly string[], command: 'add' | 'add-json'): Promise<number> {
  const read = readMcpServerArguments(args, command)
  if ('text' in read) return printCommandText(read)
  if (!('registryName' in read)) return save(read)
  const { registryName, scope, env } = read
  const { findInRegistry, NO_REGISTRY, printVariables, registryAddress } = await import('./registry/mcp-registry.js')
  const address = registryAddress(read.registry, process.env)
  if (address === undefined) return fail(`COMMAND or a URL is missing. ${NO_REGISTRY}`)
  const found = await findInRegistry(registryName, address, env)
  const { name, config } = found
  print(`${shown(registryName)}: ${summary(config)}\n`)
  const code = await save({ name, scope, config })
  printVariables(found)
  return code
}

type NewServer = { name: string; scope: McpScope; config: Record<string, unknown> }

async function save({ name, scope, config }: NewServer): Promise<number> {
  const path = await changeMcpServers(scope, (servers) => {
    if (Object.hasOwn(servers, name))
      throw new Error(
        `there is already a server ${name} (${scope}). Remove it first: kedge mcp remove -s ${scope} ${name}`,
      )
    Object.defineProperty(servers, name, { value: config, enumerable: true, writable: true, configurable: true })
    return true
  })
  print(`Added ${name} (${scope}) to ${shown(path)}\n`)
  if (scope === 'project') print('Kedge uses it in this folder once you trust the folder.\n')
  return 0
}

async function search(args: readonly string[]): Promise<number> {
  const read = readCommandLine(MCP_SEARCH_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  const { NO_REGISTRY, registryAddress, searchRegistry } = await import('./registry/mcp-registry.js')
  const address = registryAddress(read.values.registry, process.env)
  return address === undefined ? fail(NO_REGISTRY) : searchRegistry(read.words[0] ?? '', address)
}

async function importServers(args: readonly string[]): Promise<number> {
  const read = readCommandLine(MCP_IMPORT_COMMAND, args)
  if ('text' in read) return printCommandText(read)
  const { scope = 'local', yes, only, 'copy-values': copiesValues } = read.values
  const { importMcpServers } = await import('./import/mcp-import.js')
  return importMcpServers({ from: read.words[0], scope, isConfirmed: yes, copiesValues, only })
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
  const failed: string[] = []
  const unsigned: string[] = []
  for (const { name, scope, config } of found) {
    const status = states.find((one) => one.name === name)?.status
    const unknown = scope === 'project' && !trusted ? '? Not started: this folder is not trusted' : STATES.failed
    print(`${shown(name)}: ${summary(config)} - ${status === undefined ? unknown : STATES[status]}\n`)
    if (status === 'needs-auth') unsigned.push(shown(name))
    else if (started.some((one) => one.name === name) && status !== 'connected') failed.push(shown(name))
  }
  // Programs read stdout.
  const nameOf = (names: readonly string[]) => (names.length > 1 ? 'NAME' : names[0])
  if (unsigned.length > 0) printToStderr(`\nRun \`kedge mcp login ${nameOf(unsigned)}\` to sign in.\n`)
  if (failed.length > 0) printToStderr(`\nRun \`kedge mcp test ${nameOf(failed)}\` to see why, and what to do.\n`)
  return 0
}

function trustsFolder(): Promise<boolean> {
  return isFolderTrusted(process.cwd(), homeFolder(process.env), nodePlatform())
}

async function get(name: string): Promise<number> {
  const found = (await findAll()).filter((server) => server.name === name)
  if (found.length === 0) return unknown(name)
  for (const { scope, config } of found) {
    const file = shown(mcpConfigFile(scope).path)
    print(`${shown(name)} (${scope}, ${file})\n${details(config)}`)
  }
  return 0
}

async function remove(name: string, scope: McpScope | undefined): Promise<number> {
  const found = (await findAll()).filter(
    (server) => server.name === name && (scope === undefined || server.scope === scope),
  )
  const [first, ...others] = found
  if (!first) return unknown(name, scope)
  if (others.length > 0)
    return fail(
      `${shown(name)} is in several scopes. Choose one: ${found.map((s) => `kedge mcp remove --scope ${s.scope} ${shown(name)}`).join(', ')}`,
    )
  const path = await changeMcpServers(first.scope, (servers) => delete servers[name])
  print(`Removed ${shown(name)} (${first.scope}) from ${shown(path)}\n`)
  return 0
}

async function test(name: string, ask: FetchServerStatuses): Promise<number> {
  const found = (await findAll()).find((server) => server.name === name)
  if (!found) return unknown(name)
  const { testMcpServer } = await import('./mcp-diagnosis.js')
  const where = `${shown(mcpConfigFile(found.scope).path)} (${found.scope})`
  return testMcpServer({ name, config: found.config, where }, ask)
}

/** The nearest first: the order in which they count. */
async function findAll(): Promise<FoundMcpServer[]> {
  const all: FoundMcpServer[] = []
  for (const scope of MCP_SCOPES) {
    const servers: McpServerEntries = await readMcpServers(scope)
    for (const [name, config] of Object.entries(servers)) all.push({ name, scope, config })
  }
  return all
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
  return fail(
    `there's no MCP server named ${shown(name)}${scope ? ` (${scope})` : ''}. \`kedge mcp list\` lists all servers.`,
  )
}

function fail(problem: string): number {
  printToStderr(`error: ${problem}\n`)
  return 1
}

function shown(text: string): string {
  return printableText(text, 500)
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}
