/** Judges calls of the file tools: reading and searching, writing and editing. */
import type { EngineCall, PermissionFacts } from '../engine/ports.js'
import { basename, dirname, isAbsolute, join } from '../platform/posix-paths.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import { toolTraits } from '../protocol/tool-names.js'
import * as texts from './decision-texts.js'
import type { FileRules } from './file-rules.js'
import { findRuleWithoutContent } from './name-rules.js'
import { type PathFinder, type PathLocation, toAbsolute } from './path-finder.js'
import { suggestForEditInside, suggestForEditOutside, suggestForRead } from './permission-suggestions.js'
import { isProtectedLocation } from './protected-paths.js'
import type { Rule, RuleSet } from './rule-set.js'
import { allowVerdict, askByDefault, askByRule, askForSafety, denyByRule, type Verdict } from './verdict.js'

export type FileJudgingContext = {
  rules: RuleSet
  fileRules: FileRules
  finder: PathFinder
  mode: PermissionMode
  cwd: string
  home: string
  directories: readonly string[]
  readable: readonly string[]
  planFile: string | undefined
  searchSkipsDenied: boolean
}

export async function judgeRead(
  call: EngineCall,
  { paths, from }: Extract<PermissionFacts, { kind: 'read' }>,
  asked: Rule | undefined,
  context: FileJudgingContext,
): Promise<Verdict> {
  const { fileRules, finder, mode, rules, directories, readable } = context
  const searches = toolTraits(call.name).files === 'search'
  const extra = call.name === 'Glob' ? globRoot(call.input, from ?? context.cwd, context.home) : undefined
  const places = await Promise.all(
    [...paths, ...(extra?.path === undefined ? [] : [extra.path])].map((path) => finder.place(path)),
  )
  const find = (behavior: 'deny' | 'ask') => first(places, (place) => fileRules.find(behavior, 'read', place, searches))
  const denied = find('deny')
  // As observed: a search that is denied counts as a denial, a file that is as a call that could not be made.
  if (denied && searches) return denyByRule(denied, texts.searchDeniedText(String(paths[0])))
  if (denied) return denyByRule(denied, texts.DENIED_FILE_TEXT, 'denied_path')
  const message = texts.readNotGrantedText(String(paths[0]))
  const matched = asked ?? find('ask')
  if (matched) return askByRule(matched, searches ? texts.notGrantedText(call.name) : message)
  const hidden =
    searches && !context.searchSkipsDenied
      ? first(places, (place) => fileRules.findInside('deny', 'read', place))
      : undefined
  if (hidden)
    return askByRule(hidden, message, {
      decisionReason: `The search would reach files that the rule ${hidden.text} denies`,
    })
  if (isAddress(call) || extra?.unclear)
    return askForSafety(message, { decisionReason: 'It is not clear which files this is about' })
  if (mode === 'bypassPermissions') return allowVerdict('mode')

  const outside: PathLocation[] = []
  for (const place of places) {
    const inside = await finder.isWithin(place, [...directories, ...readable])
    if (!inside && !(mode === 'plan' && (await isPlanFile(place, context)))) outside.push(place)
  }
  const [far] = outside
  if (!far) return allowVerdict('default')
  const bare = findRuleWithoutContent(rules, 'allow', call.name, undefined)
  if (bare) return allowVerdict('allow', bare)
  const covering = outside.map((place) => fileRules.find('allow', 'read', place, searches))
  if (covering.every((rule) => rule !== undefined)) return allowVerdict('allow', covering[0])
  return askByDefault(texts.readNotGrantedText(far.lexical), 'workingDir', {
    suggestions: await suggestForRead(far, context, searches),
    decisionReason: texts.OUTSIDE_DIRECTORIES_TEXT,
  })
}

export async function judgeEdit(
  call: EngineCall,
  path: string,
  asked: Rule | undefined,
  context: FileJudgingContext,
): Promise<Verdict> {
  const { fileRules, finder, mode, rules, directories } = context
  const place = await finder.place(path)
  const message = texts.writeNotGrantedText(path)
  // `Edit` without a path stands for every editor, as it does with one.
  const noEdits = rules.bare('deny', ['Edit'])
  if (noEdits) return denyByRule(noEdits, texts.toolDeniedText(call.name))
  const denied = fileRules.find('deny', 'edit', place)
  if (denied) return denyByRule(denied, texts.DENIED_FILE_TEXT, 'denied_path')
  const matched = asked ?? rules.bare('ask', ['Edit']) ?? fileRules.find('ask', 'edit', place)
  if (matched) return askByRule(matched, texts.notGrantedText(call.name))
  if (mode === 'bypassPermissions') return allowVerdict('mode')
  if (isAddress(call)) return askForSafety(message, { decisionReason: 'It is not clear which file this is about' })
  if (mode === 'plan' && (await isPlanFile(place, context))) return allowVerdict('mode')
  if (isProtectedLocation(place)) {
    const why = texts.protectedPathText(path)
    return askForSafety(message, { decisionReason: why, blockedPath: path })
  }
  const inside = await finder.isWithin(place, directories)
  if (mode === 'acceptEdits' && inside && !place.shared) return allowVerdict('mode')
  if (mode !== 'plan') {
    const rule =
      findRuleWithoutContent(rules, 'allow', call.name, undefined) ??
      rules.bare('allow', ['Edit']) ??
      (place.shared ? undefined : fileRules.find('allow', 'edit', place))
    if (rule) return allowVerdict('allow', rule)
  }
  if (place.shared) return askByDefault(message, 'other', { decisionReason: texts.HARD_LINKED_FILE_TEXT })
  if (inside) return askByDefault(message, 'other', { suggestions: suggestForEditInside() })
  const suggestions = await suggestForEditOutside(place, context)
  return askByDefault(message, 'workingDir', { suggestions, decisionReason: texts.OUTSIDE_DIRECTORIES_TEXT })
}

/** Whether it is the plan file itself, not a link to another file. */
async function isPlanFile(place: PathLocation, { planFile, finder }: FileJudgingContext): Promise<boolean> {
  if (planFile === undefined || place.lexical !== planFile) return false
  const folder = await finder.place(dirname(planFile))
  return folder.real !== undefined && place.real === join(folder.real, basename(planFile))
}

/** Where a glob starts looking: an absolute pattern leaves the folder it was given. */
function globRoot(input: Record<string, unknown>, cwd: string, home: string): { path?: string; unclear: boolean } {
  const { pattern, path } = input
  if (typeof pattern !== 'string') return { unclear: false }
  const from = typeof path === 'string' ? toAbsolute(path, cwd, home) : cwd
  const open = pattern.search(/[*?[{(!\\]/)
  const firm = open < 0 ? pattern : pattern.slice(0, pattern.lastIndexOf('/', open) + 1)
  const rest = open < 0 ? '' : pattern.slice(firm.length)
  return {
    path: isAbsolute(firm) ? firm : `${from}/${firm}`,
    unclear: rest.includes('..') || /[{(,|][/~]/.test(rest) || pattern.startsWith('~'),
  }
}

/** `file:///x` is no path, but a tool may take it for one. */
function isAddress({ input }: EngineCall): boolean {
  return [input.file_path, input.notebook_path, input.path].some(
    (value) => typeof value === 'string' && /^[A-Za-z][A-Za-z+.-]+:\/\//.test(value),
  )
}

function first<T, R>(items: readonly T[], find: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}
