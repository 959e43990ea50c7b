/** Sub-agents from files. What a file of somebody else says can only narrow what its agent may do. */
import type { AgentDefinition, AgentMcpServerSpec } from '../protocol/options.js'
import type { Place, Reading } from './commands.js'
import { fieldReader, parseMarkdown } from './frontmatter.js'
import { NAME_RULE, toName } from './names.js'
import type { AgentFile } from './project.js'
import { findMarkdown, readOrTell } from './reader.js'
import { withoutInvisible } from './visible-text.js'
import type { YamlValue } from './yaml.js'

const MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'delegate'] as const
const NARROW_MODES: readonly string[] = ['default', 'plan', 'dontAsk']
const EFFORTS = ['low', 'medium', 'high', 'max'] as const
const MAX_DESCRIPTION = 8192

export async function loadAgents(place: Place, reading: Reading): Promise<AgentFile[]> {
  const { files, problems } = reading
  const found = await findMarkdown(place.folder, place.within, files, problems)
  const agents = await Promise.all(found.map(({ path }) => loadAgent(path, place, reading)))
  return agents.flatMap((agent) => agent ?? [])
}

export async function loadAgent(
  path: string,
  place: Place,
  { files, problems }: Reading,
): Promise<AgentFile | undefined> {
  const file = await readOrTell(path, place.within, files, problems)
  if (file.kind !== 'text') return undefined
  const parsed = parseMarkdown(file.text)
  if ('line' in parsed) {
    problems.add(path, `${parsed.text}. The file is not used.`, parsed.line)
    return undefined
  }
  // Notes for people stand between agents as well: only what calls itself an agent is one.
  if (parsed.fields.size === 0) return undefined
  const fields = fieldReader(parsed.fields, path, problems)
  const written = { name: fields.text('name'), effort: fields.text('effort') }
  const description = fields.text('description')
  const mode = fields.oneOf('permissionMode', MODES)
  const servers = fields.value('mcpServers')
  const optional: { [Key in keyof AgentDefinition]?: AgentDefinition[Key] | undefined } = {
    tools: fields.list('tools'),
    disallowedTools: fields.list('disallowedTools'),
    model: fields.text('model'),
    mcpServers: servers === undefined ? undefined : toServers(servers),
    skills: fields.list('skills'),
    maxTurns: fields.count('maxTurns'),
    background: fields.flag('background'),
    effort: EFFORTS.find((effort) => effort === written.effort),
    initialPrompt: fields.text('initialPrompt'),
    permissionMode: mode,
  }
  const hooks = fields.value('hooks')
  if (!fields.isRight()) return undefined
  const name = written.name === undefined ? undefined : toName(written.name, { spaces: true })
  const missing =
    name === undefined
      ? `'name' is missing or can't be used: ${NAME_RULE}`
      : !description
        ? "'description' is missing"
        : servers !== undefined && !optional.mcpServers
          ? "'mcpServers' must be a list of names, or of maps with a name and its server"
          : undefined
  if (missing !== undefined || name === undefined || !description) {
    problems.add(path, `${missing}. The file is not used.`)
    return undefined
  }
  if (mode && place.origin !== 'user' && !NARROW_MODES.includes(mode)) {
    problems.add(path, `permissionMode ${mode} is not used: only your own agents may have it.`)
    delete optional.permissionMode
  }
  if (written.effort && !optional.effort) problems.add(path, `effort is not used: it is one of ${EFFORTS.join(', ')}.`)
  // `tools: '*'` is how some say "all of them".
  if (optional.tools?.includes('*')) delete optional.tools
  const given = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  const definition: AgentDefinition = {
    description: withoutInvisible(description.slice(0, MAX_DESCRIPTION)).text.trim(),
    prompt: parsed.body.trim(),
    ...given,
  }
  const full = place.plugin ? `${place.plugin.name}:${name}` : name
  return { name: full, path, origin: place.origin, definition, ...(hooks !== undefined && { hooks }) }
}

/** Undefined: not what it should be. What a server says is checked where servers are started. */
function toServers(value: YamlValue): AgentMcpServerSpec[] | undefined {
  const items = typeof value === 'string' ? value.split(',').map((name) => name.trim()) : value
  if (!Array.isArray(items)) return isMap(items) ? [items] : undefined
  return items.every((item): item is string | Servers => typeof item === 'string' || isMap(item)) ? items : undefined
}

type Servers = Exclude<AgentMcpServerSpec, string>

function isMap(value: YamlValue): value is YamlValue & Servers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
