/** Which servers may be used at all: the settings `allowedMcpServers` and `deniedMcpServers`. A server on both is denied. */
import { coversAddress } from '../../platform/network/address-pattern.js'
import type { McpServerLists, McpServerMatcher } from '../../protocol/mcp/mcp-server-lists.js'
import type { ServerConfig } from '../server-config.js'

/** Returns why a server must not be used; undefined if it can be. In-process servers of the host need no entry. */
export function findAdmissionProblem(name: string, config: ServerConfig, lists: McpServerLists): string | undefined {
  const { allowed, denied } = lists
  if (denied.some((matcher) => isMatch(matcher, name, config))) return '`deniedMcpServers` of the settings names it'
  if (allowed === undefined || config.type === 'sdk') return undefined
  return isAllowed(name, config, allowed) ? undefined : '`allowedMcpServers` of the settings does not name it'
}

/** Where a list says which programs or addresses are fine, a name alone is not enough: anybody can choose one. */
function isAllowed(name: string, config: ServerConfig, allowed: readonly McpServerMatcher[]): boolean {
  const key = config.type === 'stdio' ? 'serverCommand' : 'serverUrl'
  const exact = allowed.filter((matcher) => matcher[key] !== undefined)
  return (exact.length > 0 ? exact : allowed).some((matcher) => isMatch(matcher, name, config))
}

/** All that an entry says has to fit. One that says nothing fits nothing. */
function isMatch(
  { serverName, serverCommand, serverUrl }: McpServerMatcher,
  name: string,
  config: ServerConfig,
): boolean {
  const found = [
    serverName === undefined ? undefined : serverName === name,
    serverCommand === undefined ? undefined : config.type === 'stdio' && isCommand(serverCommand, config),
    serverUrl === undefined ? undefined : 'url' in config && coversAddress(serverUrl, config.url),
  ].filter((one) => one !== undefined)
  return found.length > 0 && found.every(Boolean)
}

function isCommand(
  wanted: readonly string[],
  { command, args }: { command: string; args: readonly string[] },
): boolean {
  const given = [command, ...args]
  return given.length === wanted.length && given.every((part, index) => part === wanted[index])
}
