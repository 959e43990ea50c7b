import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../test/fast-check.js'
import { byTier } from '../../test/support/tier.js'
import type { PreToolVerdict } from '../engine/ports.js'
import type { HookJSONOutput, PreToolUseHookSpecificOutput } from '../protocol/hooks.js'
import type { HookOutcome } from './hook-outcome.js'
import {
  listAddedContext,
  mergeBlock,
  mergeBlockOrStop,
  mergeCompact,
  mergeElicitation,
  mergePermissionRequest,
  mergePostTool,
  mergePreTool,
  mergePrompt,
  mergeStop,
  mergeWorktree,
} from './merge-answers.js'

const said = (output: HookJSONOutput): HookOutcome => ({ name: 'h', output })
const printed = (text: string): HookOutcome => ({ name: 'h', output: {}, printed: text })
const crash: HookOutcome = { name: 'h', failure: 'boom' }
const error: HookOutcome = { name: 'h', failure: 'exit code 1', open: true }
const later = said({ async: true })
const pre = (fields: Omit<PreToolUseHookSpecificOutput, 'hookEventName'>) =>
  said({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })
const request = (decision: { behavior: 'allow' } | { behavior: 'deny'; message?: string }) =>
  said({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })

describe('PreToolUse', () => {
  const allow = pre({ permissionDecision: 'allow', permissionDecisionReason: 'fine' })
  const ask = pre({ permissionDecision: 'ask', permissionDecisionReason: 'look' })
  const deny = pre({ permissionDecision: 'deny', permissionDecisionReason: 'no' })

  const rows: [name: string, outcomes: HookOutcome[], verdict: PreToolVerdict][] = [
    ['nobody', [], { context: [] }],
    ['nothing said', [said({}), later, printed('log')], { context: [] }],
    ['allow', [allow], { decision: 'allow', reason: 'fine', context: [] }],
    ['ask beats allow', [allow, ask], { decision: 'ask', reason: 'look', context: [] }],
    ['deny beats all', [allow, deny, ask], { decision: 'deny', reason: 'no', context: [], repeatReason: true }],
    [
      'the old block',
      [said({ decision: 'block', reason: 'old' })],
      { decision: 'deny', reason: 'old', context: [], repeatReason: true },
    ],
    ['the old approve', [said({ decision: 'approve' })], { decision: 'allow', reason: undefined, context: [] }],
    [
      'the new field counts more',
      [said({ decision: 'approve', ...onlyOutput(deny) })],
      { decision: 'deny', reason: 'no', context: [], repeatReason: true },
    ],
    ['crash', [crash], { decision: 'deny', reason: 'PreToolUse hook h failed: boom', context: [] }],
    ['crash beside allow', [allow, crash], { decision: 'deny', reason: 'PreToolUse hook h failed: boom', context: [] }],
    ['the first reason is kept', [deny, crash], { decision: 'deny', reason: 'no', context: [], repeatReason: true }],
    [
      'exit code 2 says all in the result',
      [{ ...said({ decision: 'block', reason: 'x' }), byExitCode: true }],
      { decision: 'deny', reason: 'x', context: [] },
    ],
    ['exit code 1 decides nothing', [error], { context: [] }],
    [
      'an empty reason is none',
      [pre({ permissionDecision: 'deny', permissionDecisionReason: '' })],
      { decision: 'deny', reason: undefined, context: [], repeatReason: true },
    ],
    ['stop', [said({ continue: false, stopReason: 'halt' })], { stop: { reason: 'halt' }, context: [] }],
    ['context of all', [pre({ additionalContext: 'a' }), pre({ additionalContext: 'b' })], { context: ['a', 'b'] }],
    ['input', [pre({ updatedInput: { a: 1 } })], { input: { a: 1 }, context: [] }],
    [
      'the last input counts',
      [pre({ updatedInput: { a: 1 } }), pre({ updatedInput: { a: 2 } })],
      { input: { a: 2 }, context: [] },
    ],
  ]
  for (const [name, outcomes, verdict] of rows) test(name, () => assert.deepEqual(mergePreTool(outcomes), verdict))

  test('an allow is for the input that hook saw or made, not for what another made of it', () => {
    const changed = pre({ updatedInput: { command: 'rm' } })
    assert.deepEqual(mergePreTool([allow, changed]), { input: { command: 'rm' }, context: [] })
    assert.deepEqual(mergePreTool([changed, allow]), { input: { command: 'rm' }, context: [] })
    const own = pre({ permissionDecision: 'allow', updatedInput: { command: 'ls' } })
    assert.equal(mergePreTool([own]).decision, 'allow')
    assert.equal(mergePreTool([own, changed]).decision, undefined)
    assert.equal(mergePreTool([changed, own]).decision, 'allow')
  })

  const outcome = fc.constantFrom<HookOutcome[]>(
    ...[allow, ask, deny, crash, error, later, said({}), said({ decision: 'approve' }), said({ decision: 'block' })],
    ...[
      said({ continue: false }),
      pre({ updatedInput: { a: 1 } }),
      pre({ permissionDecision: 'allow', updatedInput: { a: 2 } }),
    ],
  )
  const outcomes = fc.array(outcome, { maxLength: 6 })
  const ORDER = [undefined, 'allow', 'ask', 'deny']
  const runs = { numRuns: byTier({ quick: 250, all: 1000, long: 100_000 }) }

  test('property: without changed inputs the order of the hooks does not change the decision', () => {
    const plain = outcomes.map((all) => all.filter((one) => mergePreTool([one]).input === undefined))
    fc.assert(
      fc.property(
        plain.chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
        ([all, shuffled]) => {
          const [a, b] = [mergePreTool(all), mergePreTool(shuffled)]
          assert.deepEqual([a.decision, a.stop !== undefined], [b.decision, b.stop !== undefined])
        },
      ),
      runs,
    )
  })

  test('property: a deny wins, wherever it stands', () => {
    const denying = fc.constantFrom(deny, crash, said({ decision: 'block' }))
    fc.assert(
      fc.property(outcomes, denying, fc.nat(), (all, one, at) => {
        assert.equal(mergePreTool(all.toSpliced(at % (all.length + 1), 0, one)).decision, 'deny')
      }),
      runs,
    )
  })

  test('property: a hook that fails, says nothing or asks never widens', () => {
    const narrow = fc.constantFrom(crash, error, later, ask, deny, said({}))
    // No opinion leaves it to the rules, which may ask or deny: an allow in its place would be wider.
    const width = ({ decision }: PreToolVerdict) => (decision === 'allow' ? 2 : decision === undefined ? 1 : 0)
    fc.assert(
      fc.property(outcomes, narrow, fc.nat(), (all, one, at) => {
        const more = mergePreTool(all.toSpliced(at % (all.length + 1), 0, one))
        const before = mergePreTool(all)
        assert.ok(width(more) <= width(before))
        assert.ok(ORDER.indexOf(more.decision) >= ORDER.indexOf(before.decision))
        assert.ok(!before.stop || more.stop)
      }),
      runs,
    )
  })

  test('property: nothing becomes an allow that no hook allowed', () => {
    const silent = outcomes.map((all) => all.filter((one) => mergePreTool([one]).decision !== 'allow'))
    fc.assert(
      fc.property(silent, (all) => assert.notEqual(mergePreTool(all).decision, 'allow')),
      runs,
    )
  })
})

describe('PermissionRequest', () => {
  const allow = request({ behavior: 'allow' })
  const deny = request({ behavior: 'deny', message: 'no' })

  test('a deny beats an allow; without a decision there is none', () => {
    assert.equal(mergePermissionRequest([]), undefined)
    assert.equal(mergePermissionRequest([said({}), later, error, printed('x')]), undefined)
    assert.deepEqual(mergePermissionRequest([allow, error]), { behavior: 'allow' })
    assert.deepEqual(mergePermissionRequest([allow, deny]), { behavior: 'deny', message: 'no' })
  })

  test('the ways to object that other events have count too; what ends the turn comes first', () => {
    assert.deepEqual(mergePermissionRequest([allow, said({ decision: 'block', reason: 'r' })]), {
      behavior: 'deny',
      message: 'r',
    })
    assert.deepEqual(mergePermissionRequest([deny, said({ continue: false, stopReason: 's' })]), {
      behavior: 'deny',
      message: 's',
      interrupt: true,
    })
    assert.equal(mergePermissionRequest([said({ decision: 'approve' })]), undefined)
  })

  test('beside a hook that crashed no allow counts, but a deny does', () => {
    assert.equal(mergePermissionRequest([allow, crash]), undefined)
    assert.equal(mergePermissionRequest([crash]), undefined)
    assert.deepEqual(mergePermissionRequest([crash, deny]), { behavior: 'deny', message: 'no' })
  })

  test('property: the behavior does not depend on the order', () => {
    const outcome = fc.constantFrom(allow, deny, crash, error, later, said({}))
    const pair = fc
      .array(outcome, { maxLength: 6 })
      .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })))
    fc.assert(
      fc.property(pair, ([all, shuffled]) => {
        assert.equal(mergePermissionRequest(all)?.behavior, mergePermissionRequest(shuffled)?.behavior)
      }),
    )
  })
})

describe('the other events', () => {
  const post = (fields: object) => said({ hookSpecificOutput: { hookEventName: 'PostToolUse', ...fields } })

  test('PostToolUse: context, the reason of a block, a changed output, stop', () => {
    assert.deepEqual(
      mergePostTool([post({ additionalContext: 'a' }), said({ decision: 'block', reason: 'b' }), crash, error, later]),
      { context: ['a', 'A hook objects to this: b'] },
    )
    assert.deepEqual(mergePostTool([said({ continue: false })]), { context: [], stop: { reason: undefined } })
    assert.deepEqual(mergePostTool([post({ updatedToolOutput: 'x' }), post({ updatedToolOutput: '' })]), {
      context: [],
      output: '',
    })
    assert.deepEqual(mergePostTool([post({ updatedToolOutput: null })]), { context: [] })
    assert.deepEqual(mergePostTool([post({ updatedMCPToolOutput: ['x'] })], { isMcpTool: true }), {
      context: [],
      output: ['x'],
    })
    assert.deepEqual(mergePostTool([post({ updatedMCPToolOutput: ['x'] })]), { context: [] })
  })

  test('Stop: feedback of all that block or have something to say', () => {
    const context = said({ hookSpecificOutput: { hookEventName: 'Stop', additionalContext: 'c' } })
    assert.deepEqual(mergeStop([said({}), crash, error]), {})
    assert.deepEqual(mergeStop([said({ decision: 'block', reason: 'a' }), context]), { block: 'a\nc' })
    assert.deepEqual(mergeStop([said({ decision: 'block' })]), { block: 'A stop hook asked to go on.' })
    assert.deepEqual(mergeStop([said({ decision: 'block', reason: 'a' }), said({ continue: false })]), {
      block: 'a',
      prevent: true,
    })
  })

  test('UserPromptSubmit: context, also printed; block and stop', () => {
    const context = said({ hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: 'c' } })
    assert.deepEqual(mergePrompt([printed('p'), context, crash, error, later]), { context: ['p', 'c'] })
    assert.deepEqual(mergePrompt([said({ decision: 'block', reason: 'r' }), said({ continue: false })]), {
      context: [],
      blocked: { reason: 'r', stopped: false },
    })
    assert.deepEqual(mergePrompt([said({ continue: false, stopReason: 's' })]), {
      context: [],
      blocked: { reason: 's', stopped: true },
    })
  })

  test('what is printed is context only where that is meant', () => {
    assert.deepEqual(listAddedContext([printed('p')]), [])
    assert.deepEqual(listAddedContext([printed('p')], 'with printed'), ['p'])
  })

  test('PreCompact: a block, and what the summary shall mind', () => {
    assert.deepEqual(mergeCompact([printed('keep names'), said({ decision: 'block' }), crash]), {
      block: 'Blocked by a hook.',
      instructions: ['keep names'],
      completed: ['[callback]', '[callback]'],
    })
  })

  test('one thing to block', () => {
    assert.deepEqual(mergeBlock([said({}), error, crash]), {})
    assert.deepEqual(mergeBlock([said({ decision: 'block', reason: 'a' }), said({ decision: 'block', reason: 'b' })]), {
      block: 'a',
    })
    assert.deepEqual(mergeBlock([said({ continue: false })]), {})
    assert.deepEqual(mergeBlockOrStop([said({ continue: false, stopReason: 'halt' }), said({ decision: 'block' })]), {
      block: 'Blocked by a hook.',
      stop: { reason: 'halt' },
    })
  })

  test('Elicitation: a refusal beats an answer, a block and a crash never accept', () => {
    const answer = (action: 'accept' | 'decline' | 'cancel', content?: Record<string, unknown>) =>
      said({ hookSpecificOutput: { hookEventName: 'Elicitation', action, ...(content ? { content } : {}) } })
    assert.equal(mergeElicitation([said({}), error]), undefined)
    assert.deepEqual(mergeElicitation([answer('accept', { a: 1 })]), { action: 'accept', content: { a: 1 } })
    assert.deepEqual(mergeElicitation([answer('accept'), answer('cancel')]), { action: 'cancel' })
    assert.deepEqual(mergeElicitation([answer('accept'), said({ decision: 'block' })]), { action: 'decline' })
    assert.equal(mergeElicitation([answer('accept'), crash]), undefined)
  })

  test('WorktreeCreate: the path, named or printed', () => {
    const named = said({ hookSpecificOutput: { hookEventName: 'WorktreeCreate', worktreePath: '/w' } })
    assert.deepEqual(mergeWorktree([crash, named]), { path: '/w' })
    assert.deepEqual(mergeWorktree([printed('/p')]), { path: '/p' })
    assert.deepEqual(mergeWorktree([error]), {})
  })

  test('long texts are cut wherever they go', () => {
    const long = 'x'.repeat(1_000_000)
    const verdicts = [
      mergePreTool([pre({ permissionDecision: 'deny', permissionDecisionReason: long })]),
      mergePreTool([said({ continue: false, stopReason: long })]),
      mergePostTool([said({ decision: 'block', reason: long })]),
      mergeStop([said({ decision: 'block', reason: long })]),
      mergePrompt([said({ decision: 'block', reason: long })]),
      mergePermissionRequest([request({ behavior: 'deny', message: long })]),
      mergeBlock([said({ decision: 'block', reason: long })]),
    ]
    for (const verdict of verdicts) {
      const text = JSON.stringify(verdict)
      assert.ok(text.length < 101_000 && text.includes('[cut: the hook sent 1000000 characters]'))
    }
  })
})

function onlyOutput(outcome: HookOutcome): HookJSONOutput {
  return 'output' in outcome ? outcome.output : {}
}
