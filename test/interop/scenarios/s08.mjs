// Structured output: the tool for it, what is asked again, and when it ends.

const schema = {
  type: 'object',
  properties: { answer: { type: 'number' } },
  required: ['answer'],
  additionalProperties: false,
}
const answer = (id, input) => ({ tools: [{ id, name: 'StructuredOutput', input }] })
const valid = (id) => answer(id, { answer: 42 })
const invalid = (id) => answer(id, { answer: 'forty-two' })

export const s08 = structured('a valid answer', [valid('toolu_so'), { text: 'after structured' }])

export const s08b = structured('an invalid answer, then a valid one', [
  invalid('toolu_1'),
  valid('toolu_2'),
  { text: 'after structured' },
])

export const s08c = structured('text instead of the tool, twice, then a valid answer', [
  { text: 'Just text.' },
  { text: 'Text again.' },
  valid('toolu_1'),
  { text: 'after structured' },
])

export const s08d = structured('invalid answers without end', (_body, i) => invalid(`toolu_${i}`))

export const s08e = structured(
  'five valid answers, then text',
  [1, 2, 3, 4, 5].map((i) => valid(`toolu_${i}`)).concat({ text: 'after structured' }),
)

export const s08f = structured('text eight times, then a valid answer', (_body, i) => {
  if (i < 8) return { text: `Text ${i}.` }
  return i === 8 ? valid('toolu_1') : { text: 'after structured' }
})

export const s08g = structured(
  'a second turn starts anew',
  [valid('toolu_1'), { text: 'first' }, answer('toolu_2', { answer: 7 }), { text: 'second' }],
  { turns: ['One.', 'Two.'] },
)

export const s08h = structured('other tools before the answer', [
  { text: 'Looking.', tools: [{ id: 'toolu_1', name: 'Bash', input: { command: 'echo 42' } }] },
  { tools: [...valid('toolu_2').tools, { id: 'toolu_3', name: 'Bash', input: { command: 'echo more' } }] },
  { text: 'after structured' },
])

function structured(title, answers, { turns = ['Structured.'], ...extra } = {}) {
  return {
    title,
    async run({ sdk, options, script, consume, user, queue }) {
      script(answers)
      const chosen = options({ outputFormat: { type: 'json_schema', schema }, ...extra })
      if (turns.length === 1) return consume(sdk.query({ prompt: turns[0], options: chosen }))
      const prompt = queue()
      const rest = turns.map((text) => user(text))
      prompt.push(rest.shift())
      await consume(sdk.query({ prompt, options: chosen }), (message) => {
        if (message.type !== 'result') return
        const next = rest.shift()
        if (next === undefined) prompt.end()
        else prompt.push(next)
      })
    },
  }
}
