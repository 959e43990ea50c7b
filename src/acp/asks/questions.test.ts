import assert from 'node:assert/strict'
import { test } from 'node:test'
import { choiceOfOption, choiceOptions, type FormQuestion, questionForm, readFormAnswers } from './questions.js'

const one: FormQuestion = {
  question: 'Tea or coffee?',
  header: 'Drink',
  isMultiple: false,
  options: [
    { label: 'Tea', description: 'green' },
    { label: 'Coffee', description: 'black' },
  ],
}
const several: FormQuestion = { ...one, question: 'Which?', isMultiple: true }

test("a form has a field for each question, and one for an answer of one's own", () => {
  const { properties } = questionForm([one, several])
  assert.deepEqual(
    Object.entries(properties ?? {}).map(([name, { type }]) => [name, type]),
    [
      ['question_0', 'string'],
      ['question_0_custom', 'string'],
      ['question_1', 'array'],
      ['question_1_custom', 'string'],
    ],
  )
})

test('what was filled in: an own answer replaces a choice and joins several; what was left out is not answered', () => {
  const answers = (content: Parameters<typeof readFormAnswers>[1]) => readFormAnswers([one, several], content)
  assert.deepEqual(answers({ question_0: 'Tea', question_1: ['Tea', 'Coffee'] }), {
    kind: 'answers',
    answers: { 'Tea or coffee?': 'Tea', 'Which?': ['Tea', 'Coffee'] },
  })
  assert.deepEqual(
    answers({ question_0: 'Tea', question_0_custom: ' Water ', question_1: ['Tea'], question_1_custom: 'Milk' }),
    {
      kind: 'answers',
      answers: { 'Tea or coffee?': 'Water', 'Which?': ['Tea', 'Milk'] },
    },
  )
  assert.deepEqual(answers({ question_0: '', question_1: [], question_0_custom: ' ' }), {
    kind: 'answers',
    answers: {},
  })
  assert.deepEqual(answers(null), { kind: 'answers', answers: {} })
})

test('without forms: the choices, and of several those that are chosen', () => {
  assert.deepEqual(
    choiceOptions(one, []).map(({ name }) => name),
    ['Tea', 'Coffee', 'Skip'],
  )
  assert.deepEqual(
    choiceOptions(several, ['Tea']).map(({ name }) => name),
    ['☑ Tea', '☐ Coffee', 'Done', 'Skip'],
  )
  assert.deepEqual(
    ['choice-1', 'choice-2', 'choice-'].map((id) => choiceOfOption(one, id)),
    ['Coffee', undefined, undefined],
  )
})
