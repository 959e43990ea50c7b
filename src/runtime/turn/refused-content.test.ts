import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelFailure } from '../../engine/ports.js'
import type { ContentBlockParam, MessageParam } from '../../protocol/content.js'
import { createTestConversation, nthTestId, transcriptChain } from '../test-conversation.js'
import { leaveOutRefusedContent } from './refused-content.js'

const failure = (code: string): ModelFailure => ({ kind: 'invalid_request', code, text: 'It can’t be.', status: 400 })
const text = (words: string): ContentBlockParam => ({ type: 'text', text: words })
const image: ContentBlockParam = { type: 'image', source: { type: 'url', url: 'https://a.example/' } }
const LEFT_OUT = '[The API refused what stood here, so it was left out.]'
const NOTE =
  '<system-reminder>\nThe user sent a message here that the API refused, so it was left out (It can’t be.).\n</system-reminder>'

function start(messages: MessageParam[]) {
  const world = createTestConversation({}, { messages })
  return {
    ...world,
    told: () =>
      world.sent.flatMap((one) => (one.type === 'system' && one.subtype === 'informational' ? one.content : [])),
  }
}

test('a prompt that can’t be sent is taken out, what stood before it stays, and the model is told', async () => {
  const prompt = [text('Look at this'), image]
  const before: MessageParam[] = [
    { role: 'user', content: [text('Hi')] },
    { role: 'assistant', content: [text('Hello')] },
  ]
  const context = text('a reminder')
  const { conversation, told, lines } = start([...before, { role: 'user', content: [context, ...prompt] }])
  conversation.transcript.parent = 'the prompt'
  conversation.turn.prompt = { parent: 'before the prompt', context: [] }
  await leaveOutRefusedContent(conversation, prompt, failure('invalid_request'))
  assert.deepEqual(conversation.history.messages, [...before, { role: 'user', content: [context, text(NOTE)] }])
  assert.deepEqual(transcriptChain(lines), [['before the prompt', `user: ${NOTE}`]])
  assert.deepEqual(told(), ['The API refused this message, so it is no longer part of the conversation.'])
})

test('what is said of the reason is bounded', async () => {
  const prompt = [image]
  const { conversation } = start([{ role: 'user', content: prompt }])
  await leaveOutRefusedContent(conversation, prompt, { ...failure('invalid_request'), text: 'x'.repeat(5000) })
  assert.ok(JSON.stringify(conversation.history.messages).length < 600)
})

test('a text alone is the reason only when it is too long', async () => {
  const table: [string, ContentBlockParam[], boolean][] = [
    ['invalid_request', [text('Hi')], false],
    ['prompt_too_long', [text('Hi')], true],
    ['prompt_too_long', [image], true],
    ['invalid_request', [image], true],
    ['overloaded', [image], false],
    ['not_authenticated', [text('Hi'), image], false],
  ]
  for (const [code, prompt, isOut] of table) {
    const { conversation, told } = start([{ role: 'user', content: prompt }])
    const before = conversation.history.messages
    await leaveOutRefusedContent(conversation, prompt, failure(code))
    const now = conversation.history.messages
    if (isOut) assert.deepEqual([now, told().length], [[{ role: 'user', content: [text(NOTE)] }], 1], code)
    else assert.deepEqual([now, told()], [before, []], code)
  }
})

test('pictures and documents in results are replaced one by one; results and texts stay', async () => {
  const call: MessageParam = {
    role: 'assistant',
    content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: {} }],
  }
  const result = (content: ContentBlockParam[]): ContentBlockParam => ({
    type: 'tool_result',
    tool_use_id: 'toolu_1',
    // Results hold no blocks but these.
    content: content as never,
  })
  const plain: ContentBlockParam = { type: 'tool_result', tool_use_id: 'toolu_2', content: 'a text' }
  const document: ContentBlockParam = {
    type: 'document',
    source: { type: 'text', media_type: 'text/plain', data: 'd' },
  }
  const { conversation, told, lines } = start([
    { role: 'user', content: [text('Look')] },
    call,
    { role: 'user', content: [result([text('a page:'), image]), plain, document, text('beside')] },
  ])
  await leaveOutRefusedContent(conversation, [text('another prompt')], failure('invalid_request'))
  const replaced = [result([text('a page:'), text(LEFT_OUT)]), plain, text(LEFT_OUT), text('beside')]
  assert.deepEqual(conversation.history.messages.at(-1), { role: 'user', content: replaced })
  assert.equal(conversation.history.messages.length, 3)
  assert.deepEqual(
    transcriptChain(lines).map(([, says]) => says),
    ['user: [tool_result]', 'user: [tool_result]', `user: ${LEFT_OUT},beside`],
  )
  assert.equal(transcriptChain(lines)[1]?.[0], nthTestId(1))
  assert.deepEqual(told(), ['The API refused a picture or document of a tool, so it was left out.'])
})

test('results without pictures are kept, and so is everything when the model spoke last', async () => {
  const prompt = [image]
  const results: MessageParam = {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a text' }],
  }
  const spoke: MessageParam = { role: 'assistant', content: [text('Hello')] }
  for (const messages of [[results], [{ role: 'user', content: prompt }, spoke], []] as MessageParam[][]) {
    const { conversation, told, lines } = start(messages)
    await leaveOutRefusedContent(conversation, prompt, failure('prompt_too_long'))
    assert.deepEqual([conversation.history.messages, told(), lines], [messages, [], []])
  }
})
