/** Sub-agents from files. What a file of somebody else says can only narrow what its agent may do. */

import { oneLine, withoutInvisible } from '../platform/visible-text.js'
import type { AgentDefinition, AgentMcpServerSpec } from '../protocol/options.js'
import { escapeOwnTags } from '../protocol/shown/own-tags.js'
import { DEFINITION_NAME_RULE_TEXT, toDefinitionName } from './file-names.js'
import { createFieldReader, type FieldReader, readFrontMatterHooks } from './frontmatter.js'
import type { AgentFile } from './project.js'
import { type DefinitionFolder, findMarkdownFiles, type ReadingContext, readMarkdown } from './reader.js'
import { DESCRIBED_BY_PROJECT_SUFFIX, markUntrustedText } from './untrusted-words.js'
import type { YamlValue } from './yaml.js'

const MODES = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'delegate'] as const
const NARROW_MODES: readonly string[] = ['default', 'plan', 'dontAsk']
const EFFORTS = ['low', 'medium', 'high', 'max'] as const
const MAX_DESCRIPTION = 8192
/** Every request holds the descriptions. */
const MAX_UNTRUSTED = 1024
const MAX_UNTRUSTED_TOGETHER = 15_000

export async function loadAgents(place: DefinitionFolder, reading: ReadingContext): Promise<AgentFile[]> {
  const found = await findMarkdownFiles(place.folder, place.within, reading)
  const agents = await Promise.all(found.map(({ path }) => loadAgentFile(path, place, reading)))
  const all = agents.flatMap((agent) => agent ?? [])
  return place.untrusted ? withinLimit(all, reading) : all
}

/** A folder that the user doesn't trust must not fill the context at the user's cost. */
function withinLimit(agents: readonly AgentFile[], { problems }: ReadingContext): AgentFile[] {
  let characters = 0
  return agents.filter(({ path, definition }) => {
    characters += definition.description.length
    if (characters <= MAX_UNTRUSTED_TOGETHER) return true
    problems.add(path, 'is not used: the descriptions of all agents together are too long. Shorten them.')
    return false
  })
}

export async function loadAgentFile(
  path: string,
  place: DefinitionFolder,
  reading: ReadingContext,
): Promise<AgentFile | undefined> {
  const { problems } = reading
  const parsed = await readMarkdown(path, place.within, reading)
  // Notes for people stand between agents as well: only what calls itself an agent is one.
  if (!parsed || parsed.fields.size === 0) return undefined
  const fields = createFieldReader(parsed.fields, path, problems)
  const name = toDefinitionName(fields.text('name') ?? '', { spaces: true })
  const description = visible(fields.text('description') ?? '')
    .slice(0, MAX_DESCRIPTION)
    .trim()
  const more = moreOf(fields, path, place, reading)
  const hooks = readFrontMatterHooks(fields)
  if (!fields.isRight()) return undefined
  const wrong =
    name === undefined ? `'name' is missing or can't be used: ${DEFINITION_NAME_RULE_TEXT}` : "'description' is missing"
  if (name === undefined || description === '') {
    problems.add(path, `${wrong}. The file is not used.`)
    return undefined
  }
  const prompt = parsed.body.trim()
  const known = { name: place.plugin ? `${place.plugin.name}:${name}` : name, path, origin: place.origin }
  if (!place.untrusted) return { ...known, ...(hooks && { hooks }), definition: { description, prompt, ...more } }
  const withheld: string[] = DEEDS.filter((field) => more[field] !== undefined)
  if (hooks) withheld.push('hooks')
  const words = {
    description: escapeOwnTags(oneLine(description, MAX_UNTRUSTED)) + DESCRIBED_BY_PROJECT_SUFFIX,
    prompt: markUntrustedText(path, prompt),
  }
  const rest = Object.fromEntries(Object.entries(more).filter(([field]) => !withheld.some((one) => one === field)))
  return { ...known, untrusted: true, withheld, definition: { ...words, ...rest } }
}

/** What a file does not decide before its folder is trusted: what costs money, starts programs, or speaks for the user. */
const DEEDS = ['model', 'effort', 'permissionMode', 'mcpServers', 'initialPrompt'] as const

type More = Omit<AgentDefinition, 'description' | 'prompt'>

function moreOf(fields: FieldReader, path: string, { origin }: DefinitionFolder, { problems }: ReadingContext): More {
  const tools = fields.list('tools')
  const effort = fields.text('effort')
  const knownEffort = EFFORTS.find((one) => one === effort)
  if (effort && !knownEffort) problems.add(path, `effort is not used: it is one of ${EFFORTS.join(', ')}.`)
  const mode = fields.oneOf('permissionMode', MODES)
  const isTooWide = mode !== undefined && origin !== 'user' && !NARROW_MODES.includes(mode)
  if (isTooWide) problems.add(path, `permissionMode ${mode} is not used: only your own agents may have it.`)
  const initialPrompt = fields.text('initialPrompt')
  const more: { [Key in keyof More]: More[Key] | undefined } = {
    // `tools: '*'` is how some say "all of them".
    tools: tools?.includes('*') ? undefined : tools,
    disallowedTools: fields.list('disallowedTools'),
    model: fields.text('model'),
    mcpServers: fields.checked('mcpServers', toServers, 'a list of names, or of maps with a name and its server'),
    skills: fields.list('skills'),
    maxTurns: fields.count('maxTurns'),
    maxTokens: fields.count('maxTokens'),
    maxBudgetUsd: fields.checked('maxBudgetUsd', toAmount, 'an amount in US dollars, more than 0'),
    background: fields.flag('background'),
    effort: knownEffort,
    initialPrompt: initialPrompt && visible(initialPrompt),
    permissionMode: isTooWide ? undefined : mode,
  }
  return Object.fromEntries(Object.entries(more).filter(([, value]) => value !== undefined))
}

function toAmount(value: YamlValue): number | undefined {
  const amount = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(amount) && amount > 0 ? amount : undefined
}

function visible(text: string): string {
  return withoutInvisible(text).text
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
