/** What a server's configuration says about each of its tools (`tools`): allowed, asked for, or denied whatever else is said. */
import { isObject } from '../../protocol/json.js'

export type ToolPolicy = 'allow' | 'ask' | 'deny'
export type ToolPolicies = ReadonlyMap<string, ToolPolicy>

const POLICIES: Readonly<Record<string, ToolPolicy>> = { always_allow: 'allow', always_ask: 'ask', always_deny: 'deny' }
const CEILINGS: Readonly<Record<string, ToolPolicy>> = { allow: 'allow', ask: 'ask', blocked: 'deny' }
const ORDER: readonly ToolPolicy[] = ['allow', 'ask', 'deny']
const MAX_TOOLS = 1000

/** Returns the policies by tool. What can't be understood is added to `problems`: a server without its limits isn't used. */
export function readToolPolicies(value: unknown, problems: string[]): ToolPolicies | undefined {
  if (value === undefined) return undefined
  if (!Array.isArray(value) || value.length > MAX_TOOLS) {
    problems.push('`tools` must be a list of tools, each with a `name` and a `permission_policy`')
    return undefined
  }
  const policies = new Map<string, ToolPolicy>()
  for (const entry of value) {
    const { name, permission_policy: own, org_max_permission: most } = isObject(entry) ? entry : {}
    if (typeof name !== 'string' || name === '') problems.push('`tools` has an entry without a `name`')
    else if (!isKnown(own, POLICIES) || !isKnown(most, CEILINGS))
      problems.push('`tools` has a policy that does not exist: use always_allow, always_ask or always_deny')
    else {
      const policy = strictest([policies.get(name), POLICIES[String(own)], ceilingOf(most)])
      if (policy) policies.set(name, policy)
    }
  }
  return policies
}

/** A ceiling of `allow` permits nothing by itself. */
function ceilingOf(most: unknown): ToolPolicy | undefined {
  const ceiling = CEILINGS[String(most)]
  return ceiling === 'allow' ? undefined : ceiling
}

function strictest(given: readonly (ToolPolicy | undefined)[]): ToolPolicy | undefined {
  return [...ORDER].reverse().find((policy) => given.includes(policy))
}

function isKnown(value: unknown, known: Readonly<Record<string, ToolPolicy>>): boolean {
  return value === undefined || (typeof value === 'string' && Object.hasOwn(known, value))
}
