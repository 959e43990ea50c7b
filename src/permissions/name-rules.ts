/** Rules on names: the names a tool goes by, MCP servers, agents, skills, and scalar parameters of any tool. */
import type { EngineCall } from '../engine/ports.js'
import type { PermissionBehavior } from '../protocol/permission-types.js'
import { listMatchableToolNames, toolNamesOf, toolTraits } from '../protocol/tool-names.js'
import type { Rule, RuleSet, RuleWithContent } from './rule-set.js'
import { compileWildcard, matchesWildcard } from './wildcard.js'

/** The rule without content that covers a tool, if any. */
export function findRuleWithoutContent(
  rules: RuleSet,
  behavior: PermissionBehavior,
  toolName: string,
  servers: readonly string[] | undefined,
): Rule | undefined {
  const readings = serverReadings(toolName)
  if (behavior !== 'allow') return rules.bare(behavior, [...listMatchableToolNames(toolName), ...readings])
  // Where a name can mean more than one server, deny and ask take every reading, and allow none: not even the whole name.
  if (hasAmbiguousMcpServer(toolName, servers)) return undefined
  if (toolName.length > LONGEST_NAME)
    return rules.bare('allow', toolNamesOf(toolName), ({ toolName: name }) => !name.includes('*'))
  const possible = servers ? readings.filter((name) => servers.includes(name.slice(5))) : readings
  const server = possible.length === 1 ? possible[0] : undefined
  return rules.bare('allow', [...toolNamesOf(toolName), ...(server === undefined ? [] : [server])], (rule) => {
    return !rule.toolName.includes('*') || (server !== undefined && rule.toolName.startsWith(`${server}__`))
  })
}

/** Whether a tool's name can mean the tools of more than one of the servers; `servers` has one entry for each of them. */
export function hasAmbiguousMcpServer(toolName: string, servers: readonly string[] | undefined): boolean {
  if (!servers) return false
  const readings = new Set(serverReadings(toolName))
  return servers.filter((word) => readings.has(`mcp__${word}`)).length > 1
}

/** What a parameter rule says of a value: it covers it, it doesn't, or nobody can tell because the value isn't a scalar. */
type ParameterMatch = 'covers' | 'unclear' | 'misses'

/**
 * Returns the rule that covers a parameter of the call: `Tool(param:value)`. A deny or ask rule covers a value however it
 * is written: with other case, spaces around it, as a number or its text, or in a list.
 */
export function findParameterRule(
  rules: RuleSet,
  behavior: 'deny' | 'ask',
  call: EngineCall,
  names: readonly string[],
): Rule | undefined {
  return rules.scoped(behavior, names).find((rule) => matchParameter(rule, call) === 'covers')
}

/** Returns a deny or ask rule on a parameter whose value can't be compared with it: a person has to look. */
export function findUnclearParameterRule(rules: RuleSet, call: EngineCall, names: readonly string[]): Rule | undefined {
  const isUnclear = (rule: RuleWithContent) => matchParameter(rule, call) === 'unclear'
  return rules.scoped('deny', names).find(isUnclear) ?? rules.scoped('ask', names).find(isUnclear)
}

/**
 * Returns the allow rule on a parameter of an MCP tool, named in full: it covers calls with exactly this value. Tools of
 * ours have rules of their own, which say what a call may touch; one parameter says too little of that.
 */
export function findAllowedParameterRule(
  rules: RuleSet,
  call: EngineCall,
  servers: readonly string[] | undefined,
): Rule | undefined {
  if (!call.name.startsWith('mcp__') || hasAmbiguousMcpServer(call.name, servers)) return undefined
  if (call.name.length > LONGEST_NAME) return undefined
  return rules.scoped('allow', [call.name]).find((rule) => {
    const { field, wanted } = readParameter(rule) ?? {}
    if (rule.toolName !== call.name || field === undefined || wanted === undefined) return false
    const value = Object.hasOwn(call.input, field) ? call.input[field] : undefined
    return isScalar(value) && matchesWildcard(compileWildcard(wanted), String(value))
  })
}

function readParameter({ content }: RuleWithContent): { field: string; wanted: string } | undefined {
  const [, field, wanted] = /^([A-Za-z_][\w-]*)\s*:\s*(.*)$/s.exec(content.trim()) ?? []
  return field === undefined || wanted === undefined ? undefined : { field, wanted }
}

function matchParameter(rule: RuleWithContent, call: EngineCall): ParameterMatch {
  const { field, wanted } = readParameter(rule) ?? {}
  if (field === undefined || wanted === undefined || field === toolTraits(call.name).field) return 'misses'
  // Only this tool's own rules: `Bash(npm:*)` is a command, and no tool has a parameter of that name.
  if (!Object.hasOwn(call.input, field)) return 'misses'
  const value = call.input[field]
  const values = Array.isArray(value) ? value : [value]
  if (values.some((one) => isScalar(one) && coversHoweverWritten(wanted, one))) return 'covers'
  return values.every((one) => isScalar(one) || one === null || one === undefined) ? 'misses' : 'unclear'
}

function coversHoweverWritten(wanted: string, value: string | number | boolean): boolean {
  const text = String(value)
  if (matchesWildcard(compileWildcard(wanted), text)) return true
  if (matchesWildcard(compileWildcard(plainForm(wanted)), plainForm(text))) return true
  const isNumber = /\d/.test(text) && wanted.trim() !== '' && !wanted.includes('*')
  return isNumber && Number(text) === Number(wanted)
}

/** The same for texts that a server may read alike. */
function plainForm(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase()
}

function isScalar(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** `Agent(Name)`, `Skill(name)`, `Skill(name *)`: content that names what the call would start; to forbid, also what it searches for. */
export function findSubjectRule(rules: RuleSet, behavior: PermissionBehavior, call: EngineCall): Rule | undefined {
  const { field, fieldIsText } = toolTraits(call.name)
  if (!field || !fieldIsText || (field === 'query' && behavior === 'allow')) return undefined
  const subject = call.input[field]
  if (typeof subject !== 'string') return undefined
  const matches = ({ content }: RuleWithContent) => {
    // `name:*` is `name *`, and all that belongs to the plugin of that name.
    const patterns = content.endsWith(':*') ? [content, `${content.slice(0, -2)} *`] : [content]
    for (const pattern of [...patterns]) if (pattern.endsWith(' *')) patterns.push(pattern.slice(0, -2))
    return patterns.some((pattern) => matchesWildcard(compileWildcard(pattern), subject))
  }
  return rules.scoped(behavior, toolNamesOf(call.name)).find(matches)
}

/** No server and no tool has a longer one. */
const LONGEST_NAME = 1_024

/** The `mcp__server` forms a tool's name can be read as. */
function serverReadings(written: string): string[] {
  if (!written.startsWith('mcp__')) return []
  const toolName = written.slice(0, LONGEST_NAME)
  const readings: string[] = []
  for (let at = toolName.indexOf('__', 5); at > 0; at = toolName.indexOf('__', at + 1))
    readings.push(toolName.slice(0, at))
  return readings
}
