/** `kedge mcp import`: servers that other programs know. Shows what would be added; `--yes` adds it. Nothing is run. */
import { checkServerConfig } from '../../../mcp/server-config.js'
import { nodeFiles } from '../../../platform/files/files.js'
import { homeFolder } from '../../../platform/home.js'
import { resolve } from '../../../platform/paths.js'
import { printableText } from '../../../platform/visible-text.js'
import { isObject, type JsonObject } from '../../../protocol/json.js'
import { messageOf } from '../../../protocol/thrown.js'
import { print, printToStderr } from '../../terminal-output.js'
import { anyVariable, isServerName } from '../mcp-arguments.js'
import { changeMcpServers, type McpScope, mcpConfigFile, readMcpServers } from '../mcp-files.js'
import { type ForeignServer, readForeignConfig } from './foreign-config.js'
import { filesOfSource, IMPORT_SOURCES, type ImportPlace, SOURCE_NAMES } from './import-sources.js'
import { withVariablesForValues } from './kept-secrets.js'

export type ImportRequest = {
  /** A source, or a file; undefined: list the sources. */
  from: string | undefined
  scope: McpScope
  isConfirmed: boolean
  /** Into a file that others read, too. */
  copiesValues: boolean
  /** Only this server. */
  only: string | undefined
}

type Addition = { name: string; config: JsonObject; variables: string[] }
type Plan = { additions: Addition[]; left: { name: string; reason: string }[] }

const MAX_FILE = 4 * 1024 * 1024

export async function importMcpServers(request: ImportRequest): Promise<number> {
  const place = { home: homeFolder(process.env), cwd: process.cwd(), env: process.env, os: process.platform }
  if (request.from === undefined) return listSources(place)
  const source = IMPORT_SOURCES.find((known) => known === request.from)
  const files = source ? filesOfSource(source, place) : [resolve(place.cwd, request.from)]
  const found: ForeignServer[] = []
  let read = 0
  for (const file of files) {
    const servers = await readServers(file)
    if (servers === undefined) continue
    read += 1
    print(`${shown(file)}\n`)
    found.push(...servers.filter(({ name }) => !found.some((other) => other.name === name)))
  }
  if (read === 0)
    return fail(
      source
        ? `${SOURCE_NAMES[source]} has no MCP servers in ${files.map(shown).join(' or ')}.`
        : `${shown(files[0] ?? '')} doesn't exist, and isn't one of: ${IMPORT_SOURCES.join(', ')}.`,
    )
  const wanted = request.only === undefined ? found : found.filter(({ name }) => name === request.only)
  if (wanted.length === 0) return fail(`the file has no server named ${shown(request.only ?? '')}.`)
  const plan = planImport(wanted, await readMcpServers(request.scope), request)
  show(plan, request)
  if (plan.additions.length === 0) return plan.left.length > 0 ? 1 : 0
  if (!request.isConfirmed) {
    print(`\nNothing was changed. Run the command again with --yes to add ${plural(plan.additions.length)}.\n`)
    return 0
  }
  const path = await changeMcpServers(request.scope, (servers) => {
    for (const { name, config } of plan.additions)
      if (!Object.hasOwn(servers, name))
        Object.defineProperty(servers, name, { value: config, enumerable: true, writable: true, configurable: true })
    return true
  })
  print(`\nAdded ${plural(plan.additions.length)} (${request.scope}) to ${shown(path)}\n`)
  return 0
}

/** Undefined: there is no such file. */
async function readServers(file: string): Promise<ForeignServer[] | undefined> {
  const real = await nodeFiles.realpath(file).catch(() => undefined)
  if (real === undefined) return undefined
  const { content } = await nodeFiles.snapshot(real, MAX_FILE)
  if (!content) throw new Error(`${shown(file)} isn't a regular file, or is larger than 4 MB`)
  try {
    return readForeignConfig(file, new TextDecoder('utf-8', { fatal: true }).decode(content))
  } catch (error) {
    // A parser repeats what it read, which may be a key.
    const reason = error instanceof SyntaxError ? "it isn't valid JSON" : messageOf(error)
    throw new Error(`${shown(file)} can't be imported: ${shown(reason)}`)
  }
}

export function planImport(
  found: readonly ForeignServer[],
  existing: JsonObject,
  request: Pick<ImportRequest, 'scope' | 'copiesValues'>,
): Plan {
  const plan: Plan = { additions: [], left: [] }
  for (const server of found) {
    const { name } = server
    const leave = (reason: string) => plan.left.push({ name, reason })
    if ('problem' in server) leave(server.problem)
    else if (!isServerName(name) || name.startsWith('-'))
      leave('its name can have letters, digits, hyphens and underscores, at most 64, and begins with no hyphen')
    else if (Object.hasOwn(existing, name)) leave(`there is already a server ${name} (${request.scope})`)
    else {
      const checked = checkServerConfig(server.config, anyVariable)
      const isShared = request.scope === 'project' && !request.copiesValues
      const kept = isShared ? withVariablesForValues(name, server.config) : { config: server.config, variables: [] }
      if (!checked.ok) leave(checked.problem)
      else if (kept.problem !== undefined) leave(kept.problem)
      else plan.additions.push({ name, config: kept.config, variables: kept.variables })
    }
  }
  return plan
}

function show({ additions, left }: Plan, { scope, copiesValues }: ImportRequest): void {
  for (const { name, config, variables } of additions) {
    print(`  + ${shown(name)}: ${summary(config)}\n`)
    for (const key of ['env', 'headers'] as const) {
      const names = isObject(config[key]) ? Object.keys(config[key]) : []
      if (names.length > 0) print(`      ${key}: ${names.map(shown).join(', ')} (values not shown)\n`)
    }
    if (variables.length > 0)
      print(`      values stay out of the file: set ${variables.map(shown).join(', ')} yourself\n`)
  }
  for (const { name, reason } of left) print(`  - ${shown(name)}: left out, because ${shown(reason)}\n`)
  if (scope === 'project' && copiesValues && additions.length > 0)
    printToStderr(`warning: Values are copied to ${shown(mcpConfigFile(scope).path)}, which others can read.\n`)
}

async function listSources(place: ImportPlace): Promise<number> {
  let count = 0
  for (const source of IMPORT_SOURCES) {
    for (const file of filesOfSource(source, place)) {
      const servers = await readServers(file).catch(() => undefined)
      if (!servers) continue
      count += 1
      print(`${source}: ${plural(servers.length)} in ${shown(file)}\n`)
    }
  }
  if (count === 0) print('No MCP servers of other programs were found. Name a file: kedge mcp import FILE\n')
  else print('\nSee what would be added: kedge mcp import SOURCE\n')
  return 0
}

function summary(config: JsonObject): string {
  const { command, args, url } = config
  return shown(
    typeof command === 'string' ? [command, ...(Array.isArray(args) ? args.map(String) : [])].join(' ') : String(url),
  )
}

function plural(count: number): string {
  return count === 1 ? '1 server' : `${count} servers`
}

function shown(text: string): string {
  return printableText(text, 500)
}

function fail(problem: string): number {
  printToStderr(`error: ${problem}\n`)
  return 1
}
