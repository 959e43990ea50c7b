/** The message that answers the calls of one model answer: what stands in it, in which order, and where a user's words go. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ContentBlockParam } from '../protocol/content.js'
import { type CallResult, failed } from './finished-call.js'
import { reminder, toolResultBlocks } from './result-message.js'

function result(id: string, content: CallResult['block']['content'], follow?: string): CallResult {
  return {
    call: { id, name: 'T', input: {} },
    block: { type: 'tool_result', tool_use_id: id, content },
    output: content,
    context: [],
    ...(follow === undefined ? {} : { follow }),
  }
}

const text = (content: string): ContentBlockParam => ({ type: 'text', text: content })
const note = (words: string) =>
  `<system-reminder>\nThe user sent a message while you were working:\n${words}\nTake it into account as you go on.\n</system-reminder>`
const image: ContentBlockParam = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: 'AAAA' },
}

describe('the message with the results of tools', () => {
  it('has all results first, then what tools say after them, then what hooks add, then what users attached', () => {
    const results = [result('1', 'one', 'skill one'), result('2', 'two'), result('3', 'three', 'skill three')]
    assert.deepEqual(toolResultBlocks(results, ['hook a', 'hook b'], [{ text: '', blocks: [image] }]), [
      results[0]?.block,
      results[1]?.block,
      results[2]?.block,
      text('skill one'),
      text('skill three'),
      text('hook a'),
      text('hook b'),
      image,
    ])
  })

  it('says what the user wrote meanwhile at the end of the last result, all messages in one note', () => {
    const results = [result('1', 'one'), result('2', 'two')]
    const blocks = toolResultBlocks(
      results,
      [],
      [
        { text: 'stop that', blocks: [] },
        { text: '', blocks: [] },
        { text: 'and this', blocks: [] },
      ],
    )
    assert.deepEqual(blocks, [
      results[0]?.block,
      { type: 'tool_result', tool_use_id: '2', content: `two\n\n${note('stop that\nand this')}` },
    ])
    // What is kept of the call is its own result, not what the user said beside it.
    assert.equal(results[1]?.block.content, 'two')
  })

  it('keeps that a result was an error when a note is added to it', () => {
    const [block] = toolResultBlocks(
      [failed({ id: '1', name: 'T', input: {} }, 'no')],
      [],
      [{ text: 'hm', blocks: [] }],
    )
    assert.deepEqual(block, {
      type: 'tool_result',
      tool_use_id: '1',
      content: `no\n\n${note('hm')}`,
      is_error: true,
    })
  })

  it('has a block of its own for the note where the last result is no text', () => {
    const folded = [{ text: 'hm', blocks: [image] }]
    const shown = result('1', [{ type: 'text', text: 'a' }], 'more')
    assert.deepEqual(toolResultBlocks([shown], ['hook'], folded), [
      shown.block,
      text(note('hm')),
      text('more'),
      text('hook'),
      image,
    ])
    assert.deepEqual(toolResultBlocks([], [], [{ text: 'hm', blocks: [] }]), [text(note('hm'))])
  })

  it('is nothing when there is nothing to say', () => {
    assert.deepEqual(toolResultBlocks([], [], []), [])
    assert.deepEqual(toolResultBlocks([], [], [{ text: '', blocks: [] }]), [])
  })

  it('marks reminders with lines of their own', () => {
    assert.equal(reminder('a\nb'), '<system-reminder>\na\nb\n</system-reminder>')
  })
})
