/**
 * The rules that users set for the rest of a session. An agent forgets them at the end of its run, so they are stored
 * in rows and passed to the next agent, on any machine.
 */
import { isDeepStrictEqual } from 'node:util'
import { formatRule, normalizeRule } from '../../permissions/rule.js'
import { isObject } from '../../protocol/json.js'
import type { Options } from '../../protocol/options.js'
import type { PermissionBehavior, PermissionUpdate } from '../../protocol/permission-types.js'
import type { Person } from '../../protocol/session-log/ask-types.js'
import type { Statements } from '../database/database.js'

/** As settings have them: each is judged as any other rule, and a deny wins. */
export type SessionRules = Record<PermissionBehavior, string[]> & { directories: string[] }

type Kept = Exclude<PermissionUpdate, { type: 'setMode' }>

/**
 * Stores an answer's rules, in the transaction that takes the answer. Rules for a machine's files aren't stored here,
 * and the permission mode is kept elsewhere.
 */
export async function storeAnswerRules(
  tx: Statements,
  { tenant, id }: { tenant: string; id: string },
  { request, answer, by }: { request: unknown; answer: unknown; by: Person },
): Promise<void> {
  for (const update of storableRuleUpdates(request, answer)) {
    const values = [tenant, id, JSON.stringify(update), by.name]
    await tx.query(`insert into kedge.rules (tenant, scope, key, rule, by) values ($1, 'session', $2, $3, $4)`, values)
  }
}

export async function readSessionRules(
  database: Statements & { tenant: string },
  session: string,
): Promise<SessionRules | undefined> {
  const rows = await database.query<{ rule: string }>(
    `select rule from kedge.rules where tenant = $1 and scope = 'session' and key = $2 order by n`,
    [database.tenant, session],
  )
  return rows.length === 0 ? undefined : foldRuleUpdates(rows.map(({ rule }): Kept => JSON.parse(rule))) // `storeAnswerRules` wrote it
}

/**
 * An answer that also changes the input is about this one call: were its rule there before the call is made again by the next
 * machine, the call would be made as the model had it.
 */
export function storableRuleUpdates(request: unknown, answer: unknown): Kept[] {
  if (!isObject(answer) || answer['kind'] !== 'allow' || !Array.isArray(answer['updates'])) return []
  const asked = isObject(request) && isObject(request['tool']) ? request['tool']['input'] : undefined
  if (answer['input'] !== undefined && !isDeepStrictEqual(answer['input'], asked)) return []
  return answer['updates'].filter(isKept)
}

function isKept(update: unknown): update is Kept {
  if (!isObject(update) || (update['destination'] !== 'session' && update['destination'] !== 'cliArg')) return false
  const { type, behavior, rules, directories } = update
  if (type === 'addDirectories' || type === 'removeDirectories')
    return Array.isArray(directories) && directories.every((path) => typeof path === 'string' && path !== '')
  if (type !== 'addRules' && type !== 'replaceRules' && type !== 'removeRules') return false
  if (behavior !== 'allow' && behavior !== 'deny' && behavior !== 'ask') return false
  // All or none, as the running agent takes it; one that is wrong would keep the next from starting.
  return Array.isArray(rules) && rules.every((rule) => normalizeRule(Object(rule), behavior).ok)
}

/** What is left after each has changed what was there before. */
export function foldRuleUpdates(updates: readonly Kept[]): SessionRules {
  const all: SessionRules = { allow: [], deny: [], ask: [], directories: [] }
  for (const update of updates) {
    const [name, values] =
      'directories' in update
        ? (['directories', update.directories] as const)
        : ([update.behavior, textsOf(update.rules, update.behavior)] as const)
    const without = all[name].filter((one) => !values.includes(one))
    if (update.type === 'removeRules' || update.type === 'removeDirectories') all[name] = without
    else all[name] = update.type === 'replaceRules' ? [...values] : [...without, ...values]
  }
  return all
}

function textsOf(rules: readonly object[], behavior: PermissionBehavior): string[] {
  return rules.flatMap((rule) => {
    const checked = normalizeRule(Object(rule), behavior)
    return checked.ok ? [formatRule(checked.rule)] : []
  })
}

/**
 * Returns the options that add a session's stored rules beside what its app says. A file of settings stays as it is:
 * then they are given as if on the command line.
 */
export function withSessionRules(
  options: Options,
  rules: SessionRules | undefined,
): Pick<Options, 'settings' | 'allowedTools' | 'disallowedTools' | 'additionalDirectories'> {
  if (!rules) return {}
  const { allow, deny, ask, directories } = rules
  const settings = settingsObject(options.settings)
  if (!settings)
    return {
      allowedTools: [...(options.allowedTools ?? []), ...allow],
      disallowedTools: [...(options.disallowedTools ?? []), ...deny, ...ask],
      additionalDirectories: [...(options.additionalDirectories ?? []), ...directories],
    }
  const before = isObject(settings['permissions']) ? settings['permissions'] : {}
  const list = (name: string, more: readonly string[]) => {
    const had = before[name]
    return { [name]: [...(Array.isArray(had) ? had : []), ...more] }
  }
  const permissions = { ...before, ...list('allow', allow), ...list('deny', deny), ...list('ask', ask) }
  return { settings: { ...settings, permissions: { ...permissions, ...list('additionalDirectories', directories) } } }
}

function settingsObject(given: Options['settings']): Record<string, unknown> | undefined {
  if (given === undefined) return {}
  if (typeof given !== 'string') return given
  if (!given.trimStart().startsWith('{')) return undefined
  try {
    const parsed: unknown = JSON.parse(given)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}
