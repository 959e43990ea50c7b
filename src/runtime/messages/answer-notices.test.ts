import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelEvent, ModelRequest } from '../../engine/ports.js'
import { message, text, use } from '../../engine/test-ports.js'
import type { ContentBlock, MessageParam } from '../../protocol/content.js'
import { never, testConversation } from '../test-conversation.js'
import { noteAnswer, watchedModel } from './answer-notices.js'

const tool = (name: string) => ({ name, description: '', input_schema: {} })
const prompt: MessageParam = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
const REQUEST: ModelRequest = {
  model: 'big',
  system: ['You.'],
  tools: [tool('Read')],
  messages: [prompt],
  partial: false,
}

async function* answersNothing(): AsyncGenerator<ModelEvent> {
  yield* []
}

function start() {
  const asked: ModelRequest[] = []
  const port = {
    stream(request: ModelRequest) {
      asked.push(request)
      return answersNothing()
    },
  }
  const { conversation, sent } = testConversation({ ports: { model: port } })
  const model = watchedModel(conversation)
  return {
    asked,
    ask: (more: Partial<ModelRequest> = {}) => void model.stream({ ...REQUEST, ...more }, never),
    /** The API says what it had in its cache. */
    answered(read: number | null, created: number | null = null, content: ContentBlock[] = [text('Yes.')]) {
      const whole = message(content, 'end_turn')
      const usage = { ...whole.usage, cache_read_input_tokens: read, cache_creation_input_tokens: created }
      noteAnswer(conversation, { ...whole, usage })
    },
    told: () =>
      sent.flatMap((one) =>
        one.type === 'system' && one.subtype === 'informational' ? [[one.code, one.details]] : [],
      ),
    sent,
  }
}

test('a cache that holds is not worth a word', () => {
  const { ask, answered, told } = start()
  ask()
  answered(0, 500)
  const more: MessageParam = { role: 'assistant', content: [text('Yes.')] }
  ask({ messages: [prompt, more] })
  answered(500)
  // A message that goes on where it ended is still the same to the cache.
  const [block] = prompt.content as [ContentBlock]
  const longer: MessageParam = { role: 'user', content: [block, { type: 'text', text: 'and' }] }
  ask({ messages: [prompt, more, longer] })
  assert.deepEqual(told(), [])
})

test('whatever comes before the messages breaks it, and so does another past', () => {
  const another: MessageParam = { role: 'user', content: [{ type: 'text', text: 'Hi' }] }
  const table: [Partial<ModelRequest>, string | undefined][] = [
    [{ model: 'small' }, 'model'],
    [{ tools: [tool('Read'), tool('Bash')] }, 'tools'],
    [{ system: ['Another.'] }, 'system prompt'],
    [{ messages: [another] }, 'history'],
    [{ messages: [] }, 'history'],
    [{ messages: [{ role: 'user', content: 'Hi' }] }, 'history'],
    [{ model: 'small', system: ['Another.'], messages: [] }, 'model'],
    [{ tools: [{ ...tool('Read'), description: 'same name' }] }, undefined],
    [{}, undefined],
  ]
  for (const [change, reason] of table) {
    const { ask, answered, told } = start()
    ask()
    answered(null, 1)
    ask(change)
    assert.deepEqual(told(), reason === undefined ? [] : [['cache_break', { reason }]], JSON.stringify(change))
  }
})

test('nothing was lost where nothing was cached: of the last request, not of one before it', () => {
  const { ask, answered, told, asked } = start()
  ask()
  answered(0, 500)
  ask()
  answered(0, 0)
  ask({ model: 'small' })
  assert.deepEqual(told(), [])
  assert.equal(asked.length, 3)
})

test('a request is only compared with one that was answered', () => {
  const { ask, answered, told } = start()
  ask()
  answered(100)
  ask()
  // No answer came: what the API has of it is not known.
  ask({ model: 'small' })
  assert.deepEqual(told(), [])
})

test('a call that is only text is told with the name of the tool, in each shape models write it', () => {
  const table: [string, string | undefined][] = [
    ['<tool_call>{"name": "Bash", "arguments": {}}</tool_call>', 'Bash'],
    ['I run it.\n<function_calls>\n<invoke name="Read">', 'Read'],
    ['<invoke name="mcp__a__b-c">', 'mcp__a__b-c'],
    ['<tool_use>{"id":1,"name":"Grep"}</tool_use>', 'Grep'],
    ['{"name": "Bash"} <tool_call>', undefined],
    ['<tool_calls_are_nice name="Bash">', undefined],
    ['<tool_call>{"name": "not a tool name!"}', undefined],
    [`<tool_call>${' '.repeat(3000)}"name": "Bash"`, undefined],
    ['Use the name="Bash" attribute.', undefined],
    ['', undefined],
  ]
  for (const [words, name] of table) {
    const { answered, told } = start()
    answered(0, 0, [text(words)])
    const expected = name === undefined ? [] : [['suspect_fabrication', { tool: name, parent_tool_use_id: null }]]
    assert.deepEqual(told(), expected, words.slice(0, 60))
  }
})

test('an answer that calls a tool may quote calls as it likes; one split over two texts is still found', () => {
  const quoting = start()
  quoting.answered(0, 0, [text('<invoke name="Read">'), use('toolu_1', 'Read')])
  assert.deepEqual(quoting.told(), [])
  const split = start()
  split.answered(0, 0, [text('<tool_call>'), text('{"name":"Bash"}')])
  assert.equal(split.told().length, 1)
})
