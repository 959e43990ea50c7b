// Questions to the user.
import { allowAll, oneByOne } from './steps.mjs'

const color = {
  question: 'Which color?',
  header: 'Color',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'is red' },
    { label: 'Blue', description: 'is blue' },
  ],
}
const ask = (id) => ({ id, name: 'AskUserQuestion', input: { questions: [color] } })

export const s14 = {
  title: 'a question answered, a question refused',
  async run({ sdk, options, script, consume, canUseTool }) {
    script([{ tools: [ask('toolu_q1')] }, { tools: [ask('toolu_q2')] }, { text: 'Asked.' }])
    let asked = 0
    const decide = canUseTool(async (_name, input) => {
      asked += 1
      if (asked === 2) return { behavior: 'deny', message: 'No answer.' }
      return { behavior: 'allow', updatedInput: { ...input, answers: { 'Which color?': 'Red' } } }
    })
    await consume(sdk.query({ prompt: 'Ask user.', options: options({ canUseTool: decide }) }))
  },
}

export const s14b = {
  title: 'a question without a host that answers',
  async run({ sdk, options, script, consume }) {
    script([{ tools: [ask('toolu_q1')] }, { text: 'Asked nobody.' }])
    await consume(sdk.query({ prompt: 'Ask nobody.', options: options() }))
  },
}

export const s14c = {
  title: 'several questions, several choices, answers of the host that do not fit, invalid questions',
  async run({ sdk, options, script, consume, canUseTool }) {
    const size = { ...color, question: 'Which sizes?', header: 'Size', multiSelect: true }
    const { multiSelect: _, ...single } = color
    script(
      oneByOne(
        ['AskUserQuestion', { questions: [color, size] }],
        ['AskUserQuestion', { questions: [color, size], metadata: { source: 'test' } }],
        ['AskUserQuestion', { questions: [color] }],
        ['AskUserQuestion', { questions: [single] }],
        ['AskUserQuestion', { questions: [] }],
        ['AskUserQuestion', { questions: [{ ...color, options: color.options.slice(1) }] }],
        ['AskUserQuestion', { questions: [color, color] }],
        ['AskUserQuestion', {}],
      ),
    )
    const answers = [
      { 'Which color?': 'Green, my own', 'Which sizes?': 'Red, Blue' },
      { 'Which color?': 'Red' },
      undefined,
      {},
    ]
    const decide = canUseTool(async (name, input) => {
      const given = answers.shift()
      return allowAll(name, given === undefined ? input : { ...input, answers: given })
    })
    await consume(sdk.query({ prompt: 'Ask more.', options: options({ canUseTool: decide }) }))
  },
}
