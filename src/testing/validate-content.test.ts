import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../test/fast-check.js'
import { findBrokenContentRule } from './validate-content.js'

const check = (role: 'user' | 'assistant', ...blocks: unknown[]) =>
  findBrokenContentRule(blocks, 'messages.0.content', role)
const at = 'messages.0.content'
const image = { type: 'base64', media_type: 'image/png', data: 'aGk=' }

describe('content that the API takes', () => {
  const good: ['user' | 'assistant', unknown][] = [
    ['user', { type: 'text', text: 'x', cache_control: { type: 'ephemeral' } }],
    ['assistant', { type: 'text', text: 'x', citations: null }],
    ['user', { type: 'image', source: image }],
    ['user', { type: 'image', source: { type: 'url', url: 'x' } }],
    ['user', { type: 'document', source: { ...image, media_type: 'application/pdf' }, title: 'x' }],
    ['user', { type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: image }], is_error: true }],
    ['user', { type: 'tool_result', tool_use_id: 't' }],
    ['assistant', { type: 'tool_use', id: 'toolu_1-a', name: 'x', input: {} }],
    ['assistant', { type: 'thinking', thinking: '', signature: '' }],
  ]
  for (const [role, block] of good)
    it(JSON.stringify(block).slice(0, 60), () => assert.equal(check(role, block), undefined))
})

describe('content that it refuses', () => {
  const bad: ['user' | 'assistant', unknown, string][] = [
    ['user', 'text', `${at}.0: Input should be a valid dictionary`],
    ['user', { type: 'text' }, `${at}.0.text.text: Field required`],
    ['user', { type: 'text', text: 7 }, `${at}.0.text.text: Input should be a valid string`],
    ['user', { type: 'text', text: '' }, 'messages: text content blocks must be non-empty'],
    ['user', { type: 'text', text: 'x', uuid: 'u' }, `${at}.0.text.uuid: Extra inputs are not permitted`],
    [
      'user',
      { type: 'tool_use', id: 't', name: 'x', input: {} },
      `${at}.0: \`tool_use\` blocks can only be in \`assistant\` messages`,
    ],
    ['assistant', { type: 'image', source: image }, `${at}.0: \`image\` blocks can only be in \`user\` messages`],
    [
      'assistant',
      { type: 'tool_use', id: 't', name: 'x', input: [] },
      `${at}.0.tool_use.input: Input should be a valid dictionary`,
    ],
    [
      'assistant',
      { type: 'tool_use', id: 'a b', name: 'x', input: {} },
      `${at}.0.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`,
    ],
    ['user', { type: 'image', source: 'x' }, `${at}.0.image.source: Input should be a valid dictionary`],
    [
      'user',
      { type: 'image', source: { ...image, media_type: 'image/bmp' } },
      `${at}.0.image.source.base64.media_type: Input should be 'image/jpeg' or 'image/png' or 'image/gif' or 'image/webp'`,
    ],
    [
      'user',
      { type: 'image', source: { ...image, data: '' } },
      `${at}.0.image.source.base64.data: Input should be a non-empty base64 string`,
    ],
    [
      'user',
      { type: 'image', source: { ...image, data: 'a b' } },
      `${at}.0.image.source.base64.data: Input should be a non-empty base64 string`,
    ],
    [
      'user',
      {
        type: 'tool_result',
        tool_use_id: 't',
        content: [
          { type: 'text', text: 'x' },
          { type: 'text', text: 7 },
        ],
      },
      `${at}.0.tool_result.content.1.text.text: Input should be a valid string`,
    ],
  ]
  for (const [role, block, problem] of bad)
    it(JSON.stringify(block).slice(0, 60), () => assert.equal(check(role, block), problem))

  it('of a kind there is not', () => {
    for (const type of ['novelty', 'constructor', 'toString', undefined])
      assert.match(
        check('user', { type }) ?? '',
        new RegExp(`^${at}\\.0: Input tag '${type}' found using 'type' does not match`),
      )
  })

  it('names the first that is wrong', () => {
    assert.match(check('user', { type: 'text', text: 'x' }, {}, 7) ?? '', /^messages\.0\.content\.1:/)
    assert.equal(findBrokenContentRule('text', at, 'user'), `${at}: Input should be a valid list`)
  })

  it('whatever it is, without a fault of its own', () => {
    const type = fc.constantFrom('text', 'image', 'tool_use', 'tool_result', 'document', 'x')
    const block = fc.oneof(
      fc.jsonValue(),
      fc.record(
        { type, text: fc.jsonValue(), source: fc.jsonValue(), content: fc.jsonValue() },
        { requiredKeys: ['type'] },
      ),
    )
    fc.assert(
      fc.property(fc.array(block), fc.constantFrom('user' as const, 'assistant' as const), (blocks, role) => {
        const problem = findBrokenContentRule(blocks, at, role)
        assert.ok(problem === undefined || problem.startsWith('messages'))
      }),
    )
  })
})
