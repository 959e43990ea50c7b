/** Configurations of other programs, as entries of ours. Kedge runs nothing of them and fills in no variables. */
import { isObject, type JsonObject } from '../../../protocol/json.js'
import { messageOf } from '../../../protocol/thrown.js'
import { withoutJsonComments } from './json-comments.js'
import { readTomlTables } from './toml-tables.js'

export type ForeignServer = { name: string; config: JsonObject } | { name: string; problem: string }

/** Reads the servers of a file. Throws if the file can't be understood. */
export function readForeignConfig(path: string, text: string): ForeignServer[] {
  const root = path.toLowerCase().endsWith('.toml') ? readTomlTables(text) : readJson(text)
  const found = root['mcpServers'] ?? root['mcp_servers'] ?? root['servers'] ?? nested(root)
  if (found === undefined) throw new Error('it has no MCP servers (mcpServers, servers, or mcp_servers)')
  if (!isObject(found)) throw new Error("its MCP servers aren't an object")
  return Object.entries(found).map(([name, value]) => {
    try {
      return { name, config: convert(value) }
    } catch (error) {
      return { name, problem: messageOf(error) }
    }
  })
}

/** VS Code has them in `mcp` of its settings, too. */
function nested({ mcp }: JsonObject): unknown {
  return isObject(mcp) ? mcp['servers'] : undefined
}

function readJson(text: string): JsonObject {
  const root: unknown = JSON.parse(withoutJsonComments(text.replace(/^\uFEFF/, '')))
  if (!isObject(root)) throw new Error("it isn't a JSON object")
  return root
}

function convert(value: unknown): JsonObject {
  if (!isObject(value)) throw new Error("its configuration isn't an object")
  if (value['disabled'] === true || value['enabled'] === false) throw new Error('it is turned off there')
  const { command, url, serverUrl } = value
  if (typeof command === 'string') return programOf(value, command)
  const address = url ?? serverUrl
  if (typeof address === 'string') return addressOf(value, address)
  throw new Error('it has neither `command` nor `url`')
}

function programOf(value: JsonObject, command: string): JsonObject {
  const { args = [], env = {} } = value
  if (!Array.isArray(args) || !isObject(env)) throw new Error('`args` must be a list, and `env` an object')
  if (value['envFile'] !== undefined) throw new Error('it reads a file of variables (`envFile`): add it by hand')
  return {
    type: 'stdio',
    command: ownVariables(command),
    args: args.map((word) => ownVariables(String(word))),
    ...(Object.keys(env).length > 0 ? { env: ownValues(env) } : {}),
  }
}

function addressOf(value: JsonObject, url: string): JsonObject {
  const headers: JsonObject = {}
  // Codex names variables instead of values.
  const { bearer_token_env_var: bearer, env_http_headers: named } = value
  for (const source of [value['headers'], value['http_headers']])
    if (isObject(source)) Object.assign(headers, ownValues(source))
  if (isObject(named))
    for (const [header, variable] of Object.entries(named)) headers[header] = `\${${String(variable)}}`
  if (typeof bearer === 'string') headers['Authorization'] = `Bearer \${${bearer}}`
  const type = value['type'] === 'sse' || value['transport'] === 'sse' ? 'sse' : 'http'
  return { type, url: ownVariables(url), ...(Object.keys(headers).length > 0 ? { headers } : {}) }
}

function ownValues(values: JsonObject): JsonObject {
  const own: JsonObject = {}
  for (const [name, value] of Object.entries(values))
    Object.defineProperty(own, name, {
      value: ownVariables(String(value)),
      enumerable: true,
      writable: true,
      configurable: true,
    })
  return own
}

/** `${env:NAME}` of Cursor and VS Code is `${NAME}` here; a value that they ask for becomes a variable. */
function ownVariables(text: string): string {
  return text.replace(/\$\{(?:(env|input):)?([^}]*)\}/g, (whole, kind: string | undefined, name: string) => {
    if (kind === 'env') return `\${${name}}`
    if (kind === 'input') return `\${${name.toUpperCase().replace(/\W+/g, '_')}}`
    if (name === 'workspaceFolder' || name === 'workspaceRoot') return '.'
    if (name === 'userHome') return `\${HOME}`
    if (/^[A-Za-z_]\w*(?::-.*)?$/.test(name)) return whole
    throw new Error(`it uses ${whole}, which Kedge doesn't know: add it by hand`)
  })
}
