import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ExplainedDecision } from './permission-engine.js'
import { decisionReason } from './reasons.js'
import type { RuleSource } from './rule-set.js'

function byRule(source: RuleSource, decision: ExplainedDecision['decision']): ExplainedDecision {
  const layer = decision.behavior
  return { decision, layer, rule: { text: 'Bash(x)', source, behavior: decision.behavior } }
}

test('a rule is named with where it came from', () => {
  const sources: [RuleSource, string][] = [
    ['cliArg', 'of the options or flags'],
    ['command', 'of the command that runs'],
    ['flagSettings', 'of --settings'],
    ['localSettings', 'of the local settings'],
    ['managedSettings', 'of the managed settings'],
    ['projectSettings', 'of the project settings'],
    ['session', 'of this session'],
    ['userSettings', 'of the user settings'],
  ]
  for (const [source, words] of sources) {
    const deny = byRule(source, { behavior: 'deny', message: 'x', reasonType: 'rule' })
    assert.equal(decisionReason(deny, 'default', 'command'), `Denied by the rule Bash(x) ${words}.`)
  }
})

test('what more there is to say is said, and nothing twice', () => {
  const ask = (decisionReason?: string): ExplainedDecision['decision'] => {
    return { behavior: 'ask', message: 'Please.', reasonType: 'other', ...(decisionReason ? { decisionReason } : {}) }
  }
  const reason = (explanation: ExplainedDecision) => decisionReason(explanation, 'default', 'other')
  const because = 'Needs approval because of the rule Bash(x) of this session.'
  assert.equal(reason(byRule('session', ask('The rule Bash(x) asks for approval'))), because)
  assert.equal(reason(byRule('session', ask('The search would reach it'))), `${because} The search would reach it.`)
  assert.equal(reason(byRule('session', ask())), because)
  const nobody = 'No rule allows this, and the permission mode is Ask first.'
  assert.equal(reason({ decision: ask('Please.'), layer: 'default' }), nobody)
  assert.equal(reason({ decision: ask('It is far away'), layer: 'default' }), `${nobody} It is far away.`)
  assert.equal(reason({ decision: ask(), layer: 'safety' }), 'Only a user can answer this.')
  assert.equal(
    reason({ decision: { behavior: 'deny', message: 'No.', reasonType: 'mode', reason: 'No.' }, layer: 'mode' }),
    'No.',
  )
})
