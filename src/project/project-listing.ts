/** Lists of the commands, skills and instructions of a project, in the forms that hosts and the model get. */

import { oneLine } from '../platform/visible-text.js'
import type { SlashCommand } from '../protocol/options.js'
import { escapeOwnTags } from '../protocol/shown/own-tags.js'
import type { CommandFile, DefinitionOrigin, Instruction, Project, SkillFile } from './project.js'
import { DESCRIBED_BY_PROJECT_SUFFIX, UNTRUSTED_INTRODUCTION } from './untrusted-words.js'

type Lists = Pick<Project, 'commands' | 'skills' | 'plugins'>

/** In the order hosts know: skills, commands, commands of plugins, skills of plugins. */
function inOrder({ commands, skills }: Lists): (CommandFile | SkillFile)[] {
  const ofPlugin = ({ origin }: { origin: DefinitionOrigin }) => origin === 'plugin'
  const ofOthers = ({ origin }: { origin: DefinitionOrigin }) => origin !== 'plugin'
  const usable = skills.filter(({ userInvocable }) => userInvocable)
  return [
    ...usable.filter(ofOthers),
    ...commands.filter(ofOthers),
    ...commands.filter(ofPlugin),
    ...usable.filter(ofPlugin),
  ]
}

/** For `system/init`. */
export function slashCommandNames(project: Lists, builtIn: readonly SlashCommand[]): string[] {
  return [...inOrder(project), ...builtIn].map(({ name }) => name)
}

/** For the answer to `initialize`. */
export function slashCommands(project: Lists, builtIn: readonly SlashCommand[]): SlashCommand[] {
  const own = inOrder(project).map((command) => ({
    name: command.shownName,
    description: describe(command),
    argumentHint: command.argumentHint,
  }))
  return [...own, ...builtIn]
}

/** Says where it came from, as hosts show it. */
function describe({ name, description, origin }: CommandFile): string {
  const text = origin === 'plugin' ? `(${name.split(':')[0]}) ${description}` : `${description} (${origin})`
  return text.trim()
}

/** For `system/init`. */
export function skillNames({ skills }: Lists): string[] {
  return skills.map(({ name }) => name)
}

/** For `system/init`. */
export function pluginsForInit({ plugins }: Lists): { name: string; path: string }[] {
  return plugins.map(({ name, path }) => ({ name, path }))
}

const MAX_LISTING = 15_000
/** Descriptions are cut to the longest of these with which all names fit. */
const DESCRIPTION_LENGTHS = [1024, 400, 150, 60]

/** What the Skill tool can load, for the model; '' when that is nothing. */
export function skillListing({ skills, commands }: Lists): string {
  const usable = [...skills, ...commands].filter((one) => !one.disableModelInvocation && one.description !== '')
  if (usable.length === 0) return ''
  const lists = DESCRIPTION_LENGTHS.map((length) =>
    usable.map(
      ({ name, description, untrusted }) =>
        `- ${name}: ${escapeOwnTags(oneLine(description, length))}${untrusted ? DESCRIBED_BY_PROJECT_SUFFIX : ''}`,
    ),
  )
  const fitting = lists.find((lines) => lines.join('\n').length <= MAX_LISTING)
  const lines = fitting ?? firstOf(lists.at(-1) ?? [])
  return ['The Skill tool can load these for you:', '', ...lines].join('\n')
}

function firstOf(lines: readonly string[]): string[] {
  let left = MAX_LISTING
  const kept = lines.filter((line) => {
    left -= line.length + 1
    return left > 0
  })
  return [...kept, `- and ${lines.length - kept.length} more that are not listed here`]
}

const KINDS: Record<Instruction['kind'], string> = {
  Managed: 'set by the administrator of this machine',
  User: "the user's own, for all projects",
  Project: 'of this project, shared by all who work on it',
  Local: "the user's own, for this project",
}

/** Instructions as the model reads them, each with where it stands; '' when there are none. */
export function instructionsText(instructions: readonly Instruction[]): string {
  const textOf = ({ path, text, kind, importedBy, untrusted }: Instruction) => {
    const whose = untrusted ? 'of the project, not reviewed by the user' : KINDS[kind]
    const place = importedBy === undefined ? whose : `${whose}; imported by ${importedBy}`
    return `# ${path} (${place})\n\n${escapeOwnTags(text).trim()}`
  }
  const untrusted = instructions.filter((one) => one.untrusted)
  const trusted = instructions.filter((one) => !one.untrusted)
  return [
    ...(trusted.length > 0 ? [INTRODUCTION, ...trusted.map(textOf)] : []),
    ...(untrusted.length > 0 ? [UNTRUSTED_INTRODUCTION, ...untrusted.map(textOf)] : []),
  ].join('\n\n')
}

const INTRODUCTION =
  'These instructions come from files of the user and the project. Follow them; they come before your usual ways of working. ' +
  'Where two of them disagree, the later one counts, and what the user says in the conversation counts more than any file.'
