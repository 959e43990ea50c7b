// Rules made from settings text, and updates shown to a user.
import type {
  PermissionBehavior,
  PermissionMode,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from '@anthropic-ai/claude-agent-sdk'

export function parseRule(text: string): PermissionRuleValue {
  const match = /^(\w+)(?:\((.*)\))?$/.exec(text)
  if (!match?.[1]) throw new Error(`bad rule: ${text}`)
  return match[2] === undefined ? { toolName: match[1] } : { toolName: match[1], ruleContent: match[2] }
}

export function allow(...rules: string[]): PermissionUpdate {
  return { type: 'addRules', rules: rules.map(parseRule), behavior: 'allow', destination: 'session' }
}

export function replace(behavior: PermissionBehavior, rules: PermissionRuleValue[]): PermissionUpdate {
  return { type: 'replaceRules', behavior, rules, destination: 'projectSettings' }
}

const modes = [
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
] as const satisfies readonly PermissionMode[]

export function setMode(
  text: string,
  destination: PermissionUpdateDestination = 'session',
): PermissionUpdate | undefined {
  const mode = modes.find((candidate) => candidate === text)
  return mode && { type: 'setMode', mode, destination }
}

export function describe(update: PermissionUpdate): string {
  switch (update.type) {
    case 'addRules':
    case 'replaceRules':
    case 'removeRules':
      return `${update.behavior} ${update.rules.map((rule) => `${rule.toolName}(${rule.ruleContent ?? '*'})`).join(', ')}`
    case 'setMode':
      return update.mode
    case 'addDirectories':
    case 'removeDirectories':
      return update.directories.join(':')
    default: {
      const none: never = update
      return none
    }
  }
}

export type RuleUpdate = Extract<PermissionUpdate, { rules: PermissionRuleValue[] }>
export function isRuleUpdate(update: PermissionUpdate): update is RuleUpdate {
  return 'rules' in update
}
