/** The rows at the bottom, painted into a real emulator: whatever was there before, the screen shows the frame. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Frame, LiveRegion } from '../../src/terminal/screen/live-region.js'
import fc from '../fast-check.js'
import { openEmulator } from './emulator.js'

const COLUMNS = 20

function open() {
  const emulator = openEmulator(COLUMNS, 12)
  let written = ''
  const region = new LiveRegion((text) => {
    written += text
  }, COLUMNS)
  const flush = async () => {
    const bytes = written.length
    await emulator.write(written)
    written = ''
    return bytes
  }
  const lines = () => emulator.all().map((line) => line.trimEnd())
  /** Without rows that are empty at the end. */
  const shown = () => lines().slice(0, lines().findLastIndex((line) => line !== '') + 1)
  return { region, flush, shown }
}
const frame = (rows: string[], more: Partial<Frame> = {}): Frame => ({ commit: [], rows, ...more })

describe('painting', () => {
  test('rows come, change, and go; what is committed stays above them', async () => {
    const { region, flush, shown } = open()
    region.paint(frame(['> one', 'status']))
    await flush()
    assert.deepEqual(shown(), ['> one', 'status'])
    region.paint(frame(['> one two', 'status', 'more'], { commit: ['Hello.'] }))
    await flush()
    assert.deepEqual(shown(), ['Hello.', '> one two', 'status', 'more'])
    region.paint(frame(['>']))
    await flush()
    assert.deepEqual(shown(), ['Hello.', '>'])
    region.paint(frame([], { commit: ['The end.'] }))
    await flush()
    assert.deepEqual(shown(), ['Hello.', 'The end.'])
  })

  test('a frame that is the same writes nothing; one letter more writes little', async () => {
    const { region, flush } = open()
    const cursor = { row: 0, column: 5 }
    region.paint(frame(['> abc', 'a long status row'], { cursor }))
    await flush()
    region.paint(frame(['> abc', 'a long status row'], { cursor }))
    assert.equal(await flush(), 0)
    region.paint(frame(['> abcd', 'a long status row'], { cursor: { row: 0, column: 6 } }))
    assert.ok((await flush()) < 40)
    assert.equal(region.painted.frames, 2)
  })

  test('committed lines may be longer than the screen is wide', async () => {
    const { region, flush, shown } = open()
    region.paint(frame(['> x', 'status']))
    region.paint(frame(['> x', 'status'], { commit: ['a'.repeat(COLUMNS + 5)] }))
    await flush()
    assert.deepEqual(shown(), ['a'.repeat(COLUMNS), 'aaaaa', '> x', 'status'])
  })

  test('cleared, nothing of it is left; left, the prompt of the shell comes below', async () => {
    const { region, flush, shown } = open()
    region.paint(frame(['> x', 'status'], { commit: ['Kept.'] }))
    region.clear()
    await flush()
    assert.deepEqual([shown(), region.height], [['Kept.'], 0])
    region.clear()
    assert.equal(await flush(), 0)
    region.paint(frame(['> y']))
    region.leave()
    region.paint(frame([], { commit: ['$'] }))
    await flush()
    assert.deepEqual(shown(), ['Kept.', '> y', '$'])
  })
})

test('any frames after one another: all that was committed, then the last rows, and nothing else', async () => {
  const row = fc.constantFrom('', 'a', '> abc', '\u001b[31mred\u001b[39m x', '文字', 'x'.repeat(COLUMNS), 'e\u0301!')
  const rows = fc.array(row, { maxLength: 4 })
  const commit = fc.array(fc.constantFrom('line', 'another line', '\u001b[1mbold\u001b[22m'), { maxLength: 2 })
  const frames = fc.array(fc.record({ rows, commit }), { maxLength: 8 })
  const plain = (text: string) => text.replaceAll(/\u001b\[\d+m/g, '')
  await fc.assert(
    fc.asyncProperty(frames, async (all) => {
      const { region, flush, shown } = open()
      for (const one of all) region.paint(one)
      await flush()
      const expected = [...all.flatMap((one) => one.commit), ...(all.at(-1)?.rows ?? [])].map(plain)
      const end = expected.findLastIndex((line) => line !== '') + 1
      assert.deepEqual(shown(), expected.slice(0, end))
    }),
  )
})
