/** What the model says and thinks: streamed, then written down, and said once. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { LogMaker } from '../../../test/support/log-maker.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { applyToView } from '../../view/session-view.js'
import { createSessionView } from '../../view/view-state.js'
import { plainStyles } from '../screen/styles.js'
import { StreamedTextLines } from './streamed-text-lines.js'
import type { Unfoldable } from './unfoldable.js'

function open() {
  const kept: Unfoldable[] = []
  let now = 1000
  const speech = new StreamedTextLines({
    styles: plainStyles(),
    columns: () => 40,
    now: () => now,
    keep: (block) => void kept.push(block),
  })
  const said: string[] = []
  const view = createSessionView('open')
  const log = new LogMaker()
  const note = (blocks: { lines: string[] }[]) => void said.push(...blocks.flatMap(({ lines }) => lines))
  const take = (item: LogItem) => {
    for (const change of applyToView(view, item)) {
      const { item: changed, what } = change
      if (changed.kind !== 'text' && changed.kind !== 'thinking') continue
      note(speech.take(changed, what, 'piece' in change ? change.piece : ''))
    }
  }
  return {
    speech,
    kept,
    said,
    wait(ms: number) {
      now += ms
    },
    stream: (event: object) => take(log.delta({ type: 'stream_event', parent_tool_use_id: null, event })),
    whole: (block: object, isError = false) => take(log.said([block], isError ? { error: 'unknown' } : {})),
    end: () => note(speech.end()),
    turnEnds: () => take(log.end(0)),
  }
}
const start = (block: object) => ({ type: 'content_block_start', index: 0, content_block: block })
const text = (words: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } })
const stop = { type: 'content_block_stop', index: 0 }

describe('words', () => {
  test('come line by line, the last of them when it is whole; what is written down is not said again', () => {
    const { stream, whole, said, speech } = open()
    stream({ type: 'message_start', message: { id: 'm1' } })
    stream(start({ type: 'text', text: '' }))
    stream(text('First line.\n\nSec'))
    assert.ok(said.includes('First line.'), said.join('|'))
    assert.match(speech.live().join('\n'), /Sec/)
    stream(text('ond.'))
    stream(stop)
    const before = said.length
    whole({ type: 'text', text: 'First line.\n\nSecond.' })
    assert.equal(said.length, before)
    assert.deepEqual(
      said.filter((line) => line !== ''),
      ['First line.', 'Second.'],
    )
  })

  test('that were cut off in the stream are made whole', () => {
    const { stream, whole, said } = open()
    stream({ type: 'message_start', message: { id: 'm1' } })
    stream(start({ type: 'text', text: '' }))
    stream(text('One '))
    whole({ type: 'text', text: 'One two.' })
    assert.deepEqual(said, ['One two.'])
  })

  test('that were never streamed are said, and errors are left to others', () => {
    const { whole, said } = open()
    whole({ type: 'text', text: 'Hello.' })
    whole({ type: 'text', text: 'API Error' }, true)
    whole({ type: 'tool_use', id: 't', name: 'Bash', input: {} })
    assert.deepEqual(said, ['Hello.'])
  })

  test('of a turn that ends in the middle stay', () => {
    const { stream, end, said } = open()
    stream(start({ type: 'text', text: '' }))
    stream(text('half a sen'))
    end()
    assert.deepEqual(said, ['half a sen'])
    const other = open()
    other.stream(start({ type: 'text', text: '' }))
    other.stream(text('half a sen'))
    other.turnEnds()
    assert.deepEqual(other.said, ['half a sen'])
  })

  test('of a message that begins again are said once; of one that another replaced, no more is said', () => {
    const { stream, said, speech, whole } = open()
    const begin = (id: string) => {
      stream({ type: 'message_start', message: { id } })
      stream(start({ type: 'text', text: '' }))
    }
    begin('m0')
    stream(text('One\n\ntw'))
    begin('m0')
    stream(text('One\n\ntwo'))
    begin('m1')
    assert.deepEqual(speech.live(), [])
    stream(text('Three'))
    whole({ type: 'text', text: 'Three' })
    assert.deepEqual(
      said.filter((line) => line !== ''),
      ['One', 'Three'],
    )
  })
})

describe('thinking', () => {
  const thought = (words: string) => ({
    type: 'content_block_delta',
    index: 0,
    delta: { type: 'thinking_delta', thinking: words },
  })

  test('is one line with how long it took, and can be unfolded', () => {
    const { stream, said, kept, speech, wait, whole } = open()
    stream(start({ type: 'thinking', thinking: '' }))
    stream(thought('Let me see.\nPerhaps so.'))
    assert.deepEqual(speech.live(), ['', 'o thinking', '  Perhaps so.'])
    wait(3000)
    stream(stop)
    assert.deepEqual(said, ['o thought for 3 s (ctrl-o shows it)'])
    assert.match(kept[0]?.whole(40).join('\n') ?? '', /Let me see\./)
    // Written down it is the same thought.
    whole({ type: 'thinking', thinking: 'Let me see.\nPerhaps so.', signature: '' })
    assert.equal(said.length, 1)
  })

  test('that was not streamed is told of as well, an empty one is not', () => {
    const { whole, said } = open()
    whole({ type: 'thinking', thinking: ' ', signature: '' })
    assert.deepEqual(said, [])
    whole({ type: 'thinking', thinking: 'Hm.', signature: '' })
    assert.deepEqual(said, ['o thought (ctrl-o shows it)'])
  })
})
