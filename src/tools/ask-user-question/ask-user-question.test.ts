import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import fc, { anyCharacter } from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { createRegistry } from '../registry.js'
import { createTestContext, type TestContext } from '../test-context.js'
import { askUserQuestionTool } from './ask-user-question.js'
import type { AskUserQuestion, AskUserQuestionInput } from './ask-user-question-shapes.js'

const ask = (question: string, labels: [string, string] = ['Red', 'Blue']): AskUserQuestion => ({
  question,
  header: 'H',
  options: [
    { label: labels[0], description: 'one' },
    { label: labels[1], description: 'two' },
  ],
  multiSelect: false,
})

describe('AskUserQuestion', () => {
  let test: TestContext
  beforeEach(async () => {
    test = await createTestContext()
  })
  afterEach(() => test.dispose())

  const run = (input: AskUserQuestionInput) => askUserQuestionTool.execute(input, test.context)
  const check = async (questions: AskUserQuestionInput['questions']) =>
    askUserQuestionTool.check?.({ questions }, test.context)
  const textOf = async (input: AskUserQuestionInput) => {
    const outcome = await run(input)
    assert.ok(outcome.ok && typeof outcome.content === 'string')
    return outcome.content
  }

  it('needs a person, and nothing beside it runs meanwhile', () => {
    const input: AskUserQuestionInput = { questions: [ask('A?')] }
    assert.deepEqual(askUserQuestionTool.facts(input, test.context), { kind: 'ask' })
    assert.equal(askUserQuestionTool.isReadOnly(input), false)
  })

  it('gives the answers to the model and to the host, in the order of the questions', async () => {
    const questions: AskUserQuestionInput['questions'] = [ask('A?'), ask('B?')]
    assert.deepEqual(await run({ questions, answers: { 'B?': 'Red, Blue', 'A?': 'my own words', 'C?': 'x' } }), {
      ok: true,
      content: 'User has answered your questions: "A?"="my own words", "B?"="Red, Blue". Go on with that in mind.',
      output: { questions, answers: { 'A?': 'my own words', 'B?': 'Red, Blue' } },
    })
  })

  it('passes on what the user added, for the questions that were asked', async () => {
    const questions: AskUserQuestionInput['questions'] = [ask('A?')]
    const annotations = { 'A?': { markdown: '+---+', notes: 'soon' }, 'Z?': { notes: 'lost' } }
    assert.deepEqual(await run({ questions, answers: { 'A?': 'Red' }, annotations }), {
      ok: true,
      content:
        'User has answered your questions: "A?"="Red" (of what was shown, chosen: "+---+"; note: "soon"). Go on with that in mind.',
      output: { questions, answers: { 'A?': 'Red' }, annotations: { 'A?': { markdown: '+---+', notes: 'soon' } } },
    })
  })

  it('names the questions that were left open', async () => {
    const answers = { 'A?': 'Red', 'B?': ' ' }
    const annotations = { 'B?': { notes: 'later' } }
    assert.equal(
      await textOf({ questions: [ask('A?'), ask('B?')], answers, annotations }),
      'User has answered your questions: "A?"="Red". Not answered: "B?" (note: "later"). Go on with that in mind.',
    )
  })

  it('is an error when nothing was answered', async () => {
    const silences: AskUserQuestionInput['answers'][] = [undefined, {}, { 'C?': 'x' }, { 'A?': '' }]
    for (const answers of silences) {
      const outcome = await run({ questions: [ask('A?'), ask('B?')], answers })
      assert.ok(!outcome.ok && !outcome.refused)
      assert.match(outcome.error, /^No answer was given to "A\?", "B\?"/)
    }
  })

  it('takes answers from nobody but the host', async () => {
    const made: AskUserQuestionInput = {
      questions: [ask('A?')],
      answers: { 'A?': 'Yes' },
      annotations: { 'A?': { notes: 'n' } },
      metadata: { source: 's' },
    }
    assert.deepEqual(await askUserQuestionTool.prepare?.(made, test.context), {
      questions: made.questions,
      metadata: { source: 's' },
    })
  })

  it('refuses questions and options that cannot be told apart, or say nothing', async () => {
    assert.equal(await check([ask('A?'), ask('B?')]), undefined)
    assert.match((await check([ask('A?'), ask('B?'), ask('A?')])) ?? '', /"A\?" is asked twice/)
    assert.match((await check([ask('A?', ['x', 'x'])])) ?? '', /"A\?" has the option "x" twice/)
    assert.match((await check([ask(' ')])) ?? '', /Question 1 has no text/)
    assert.match((await check([ask('A?', ['x', ''])])) ?? '', /"A\?" has no label/)
    const long = ask('x'.repeat(1024 * 1024))
    assert.ok(((await check([long, long])) ?? '').length < 500)
  })

  it('holds to one to four questions with two to four options, and fills in multiSelect', () => {
    const { port } = createRegistry([askUserQuestionTool], test.context)
    const parse = (questions: unknown) => port.find('AskUserQuestion')?.parse({ questions })
    const { multiSelect: _, ...plain } = ask('A?')
    assert.deepEqual(parse([plain]), { ok: true, input: { questions: [ask('A?')] } })
    const five = Array.from({ length: 5 }, (_unused, i) => ask(`${i}?`))
    const options = Array.from({ length: 5 }, (_unused, i) => ({ label: `${i}`, description: '' }))
    for (const wrong of [[], five, [{ ...plain, options }], [{ ...plain, options: options.slice(4) }]]) {
      assert.equal(parse(wrong)?.ok, false)
    }
  })

  it('takes questions named like parts of an object', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      assert.equal((await run({ questions: [ask(name)] })).ok, false)
      const answers: Record<string, string> = JSON.parse(`{${JSON.stringify(name)}: "Red"}`)
      const outcome = await run({ questions: [ask(name)], answers })
      assert.ok(outcome.ok)
      assert.deepEqual(Object.entries(Object.assign({ answers: {} }, outcome.output).answers), [[name, 'Red']])
    }
  })

  it('stays readable as pairs, whatever is asked and answered', async () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCharacter, minLength: 1 }),
      fc.constantFrom('"', '\\', '"="', '", "', '\\"', '\0', '\ud800'),
    )
    const solid = anything.filter((text) => text.trim() !== '')
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(solid, solid), { minLength: 1, maxLength: 4, selector: ([q]) => q }),
        async (pairs) => {
          const text = await textOf({
            // As many as the schema allows.
            questions: pairs.map(([question]) => ask(question)) as AskUserQuestionInput['questions'],
            answers: Object.fromEntries(pairs),
          })
          const list = text.slice('User has answered your questions: '.length, -' Go on with that in mind.'.length)
          const read = [...list.matchAll(/"((?:[^"\\]|\\.)*)"="((?:[^"\\]|\\.)*)"(?:, |\.$)/gs)]
          const plain = (part = '') => part.replace(/\\(.)/gs, '$1')
          assert.deepEqual(
            read.map(([, q, a]) => [plain(q), plain(a)]),
            pairs,
          )
        },
      ),
      { numRuns: byTier({ quick: 50, all: 200, long: 5000 }) },
    )
  })

  it('takes a megabyte of quotes', async () => {
    const long = '"\\'.repeat(524_288)
    assert.equal((await textOf({ questions: [ask('A?')], answers: { 'A?': long } })).length > long.length, true)
  })
})
