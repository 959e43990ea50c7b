import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseNotebook, renderNotebook } from './notebook.js'

const notebook = (cells: unknown[], language?: string) =>
  JSON.stringify({ cells, metadata: language ? { language_info: { name: language } } : {}, nbformat: 4 })

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const outputs = [
  { output_type: 'stream', name: 'stdout', text: ['1\n', '2\n'] },
  {
    output_type: 'execute_result',
    data: { 'text/plain': ['42'], 'image/png': `${PIXEL.slice(0, 70)}\n${PIXEL.slice(70)}` },
    execution_count: 3,
  },
  { output_type: 'error', ename: 'E', evalue: 'v', traceback: ['t1', 't2'] },
]

describe('notebooks', () => {
  it('gives cells with their outputs', () => {
    const text = notebook(
      [
        { cell_type: 'code', id: 'c1', source: ['print(1)\n', 'print(2)'], outputs, execution_count: 3 },
        { cell_type: 'markdown', source: '# hi' },
        { cell_type: 'raw', id: 'r', source: 'raw' },
      ],
      'python',
    )
    const cells = parseNotebook(text)
    assert.deepEqual(cells, [
      {
        cellType: 'code',
        source: 'print(1)\nprint(2)',
        execution_count: 3,
        cell_id: 'c1',
        language: 'python',
        outputs: [
          { output_type: 'stream', text: '1\n2\n' },
          { output_type: 'execute_result', text: '42', image: { image_data: PIXEL, media_type: 'image/png' } },
          { output_type: 'error', text: 'E: v\nt1\nt2' },
        ],
      },
      { cellType: 'markdown', source: '# hi', cell_id: 'cell-1' },
      { cellType: 'raw', source: 'raw', cell_id: 'r' },
    ])
    assert.deepEqual(renderNotebook(cells ?? []), [
      { type: 'text', text: '<cell id="c1">print(1)\nprint(2)</cell id="c1">\n\n1\n2\n\n\n42' },
      { type: 'image', source: { type: 'base64', data: PIXEL, media_type: 'image/png' } },
      {
        type: 'text',
        text: '\nE: v\nt1\nt2\n<cell id="cell-1"><cell_type>markdown</cell_type># hi</cell id="cell-1">\n<cell id="r"><cell_type>raw</cell_type>raw</cell id="r">',
      },
    ])
  })

  it('names other languages, and takes python for granted', () => {
    const cell = { cell_type: 'code', source: 'x <- 1', outputs: [], execution_count: null }
    const other = parseNotebook(notebook([cell], 'R')) ?? []
    assert.deepEqual(other, [{ cellType: 'code', source: 'x <- 1', cell_id: 'cell-0', language: 'R' }])
    assert.deepEqual(renderNotebook(other), [
      { type: 'text', text: '<cell id="cell-0"><language>R</language>x <- 1</cell id="cell-0">' },
    ])
    assert.equal(parseNotebook(notebook([cell]))?.[0]?.language, 'python')
  })

  it('leaves very long outputs out', () => {
    const long = { output_type: 'stream', text: 'z'.repeat(30_000) }
    const cells = parseNotebook(notebook([{ cell_type: 'code', source: 'y', outputs: [long] }]))
    const text = "[30000 characters of output left out; jq '.cells[0].outputs' on the notebook shows them]"
    assert.deepEqual(cells?.[0]?.outputs, [{ output_type: 'stream', text }])
  })

  it('leaves images out that the API would not take, and more than 20', () => {
    const outputsOf = (...images: string[]) => {
      const found = images.map((image) => ({ output_type: 'display_data', data: { 'image/png': image } }))
      return parseNotebook(notebook([{ cell_type: 'code', source: '', outputs: found }]))?.[0]?.outputs
    }
    const wide = Buffer.from(PIXEL, 'base64')
    wide.writeUInt32BE(9000, 16)
    assert.deepEqual(outputsOf('bm9wZQ==', wide.toString('base64'), `${PIXEL.slice(0, 30)}=`), [
      { output_type: 'display_data', text: '[image/png left out: it is damaged]' },
      { output_type: 'display_data', text: '[image/png left out: 9000×1 pixels are too large]' },
      { output_type: 'display_data', text: '[image/png left out: it is damaged]' },
    ])
    const many = outputsOf(...Array.from({ length: 21 }, () => PIXEL)) ?? []
    assert.deepEqual(
      [many.filter(({ image }) => image).length, many[20]],
      [20, { output_type: 'display_data', text: '[image left out: at most 20 are shown]' }],
    )
    // What it says it is counts less than what it is.
    const gif = Buffer.from('GIF89a\x01\0\x01\0\0', 'latin1').toString('base64')
    assert.deepEqual(outputsOf(gif), [
      { output_type: 'display_data', text: '', image: { image_data: gif, media_type: 'image/gif' } },
    ])
  })

  it('makes sense of odd cells and refuses what is no notebook', () => {
    assert.deepEqual(parseNotebook(notebook([3, null, { source: 7 }, { cell_type: 'code', outputs: [null, {}] }])), [
      { cellType: 'raw', source: '', cell_id: 'cell-2' },
      { cellType: 'code', source: '', cell_id: 'cell-3', language: 'python' },
    ])
    for (const text of ['{nope', '[]', 'null', '{"cells":3}', '']) assert.equal(parseNotebook(text), undefined, text)
  })
})
