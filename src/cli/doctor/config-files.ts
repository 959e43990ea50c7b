/** Files that configure sessions in this folder: each is read as a session reads it, and every mistake gets its file, line and key. */
import { checkServerConfig } from '../../mcp/server-config.js'
import { join } from '../../platform/paths.js'
import type { Platform } from '../../platform/platform.js'
import { printableText } from '../../platform/visible-text.js'
import { messageOf } from '../../protocol/thrown.js'
import type { Configuration } from '../../runtime/configuration.js'
import { loadSessionProject } from '../../runtime/session-project.js'
import { type JsonNode, jsonNodeToValue, lineAndColumnAt, scanJson } from '../../settings/json-tree.js'
import { readSettingsText } from '../../settings/read-file-text.js'
import { claudeCodeRecordPath } from '../../settings/settings-paths.js'
import { createFindingFactory, type DoctorFinding } from './finding.js'
import type { DoctorTarget } from './settings-check.js'

/** Checks the files that configure MCP servers: `.mcp.json` of the folder, and the user's own file. */
export async function checkMcpServerFiles(place: DoctorTarget, platform: Platform): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = []
  for (const path of [join(place.cwd, '.mcp.json'), claudeCodeRecordPath(place)]) {
    const read = await readSettingsText(path, platform.files)
    const { ok, fail } = createFindingFactory('mcp')
    if (read.kind === 'absent') continue
    if (read.kind === 'unreadable') findings.push({ ...fail(`${path}: ${read.reason}`), file: path })
    else findings.push(...serversIn(path, read.text, place.env))
    if (!findings.some(({ file }) => file === path)) findings.push(ok(path))
  }
  return findings
}

/** Returns the URLs of the configured MCP servers that have one. */
export async function mcpServerUrls(place: DoctorTarget, platform: Platform): Promise<URL[]> {
  const texts = [join(place.cwd, '.mcp.json'), claudeCodeRecordPath(place)].map((path) =>
    readSettingsText(path, platform.files),
  )
  return (await Promise.all(texts)).flatMap((read) => {
    const root = read.kind === 'text' ? scanJson(read.text).root : undefined
    if (!root) return []
    return [...members(member(root, 'mcpServers')), ...projectServers(root)].flatMap(({ value }) => {
      const checked = checkServerConfig(jsonNodeToValue(value), place.env)
      return checked.ok && 'url' in checked.config && URL.canParse(checked.config.url)
        ? [new URL(checked.config.url)]
        : []
    })
  })
}

function serversIn(file: string, text: string, env: NodeJS.ProcessEnv): DoctorFinding[] {
  const { warn, fail } = createFindingFactory('mcp')
  const at = (offset: number) => {
    const { line, column } = lineAndColumnAt(text, offset)
    return { file, line, where: `${file}:${line}:${column}` }
  }
  const { root, error, slack } = scanJson(text)
  const flaw = error ?? slack[0]
  if (flaw || !root) {
    const { where, ...rest } = at(flaw?.offset ?? 0)
    const problem = flaw?.reason ?? 'it is empty'
    return [
      {
        ...fail(`${where}: not valid JSON: ${problem}`, 'correct it; until then none of its servers are used'),
        ...rest,
      },
    ]
  }
  return [...members(member(root, 'mcpServers')), ...projectServers(root)].flatMap(({ key, value, start }) => {
    const checked = checkServerConfig(jsonNodeToValue(value), env)
    if (checked.ok) return []
    const { where, ...rest } = at(start)
    const name = printableText(key, 100)
    const text = `${where}: the server ${name}: ${checked.problem}`
    return [
      {
        ...warn(text, `correct or remove it; \`kedge mcp test ${name}\` tries it`),
        ...rest,
        key: `mcpServers.${name}`,
      },
    ]
  })
}

function projectServers(root: JsonNode) {
  return members(member(root, 'projects')).flatMap(({ value }) => members(member(value, 'mcpServers')))
}

function members(node: JsonNode | undefined) {
  return node?.kind === 'object' ? node.members : []
}

function member(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return members(node).findLast((one) => one.key === key)?.value
}

/** CLAUDE.md and what it imports, commands, skills, agents, plugins; and whether this folder's own count. */
export async function checkInstructionsAndExtensions(
  settings: Configuration,
  platform: Platform,
): Promise<DoctorFinding[]> {
  const { ok, warn, fail } = createFindingFactory('project')
  let said = ''
  const findings: DoctorFinding[] = []
  try {
    const project = await loadSessionProject(settings, platform, (text) => {
      said += text
    })
    for (const { path } of project.instructions) findings.push(ok(path))
  } catch (error) {
    findings.push(fail(messageOf(error)))
  }
  for (const line of said.split('\n').filter((text) => text !== '')) findings.push(warn(line.replace(/^Warning: /, '')))
  if (!settings.trusted) {
    const { listFolderConfiguration } = await import('../../runtime/list-folder-configuration.js')
    const { cwd, configDir, home, sources } = settings
    const { withheld } = await listFolderConfiguration({ cwd, configDir, home, sources, files: platform.files })
    const fix = 'if you trust its files, run with --trust, or answer the question that kedge asks on a terminal'
    const text = `not used, because this folder is not trusted: ${withheld.join(', ')}`
    if (withheld.length > 0) findings.push(createFindingFactory('trust').warn(text, fix))
  }
  return findings
}
