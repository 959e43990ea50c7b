/** One permission rule: `Tool` or `Tool(content)`. A rule that is not fully understood is rejected with a reason, never half-applied. */
import type { PermissionBehavior, PermissionRuleValue } from '../protocol/permission-types.js'
import { ODD_BLANKS, UNSEEN_CHARACTERS_PATTERN } from '../protocol/shown/unseen-text.js'
import { wordList } from './word-list.js'

export type ParsedRule = { ok: true; rule: PermissionRuleValue } | { ok: false; reason: string }

/** Characters a reader can't see or that reorder text: in a rule or command they hide what it says. Not tab and newline. */
export const INVISIBLE_CHARACTER_PATTERN = new RegExp(
  String.raw`(?![\t\n])(?:${UNSEEN_CHARACTERS_PATTERN}|${ODD_BLANKS})`,
  'u',
)

const TOOL_NAME = /^[A-Za-z*][\w.:*-]*$/
const BUILT_IN = wordList(`
  Agent AskUserQuestion Bash Edit EnterPlanMode ExitPlanMode Glob Grep MultiEdit NotebookEdit Read Skill Task TaskOutput
  TaskStop TodoWrite WebFetch WebSearch Write
`)

/** Reads the text form. `\(`, `\)` and `\\` in the content stand for the bare character. */
export function parseRule(text: string, behavior: PermissionBehavior): ParsedRule {
  const open = text.indexOf('(')
  if (open < 0) return normalizeRule({ toolName: text }, behavior)
  if (!text.endsWith(')') || text.length - open < 2) return bad(text, 'the bracket is not closed at the end')
  const content = text.slice(open + 1, -1).replace(/\\([()\\])/g, '$1')
  return normalizeRule({ toolName: text.slice(0, open), ruleContent: content }, behavior)
}

/** Checks a rule that arrived as an object, and brings it to one form: `Bash(*)` is `Bash`. */
export function normalizeRule(value: PermissionRuleValue, behavior: PermissionBehavior): ParsedRule {
  const { toolName, ruleContent } = value
  if (typeof toolName !== 'string' || (ruleContent !== undefined && typeof ruleContent !== 'string')) {
    return { ok: false, reason: 'A permission rule needs a tool name and, if it has content, content that is text.' }
  }
  const shown = formatRule(value)
  if (
    INVISIBLE_CHARACTER_PATTERN.test(toolName) ||
    (ruleContent !== undefined && (INVISIBLE_CHARACTER_PATTERN.test(ruleContent) || /[\n\t]/.test(ruleContent)))
  ) {
    return bad(shown, 'it holds control, invisible or direction-changing characters')
  }
  if (toolName !== toolName.trim()) return bad(shown, 'there are blanks around the tool name')
  if (!TOOL_NAME.test(toolName)) return bad(shown, 'this is not the name of a tool')
  const meant = correctToolNameCase(toolName)
  if (meant) return bad(shown, `tool names are case-sensitive; did you mean ${meant}?`)
  if (behavior === 'allow' && toolName.includes('*') && !/^mcp__(?:(?!__)[^*])+__[^*]*\*/.test(toolName)) {
    return bad(shown, 'an allow rule may use * only after a literal mcp__server__')
  }
  if (ruleContent === undefined) return { ok: true, rule: { toolName } }
  if (ruleContent.trim() === '') return bad(shown, 'the content in the brackets is empty')
  if (ruleContent === '*' || ruleContent === ':*') return { ok: true, rule: { toolName } }
  return { ok: true, rule: { toolName, ruleContent } }
}

/** The tool that is meant by a name in the wrong case. */
export function correctToolNameCase(toolName: string): string | undefined {
  return BUILT_IN.find((name) => name !== toolName && name.toLowerCase() === toolName.toLowerCase())
}

export function formatRule(rule: PermissionRuleValue): string {
  return rule.ruleContent === undefined
    ? `${rule.toolName}`
    : `${rule.toolName}(${rule.ruleContent.replace(/[()\\]/g, '\\$&')})`
}

function bad(shown: string, why: string): ParsedRule {
  return { ok: false, reason: `Permission rule ${JSON.stringify(shown)} is not used: ${why}.` }
}
