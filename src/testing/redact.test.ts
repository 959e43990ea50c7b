import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createRedactor } from './redact.js'

const blank = '<redacted>'

describe('what looks like a secret', () => {
  const { text } = createRedactor()
  const cases: [string, string][] = [
    ['key sk-ant-api03-abc_DEF-1 end', `key ${blank} end`],
    ['Authorization: Bearer abcdefghijklmnop.qrs==', `Authorization: Bearer ${blank}`],
    ['eyJhbGciOiJIUzI1.eyJzdWIiOiIx.abc-def', blank],
    ['user_0123456789abcdef_account_x', blank],
    ['Bearer of news', 'Bearer of news'],
    ['user_name and user_42', 'user_name and user_42'],
    ['nothing at all', 'nothing at all'],
  ]
  for (const [given, expected] of cases) it(given, () => assert.equal(text(given), expected))
})

describe('secrets of a request', () => {
  const learned = (headers: Record<string, string>, body: unknown = {}) => {
    const redactor = createRedactor()
    redactor.learn(headers, body)
    return redactor
  }

  it('are found wherever they turn up later', () => {
    const { text } = learned(
      {
        'x-api-key': 'my-own-key-1',
        authorization: 'Bearer my-own-token',
        cookie: 'a=cookie-one; b=cookie-two',
        'proxy-authorization': 'Basic dXNlcjpwYXNz',
      },
      { metadata: { user_id: 'the-user-id' } },
    )
    for (const secret of ['my-own-key-1', 'my-own-token', 'cookie-one', 'cookie-two', 'dXNlcjpwYXNz', 'the-user-id'])
      assert.equal(text(`<${secret}>`), `<${blank}>`, secret)
  })

  it('are found in JSON as well', () => {
    const { text } = learned({ 'x-api-key': 'quote"and\\slash' })
    assert.equal(text(JSON.stringify({ key: 'quote"and\\slash' })), `{"key":"${blank}"}`)
  })

  it('that hold one another leave nothing of the longer one', () => {
    const { text } = learned({ cookie: 'a=first-part; b=first-part-and-more' })
    assert.equal(text('first-part-and-more'), blank)
  })

  it('that are too short to be one are words', () => {
    const { text } = learned({ 'x-api-key': 'model', cookie: 'a=1234567' }, { metadata: { user_id: 7 } })
    assert.equal(text('the model 1234567 7'), 'the model 1234567 7')
  })

  it('of odd bodies are none', () => {
    const plain = 'ordinary words'
    for (const body of [null, 7, plain, [plain], {}, { user_id: plain }, { metadata: null }, { metadata: plain }])
      assert.equal(learned({}, body).text(plain), plain, JSON.stringify(body))
  })
})

describe('JSON', () => {
  it('has no secret in any text or name, and keeps its shape', () => {
    const { json } = createRedactor()
    const given = {
      metadata: { user_id: 'plain' },
      list: ['sk-ant-abc', 7, null, true, { 'sk-ant-name': 'x' }],
      other: { user_id: 7 },
    }
    assert.deepEqual(json(given), {
      metadata: { user_id: blank },
      list: [blank, 7, null, true, { [blank]: 'x' }],
      other: { user_id: 7 },
    })
  })

  it('goes through what the caller wants to take out', () => {
    const { json } = createRedactor((text) => text.replaceAll('/home/ada', '~'))
    assert.deepEqual(json({ path: '/home/ada/sk-ant-x' }), { path: `~/${blank}` })
  })
})
