/** Options whose flags do not simply hold their value. */
import type { Options } from '../options.js'

/** `thinking` goes before the older option, which says the same with less. */
export function encodeThinkingBudget({ thinking, maxThinkingTokens }: Options): number | undefined {
  if (thinking) return thinking.type === 'enabled' ? thinking.budgetTokens : undefined
  return maxThinkingTokens === 0 ? undefined : maxThinkingTokens
}

/**
 * Returns the value of `--thinking`: `disabled`, or `adaptive` where the model decides how much. Undefined: thinking
 * is on with a budget, which `--max-thinking-tokens` carries, or the options don't say.
 */
export function encodeThinking(options: Options): 'disabled' | 'adaptive' | undefined {
  const { thinking, maxThinkingTokens } = options
  if (thinking ? thinking.type === 'disabled' : maxThinkingTokens === 0) return 'disabled'
  return thinking && encodeThinkingBudget(options) === undefined ? 'adaptive' : undefined
}

export function encodeThinkingDisplay({ thinking }: Options): string | undefined {
  return thinking && thinking.type !== 'disabled' ? thinking.display : undefined
}

/** Options count milliseconds, flags seconds. */
export function toSeconds(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000
}

export function encodeBackgroundCeiling({ backgroundCeilingMs }: Options): number | undefined {
  return toSeconds(backgroundCeilingMs)
}

export function encodeOutputSchema({ outputFormat }: Options): string | undefined {
  return outputFormat && JSON.stringify(outputFormat.schema)
}

/** Skills that are named are loaded without a question. */
export function encodeAllowedTools({ allowedTools, skills }: Options): string[] | undefined {
  const rules = skills === 'all' ? ['Skill'] : (skills ?? []).map((name) => `Skill(${name})`)
  return rules.length === 0 ? allowedTools : [...(allowedTools ?? []), ...rules]
}

/** Returns what answers permission requests: `stdio` (the host) if it has `canUseTool`, else the named tool. */
export function encodePermissionPrompt({
  canUseTool,
  permissionPromptToolName,
  permissionPrompts,
}: Options): string | undefined {
  if (permissionPrompts === 'none') return undefined
  return canUseTool ? 'stdio' : permissionPromptToolName
}

/** An empty list is sent, too: it means none, where nothing means all. */
export function encodeTools({ tools }: Options): string | undefined {
  return tools && (Array.isArray(tools) ? tools.join(',') : 'default')
}

export function encodePermissionMode({ permissionMode }: Options): string {
  return permissionMode ?? 'default'
}

/** Nothing is sent for nothing: where the user's settings count, so do the user's sign-ins. */
export function encodeMcpSignIns({ mcpSignIns }: Options): 'use' | 'ignore' | undefined {
  if (mcpSignIns === undefined) return undefined
  return mcpSignIns ? 'use' : 'ignore'
}
