/** Finds what a program gave `query()` that nothing reads. */
import { isObject } from '../protocol/json.js'
import { REFUSED_OPTIONS } from '../protocol/option-table/option-rows.js'
import { OPTION_SHAPES } from '../protocol/option-table/option-shapes.js'

/** Warns of unknown options and of MCP servers without an address. Never throws: programs run on with both. */
export function reportUnknownOptions(options: object): void {
  const unknown = Object.keys(options).filter(
    (name) => !Object.hasOwn(OPTION_SHAPES, name) && !Object.hasOwn(REFUSED_OPTIONS, name),
  )
  const servers = 'mcpServers' in options && isObject(options.mcpServers) ? Object.entries(options.mcpServers) : []
  const unreachable = servers.flatMap(([server, config]) =>
    isObject(config) && isWithoutAddress(config) ? [{ server, fields: Object.keys(config) }] : [],
  )
  if (unknown.length === 0 && unreachable.length === 0) return
  void import('./option-warnings.js').then(({ warnOfUnknownOptions, warnOfUnreachableServers }) => {
    warnOfUnknownOptions(unknown)
    warnOfUnreachableServers(unreachable)
  })
}

/** A wrong `type` has an error of its own in the server's status. */
function isWithoutAddress(config: Record<string, unknown>): boolean {
  const { type, command, url, instance } = config
  if (command !== undefined || url !== undefined || instance !== undefined) return false
  return type === undefined || type === 'stdio' || type === 'http' || type === 'sse'
}
