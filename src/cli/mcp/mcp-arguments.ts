/** The server that `kedge mcp add` describes: options first, then the name, then the program with all that follows it. */
import { checkServerConfig } from '../../mcp/server-config.js'
import {
  createUsageError,
  type HelpOrUsageError,
  readCommandLine,
} from '../../platform/command-line/read-command-line.js'
import { MCP_ADD_COMMAND, MCP_ADD_JSON_COMMAND } from '../../protocol/command-table/mcp-command-rows.js'
import { messageOf } from '../../protocol/thrown.js'
import type { McpScope } from './mcp-files.js'

export type McpServerArguments =
  | { name: string; scope: McpScope; config: Record<string, unknown> }
  /** One of a registry, by its name there. */
  | { registryName: string; registry: string | undefined; scope: McpScope; env: Record<string, string> }

type Given = { transport?: string; env: Record<string, string>; headers: Record<string, string>; timeout?: number }

export function readMcpServerArguments(
  args: readonly string[],
  command: 'add' | 'add-json',
): McpServerArguments | HelpOrUsageError {
  try {
    return command === 'add' ? readAdd(args) : readAddJson(args)
  } catch (error) {
    return createUsageError(command === 'add' ? MCP_ADD_COMMAND : MCP_ADD_JSON_COMMAND, messageOf(error))
  }
}

function readAdd(args: readonly string[]): McpServerArguments | HelpOrUsageError {
  const read = readCommandLine(MCP_ADD_COMMAND, args)
  if ('text' in read) return read
  const { scope = 'local', transport, env, header, timeout } = read.values
  const [name = '', ...what] = read.words
  const given: Given = {
    env: {},
    headers: {},
    ...(transport === undefined ? {} : { transport }),
    ...(timeout === undefined ? {} : { timeout }),
  }
  for (const pair of env) putPair(given.env, pair, '=', '--env must be NAME=VALUE.')
  for (const pair of header) putPair(given.headers, pair, ':', "--header must be 'NAME: VALUE'.")
  const { registry } = read.values
  // Names of a registry have a slash.
  if (what.length === 0 && registry === undefined && !name.includes('/'))
    throw new Error('kedge mcp add needs COMMAND: the program with its arguments, or a URL.')
  if (what.length === 0) return { registryName: name, registry, scope, env: given.env }
  if (registry !== undefined) throw new Error('With --registry, NAME is the name there, and nothing follows it.')
  return checked(name, scope, configOf(what, given))
}

function readAddJson(args: readonly string[]): McpServerArguments | HelpOrUsageError {
  const read = readCommandLine(MCP_ADD_JSON_COMMAND, args)
  if ('text' in read) return read
  const [name = '', text = ''] = read.words
  return checked(name, read.values.scope ?? 'local', fromJson(text))
}

export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9_-]{1,64}$/.test(name)
}

function checked(name: string, scope: McpScope, config: Record<string, unknown>): McpServerArguments {
  if (!isServerName(name)) throw new Error('NAME can have letters, digits, hyphens and underscores, at most 64.')
  // Variables are put in when it is started; here only the form is checked.
  const found = checkServerConfig(config, anyVariable)
  if (!found.ok) throw new Error(found.problem)
  if (found.config.type === 'sdk')
    throw new Error("A server of type sdk is part of a program and can't be saved. Pass it in the option mcpServers.")
  return { name, scope, config }
}

function putPair(pairs: Record<string, string>, text: string, separator: string, usage: string): void {
  const at = text.indexOf(separator)
  const name = text.slice(0, at).trim()
  // The value may be a key: it is never repeated.
  if (at < 0 || name === '') throw new Error(usage)
  const value = text.slice(at + 1)
  // A name like any other, also when it is called __proto__.
  const own = { enumerable: true, writable: true, configurable: true }
  Object.defineProperty(pairs, name, { value: separator === ':' ? value.trim() : value, ...own })
}

function configOf(
  [target = '', ...args]: readonly string[],
  { transport, env, headers, timeout }: Given,
): Record<string, unknown> {
  const isUrl = /^https?:\/\//i.test(target)
  const type = transport ?? (isUrl ? 'http' : 'stdio')
  const limit = timeout === undefined ? {} : { timeout }
  const hasEnv = Object.keys(env).length > 0
  const hasHeaders = Object.keys(headers).length > 0
  if (type === 'stdio') {
    if (hasHeaders) throw new Error('--header needs a URL: a program gets variables with --env.')
    return { type, command: target, args, ...(hasEnv ? { env } : {}), ...limit }
  }
  if (hasEnv) throw new Error('--env needs a program: a URL gets headers with --header.')
  if (args.length > 0) throw new Error("A URL doesn't take arguments.")
  return { type, url: target, ...(hasHeaders ? { headers } : {}), ...limit }
}

function fromJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    // Checked here, and its content by `checkServerConfig`.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below; the text itself may hold a key.
  }
  throw new Error("The configuration isn't a JSON object.")
}

/** Stands for all variables where only the form of a configuration is checked. */
export const anyVariable = new Proxy<Record<string, string>>(
  {},
  {
    get: () => 'x',
    has: () => true,
    getOwnPropertyDescriptor: () => ({ value: 'x', configurable: true, enumerable: true }),
  },
)
