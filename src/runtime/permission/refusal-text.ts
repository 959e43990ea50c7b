/** What the model reads behind a refusal that no person gave: which part, why, that nobody is there, and what would run. */
import type { DecideContext, EngineCall, PermissionFacts } from '../../engine/ports.js'
import type { ExplainedDecision, Permissions } from '../../permissions/permission-engine.js'
import type { PermissionMode } from '../../protocol/permission-types.js'
import type { PermissionConfiguration } from './permission-configuration.js'

type Rules = Pick<PermissionConfiguration, 'allow' | 'layers'>

const ANSWERS: Readonly<Record<string, string>> = {
  AskUserQuestion:
    'Nobody can answer in this session. Choose the most sensible option yourself, say which one, and continue.',
  ExitPlanMode: 'Nobody can approve a plan in this session. Give the whole plan as your answer instead.',
}

/** Sentences; empty where nothing is to be added. */
export async function explainRefusalToModel(
  permissions: Permissions,
  rules: Rules,
  call: EngineCall,
  facts: PermissionFacts,
  context: DecideContext = {},
): Promise<string> {
  const explained = await permissions.explain(call, facts, context)
  const { decision, rule } = explained
  const mode = context.mode ?? permissions.mode()
  // What delegating means is said already.
  if (decision.behavior === 'allow' || (decision.behavior === 'deny' && mode === 'delegate' && !rule)) return ''
  if (decision.behavior === 'deny' && rule) {
    return join(
      await refusedParts(explained),
      `The rule ${rule.text} forbids it. Don't try to reach it in another way.`,
    )
  }
  const answer = ANSWERS[call.name]
  if (decision.behavior === 'ask' && answer !== undefined) return answer
  return join(
    await refusedParts(explained),
    why(explained, call, mode),
    decision.behavior === 'ask' ? 'Nobody can approve it in this session, so it did not run.' : '',
    wouldRun(call, facts, mode, permissions, rules),
  )
}

/** Names the commands of a command line that weren't allowed, if there are several commands. */
async function refusedParts({ parts, decision }: ExplainedDecision): Promise<string> {
  const all = (await parts?.()) ?? []
  const refused = all.filter((part) => part.decision.behavior !== 'allow')
  if (all.length < 2 || refused.length === 0 || refused.length === all.length) return ''
  const named = refused.slice(0, MAX_PARTS).map(({ command }) => `"${shorten(command)}"`)
  const more = refused.length > MAX_PARTS ? ` and ${refused.length - MAX_PARTS} more` : ''
  return `${decision.behavior === 'deny' ? 'Denied part' : 'Part that needs approval'}: ${named.join(', ')}${more}.`
}

const MAX_PARTS = 3
const MAX_COMMAND = 200

function shorten(command: string): string {
  const line = command.replace(/\s+/g, ' ').trim()
  return line.length > MAX_COMMAND ? `${line.slice(0, MAX_COMMAND)}…` : line
}

function why({ decision, detail }: ExplainedDecision, { name }: EngineCall, mode: PermissionMode): string {
  if (decision.behavior === 'allow') return ''
  if (mode === 'plan') {
    const allowed =
      decision.behavior === 'ask' ? 'only reading is allowed' : 'only reading is allowed, and writing the plan file'
    return `The reason is plan mode: ${allowed}.`
  }
  const given = decision.behavior === 'ask' ? decision.decisionReason : decision.reason
  const reason = given === undefined || given === decision.message ? detail : given
  if (reason !== undefined) return `The reason: ${reason}.`.replace(/\.\.$/, '.')
  return name === 'Skill' ? 'The reason: its allowed-tools would widen what may run.' : ''
}

const MAX_RULES = 5

/** In what the model can do instead, its own tools are meant. */
function wouldRun(
  { name }: EngineCall,
  facts: PermissionFacts,
  mode: PermissionMode,
  permissions: Permissions,
  rules: Rules,
): string {
  const places = permissions.directories().join(', ')
  const free: string[] = []
  if (facts.kind === 'command') {
    free.push(`commands that only read inside ${places}`)
    if (mode === 'acceptEdits') free.push('changes to files there with Edit, Write, mkdir, touch, mv, cp, rm or sed')
  }
  if (facts.kind === 'read') free.push(`reading inside ${places}`)
  if (facts.kind === 'edit' && mode === 'acceptEdits') free.push(`changes to files inside ${places}`)
  if (mode !== 'plan') free.push(...allowRules(name, facts, rules))
  return free.length === 0 ? '' : `Allowed without approval: ${free.join('; ')}.`
}

/** The user's own rules for tools like this one. */
function allowRules(name: string, facts: PermissionFacts, { allow, layers }: Rules): string[] {
  const tool = facts.kind === 'edit' ? 'Edit' : facts.kind === 'read' ? 'Read' : name
  const all = [...allow, ...layers.flatMap((layer) => layer.allow ?? [])]
  return [...new Set(all.filter((rule) => rule.startsWith(`${tool}(`)))].slice(0, MAX_RULES)
}

function join(...sentences: string[]): string {
  return sentences.filter((sentence) => sentence !== '').join(' ')
}
