import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkToolResult } from './call-result.js'

const problemOf = (returned: unknown) => {
  const checked = checkToolResult(returned)
  return checked.ok ? undefined : checked.problem
}

test('known content passes, with what belongs to it and nothing else', () => {
  const text = { type: 'text', text: 'a', annotations: { priority: 1 }, secret: 'x' }
  assert.deepEqual(checkToolResult({ content: [text], isError: 'yes', structuredContent: { n: 1 } }), {
    ok: true,
    result: { content: [{ type: 'text', text: 'a', annotations: { priority: 1 } }], structuredContent: { n: 1 } },
  })
  assert.deepEqual(checkToolResult({}), { ok: true, result: { content: [] } })
})

test('what is wrong is named with its place', () => {
  assert.equal(problemOf(undefined), 'expected an object, received undefined')
  assert.equal(problemOf({ content: 'a' }), 'content: expected an array, received string')
  assert.equal(problemOf({ content: [null] }), 'content[0]: expected an object, received null')
  assert.match(
    problemOf({ content: [{ type: 'video' }] }) ?? '',
    /^content\[0\]\.type: expected one of .* received "video"/,
  )
  assert.equal(
    problemOf({
      content: [
        { type: 'text', text: 'a' },
        { type: 'image', data: 'x' },
      ],
    }),
    'content[1].mimeType: expected a string, received undefined',
  )
  assert.equal(
    problemOf({ content: [{ type: 'resource', resource: { uri: 'u' } }] }),
    'content[0].resource: expected text or blob, a string',
  )
})

test('what can not be written as JSON is a problem, not a throw', () => {
  assert.match(problemOf({ structuredContent: { n: 1n } }) ?? '', /can't be written as JSON/)
})
