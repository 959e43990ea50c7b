/** The rules of a session by behavior and source, and the lookups the judgment needs. */
import type {
  PermissionBehavior,
  PermissionRuleValue,
  PermissionUpdateDestination,
} from '../protocol/permission-types.js'
import { formatRule } from './rule.js'
import { compileWildcard, matchesWildcard, type Wildcard } from './wildcard.js'

export type RuleSource = PermissionUpdateDestination | 'managedSettings' | 'flagSettings' | 'command'

export type Rule = {
  readonly source: RuleSource
  readonly behavior: PermissionBehavior
  readonly toolName: string
  readonly content: string | undefined
  /** Where a file pattern that starts with `/` is anchored. */
  readonly root: string
  /** As the user would write it. */
  readonly text: string
}

export class RuleSet {
  #rules: readonly Rule[] = []
  readonly #names = new Map<string, Wildcard>()

  add(source: RuleSource, behavior: PermissionBehavior, values: readonly PermissionRuleValue[], root: string): void {
    const known = new Set(this.#of(source, behavior).map((rule) => rule.text))
    const added: Rule[] = []
    for (const value of values) {
      const text = formatRule(value)
      if (known.has(text)) continue
      known.add(text)
      added.push({ source, behavior, toolName: value.toolName, content: value.ruleContent, root, text })
    }
    this.#rules = [...this.#rules, ...added]
  }

  remove(source: RuleSource, behavior: PermissionBehavior, values: readonly PermissionRuleValue[]): void {
    const texts = new Set(values.map(formatRule))
    this.#rules = this.#rules.filter(
      (rule) => rule.source !== source || rule.behavior !== behavior || !texts.has(rule.text),
    )
  }

  replace(
    source: RuleSource,
    behavior: PermissionBehavior,
    values: readonly PermissionRuleValue[],
    root: string,
  ): void {
    this.#rules = this.#rules.filter((rule) => rule.source !== source || rule.behavior !== behavior)
    this.add(source, behavior, values, root)
  }

  /** All rules, in the order they came. */
  list(): readonly Rule[] {
    return this.#rules
  }

  /** A rule without content whose name covers the tool. `names` are all names the tool goes by. */
  bare(
    behavior: PermissionBehavior,
    names: readonly string[],
    also: (rule: Rule) => boolean = () => true,
  ): Rule | undefined {
    return this.#rules.find(
      (rule) =>
        rule.behavior === behavior &&
        rule.content === undefined &&
        names.some((name) => this.#covers(rule, name)) &&
        also(rule),
    )
  }

  /** Rules with content, for any of these tools. */
  scoped(behavior: PermissionBehavior, names: readonly string[]): RuleWithContent[] {
    const found: RuleWithContent[] = []
    for (const rule of this.#rules) {
      if (rule.behavior !== behavior || rule.content === undefined) continue
      if (names.some((name) => this.#covers(rule, name))) found.push({ ...rule, content: rule.content })
    }
    return found
  }

  #of(source: RuleSource, behavior: PermissionBehavior): Rule[] {
    return this.#rules.filter((rule) => rule.source === source && rule.behavior === behavior)
  }

  #covers(rule: Rule, name: string): boolean {
    if (!rule.toolName.includes('*')) return rule.toolName === name
    const compiled = this.#names.get(rule.toolName) ?? compileWildcard(rule.toolName)
    this.#names.set(rule.toolName, compiled)
    return matchesWildcard(compiled, name)
  }
}

export type RuleWithContent = Rule & { readonly content: string }
