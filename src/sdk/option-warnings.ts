/**
 * Options of `query()` that do nothing: the Claude Agent SDK ignores unknown names, so Kedge does, too, but says it. JavaScript
 * programs have no compiler that would. Loaded when there is something to say.
 */
import { nearestName } from '../protocol/command-table/nearest-name.js'
import { OPTION_SHAPES } from '../protocol/option-table/option-shapes.js'

/** The names that warnings were given for: once per process is enough. */
const warned = new Set<string>()
/** Names can be made up without end. */
const MOST_NAMES = 100

export type ServerConfigProblem = { server: string; fields: readonly string[] }

/** Warns once per process about each name that isn't an option. */
export function warnOfUnknownOptions(names: readonly string[]): void {
  const known = Object.keys(OPTION_SHAPES)
  for (const name of names) {
    const meant = meantName(name, known)
    warn(`options.${name}`, `isn't an option of query(), and is ignored.`, meant)
  }
}

/** Warns once per process about each MCP server that has no way to be reached. */
export function warnOfUnreachableServers(servers: readonly ServerConfigProblem[]): void {
  for (const { server, fields } of servers) {
    const [field, meant] =
      fields.map((one) => [one, meantName(one, ['command', 'url'])] as const).find(([, name]) => name !== undefined) ??
      []
    const unknown = field === undefined ? '' : ` ${field} isn't a field of a server.`
    warn(
      `options.mcpServers.${server}`,
      `has no \`command\`, \`url\`, or in-process server, so the agent can't use it.${unknown}`,
      meant,
    )
  }
}

function meantName(word: string, known: readonly string[]): string | undefined {
  const names = new Map(known.map((name) => [name.toLowerCase(), name]))
  return names.get(nearestName(word.toLowerCase(), names.keys()) ?? '')
}

function warn(path: string, problem: string, meant: string | undefined): void {
  if (warned.has(path) || warned.size >= MOST_NAMES) return
  warned.add(path)
  const question = meant === undefined ? '' : ` Did you mean ${meant}?`
  process.emitWarning(`${path} ${problem}${question}`, { code: 'KEDGE_UNKNOWN_OPTION' })
}
