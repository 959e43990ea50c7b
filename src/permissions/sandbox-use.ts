/** What the sandbox means for a command: it may stand in for a question, and a command that would miss it needs one. */
import type { PermissionFacts } from '../engine/ports.js'
import type { PermissionMode } from '../protocol/permission-types.js'
import type { ParseScript } from './bash/syntax/parse-command.js'
import * as texts from './decision-texts.js'
import type { Rule } from './rule-set.js'
import { allowVerdict, askByRule, askForSafety, type Verdict } from './verdict.js'

/** The sandbox of a session, as far as it concerns permission. */
export type SandboxState = {
  enabled: boolean
  /** A command inside it needs no other approval. */
  autoAllow: boolean
  /** It can start here. */
  available: boolean
  /** Why it can not, and what to do about it. */
  problem?: string
  /** Does the user want this command line outside? `commands` as `listAllCommandWords` gives them. */
  isExcluded(commands: readonly (readonly string[])[] | undefined): boolean
}

type CommandFacts = Extract<PermissionFacts, { kind: 'command' }>

/** `verdict`: what rules, mode and the command itself say. `asked`: a rule that asks about the tool as such. */
export function adjustVerdictForSandbox(
  verdict: Verdict,
  asked: Rule | undefined,
  facts: CommandFacts,
  state: { sandbox: SandboxState | undefined; mode: PermissionMode; parse: ParseScript },
): Verdict {
  if (verdict.layer === 'deny') return verdict
  const { sandbox, mode, parse } = state
  const place = placeOf(facts, sandbox, parse)
  const isFree = place === 'inside' && sandbox?.autoAllow === true && mode !== 'plan'
  // As documented, the sandbox stands in for a rule that asks about every command, but for no other.
  if (asked && !(isFree && asked.text === 'Bash')) return askByRule(asked, texts.notGrantedText('Bash'))
  const { behavior } = verdict.decision
  if (isFree && behavior === 'ask' && verdict.layer === 'default') return allowVerdict('sandbox')
  if (place === 'inside' || place === 'none' || verdict.layer === 'ask' || verdict.layer === 'safety') return verdict
  const missing = [texts.SANDBOX_MISSING_TEXT, sandbox?.problem].filter(Boolean).join(' ')
  const why = sandbox?.available ? texts.LEAVES_SANDBOX_TEXT : missing
  return askForSafety(why, { decisionReason: why })
}

/** Where the command would run. `none`: no sandbox is meant to hold it. */
function placeOf(
  { command, unsandboxed }: CommandFacts,
  sandbox: SandboxState | undefined,
  parse: ParseScript,
): 'none' | 'inside' | 'missing' | 'leaving' {
  if (!sandbox?.enabled) return 'none'
  if (unsandboxed) return 'leaving'
  if (sandbox.isExcluded(listAllCommandWords(command, parse))) return 'none'
  return sandbox.available ? 'inside' : 'missing'
}

/** The words of every simple command at every depth; undefined when they are not all known. */
export function listAllCommandWords(command: string, parse: ParseScript): string[][] | undefined {
  const { commands, problems, hidden, invisible } = parse(command)
  if (problems.length > 0 || hidden || invisible || commands.length === 0) return undefined
  return commands.every(({ words }) => !words[0]?.dynamic && !words[0]?.glob)
    ? commands.filter(({ words }) => words.length > 0).map(({ words }) => words.map(({ value }) => value))
    : undefined
}
