import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../../test/fast-check.js'
import type { MessageParam } from '../../protocol/content.js'
import { createEncodedMessageCache } from './encoded-messages.js'

const say = (content: string): MessageParam => ({ role: 'user', content })
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

function start() {
  const asked: string[] = []
  const encoded = createEncodedMessageCache((message) => {
    asked.push(String(message.content))
    return message.content === '' ? null : JSON.stringify(message.content)
  })
  return {
    asked,
    first: (messages: MessageParam[], count = messages.length) => text(encoded.first(messages, count)),
    encoded,
  }
}

describe('messages as bytes', () => {
  test('joined by commas, as many as are asked for', () => {
    const { first } = start()
    const messages = ['a', 'é', '😀'].map(say)
    assert.equal(first(messages), '"a","é","😀"')
    assert.equal(first(messages, 2), '"a","é"')
    assert.equal(first(messages, 0), '')
    assert.equal(first([], 5), '')
  })

  test('each is encoded once, as long as the conversation only grows', () => {
    const { first, asked } = start()
    const messages = ['a', 'b'].map(say)
    first(messages)
    first(messages)
    messages.push(say('c'))
    assert.equal(first(messages), '"a","b","c"')
    assert.deepEqual(asked, ['a', 'b', 'c'])
  })

  test('what differs is encoded again, from there on', () => {
    const { first, asked } = start()
    const [a, b, c] = [say('a'), say('b'), say('c')]
    first([a, b, c])
    const other = say('B')
    assert.equal(first([a, other, c]), '"a","B","c"')
    assert.deepEqual(asked, ['a', 'b', 'c', 'B', 'c'])
  })

  test('messages of which nothing can be sent leave no comma', () => {
    const { first } = start()
    assert.equal(first([say(''), say('a'), say(''), say('b'), say('')]), '"a","b"')
    assert.equal(first([say('')]), '')
  })

  test('conversations that take turns do not disturb each other', () => {
    const { first, asked } = start()
    const main = ['a', 'b'].map(say)
    const agent = ['x', 'y'].map(say)
    first(main)
    first(agent)
    main.push(say('c'))
    agent.push(say('z'))
    assert.equal(first(main), '"a","b","c"')
    assert.equal(first(agent), '"x","y","z"')
    assert.equal(asked.length, 6)
  })

  test('bytes that are on their way stay as they are', () => {
    const { encoded } = start()
    const messages = ['a', 'b', 'c'].map(say)
    const sending = encoded.first(messages, 3)
    encoded.first([messages[0] ?? say(''), say('other'), say('x'.repeat(10_000))], 3)
    encoded.first([...messages, say('more'.repeat(5000))], 4)
    assert.equal(text(sending), '"a","b","c"')
  })

  test('whatever is asked for in whatever order, it is what it would be alone', () => {
    const word = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constant(''), fc.constant('é'.repeat(3000)))
    const request = fc.record({
      keep: fc.nat({ max: 6 }),
      add: fc.array(word, { maxLength: 3 }),
      count: fc.nat({ max: 8 }),
    })
    fc.assert(
      fc.property(fc.array(request, { maxLength: 8 }), (requests) => {
        const { encoded } = start()
        let messages: MessageParam[] = [say('first')]
        const sent: [Uint8Array, string][] = []
        for (const { keep, add, count } of requests) {
          messages = [...messages.slice(0, 1 + keep), ...add.map(say)]
          const wanted = messages
            .slice(0, count)
            .filter(({ content }) => content !== '')
            .map(({ content }) => JSON.stringify(content))
          sent.push([encoded.first(messages, count), wanted.join(',')])
        }
        for (const [bytes, wanted] of sent) assert.equal(text(bytes), wanted)
      }),
    )
  })
})
