import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ask } from '../../protocol/session-log/ask-types.js'
import { answerOfOption, toAcpPermissionRequest } from './permission.js'

const update = {
  type: 'addRules',
  behavior: 'allow',
  destination: 'localSettings',
  rules: [{ toolName: 'Bash', ruleContent: 'npm test' }],
} as const satisfies Ask['suggestions'][number]['update']
const ask: Ask = {
  id: 'a1',
  session: 's',
  kind: 'permission',
  agent: [],
  since: '',
  tool: { name: 'Bash', input: { command: 'npm test' }, hash: 'h', useId: 'c1' },
  why: { layer: 'tool', text: 'Nothing allows it.' },
  suggestions: [{ update: { ...update, rules: [...update.rules] }, rule: 'Bash(npm test)', scope: 'local' }],
}
const place = { session: 's', cwd: '/w', modes: ['default', 'acceptEdits', 'plan'] as const }

test('an approval offers once, the exact rule with its scope, no, and no with a stop', () => {
  const { options, toolCall } = toAcpPermissionRequest(ask, place)
  assert.deepEqual(
    options.map(({ name, kind }) => [name, kind]),
    [
      ['Allow once', 'allow_once'],
      ['Always allow Bash(npm test) for you in this project, saved to .claude/settings.local.json', 'allow_always'],
      ['Deny', 'reject_once'],
      ['Deny and stop', 'reject_once'],
    ],
  )
  assert.deepEqual([toolCall.toolCallId, toolCall.status, toolCall.title], ['c1', 'pending', 'npm test'])
})

test('each option means one answer, about the input that was shown; others are a no', () => {
  const ids = toAcpPermissionRequest(ask, place).options.map(({ optionId }) => optionId)
  assert.deepEqual(
    [...ids, 'allow-always-9', 'allow-always-', '', '__proto__', 'exit-plan-default'].map((id) =>
      answerOfOption(ask, id),
    ),
    [
      { hash: 'h', kind: 'allow' },
      { hash: 'h', kind: 'allow', updates: [{ ...update, rules: [...update.rules] }] },
      { kind: 'deny' },
      { kind: 'deny', stop: true },
      ...Array.from({ length: 5 }, () => ({ kind: 'deny' })),
    ],
  )
})

test('a plan offers the modes that may follow, the narrowest first', () => {
  const plan: Ask = {
    ...ask,
    kind: 'plan',
    tool: { name: 'ExitPlanMode', input: { plan: '# Do' }, hash: 'h', useId: 'c2' },
  }
  const { options, toolCall } = toAcpPermissionRequest(plan, place)
  assert.deepEqual(
    options.map(({ optionId }) => optionId),
    ['exit-plan-default', 'exit-plan-acceptEdits', 'reject'],
  )
  assert.deepEqual(toolCall.content, [{ type: 'content', content: { type: 'text', text: '# Do' } }])
  assert.deepEqual(answerOfOption(plan, 'exit-plan-acceptEdits'), { hash: 'h', kind: 'approve', mode: 'acceptEdits' })
  assert.deepEqual(answerOfOption(plan, 'allow'), { kind: 'revise', comments: '' })
})

test('an editor sees the end of a long command, and what could not be seen', () => {
  const shownFor = (command: string) => {
    const tool = { name: 'Bash', input: { command }, hash: 'h', useId: 'c1' }
    return toAcpPermissionRequest({ ...ask, tool, preview: { type: 'command', command, parts: [] } }, place).toolCall
  }
  const long = `mkfifo ${'a'.repeat(6000)}; rm the-end`
  const { title, content, rawInput } = shownFor(long)
  assert.match(title ?? '', /^mkfifo a+…\[58\d\d more characters\]…a+; rm the-end$/)
  assert.ok(JSON.stringify(content).includes(long), 'all of it is below the title')
  assert.deepEqual(rawInput, { command: long })
  assert.equal(shownFor('echo ok\nrm the-end').title, 'echo ok ⏎ rm the-end')
  const hidden = shownFor('rm a\u200bb\ufe01')
  assert.equal(hidden.title, 'rm a[U+200B]b[U+FE01]')
  assert.match(JSON.stringify(hidden.content), /rm a\[U\+200B\]b\[U\+FE01\]/)
})
