import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Ask, AskAnswer, AskKind } from '../protocol/session-log/ask-types.js'
import { checkAnswerFitsAsk, toElicitationResult, toPermissionResult } from './answers.js'

const input = { command: 'ls' }
const ask = (kind: AskKind): Ask => ({
  id: 'a',
  session: 's',
  kind,
  agent: [],
  suggestions: [],
  since: '',
  why: { layer: 'tool', text: '' },
  ...(kind === 'elicitation' ? {} : { tool: { name: 'T', input, hash: 'h', useId: 't' } }),
})
const ANSWERS: AskAnswer[] = [
  { kind: 'allow' },
  { kind: 'deny' },
  { kind: 'answers', answers: {} },
  { kind: 'approve' },
  { kind: 'revise', comments: 'x' },
  { kind: 'elicitation', action: 'accept' },
]

describe('an answer', () => {
  it('fits what was asked, and no always does', () => {
    const fitting = (kind: AskKind) =>
      ANSWERS.filter((answer) => {
        try {
          checkAnswerFitsAsk(ask(kind), answer)
          return true
        } catch (error) {
          assert.equal((error as { code: string }).code, 'invalid_answer') // what checkAnswerFitsAsk throws
          return false
        }
      }).map(({ kind: answer }) => answer)
    assert.deepEqual(fitting('permission'), ['allow', 'deny'])
    assert.deepEqual(fitting('question'), ['deny', 'answers'])
    assert.deepEqual(fitting('plan'), ['deny', 'approve', 'revise'])
    assert.deepEqual(fitting('elicitation'), ['deny', 'elicitation'])
  })

  it('that names the input is about that input', () => {
    checkAnswerFitsAsk(ask('permission'), { kind: 'allow', hash: 'h' })
    assert.throws(() => checkAnswerFitsAsk(ask('permission'), { kind: 'allow', hash: 'other' }), {
      code: 'invalid_answer',
    })
    assert.throws(() => checkAnswerFitsAsk(ask('elicitation'), { kind: 'deny', hash: 'h' }), { code: 'invalid_answer' })
  })

  it('means to the agent what the person said', () => {
    const result = (kind: AskKind, answer: AskAnswer) => toPermissionResult(ask(kind), answer)
    assert.deepEqual(result('permission', { kind: 'allow' }), { behavior: 'allow', updatedInput: input })
    const other = { command: 'pwd' }
    assert.deepEqual(result('permission', { kind: 'allow', input: other, updates: [] }), {
      behavior: 'allow',
      updatedInput: other,
      updatedPermissions: [],
    })
    assert.deepEqual(result('permission', { kind: 'deny', message: 'No.', stop: true }), {
      behavior: 'deny',
      message: 'The user refused this call; it did not run. They said: "No."',
      interrupt: true,
    })
    assert.deepEqual(result('permission', { kind: 'deny', message: ' ' }), {
      behavior: 'deny',
      message: 'The user refused this call; it did not run.',
    })
    assert.deepEqual(result('plan', { kind: 'approve', mode: 'acceptEdits', plan: 'P' }), {
      behavior: 'allow',
      updatedInput: { ...input, plan: 'P' },
      updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    })
    assert.deepEqual(result('plan', { kind: 'approve' }), { behavior: 'allow', updatedInput: input })
    assert.deepEqual(result('plan', { kind: 'revise', comments: 'smaller' }), {
      behavior: 'deny',
      message: 'The user did not approve the plan; plan mode is still on. They said: "smaller"',
    })
    assert.deepEqual(result('question', { kind: 'answers', answers: { a: ['x', 'y'], b: 'z' }, notes: { b: 'n' } }), {
      behavior: 'allow',
      updatedInput: { ...input, answers: { a: 'x, y', b: 'z' }, annotations: { b: { notes: 'n' } } },
    })
    // Never an approval by mistake.
    assert.equal(result('permission', { kind: 'elicitation', action: 'accept' }).behavior, 'deny')
  })

  it('to a server is what it says, and everything else is no', () => {
    const content = { a: 1 }
    assert.deepEqual(toElicitationResult({ kind: 'elicitation', action: 'accept', content }), {
      action: 'accept',
      content,
    })
    assert.deepEqual(toElicitationResult({ kind: 'elicitation', action: 'cancel' }), { action: 'cancel' })
    for (const answer of ANSWERS.slice(0, -1)) assert.deepEqual(toElicitationResult(answer), { action: 'decline' })
  })
})
