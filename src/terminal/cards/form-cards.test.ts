/** Cards of several steps: questions, forms of MCP servers, plans, and fields to write in. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { plainStyles } from '../screen/styles.js'
import type { Card } from './card.js'
import { elicitationCard } from './elicitation-card.js'
import { planCard } from './plan-card.js'
import { questionCard, questionsOfAsk } from './question-card.js'
import { textFieldCard } from './text-field.js'

const look = { columns: 60, height: 20, styles: plainStyles() }
const base: Omit<Ask, 'kind'> = {
  id: 'a1',
  session: 's',
  agent: [],
  since: '',
  why: { layer: 'tool', text: '' },
  suggestions: [],
}

/** Somebody with a card on the screen: keys go to it, and the next one takes its place. */
function hold(make: (ports: { answer(answer: AskAnswer): void; show(card: Card): void }) => Card) {
  const answers: AskAnswer[] = []
  let card: Card | undefined
  const ports = {
    answer: (answer: AskAnswer) => void answers.push(answer),
    show(next: Card) {
      card = next
    },
  }
  const first = make(ports)
  card ??= first
  const now = () => card ?? first
  return {
    answers,
    text: () => now().view(look).rows.join('\n'),
    press: (...ids: string[]) => ids.forEach((id) => void now().key({ id, text: '' })),
    type: (text: string) => void now().key({ id: 'text', text }),
  }
}

describe('questions of the agent', () => {
  const question = (name: string, more: object = {}) => ({
    question: `${name}?`,
    header: name,
    multiSelect: false,
    options: [
      { label: 'Left', description: 'To the left' },
      { label: 'Right', description: '' },
    ],
    ...more,
  })
  const askWith = (...questions: object[]): Ask => ({
    ...base,
    kind: 'question',
    tool: { name: 'AskUserQuestion', input: { questions }, hash: 'h', useId: 'c' },
  })

  test('a single one is sent with its choice', () => {
    const held = hold((ports) => questionCard(askWith(question('Way')), ports))
    assert.match(
      held.text(),
      /A question for you: Way[\s\S]*Way\?[\s\S]*1 Left\n.*To the left[\s\S]*3 In your own words…/,
    )
    held.type('2')
    assert.deepEqual(held.answers, [{ kind: 'answers', answers: { 'Way?': 'Right' } }])
  })

  test('several: one after another, looked over, and gone through again', () => {
    const held = hold((ports) => questionCard(askWith(question('One'), question('Two', { multiSelect: true })), ports))
    assert.match(held.text(), /One \(1 of 2\)/)
    held.type('1')
    assert.match(held.text(), /Two \(2 of 2\)/)
    // Nothing chosen of several is no answer yet.
    held.press('enter')
    assert.match(held.text(), /Two \(2 of 2\)/)
    held.type('1')
    held.type('2')
    held.press('enter')
    assert.match(held.text(), /Your answers[\s\S]*One\? Left[\s\S]*Two\? Left, Right/)
    held.type('2')
    assert.match(held.text(), /One \(1 of 2\)/)
    held.type('2')
    held.press('escape')
    assert.match(held.text(), /One \(1 of 2\)/)
    held.type('2')
    held.type('1')
    held.press('enter')
    held.type('1')
    assert.deepEqual(held.answers, [{ kind: 'answers', answers: { 'One?': 'Right', 'Two?': ['Left'] } }])
  })

  test('words of one’s own; nothing written leads back to the choices', () => {
    const held = hold((ports) => questionCard(askWith(question('Way')), ports))
    held.type('3')
    assert.match(held.text(), /your answer/)
    held.press('enter')
    assert.match(held.text(), /1 Left/)
    held.type('3')
    held.type(' straight on ')
    held.press('enter')
    assert.deepEqual(held.answers, [{ kind: 'answers', answers: { 'Way?': 'straight on' } }])
  })

  test('leaving the first one is a no', () => {
    const held = hold((ports) => questionCard(askWith(question('Way')), ports))
    held.press('escape')
    assert.deepEqual(held.answers, [{ kind: 'deny' }])
  })

  test('input of another shape is no question', () => {
    const input = (questions: unknown): Ask => ({
      ...base,
      kind: 'question',
      tool: { name: 'AskUserQuestion', input: { questions }, hash: 'h', useId: 'c' },
    })
    assert.deepEqual(questionsOfAsk(input('x')), [])
    assert.deepEqual(questionsOfAsk(input([null, 7, {}])), [
      { question: '', header: '', isMultiple: false, options: [] },
    ])
  })
})

describe('forms of MCP servers', () => {
  const askFor = (properties: object, required: string[] = []): Ask => ({
    ...base,
    kind: 'elicitation',
    elicitation: {
      serverName: 'harbor',
      message: 'Which berth?',
      mode: 'form' as const,
      requestedSchema: { type: 'object', properties, required },
    },
  })

  test('field by field, each of its kind, then sent', () => {
    const ask = askFor(
      {
        ship: { type: 'string', title: 'Ship' },
        length: { type: 'integer', description: 'in meters' },
        crane: { type: 'boolean' },
        side: {
          type: 'string',
          oneOf: [
            { const: 'n', title: 'North' },
            { const: 's', title: 'South' },
          ],
        },
        goods: { type: 'array', items: { enum: ['grain', 'wine'], enumNames: ['Grain', 'Wine'] } },
        note: { type: 'string' },
      },
      ['ship', 'length', 'crane', 'side'],
    )
    const held = hold((ports) => elicitationCard(ask, ports))
    assert.match(held.text(), /harbor asks for input \(1 of 6\)[\s\S]*Which berth\?[\s\S]*Ship/)
    held.press('enter')
    assert.match(held.text(), /This is needed\./)
    held.type('Argo')
    held.press('enter')
    held.type('long')
    held.press('enter')
    assert.match(held.text(), /length: in meters[\s\S]*This has to be a number\./)
    held.type('12')
    held.press('enter')
    held.type('2')
    held.type('2')
    held.type('1')
    held.type('2')
    held.press('enter')
    held.press('enter')
    assert.match(held.text(), /1 Send answers[\s\S]*2 Decline/)
    held.type('1')
    const content = { ship: 'Argo', length: 12, crane: false, side: 's', goods: ['grain', 'wine'] }
    assert.deepEqual(held.answers, [{ kind: 'elicitation', action: 'accept', content }])
  })

  test('back from the first field is a no, from the end nothing is sent', () => {
    const first = hold((ports) => elicitationCard(askFor({ ship: { type: 'string' } }), ports))
    first.press('escape')
    assert.deepEqual(first.answers, [{ kind: 'elicitation', action: 'decline' }])
    const last = hold((ports) => elicitationCard(askFor({}), ports))
    last.press('escape')
    assert.deepEqual(last.answers, [{ kind: 'elicitation', action: 'cancel' }])
  })

  test('a page to visit: its whole address is seen, and declining comes first', () => {
    const url = `https://example.com/${'a'.repeat(100)}/end`
    const elicitation = { serverName: 'harbor', message: 'Sign in', mode: 'url' as const, url }
    const held = hold((ports) => elicitationCard({ ...base, kind: 'elicitation', elicitation }, ports))
    assert.ok(held.text().replaceAll(/\s/g, '').includes(url), held.text())
    assert.match(held.text(), /harbor asks for input[\s\S]*1 Decline\n.*2 I have been there/)
    held.press('enter')
    assert.deepEqual(held.answers, [{ kind: 'elicitation', action: 'decline' }])
  })
})

describe('a plan', () => {
  const ask: Ask = {
    ...base,
    kind: 'plan',
    tool: { name: 'ExitPlanMode', input: { plan: '# Plan' }, hash: 'h1', useId: 'c' },
  }
  const open = (canBypass = false, edited?: string) =>
    hold((ports) => planCard(ask, { ...ports, canBypass, editOutside: async () => edited }))

  test('a yes has the mode to go on in, and belongs to this plan', () => {
    const held = open()
    held.type('2')
    assert.deepEqual(held.answers, [{ kind: 'approve', mode: 'acceptEdits', hash: 'h1' }])
    assert.doesNotMatch(held.text(), /bypass permissions/)
    assert.match(open(true).text(), /bypass permissions/)
  })

  test('a no has comments, or none', () => {
    const held = open()
    held.type('n')
    held.type('Smaller steps.')
    held.press('enter')
    const left = open()
    left.press('escape')
    assert.deepEqual(
      [...held.answers, ...left.answers],
      [
        { kind: 'revise', comments: 'Smaller steps.' },
        { kind: 'revise', comments: '' },
      ],
    )
  })

  test('a plan that was changed goes back with the yes', async () => {
    const held = open(false, '# Better plan')
    held.type('e')
    await new Promise(setImmediate)
    assert.match(held.text(), /your version of the plan/)
    held.type('1')
    assert.deepEqual(held.answers, [{ kind: 'approve', mode: 'default', hash: 'h1', plan: '# Better plan' }])
  })
})

describe('a field', () => {
  const open = (more: object = {}) => {
    const told: string[] = []
    const card = textFieldCard({
      title: 'Your key',
      hint: 'sk-…',
      onDone: (text: string) => told.push(text),
      onCanceled: () => told.push('canceled'),
      ...more,
    })
    return { card, told, rows: () => card.view(look).rows }
  }

  test('what is secret is not shown, and is what was typed', () => {
    const { card, told, rows } = open({ isSecret: true })
    card.key({ id: 'text', text: 'sk-ant' })
    assert.deepEqual(rows()[1], '> ••••••')
    card.key({ id: 'enter', text: '' })
    assert.deepEqual(told, ['sk-ant'])
  })

  test('a backslash before Enter goes on in the next line; Escape leaves', () => {
    const { card, told } = open({ text: 'a\\' })
    card.key({ id: 'enter', text: '' })
    card.key({ id: 'text', text: 'b' })
    card.key({ id: 'enter', text: '' })
    card.key({ id: 'escape', text: '' })
    assert.deepEqual(told, ['a\nb', 'canceled'])
  })

  test('an editor of one’s own takes the text and gives it back', async () => {
    const { card, told, rows } = open({ text: 'draft', editOutside: async (text: string) => `${text}, better` })
    assert.match(rows().join('\n'), /ctrl-g: editor/)
    card.key({ id: 'ctrl-g', text: '' })
    await new Promise(setImmediate)
    card.key({ id: 'enter', text: '' })
    assert.deepEqual(told, ['draft, better'])
  })
})
