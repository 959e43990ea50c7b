/** Which servers may be used at all: the settings `allowedMcpServers` and `deniedMcpServers`. A server on both is denied. */
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
    serverUrl === undefined ? undefined : 'url' in config && isUrlMatch(serverUrl, config.url),
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

/** `*` stands for any characters; in front of the path, for any but a slash, so that no path can pass for a host. */
function isUrlMatch(pattern: string, address: string): boolean {
  const [, scheme = '', host = '', path = ''] = /^([a-z*]+:\/\/)([^/?#]*)(.*)$/is.exec(pattern.trim()) ?? []
  if (scheme === '' || !URL.canParse(address)) return false
  const url = new URL(address)
  const theirHost = url.host.replace(/\.(?=:|$)/, '')
  const wanted = host
    .toLowerCase()
    .replace(/^([^:]*):(\d+)$/, (whole, name, port) =>
      (url.protocol === 'https:' && port === '443') || (url.protocol === 'http:' && port === '80') ? name : whole,
    )
  return (
    isWildcardMatch(scheme.toLowerCase(), `${url.protocol}//`) &&
    isWildcardMatch(wanted, theirHost) &&
    isWildcardMatch(path === '' ? '/' : path, `${url.pathname}${url.search}`)
  )
}

/** In one pass from the left: no pattern can make it take for ever. */
function isWildcardMatch(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return pattern === text
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
