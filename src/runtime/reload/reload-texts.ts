/** What changed with a reload: in one line each for people, and as a reminder for the model. */

import { oneLine } from '../../platform/visible-text.js'
import type { ReloadPart } from '../../protocol/requests/session-requests.js'
import { escapeOwnTags } from '../../protocol/shown/own-tags.js'
import type { Conversation } from '../conversation.js'
import type { ProjectSnapshot } from './project-snapshot.js'

const KINDS = [
  ['plugins', 'Plugins'],
  ['skills', 'Commands and skills'],
  ['agents', 'Sub-agents'],
  ['styles', 'Output styles'],
  ['instructions', 'Instructions'],
] as const

const MAX_NAMES = 10

export function describeProjectChanges(before: ProjectSnapshot, now: ProjectSnapshot): string[] {
  return KINDS.flatMap(([kind, title]) => {
    const { came, changed, went } = compareNames(before[kind], now[kind])
    const parts = [
      ...(came.length > 0 ? [`new: ${listed(came)}`] : []),
      ...(changed.length > 0 ? [`changed: ${listed(changed)}`] : []),
      ...(went.length > 0 ? [`gone: ${listed(went)}`] : []),
    ]
    return parts.length === 0 ? [] : [`${title}: ${parts.join('; ')}.`]
  })
}

/** The system prompt and the tools stay as the cache has them: the model reads what is new before the next prompt. */
export function tellModel(
  { toTell, shared: { project } }: Conversation,
  before: ProjectSnapshot,
  now: ProjectSnapshot,
  parts: readonly ReloadPart[],
): void {
  // Not told yet, so there is nothing to correct.
  if (toTell.listing.length > 0) toTell.listing.splice(0, toTell.listing.length, ...nonEmpty(now.listing))
  else if (now.listing !== before.listing)
    toTell.pending.push(
      now.listing === ''
        ? 'The Skill tool has nothing to load any more.'
        : `Skills and commands have changed. ${now.listing}`,
    )
  const agents = compareNames(before.agents, now.agents)
  if (agents.came.length > 0)
    toTell.pending.push(`Task can also start these sub-agents: ${describe(agents.came, project)}`)
  if (agents.went.length > 0) toTell.pending.push(`These sub-agents are gone: ${agents.went.join(', ')}.`)
  if (!parts.includes('instructions')) return
  const text = project.instructionsText(project.instructions)
  const { came, changed, went } = compareNames(before.instructions, now.instructions)
  if (toTell.instructions.length > 0) toTell.instructions.splice(0, toTell.instructions.length, ...nonEmpty(text))
  else if (came.length + changed.length > 0) toTell.pending.push(`Instructions have changed. They are now:\n\n${text}`)
  else if (went.length > 0) toTell.pending.push(`These instructions are gone, follow them no more: ${went.join(', ')}.`)
}

function describe(names: readonly string[], project: Conversation['shared']['project']): string {
  const line = (name: string) => {
    const found = project.agents.find((agent) => agent.name === name)
    return found ? `${name} (${escapeOwnTags(oneLine(found.definition.description, 200))})` : name
  }
  return names.slice(0, MAX_NAMES).map(line).join(', ')
}

function compareNames(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>) {
  return {
    came: [...now.keys()].filter((name) => !before.has(name)),
    changed: [...now].filter(([name, value]) => before.has(name) && before.get(name) !== value).map(([name]) => name),
    went: [...before.keys()].filter((name) => !now.has(name)),
  }
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).join(', ')
  return names.length > MAX_NAMES ? `${shown} and ${names.length - MAX_NAMES} more` : shown
}

const nonEmpty = (text: string) => (text === '' ? [] : [text])
