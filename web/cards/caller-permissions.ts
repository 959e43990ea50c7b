/** What this caller can answer: the server rejects anything more from a lesser token. */
import type { Ask, RuleSuggestion, SignedInCaller } from '../state/server-types.js'

/** Without the scope `admin` a rule applies to the session only. */
export function listOfferedRuleSuggestions({ suggestions }: Ask, me: SignedInCaller | undefined): RuleSuggestion[] {
  if (me === undefined || me.scopes.includes('admin')) return suggestions
  return suggestions.map(({ update, rule }) => ({
    update: { ...update, destination: 'session' as const },
    rule,
    scope: 'session' as const,
  }))
}

/** An input that is edited is something new to run. */
export function canEditToolInput(me: SignedInCaller | undefined): boolean {
  const scopes = me?.scopes ?? []
  return scopes.includes('admin') || scopes.includes('prompt')
}
