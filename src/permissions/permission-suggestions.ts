/** The updates a host can hand back so that a question does not come again. None covers more than the folder of what was asked about. */
import { dirname, isInsidePosix } from '../platform/posix-paths.js'
import type { PermissionUpdate } from '../protocol/permission-types.js'
import { escapeFilePattern } from './file-pattern.js'
import type { PathFinder, PathLocation } from './path-finder.js'
import { normalizeRule } from './rule.js'
import { escapeWildcard } from './wildcard.js'

const ACCEPT_EDITS: PermissionUpdate = { type: 'setMode', mode: 'acceptEdits', destination: 'session' }
const MOST_RULES = 5

type Ground = { finder: PathFinder; home: string; directories?: readonly string[] }

/** An edit inside the working directories: the mode that accepts these. */
export const suggestForEditInside = (): PermissionUpdate[] => [ACCEPT_EDITS]

export async function suggestForEditOutside(place: PathLocation, ground: Ground): Promise<PermissionUpdate[]> {
  const folder = await folderOf(place, ground)
  return folder === undefined ? [] : [ACCEPT_EDITS, addDirectory(folder)]
}

/** A command that would only create or change files. What is a working directory needs not become one. */
export async function suggestForCommandWrite(place: PathLocation, ground: Ground): Promise<PermissionUpdate[]> {
  if (await ground.finder.isWithin(place, ground.directories ?? [])) return [ACCEPT_EDITS]
  const folder = await folderOf(place, ground)
  return folder === undefined ? [] : [addDirectory(folder), ACCEPT_EDITS]
}

/** `searched`: what is not there is taken for a folder. */
export async function suggestForRead(
  place: PathLocation,
  ground: Ground,
  searched = false,
): Promise<PermissionUpdate[]> {
  const folder = await folderOf(place, ground, searched)
  if (folder === undefined) return []
  // Two slashes: from the root of the disk.
  const rule = { toolName: 'Read', ruleContent: `/${escapeFilePattern(folder)}/**` }
  return [{ type: 'addRules', rules: [rule], behavior: 'allow', destination: 'session' }]
}

/** The folder itself, or the one a file is in. Undefined: that would be far more than anybody was asked about. */
async function folderOf(place: PathLocation, { finder, home }: Ground, searched = false): Promise<string | undefined> {
  const { lexical, real } = place
  // After a link `..` leads elsewhere than it reads, so what it is called is another folder than the one that is meant.
  if (real === undefined || (await finder.place(lexical)).real !== real) return undefined
  const kind = await finder.kind(real)
  const folder = kind === 'directory' || (kind === undefined && searched) ? lexical : dirname(lexical)
  const { real: leads } = await finder.place(folder)
  const { real: realHome = home } = await finder.place(home)
  const isWide = (path: string) => isHome(path) || isInsidePosix(home, path) || isInsidePosix(realHome, path)
  return leads === undefined || isWide(folder) || isWide(leads) ? undefined : folder
}

/** Whether `path` is any user's home, the folder that contains homes, or the superuser's home. */
function isHome(path: string): boolean {
  return /^\/(?:root|var\/root|(?:home|users)(?:\/[^/]*)?)?$/i.test(path)
}

function addDirectory(folder: string): PermissionUpdate {
  return { type: 'addDirectories', directories: [folder], destination: 'session' }
}

/** A host may be called `*.com`, which as a rule would be many. */
export function suggestDomainRule(host: string): PermissionUpdate[] {
  if (host.includes('*')) return []
  return [allowRules([{ toolName: 'WebFetch', ruleContent: `domain:${host}` }])]
}

export function suggestToolRule(toolName: string): PermissionUpdate[] {
  return [allowRules([{ toolName }])]
}

/** The skill alone, or with whatever it is given. */
export function suggestForSkill(skill: string): PermissionUpdate[] {
  const name = escapeWildcard(skill)
  return [name, `${name}:*`].map((ruleContent) => allowRules([{ toolName: 'Skill', ruleContent }]))
}

/**
 * Returns one rule per part that needs approval; undefined if there are too many parts for a reader to tell apart, or
 * one can't be a rule.
 */
export function suggestForCommands(texts: readonly string[]): PermissionUpdate[] | undefined {
  const contents = new Set(texts.map(ruleFor))
  if (contents.size === 0 || contents.size > MOST_RULES) return undefined
  const rules: { toolName: string; ruleContent: string }[] = []
  for (const ruleContent of contents) {
    if (ruleContent === undefined) return undefined
    rules.push({ toolName: 'Bash', ruleContent })
  }
  return rules.every((rule) => normalizeRule(rule, 'allow').ok) ? [allowRules(rules)] : undefined
}

const INTERPRETERS =
  /^(?:(?:ba|da|z|k|mk|a|fi|rba|c|tc)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|lua|Rscript|osascript|pwsh)$/
const COMMIT = /^git commit(?=\s)/
/** Its message, or an option that no rule with a wildcard covers. */
const MESSAGE = /\s(?:-[a-zA-Z]*m|--message|-[a-zA-Z]*F|--file)/
const SIGNED = /\s(?:-[a-zA-Z]*S|--gpg-sign)/

/** Undefined: a rule for it would cover far more than what was asked about, or nothing that comes again. */
function ruleFor(text: string): string | undefined {
  if (text.split(/[|;&\n]+/).some(runsItsInput)) return undefined
  if (!COMMIT.test(text) || !MESSAGE.test(text))
    return /\bgit commit\s/.test(text) && MESSAGE.test(text) ? undefined : escapeWildcard(text)
  // A whole message is never written twice.
  return SIGNED.test(text) ? undefined : 'git commit:*'
}

/** `… | python3`, `… | xargs rm`: what runs is read, so a rule for these words is a rule for anything. */
function runsItsInput(text: string): boolean {
  const words = text.trim().split(/\s+/)
  if (words[0] === 'xargs') return true
  const at = words.findIndex((word) => INTERPRETERS.test(word.slice(word.lastIndexOf('/') + 1)))
  // Behind other words than wrappers it is a name like any other.
  if (
    at < 0 ||
    words
      .slice(0, at)
      .some((word) => !/^(?:env|sudo|command|exec|nohup|nice|time|timeout|\d+[smh]?|-.*|\w+=.*)$/.test(word))
  )
    return false
  const args = words.slice(at + 1)
  if (/sh$/.test(words[at] ?? '') && args.some((word) => /^-[a-zA-Z]*s[a-zA-Z]*$/.test(word))) return true
  return args.every((word) => /^-(?!-version$|-help$|[vVceEpm]|$)|^-$|^\/dev\/stdin$/.test(word)) || args.includes('-')
}

function allowRules(rules: { toolName: string; ruleContent?: string }[]): PermissionUpdate {
  return { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' }
}
