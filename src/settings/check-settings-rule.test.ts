import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSettingsRule } from './check-settings-rule.js'
import { TEST_RULE_PORT } from './test-settings.js'

test('a rule that is right holds as it was written', () => {
  for (const rule of ['Bash', 'Bash(npm test:*)', 'Read(/x/**)', 'mcp__server__tool', 'mcp__server'])
    assert.deepEqual(checkSettingsRule(rule, 'allow', TEST_RULE_PORT), { rule }, rule)
})

test('a rule for a tool nobody knows holds, and is told', () => {
  assert.deepEqual(checkSettingsRule('Bosh(ls)', 'deny', TEST_RULE_PORT), {
    rule: 'Bosh(ls)',
    problem: { severity: 'warning', text: 'holds a rule for a tool that is not known: "Bosh(ls)".' },
  })
})

test('a slip of the hand in a deny or ask rule is read as what was meant; an allow rule must be right', () => {
  for (const slip of [' Bash(rm:*)', 'Bash (rm:*)', 'Bash(rm:*) '])
    for (const behavior of ['deny', 'ask'] as const) {
      const { rule, problem } = checkSettingsRule(slip, behavior, TEST_RULE_PORT)
      assert.equal(rule, 'Bash(rm:*)', slip)
      assert.equal(problem?.severity, 'warning')
      assert.match(problem?.text ?? '', /^is read as "Bash\(rm:\*\)"\. /)
      assert.equal(checkSettingsRule(slip, 'allow', TEST_RULE_PORT).rule, undefined)
    }
})

test('a deny or ask rule that can not be understood refuses the start; an allow rule is only not used', () => {
  for (const rule of ['Bash(', 'Bash(rm', '(rm)', 'Ba sh(x)', 'Bash\n(rm:*)', 'Bash\u00a0(rm:*)']) {
    for (const behavior of ['deny', 'ask'] as const) {
      const judged = checkSettingsRule(rule, behavior, TEST_RULE_PORT)
      assert.deepEqual([judged.rule, judged.problem?.severity], [undefined, 'refuse'], JSON.stringify(rule))
    }
    const judged = checkSettingsRule(rule, 'allow', TEST_RULE_PORT)
    assert.deepEqual([judged.rule, judged.problem?.severity], [undefined, 'warning'], JSON.stringify(rule))
  }
})

test('what is said about a rule plays with no terminal and has an end', () => {
  const { problem } = checkSettingsRule(`Nobody\u202e(${'x'.repeat(5000)})`, 'deny', {
    ...TEST_RULE_PORT,
    check: (text) => ({ ok: true, text }),
  })
  assert.ok((problem?.text.length ?? 0) < 300)
  assert.doesNotMatch(problem?.text ?? '', /\u202e/)
})
