import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from '../../../test/fast-check.js'
import type { BackgroundTask } from '../../engine/background-port.js'
import { nthTestId } from '../test-conversation.js'
import { checkUserMessage, isFromUser, parseSlashCommand, type UserTurnMessage } from './user-message.js'

const line = (content: unknown, more: object = {}) => ({ type: 'user', message: { role: 'user', content }, ...more })
const problemOf = (value: object) => {
  const checked = checkUserMessage(value)
  return checked.ok ? undefined : checked.problem
}
const blockProblem = (block: unknown) => problemOf(line([block]))?.replace(/^user message: content\[0\]: /, '')

test('a text becomes a message with one block; its id is kept, and an empty one is none', () => {
  const message = { content: 'Hi', blocks: [{ type: 'text', text: 'Hi' }], text: 'Hi' }
  assert.deepEqual(checkUserMessage(line('Hi', { uuid: nthTestId(1) })), {
    ok: true,
    message: { uuid: nthTestId(1), ...message },
  })
  for (const uuid of ['', 7, null]) {
    assert.deepEqual(checkUserMessage(line('Hi', { uuid })), { ok: true, message: { uuid: undefined, ...message } })
  }
})

test('blocks are taken as they are, and all text in them is the text', () => {
  const blocks = [
    { type: 'text', text: 'Look' },
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
    { type: 'text', text: 'at this' },
  ]
  const checked = checkUserMessage(line(blocks))
  assert.deepEqual(checked, { ok: true, message: { uuid: undefined, content: blocks, blocks, text: 'Look\nat this' } })
})

test('what is no user message is refused by name', () => {
  const table: [object, string][] = [
    [{}, '`message` must be an object'],
    [{ message: null }, '`message` must be an object'],
    [{ message: 'Hi' }, '`message` must be an object'],
    [{ message: {} }, "`message.role` must be 'user'"],
    [{ message: { role: 'assistant', content: 'Hi' } }, "`message.role` must be 'user'"],
    [line(''), '`content` is empty'],
    [line(' \n\t'), '`content` is empty'],
    [line([]), '`content` is empty'],
    [line(undefined), '`content` must be a string or an array of blocks'],
    [line({ type: 'text', text: 'Hi' }), '`content` must be a string or an array of blocks'],
    [line([{ type: 'text', text: 'Hi' }, 'Hi']), 'content[1]: must be an object'],
  ]
  for (const [value, problem] of table) assert.equal(problemOf(value), `user message: ${problem}`)
})

test('a block that the API would refuse is refused here, with what is wrong with it', () => {
  let deep: unknown = 'end'
  for (let depth = 0; depth < 21; depth += 1) deep = { deep }
  const table: [unknown, string][] = [
    [null, 'must be an object'],
    [[], 'must be an object'],
    [{ type: 'tool_result', tool_use_id: 'x' }, 'a tool_result answers a call of the model; hosts cannot send one'],
    [{ text: 'no type' }, 'blocks of type undefined cannot be sent'],
    [{ type: 5 }, 'blocks of type number cannot be sent'],
    [{ type: 'tool_use', id: 'x' }, 'blocks of type "tool_use" cannot be sent'],
    [{ type: 'constructor' }, 'blocks of type "constructor" cannot be sent'],
    [{ type: 'x'.repeat(500) }, `blocks of type "${'x'.repeat(100)}" cannot be sent`],
    [{ type: 'text', text: 'Hi', color: 'red' }, 'a block of type text has no "color"'],
    [{ type: 'text' }, 'a text block needs `text`'],
    [{ type: 'text', text: 5 }, 'a text block needs `text`'],
    [{ type: 'text', text: '' }, 'the text is empty'],
    [{ type: 'text', text: 'Hi', citations: deep }, 'nested more than 20 deep'],
    [{ type: 'document' }, 'a document block needs `source`'],
    [{ type: 'document', source: null }, 'a document block needs `source`'],
    [{ type: 'image' }, 'an image block needs `source`'],
    [{ type: 'image', source: {} }, 'an image block needs `source`'],
    [{ type: 'image', source: { type: 'url' } }, 'the image needs `url`'],
    [{ type: 'image', source: { type: 'disk' } }, 'the image source must be base64, url or file'],
  ]
  for (const [block, problem] of table) assert.equal(blockProblem(block), problem)
})

test('blocks that the API knows pass', () => {
  const passes = [
    { type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } },
    { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } },
    { type: 'image', source: { type: 'file', file_id: 'file_1' } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'x' }, title: 'A' },
    { type: 'search_result', source: 'a', title: 'b', content: [{ type: 'text', text: 'c' }] },
  ]
  for (const block of passes) assert.equal(blockProblem(block), undefined, JSON.stringify(block))
})

const image = (data: unknown, media_type: unknown = 'image/png') => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})

test('the data of an image: its type, its size, and whether it is base64 at all', () => {
  const types = 'the image needs a media_type: image/jpeg, image/png, image/gif, image/webp'
  assert.equal(blockProblem(image('aGk=', 'image/svg+xml')), types)
  assert.equal(blockProblem({ type: 'image', source: { type: 'base64', data: 'aGk=' } }), types)
  for (const data of ['', 5, undefined]) assert.equal(blockProblem(image(data)), 'the image has no data')
  assert.equal(blockProblem(image('A'.repeat(7_000_004))), 'the image is larger than 5 MB')
  assert.equal(blockProblem(image('A'.repeat(7_000_000))), undefined)
  const wrong = ['a', 'aG=', 'a===', '====', '=', 'aG=k', 'aGk=aGk=', 'aGk-', 'aG k', '\n', 'aGk=\u0000', 'données=']
  for (const data of wrong)
    assert.equal(blockProblem(image(data)), 'the image data is not base64', JSON.stringify(data))
  for (const data of ['aGk=', 'YQ==', 'YWJj', 'YW\r\nJj\n']) assert.equal(blockProblem(image(data)), undefined, data)
})

test('any bytes as base64 pass, in lines or in one', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.integer({ min: 1, max: 80 }), (bytes, width) => {
      const data = Buffer.from(bytes).toString('base64')
      const inLines = data.replace(new RegExp(`.{${width}}`, 'g'), '$&\r\n')
      return blockProblem(image(data)) === undefined && blockProblem(image(inLines)) === undefined
    }),
  )
})

test('whatever a host sends is judged and never throws', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (content, block) => {
      for (const value of [line(content), line([block]), { message: content }]) {
        const checked = checkUserMessage(value)
        if (!checked.ok) assert.match(checked.problem, /^user message: /)
      }
    }),
  )
})

test('a command is a slash and a name at the very start', () => {
  const table: [string, ReturnType<typeof parseSlashCommand>][] = [
    ['/compact', { name: 'compact', args: '' }],
    ['/compact  keep\nthe list  ', { name: 'compact', args: 'keep\nthe list' }],
    ['/mcp__a__b:c.d-e x', { name: 'mcp__a__b:c.d-e', args: 'x' }],
    ['/Help', { name: 'Help', args: '' }],
    ['/help\n', { name: 'help', args: '' }],
    [' /help', undefined],
    ['/', undefined],
    ['//help', undefined],
    ['/1st', undefined],
    ['/usr/bin/env is a path', undefined],
    ['say /help', undefined],
    ['/hélp', undefined],
  ]
  for (const [text, expected] of table) assert.deepEqual(parseSlashCommand(text), expected, JSON.stringify(text))
})

test('only what somebody outside said is the user’s', () => {
  const message: UserTurnMessage = { uuid: undefined, content: 'x', blocks: [], text: 'x' }
  assert.equal(isFromUser(message), true)
  const others: Partial<UserTurnMessage>[] = [
    { task: { id: 'b1' } as BackgroundTask },
    { own: true },
    { isMail: true },
    { canceled: { reason: '', tasks: [], over: Promise.resolve() } },
  ]
  for (const other of others) assert.equal(isFromUser({ ...message, ...other }), false, Object.keys(other)[0])
})
