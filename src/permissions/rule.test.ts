import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc, { anyCharacter } from '../../test/fast-check.js'
import { formatRule, normalizeRule, parseRule } from './rule.js'

test('a rule is a tool, or a tool with content', () => {
  const parse = (text: string) => parseRule(text, 'deny')
  assert.deepEqual(parse('Bash'), { ok: true, rule: { toolName: 'Bash' } })
  assert.deepEqual(parse('Bash(rm *)'), { ok: true, rule: { toolName: 'Bash', ruleContent: 'rm *' } })
  assert.deepEqual(parse('Bash(*)'), { ok: true, rule: { toolName: 'Bash' } })
  assert.deepEqual(parse('Bash(:*)'), { ok: true, rule: { toolName: 'Bash' } })
  assert.deepEqual(parse('Bash(f\\(x\\) \\\\)'), { ok: true, rule: { toolName: 'Bash', ruleContent: 'f(x) \\' } })
  assert.deepEqual(parse('Bash(f(x))'), { ok: true, rule: { toolName: 'Bash', ruleContent: 'f(x)' } })
  assert.deepEqual(parse('mcp__*'), { ok: true, rule: { toolName: 'mcp__*' } })
})

test('what is not fully understood is rejected with the rule and the reason', () => {
  const reason = (text: string) => {
    const parsed = parseRule(text, 'deny')
    return parsed.ok ? undefined : parsed.reason
  }
  assert.equal(
    reason('bash(rm *)'),
    'Permission rule "bash(rm *)" is not used: tool names are case-sensitive; did you mean Bash?.',
  )
  assert.equal(
    reason('Bash (rm *)'),
    'Permission rule "Bash (rm *)" is not used: there are blanks around the tool name.',
  )
  for (const text of [
    ' Bash(rm *) ',
    ' Bash',
    'Bash(rm',
    'Bash)',
    'Bash(',
    'Bash()',
    'Bash( )',
    '',
    '(x)',
    'Ba sh',
    'Bash(a\nb)',
    'Bash(a\u0000)',
  ]) {
    assert.equal(typeof reason(text), 'string', JSON.stringify(text))
  }
  for (const hidden of [
    '\u200b',
    '\u202e',
    '\u2066',
    '\ufeff',
    '\u00a0',
    '\r',
    '\u001b',
    '\u{e0041}',
    '\ud800',
    '\ufe00',
    '\ufe0f',
    '\u{e0100}',
    '\u{e01ef}',
    '\u{1d173}',
    '\u{1d17a}',
    '\u115f',
    '\u3164',
    '\u180b',
    '\u2028',
    '\u2800',
  ]) {
    assert.equal(typeof reason(`Bash(rm${hidden} *)`), 'string', JSON.stringify(hidden))
    assert.equal(typeof reason(`Bash${hidden}`), 'string', JSON.stringify(hidden))
  }
})

test('an allow rule takes a star in the name only after a literal server', () => {
  const allowed = (text: string) => parseRule(text, 'allow').ok
  assert.deepEqual(
    [
      '*',
      'mcp__*',
      'B*',
      'mcp__git*__get',
      'mcp__git*',
      'mcp__github__*',
      'mcp__github__get_*',
      'mcp__my_server__*',
    ].map(allowed),
    [false, false, false, false, false, true, true, true],
  )
})

test('a formatted rule reads back as itself', () => {
  const visible = fc
    .string({ minLength: 1, unit: 'grapheme-ascii' })
    .filter((text) => text.trim() !== '' && text !== '*' && text !== ':*')
  fc.assert(
    fc.property(visible, (ruleContent) => {
      assert.deepEqual(parseRule(formatRule({ toolName: 'Bash', ruleContent }), 'deny'), {
        ok: true,
        rule: { toolName: 'Bash', ruleContent },
      })
    }),
  )
})

test('no text makes parsing throw', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter }), (text) => typeof parseRule(text, 'allow').ok === 'boolean'))
})

test('a rule that arrives as an object may be anything', () => {
  // Hosts send what they like.
  for (const value of [{}, { toolName: 7 }, { toolName: 'Bash', ruleContent: 7 }])
    assert.equal(normalizeRule(value as { toolName: string }, 'deny').ok, false, JSON.stringify(value))
})
