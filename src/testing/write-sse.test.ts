import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scriptedMessage, toStreamEvents } from './scripted-answer.js'
import type { Answer } from './turn.js'
import { planEventStreamText, streamEndingOfFault } from './write-sse.js'

const message = scriptedMessage({ text: 'hello' }, { messageId: 'msg_1', model: 'm', nextToolId: () => 't' })
const events = toStreamEvents(message)
const write = (answer: Answer) => planEventStreamText(events, answer, 'req_1')
/** The name of each event, or the text where there is none. */
const names = (answer: Answer) => write(answer).pieces.map((piece) => /^event: (\w+)/.exec(piece)?.[1] ?? piece)
const all = events.map(({ type }) => type)

describe('a stream of events', () => {
  it('has a frame for each', () => {
    const { pieces, ending } = write({})
    assert.equal(ending, 'end')
    assert.deepEqual(names({}), all)
    assert.equal(pieces.at(-1), 'event: message_stop\ndata: {"type":"message_stop"}\n\n')
    for (const [i, piece] of pieces.entries())
      assert.deepEqual(JSON.parse(/data: (.*)\n/.exec(piece)?.[1] ?? ''), events[i])
  })

  it('may have other lines, and data on several of them', () => {
    const last = (answer: Answer) => write(answer).pieces.at(-1)
    assert.equal(last({ newline: '\r\n' }), 'event: message_stop\r\ndata: {"type":"message_stop"}\r\n\r\n')
    assert.equal(
      last({ multilineData: true }),
      'event: message_stop\ndata: {\ndata:  "type": "message_stop"\ndata: }\n\n',
    )
  })

  it('may have pings, and anything else in between', () => {
    assert.deepEqual(names({ pings: 2 }).slice(0, 4), ['message_start', 'ping', 'ping', 'content_block_start'])
    const raw = [
      { afterEvents: 0, text: ': first\n\n' },
      { afterEvents: 1, text: ': second\n\n' },
      { afterEvents: all.length, text: ': last\n\n' },
    ]
    assert.deepEqual(names({ raw }), [': first\n\n', all[0], ': second\n\n', ...all.slice(1), ': last\n\n'])
  })

  it('may break off, stay silent, or lack its end', () => {
    assert.deepEqual([names({ cutAfterEvents: 2 }), write({ cutAfterEvents: 2 }).ending], [all.slice(0, 2), 'close'])
    assert.deepEqual([names({ cutAfterEvents: 0 }), write({ cutAfterEvents: 0, reset: true }).ending], [[], 'reset'])
    assert.deepEqual(
      [names({ stallAfterEvents: 3 }), write({ stallAfterEvents: 3 }).ending],
      [all.slice(0, 3), 'stall'],
    )
    assert.deepEqual(
      [names({ omitMessageStop: true }), write({ omitMessageStop: true }).ending],
      [all.slice(0, -1), 'end'],
    )
    assert.equal(write({ cutAfterEvents: 99 }).ending, 'end')
  })

  it('may tell of an error, and ends there', () => {
    const sseError = { type: 'overloaded_error', message: 'Overloaded' }
    assert.deepEqual(names({ sseError }), [all[0], 'error'])
    assert.deepEqual(names({ sseError: { ...sseError, afterEvents: 0 } }), ['error'])
    const piece = write({ sseError }).pieces.at(-1) ?? ''
    const { error } = JSON.parse(/data: (.*)/.exec(piece)?.[1] ?? '')
    assert.deepEqual([error.type, error.message], ['overloaded_error', 'Overloaded'])
  })
})

describe('a cut', () => {
  it('is orderly, a reset, or looks like an end', () => {
    assert.deepEqual(
      [
        streamEndingOfFault({}),
        streamEndingOfFault({ reset: true }),
        streamEndingOfFault({ cleanEnd: true }),
        streamEndingOfFault({ reset: true, cleanEnd: true }),
      ],
      [...['close', 'reset', 'end', 'reset']],
    )
  })
})
