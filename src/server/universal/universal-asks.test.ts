import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Ask } from '../../protocol/session-log/ask-types.js'
import { toPermissionAnswer, toQuestionAnswer } from './universal-asks.js'
import { getUniversalSessionName, sessionIdForUniversalName } from './universal-names.js'

const ask = (kind: Ask['kind'], more: Partial<Ask> = {}): Ask => ({
  id: 'q',
  session: '',
  kind,
  agent: [],
  why: { layer: 'tool', text: '' },
  suggestions: [],
  since: '',
  ...more,
})

describe('replies', () => {
  it('to a permission: once, for the session, or not', () => {
    const update = { type: 'setMode', mode: 'plan', destination: 'localSettings' } as const
    const asked = ask('permission', { suggestions: [{ update, rule: '', scope: 'local' }] })
    assert.deepEqual(toPermissionAnswer(asked, 'once', undefined), { kind: 'allow' })
    assert.deepEqual(toPermissionAnswer(asked, 'always', undefined), {
      kind: 'allow',
      updates: [{ ...update, destination: 'session' }],
    })
    assert.deepEqual(toPermissionAnswer(ask('permission'), 'always', undefined), { kind: 'allow' })
    assert.deepEqual(toPermissionAnswer(asked, 'reject', 'No!'), { kind: 'deny', message: 'No!' })
  })

  it('to questions: a list for each; to a plan and a form: what fits', () => {
    const questions = [{ question: 'A?' }, { question: 'B?', multiSelect: true }, { question: 'C?' }]
    const asked = ask('question', { tool: { name: '', input: { questions }, hash: '', useId: '' } })
    assert.deepEqual(toQuestionAnswer(asked, [['x'], ['y', 'z'], []]), {
      kind: 'answers',
      answers: { 'A?': 'x', 'B?': ['y', 'z'] },
    })
    assert.throws(() => toQuestionAnswer(asked, [[], [], [], []]), { code: 'invalid_answer' })
    const kindOf = (...answers: string[][]) => toQuestionAnswer(ask('plan'), answers).kind
    assert.deepEqual(
      [kindOf(['approve']), kindOf(['reject']), kindOf(), kindOf(['Shorter.'])],
      [...['approve', 'deny', 'deny', 'revise']],
    )
    const form = (text: string) => toQuestionAnswer(ask('elicitation'), [[text]])
    assert.deepEqual(form('decline'), { kind: 'elicitation', action: 'decline' })
    assert.deepEqual(form('{"a":1}'), { kind: 'elicitation', action: 'accept', content: { a: 1 } })
    assert.throws(() => form('[1]'), { code: 'invalid_answer' })
  })
})

describe('names of sessions', () => {
  it('stand for the same id each time, and an id for itself', () => {
    const id = sessionIdForUniversalName('my session/1')
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.equal(sessionIdForUniversalName('my session/1'), id)
    assert.notEqual(sessionIdForUniversalName('my session/2'), id)
    assert.equal(sessionIdForUniversalName(id.toUpperCase()), id)
    assert.equal(getUniversalSessionName({ id, title: 'my session/1' }), 'my session/1')
    assert.equal(getUniversalSessionName({ id, title: 'Renamed' }), id)
    assert.equal(getUniversalSessionName({ id, title: undefined }), id)
  })
})
