/** Judges a call by its facts, in the order deny, ask, safety, mode, allow, default. */
import type { EngineCall, PermissionFacts } from '../engine/ports.js'
import type { PermissionMode, PermissionUpdate } from '../protocol/permission-types.js'
import { listMatchableToolNames } from '../protocol/tool-names.js'
import * as texts from './decision-texts.js'
import { findDomainRule } from './domain-rules.js'
import { createFileRules, type FileRules } from './file-rules.js'
import { judgeFetch } from './judge-fetch.js'
import { judgeEdit, judgeRead } from './judge-files.js'
import type { JudgingContext } from './judging-context.js'
import { isAllowedInDelegateMode } from './modes.js'
import {
  findAllowedParameterRule,
  findParameterRule,
  findRuleWithoutContent,
  findSubjectRule,
  findUnclearParameterRule,
  hasAmbiguousMcpServer,
} from './name-rules.js'
import { LONGEST_PATH, PathFinder } from './path-finder.js'
import { suggestForSkill, suggestToolRule } from './permission-suggestions.js'
import type { Rule } from './rule-set.js'
import { adjustVerdictForSandbox } from './sandbox-use.js'
import {
  allowVerdict,
  askByDefault,
  askByHook,
  askByRule,
  askForSafety,
  denyByMode,
  denyByRule,
  type Verdict,
} from './verdict.js'

/** What a PreToolUse hook said; one that denied or failed has ended the call before. */
export type HookVerdict = 'allow' | 'ask' | undefined

export type CallEvaluation = Verdict & {
  /** What each command of a command line gets on its own; only if there are several. */
  parts?(): Promise<{ command: string; verdict: Verdict }[]>
}

export async function evaluateCall(
  call: EngineCall,
  facts: PermissionFacts,
  session: JudgingContext,
  hook: HookVerdict,
): Promise<CallEvaluation> {
  const { parts, ...verdict } = await judge(call, facts, session)
  const finished = finish(call, verdict, session.mode, hook)
  if (!parts) return finished
  return {
    ...finished,
    parts: async () =>
      (await parts()).map((part) => ({ ...part, verdict: finish(call, part.verdict, session.mode, hook) })),
  }
}

/** What mode and hook make of an answer: neither lifts a deny. */
function finish(call: EngineCall, verdict: Verdict, mode: PermissionMode, hook: HookVerdict): Verdict {
  if (verdict.decision.behavior === 'deny') return verdict
  if (mode === 'delegate' && !isAllowedInDelegateMode(call.name)) return denyByMode(texts.delegateDeniedText(call.name))
  const { decision, layer } = verdict
  // In plan mode a question is the mode's own answer, and no hook gives the plan its approval.
  if (hook === 'allow' && decision.behavior === 'ask' && layer === 'default' && mode !== 'plan')
    return allowVerdict('hook')
  const asks = hook === 'ask' && decision.behavior === 'allow' ? askByHook(texts.notGrantedText(call.name)) : verdict
  if (mode !== 'dontAsk' || asks.decision.behavior !== 'ask') return asks
  const { reasonType, decisionReason } = asks.decision
  const denied = denyByMode(texts.dontAskDeniedText(call.name), reasonType === 'rule' ? 'rule' : 'mode', decisionReason)
  return asks.rule ? { ...denied, rule: asks.rule } : denied
}

async function judge(call: EngineCall, facts: PermissionFacts, session: JudgingContext): Promise<CallEvaluation> {
  const { rules, servers } = session
  const denied = namedRule('deny', call, facts, session)
  if (denied) return denyByRule(denied, denialText(call, facts, denied))
  const asked =
    namedRule('ask', call, facts, session) ?? findUnclearParameterRule(rules, call, listMatchableToolNames(call.name))
  if (facts.kind === 'command' || facts.kind === 'read' || facts.kind === 'edit') {
    return judgeWithFiles(call, facts, asked, session)
  }

  if (asked) return askByRule(asked, texts.notGrantedText(call.name))
  if (facts.kind === 'ask') return askForSafety(texts.noUserToAnswerText(call.name))
  if (facts.kind === 'none') return allowVerdict('default')
  const asksInBypass = facts.kind === 'other' && facts.asksInBypass === true
  if (session.mode === 'bypassPermissions' && !asksInBypass) return allowVerdict('mode')
  if (facts.kind === 'fetch') return judgeFetch(call, facts, session)
  const allowed =
    findRuleWithoutContent(rules, 'allow', call.name, servers) ??
    findSubjectRule(rules, 'allow', call) ??
    findAllowedParameterRule(rules, call, servers)
  if (allowed && session.mode !== 'plan') return allowVerdict('allow', allowed)
  if (facts.kind === 'other' && facts.approved && session.mode !== 'plan') return allowVerdict('allow')
  // A rule would approve nothing, so none is suggested.
  const extra = hasAmbiguousMcpServer(call.name, servers)
    ? { decisionReason: texts.AMBIGUOUS_MCP_SERVER_TEXT }
    : suggestionsFor(call)
  return askByDefault(texts.notGrantedText(call.name), 'other', extra)
}

function isTooLong(facts: Extract<PermissionFacts, { kind: 'command' | 'read' | 'edit' }>): boolean {
  const paths =
    facts.kind === 'read' ? facts.paths : facts.kind === 'edit' ? [facts.path, facts.resolvedPath ?? ''] : []
  return paths.some((path) => path.length > LONGEST_PATH)
}

/** Nothing can be opened by it, and looking for it would take its time. */
function judgeLongPath(
  call: EngineCall,
  asked: Rule | undefined,
  { mode, rules, fileRules }: LongPathContext,
): Verdict {
  const limited = asked ?? fileRules.restricted ?? rules.bare('deny', ['Edit']) ?? rules.bare('ask', ['Edit'])
  if (mode === 'bypassPermissions' && !limited) return allowVerdict('mode')
  return askForSafety(texts.notGrantedText(call.name), { decisionReason: texts.LONG_PATH_TEXT })
}

type LongPathContext = Pick<JudgingContext, 'mode' | 'rules'> & { fileRules: FileRules }

function denialText(call: EngineCall, facts: PermissionFacts, { content }: Rule): string {
  if (facts.kind === 'command') return texts.commandDeniedText(facts.command)
  return facts.kind === 'fetch' && content !== undefined
    ? texts.domainDeniedText(content)
    : texts.toolDeniedText(call.name)
}

function suggestionsFor({ name, input }: EngineCall): { suggestions?: PermissionUpdate[] } {
  if (name.startsWith('mcp__')) return { suggestions: suggestToolRule(name) }
  return name === 'Skill' && typeof input.skill === 'string' ? { suggestions: suggestForSkill(input.skill) } : {}
}

async function judgeWithFiles(
  call: EngineCall,
  facts: Extract<PermissionFacts, { kind: 'command' | 'read' | 'edit' }>,
  asked: Rule | undefined,
  session: JudgingContext,
): Promise<CallEvaluation> {
  const finder = new PathFinder(session.files)
  const context = { ...session, finder, fileRules: await createFileRules(session.rules, session, finder) }
  if (isTooLong(facts)) return judgeLongPath(call, asked, context)
  if (facts.kind === 'read') return judgeRead(call, facts, asked, context)
  if (facts.kind === 'edit') {
    const verdict = await judgeEdit(call, facts.path, asked, context)
    if (facts.resolvedPath === undefined || verdict.decision.behavior !== 'allow') return verdict
    return judgeEdit(call, facts.resolvedPath, asked, context)
  }
  const { parse, judgeCommand } = await session.shell()
  const { whole, parts } = await judgeCommand(facts.command, facts.cwd, { ...context, parse })
  const state = { sandbox: await session.sandbox?.(), mode: session.mode, parse }
  const verdict = adjustVerdictForSandbox(whole, asked, facts, state)
  // Judged was where `cwd` leads now, and it would run elsewhere.
  const hasMoved = facts.realCwd !== undefined && (await finder.place(facts.cwd)).real !== facts.realCwd
  if (hasMoved && verdict.decision.behavior !== 'deny')
    return askForSafety(texts.REPLACED_WORKING_DIRECTORY_TEXT, {
      decisionReason: texts.REPLACED_WORKING_DIRECTORY_TEXT,
    })
  return {
    ...verdict,
    parts: async () =>
      (await parts()).map(({ command, verdict }) => ({
        command,
        verdict: adjustVerdictForSandbox(verdict, asked, facts, state),
      })),
  }
}

/** A deny or ask rule that can be told from the name and the input alone. */
function namedRule(
  behavior: 'deny' | 'ask',
  call: EngineCall,
  facts: PermissionFacts,
  { rules, servers }: JudgingContext,
) {
  return (
    findRuleWithoutContent(rules, behavior, call.name, servers) ??
    findParameterRule(rules, behavior, call, listMatchableToolNames(call.name)) ??
    findSubjectRule(rules, behavior, call) ??
    (facts.kind === 'fetch' ? findDomainRule(rules, behavior, facts.url, facts.address) : undefined)
  )
}
