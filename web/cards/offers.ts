/** What this caller can answer: the server rejects anything more from a lesser token. */
import { me } from '../state/all-sessions.js'
import type { Ask, RuleSuggestion } from '../state/server-types.js'

/** Without the scope `admin` a rule applies to the session only. */
export function listOfferedRuleSuggestions({ suggestions }: Ask): RuleSuggestion[] {
  if (me.value === undefined || me.value.scopes.includes('admin')) return suggestions
  return suggestions.map(({ update, rule }) => ({
    update: { ...update, destination: 'session' as const },
    rule,
    scope: 'session' as const,
  }))
}

/** An input that is edited is something new to run. */
export function canEdit(): boolean {
  const scopes = me.value?.scopes ?? []
  return scopes.includes('admin') || scopes.includes('prompt')
}
