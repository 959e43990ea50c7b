/** What deny and ask rules say about a command line: at every depth, behind every wrapper, and about the files it touches. */
import type { FileRules } from '../file-rules.js'
import type { Rule, RuleSet } from '../rule-set.js'
import { compileCommandRule, spellings } from './command-rules.js'
import { fileUseOf } from './file-use.js'
import type { Everything } from './nested.js'
import { dangerOf } from './options.js'
import type { Script, Word } from './syntax.js'
import type { Whereabouts } from './whereabouts.js'

/** `rule` made it; `certain: false` means nobody can tell whether it applies. */
export type Forbidden = { behavior: 'deny' | 'ask'; rule: Rule; certain: boolean; path?: string }

export type ForbidInput = {
  script: Script
  all: Everything
  whereabouts: Whereabouts
  rules: RuleSet
  fileRules: FileRules
  foldCase: boolean
}

/** Deny before ask; what can't be told asks, because a rule exists that may be meant. */
export async function findForbidden(input: ForbidInput): Promise<Forbidden | undefined> {
  const byCommand = (behavior: 'deny' | 'ask') => commandRule(input, behavior)
  const files = await fileRule(input)
  const denied = byCommand('deny')
  if (denied) return { behavior: 'deny', rule: denied, certain: true }
  if (files?.behavior === 'deny') return files
  const asked = byCommand('ask')
  if (asked) return { behavior: 'ask', rule: asked, certain: true }
  if (files) return files
  const scoped = input.rules.scoped('deny', ['Bash'])[0] ?? input.rules.scoped('ask', ['Bash'])[0]
  const unseen = input.all.unseen || input.all.commands.some(({ words }) => words.length > 0 && runsUnseen(words))
  return scoped && unseen ? { behavior: 'ask', rule: scoped, certain: false } : undefined
}

function commandRule({ all, rules, script, foldCase }: ForbidInput, behavior: 'deny' | 'ask'): Rule | undefined {
  const patterns = rules.scoped(behavior, ['Bash']).map(compileCommandRule)
  if (patterns.length === 0) return undefined
  const candidates = new Set([
    script.text,
    script.text.trim(),
    ...all.commands.flatMap((command) => spellings(command, foldCase)),
  ])
  for (const candidate of candidates) {
    const pattern = patterns.find((p) => p.matches(candidate))
    if (pattern) return pattern.rule
  }
  return undefined
}

/** Options that start a program this engine can't name; those of find are followed word by word instead. */
function runsUnseen(words: readonly Word[]): boolean {
  const first = words[0]?.value ?? ''
  return (
    !/(?:^|\/)find$/.test(first) &&
    dangerOf(words) === 'runs' &&
    !words.slice(1).some((word) => word.dynamic || word.glob)
  )
}

async function fileRule(input: ForbidInput): Promise<Forbidden | undefined> {
  const { all, fileRules, whereabouts } = input
  if (!fileRules.restricted) return undefined
  let worst: Forbidden | undefined
  const note = (found: Forbidden | undefined) => {
    if (found && (!worst || (found.behavior === 'deny' && worst.behavior === 'ask'))) worst = found
  }
  const seen = new Set<string>()
  const check = async (word: Word, action: 'read' | 'edit', known: boolean, recursive: boolean) => {
    const key = `${action} ${known} ${recursive} ${word.dynamic} ${word.glob} ${word.tilde} ${word.value}`
    if (seen.has(key)) return
    seen.add(key)
    const targets = await whereabouts.locate(word)
    if (!targets) {
      // A file known only at run time may be the forbidden one.
      if (known) note({ behavior: 'ask', rule: fileRules.restricted ?? never(), certain: false })
      return
    }
    for (const { place, glob } of targets) {
      const path = place.lexical
      for (const behavior of ['deny', 'ask'] as const) {
        const rule = fileRules.find(behavior, action, place, known)
        if (rule) note({ behavior: known ? behavior : 'ask', rule, certain: known, path })
        const inside = (recursive || glob) && fileRules.findInside(behavior, action, place)
        if (inside) note({ behavior: 'ask', rule: inside, certain: false, path })
      }
    }
  }
  for (const redirect of all.redirects)
    await check(redirect.target, redirect.kind === 'read' ? 'read' : 'edit', true, false)
  for (const { words } of all.commands) {
    const use = fileUseOf(words)
    for (const word of use.reads) await check(word, 'read', use.known, use.recursive)
    for (const word of use.writes) await check(word, 'edit', use.known, use.recursive)
  }
  return worst
}

function never(): never {
  throw new Error('unreachable: a restriction was seen just before')
}
