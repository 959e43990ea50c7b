/** Judges a call by its facts, in the order deny, ask, safety, mode, allow, default. */
import type { PermissionFacts, ToolCall } from '../engine/ports.js'
import type { FileSystem } from '../platform/files.js'
import type { PermissionMode } from '../protocol/permissions.js'
import { judgeCommand } from './bash/judge.js'
import type { ParseScript } from './bash/parse.js'
import { FileRules } from './file-rules.js'
import { judgeFetch } from './judge-fetch.js'
import { judgeEdit, judgeRead } from './judge-files.js'
import { bareRule, namesOf, parameterRule, subjectRule } from './names.js'
import { PathFinder } from './paths.js'
import type { RuleSet } from './rule-set.js'
import { forTool } from './suggestions.js'
import * as texts from './texts.js'
import { allow, askByDefault, askByRule, askForSafety, denyByRule, type Verdict } from './verdict.js'
import { domainRule } from './web.js'

/** The session as it is at the moment of the call. */
export type World = {
  rules: RuleSet
  mode: PermissionMode
  cwd: string
  home: string
  directories: readonly string[]
  /** Beside them, for reading only. */
  readable: readonly string[]
  planFile: string | undefined
  files: Pick<FileSystem, 'lstat' | 'realpath'>
  parser(): Promise<ParseScript>
  servers: readonly string[] | undefined
  foldCase: boolean
  searchSkipsDenied: boolean
}

export async function evaluate(
  call: ToolCall,
  facts: PermissionFacts,
  world: World,
  approvedByHook: boolean,
): Promise<Verdict> {
  const verdict = await judge(call, facts, world)
  if (verdict.decision.behavior !== 'ask') return verdict
  // In plan mode a question is the mode's own answer, and no hook gives the plan its approval.
  const liftable = verdict.layer === 'default' && world.mode !== 'plan'
  if (approvedByHook && liftable) return allow('mode')
  if (world.mode !== 'dontAsk') return verdict
  const { reasonType, decisionReason } = verdict.decision
  const reason = decisionReason === undefined ? {} : { reason: decisionReason }
  return {
    ...verdict,
    layer: 'mode',
    decision: {
      behavior: 'deny',
      message: texts.dontAskDenied(call.name),
      reasonType: reasonType === 'rule' ? 'rule' : 'mode',
      ...reason,
    },
  }
}

async function judge(call: ToolCall, facts: PermissionFacts, world: World): Promise<Verdict> {
  const { rules, servers } = world
  const denied = namedRule('deny', call, facts, world)
  if (denied)
    return denyByRule(
      denied,
      facts.kind === 'command' ? texts.commandDenied(facts.command) : texts.toolDenied(call.name),
    )
  const asked = namedRule('ask', call, facts, world)

  const fileRules = new FileRules(rules, world)
  const finder = new PathFinder(world.files)
  if (facts.kind === 'command') {
    const verdict = await judgeCommand(facts.command, facts.cwd, {
      ...world,
      parse: await world.parser(),
      fileRules,
      finder,
    })
    return asked && verdict.layer !== 'deny' ? askByRule(asked, texts.NEEDS_APPROVAL) : verdict
  }
  if (facts.kind === 'read') return judgeRead(call, facts.paths, asked, { ...world, fileRules, finder })
  if (facts.kind === 'edit') {
    const verdict = await judgeEdit(call, facts.path, asked, { ...world, fileRules, finder })
    if (facts.led === undefined || verdict.decision.behavior !== 'allow') return verdict
    return judgeEdit(call, facts.led, asked, { ...world, fileRules, finder })
  }

  if (asked) return askByRule(asked, texts.notGranted(call.name))
  if (facts.kind === 'ask') return askForSafety(texts.onlyAPerson(call.name))
  if (facts.kind === 'none') return allow('default')
  if (world.mode === 'bypassPermissions') return allow('mode')
  if (facts.kind === 'fetch') return judgeFetch(call, facts, world)
  const allowed = bareRule(rules, 'allow', call.name, servers) ?? subjectRule(rules, 'allow', call)
  if (allowed && world.mode !== 'plan') return allow('allow', allowed)
  const suggestions = call.name.startsWith('mcp__') ? { suggestions: forTool(call.name) } : {}
  return askByDefault(texts.notGranted(call.name), 'other', suggestions)
}

/** A deny or ask rule that can be told from the name and the input alone. */
function namedRule(behavior: 'deny' | 'ask', call: ToolCall, facts: PermissionFacts, { rules, servers }: World) {
  return (
    bareRule(rules, behavior, call.name, servers) ??
    parameterRule(rules, behavior, call, namesOf(call.name)) ??
    subjectRule(rules, behavior, call) ??
    (facts.kind === 'fetch' ? domainRule(rules, behavior, facts.url, facts.address) : undefined)
  )
}
