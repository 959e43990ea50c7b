/** What `kedge mcp add` was told: options first, then the name, then the program with all that follows it. */
import { checkServerConfig } from '../mcp/server-config.js'
import { messageOf } from '../protocol/thrown.js'
import { MCP_SCOPES, type McpScope } from './mcp-files.js'

export type ServerArguments =
  | { ok: true; name: string; scope: McpScope; config: Record<string, unknown> }
  | { ok: false; problem: string }

type Given = {
  scope: McpScope
  transport?: string
  env: Record<string, string>
  headers: Record<string, string>
  timeout?: number
}

const OPTIONS = ['--scope', '--transport', '--env', '--header', '--timeout']
const LONG: Record<string, string> = { '-s': '--scope', '-t': '--transport', '-e': '--env', '-H': '--header' }

export function readServerArguments(args: readonly string[], command: 'add' | 'add-json'): ServerArguments {
  try {
    const given: Given = { scope: 'local', env: {}, headers: {} }
    const words: string[] = []
    const rest = [...args]
    while (rest.length > 0) {
      const word = String(rest.shift())
      // The program's own arguments are its own business.
      if (word === '--' || words.length === 2) {
        words.push(...(word === '--' ? [] : [word]), ...rest.splice(0))
      } else if (word.startsWith('-') && word !== '-') {
        const [option = '', inline] = splitOption(LONG[word] ?? word)
        if (!OPTIONS.includes(option))
          throw new Error(`unknown option ${option}. Put -- before a command with options of its own`)
        takeOption(given, option, inline ?? rest.shift())
      } else words.push(word)
    }
    const [name, ...what] = words
    if (name === undefined || what.length === 0) throw new Error('a name and a command or a URL are needed')
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(name))
      throw new Error('a name has letters, digits, hyphens and underscores, at most 64')
    const config = command === 'add' ? configOf(what, given) : fromJson(what)
    // Variables are put in when it is started; here only the form counts.
    const checked = checkServerConfig(config, anyVariable)
    if (!checked.ok) throw new Error(checked.problem)
    if (checked.config.type === 'sdk') throw new Error('a server of type sdk lives in a program and can not be kept')
    return { ok: true, name, scope: given.scope, config }
  } catch (error) {
    return { ok: false, problem: messageOf(error) }
  }
}

function splitOption(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function takeOption(given: Given, option: string, value: string | undefined): void {
  if (value === undefined) throw new Error(`${option} needs a value`)
  switch (option) {
    case '--scope': {
      const scope = MCP_SCOPES.find((known) => known === value)
      if (!scope) throw new Error(`--scope is ${MCP_SCOPES.join(', ')}, not ${value}`)
      given.scope = scope
      return
    }
    case '--transport':
      given.transport = value
      return
    case '--env':
      putPair(given.env, value, '=', '--env is NAME=VALUE')
      return
    case '--header':
      putPair(given.headers, value, ':', "--header is 'NAME: VALUE'")
      return
    default:
      given.timeout = Number(value)
      if (!Number.isInteger(given.timeout) || given.timeout < 1000) throw new Error('--timeout is in ms, at least 1000')
  }
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
  [target = '', ...args]: string[],
  { transport, env, headers, timeout }: Given,
): Record<string, unknown> {
  const isUrl = /^https?:\/\//i.test(target)
  const type = transport ?? (isUrl ? 'http' : 'stdio')
  const limit = timeout === undefined ? {} : { timeout }
  const hasEnv = Object.keys(env).length > 0
  const hasHeaders = Object.keys(headers).length > 0
  if (type === 'stdio') {
    if (hasHeaders) throw new Error('--header is for servers with a URL')
    return { type, command: target, args, ...(hasEnv ? { env } : {}), ...limit }
  }
  if (hasEnv) throw new Error('--env is for servers that are started as a program')
  if (args.length > 0) throw new Error('a URL takes no arguments')
  return { type, url: target, ...(hasHeaders ? { headers } : {}), ...limit }
}

function fromJson([text = '', ...more]: string[]): Record<string, unknown> {
  if (more.length > 0) throw new Error('one JSON object is expected after the name')
  try {
    const value: unknown = JSON.parse(text)
    // Checked here, and its content by `checkServerConfig`.
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Said below; the text itself may hold a key.
  }
  throw new Error('the configuration is no JSON object')
}

const anyVariable = new Proxy<Record<string, string>>(
  {},
  {
    get: () => 'x',
    has: () => true,
    getOwnPropertyDescriptor: () => ({ value: 'x', configurable: true, enumerable: true }),
  },
)
