import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import {
  assertMatches,
  findMismatch,
  type MessagesBody,
  type RequestMatcher,
  toObservedRequest,
} from './observed-request.js'

const read = (body: Partial<MessagesBody> = {}) =>
  toObservedRequest(
    { model: 'test-model', max_tokens: 1, messages: [], ...body },
    { index: 3, path: '/v1/messages?beta=true', headers: { a: 'b' }, ended: Promise.resolve('complete') },
  )

describe('a request that was seen', () => {
  it('is read in the ways tests need', () => {
    const request = read({
      system: [
        { type: 'text', text: 'Be kind.' },
        { type: 'text', text: 'Be brief.' },
      ],
      messages: [
        { role: 'user', content: 'first' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 't1', content: 'done' },
            {
              type: 'tool_result',
              tool_use_id: 't2',
              content: [
                { type: 'text', text: 'a' },
                { type: 'text', text: 'b' },
              ],
              is_error: true,
            },
            { type: 'tool_result', tool_use_id: 't3' },
            { type: 'text', text: 'and now?' },
          ],
        },
      ],
      tools: [{ name: 'Bash' }, { name: 'Read' }],
    })
    const { index, path, headers, system, opening, prompt, toolResults, tools } = request
    assert.deepEqual(
      { index, path, headers, system, opening, prompt, toolResults, tools },
      {
        index: 3,
        path: '/v1/messages?beta=true',
        headers: { a: 'b' },
        system: 'Be kind.\nBe brief.',
        opening: 'first',
        prompt: 'and now?',
        toolResults: [
          { id: 't1', text: 'done', isError: false },
          { id: 't2', text: 'a\nb', isError: true },
          { id: 't3', text: '', isError: false },
        ],
        tools: ['Bash', 'Read'],
      },
    )
  })

  it('of any JSON is read without a fault', () => {
    const odd = fc.record({ messages: fc.jsonValue(), system: fc.jsonValue(), tools: fc.jsonValue() })
    fc.assert(
      fc.property(odd, (body) => {
        const { system, opening, prompt, tools, toolResults } = read(body as unknown as Partial<MessagesBody>)
        for (const text of [system, opening, prompt, ...tools]) assert.equal(typeof text, 'string')
        assert.ok(Array.isArray(toolResults))
      }),
    )
    assert.equal(
      read({ messages: [null, { role: 'user', content: [null, { type: 'text', text: 'x' }] }] as never }).prompt,
      'x',
    )
  })
})

describe('a matcher', () => {
  const request = read({
    system: 'Be kind.',
    messages: [
      { role: 'user', content: 'opening words' },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't', content: 'the result' },
          { type: 'text', text: 'last words' },
        ],
      },
    ],
    tools: [{ name: 'Bash' }, { name: 'Read' }],
  })
  const field = (matcher: RequestMatcher) => findMismatch(request, matcher)?.field

  it('matches texts that contain a part, or a pattern', () => {
    assert.equal(field({}), undefined)
    assert.equal(field({ model: 'test', system: /kind/, opening: 'opening', prompt: /^last words$/ }), undefined)
    assert.equal(field({ toolResult: 'the', tools: ['Read'] }), undefined)
  })

  const wrong: [RequestMatcher, string][] = [
    [{ model: 'other' }, 'model'],
    [{ system: /Kind/ }, 'system'],
    [{ opening: 'last' }, 'opening'],
    [{ prompt: 'opening' }, 'prompt'],
    [{ toolResult: 'nothing' }, 'toolResult'],
    [{ tools: ['Read', 'Write'] }, 'tools'],
    [{ tools: ['Write'], prompt: 'opening' }, 'prompt'],
  ]
  for (const [matcher, name] of wrong)
    it(`names the first field that does not: ${name}`, () => assert.equal(field(matcher), name))

  it('with a global pattern matches every time', () => {
    const pattern = /words/g
    for (let i = 0; i < 3; i += 1) assert.equal(field({ prompt: pattern }), undefined)
    assert.equal(pattern.lastIndex, 0)
  })

  it('that does not match is an assertion with both sides', () => {
    assert.doesNotThrow(() => assertMatches(request, { prompt: 'last' }))
    assert.throws(() => assertMatches(request, { prompt: /first/ }), {
      name: 'AssertionError',
      message: 'request 3: prompt does not match /first/: "last words"',
      actual: 'last words',
    })
    const long = read({ system: 'x'.repeat(1000) })
    assert.throws(
      () => assertMatches(long, { system: 'y' }),
      (error: Error) => error.message.length < 600 && error.message.endsWith('…'),
    )
  })
})
