import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from '../../../test/fast-check.js'
import { byTier } from '../../../test/support/tier.js'
import { type ChangedNotebook, changeNotebook } from './change-notebook.js'
import type { NotebookEditInput } from './notebook-edit-shapes.js'

const change = (text: string, input: Partial<NotebookEditInput>, newId = () => 'fresh') =>
  changeNotebook(text, { notebook_path: 'n.ipynb', new_source: '', ...input }, newId)
const changed = (...args: Parameters<typeof change>): ChangedNotebook => {
  const result = change(...args)
  return typeof result === 'string' ? assert.fail(result) : result
}

/** As Jupyter writes it, with things that a round through JSON.parse would change. */
const JUPYTER = `{
 "cells": [
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "c1",
   "metadata": {"x": 1.0, "big": 12345678901234567890},
   "outputs": [
    {"name": "stdout", "text": ["\\u00e9 ]},{"]}
   ],
   "source": [
    "print(1)\\n",
    "x"
   ]
  },
  {
   "cell_type": "markdown",
   "id": "c2",
   "metadata": {},
   "source": ["# hi"]
  }
 ],
 "metadata": {"language_info": {"name": "R", "version": 4.0}},
 "nbformat": 4,
 "nbformat_minor": 5
}
`

describe('changeNotebook', () => {
  it('replaces the source of a code cell, its outputs and its count, and no other byte', () => {
    const { text, ...rest } = changed(JUPYTER, { cell_id: 'c1', new_source: 'a\nb\n' })
    assert.deepEqual(rest, { cellId: 'c1', isCode: true, language: 'R' })
    assert.equal(
      text,
      JUPYTER.replace('"execution_count": 3', '"execution_count": null')
        .replace(/"outputs": \[\n.*\n {3}\]/, '"outputs": []')
        .replace('    "print(1)\\n",\n    "x"\n', '    "a\\n",\n    "b\\n"\n'),
    )
  })

  it('replaces the source of a markdown cell', () => {
    const { text, ...rest } = changed(JUPYTER, { cell_id: 'c2', new_source: '"bye"' })
    assert.deepEqual(rest, { cellId: 'c2', isCode: false, language: 'R' })
    assert.equal(text, JUPYTER.replace('["# hi"]', '[\n    "\\"bye\\""\n   ]'))
    assert.equal(changed(JUPYTER, { cell_id: 'c2', new_source: '' }).text, JUPYTER.replace('["# hi"]', '[]'))
  })

  it('makes one kind of cell another', () => {
    const cellsOf = ({ text }: ChangedNotebook) => JSON.parse(text).cells
    assert.deepEqual(cellsOf(changed(JUPYTER, { cell_id: 'c2', new_source: 'y', cell_type: 'code' }))[1], {
      cell_type: 'code',
      id: 'c2',
      metadata: {},
      source: ['y'],
      outputs: [],
      execution_count: null,
    })
    const markdown = changed(JUPYTER, { cell_id: 'c1', new_source: 'y', cell_type: 'markdown' })
    assert.deepEqual(cellsOf(markdown)[0], {
      cell_type: 'markdown',
      id: 'c1',
      metadata: { x: 1, big: Number('12345678901234567890') },
      source: ['y'],
    })
    assert.ok(markdown.text.endsWith(JUPYTER.slice(JUPYTER.indexOf('  {\n   "cell_type": "markdown"'))))
  })

  it('inserts behind a cell, or first, with an id where there are ids', () => {
    const cell = (indent: string) =>
      `{\n${indent} "cell_type": "code",\n${indent} "execution_count": null,\n${indent} "id": "fresh",\n${indent} "metadata": {},\n${indent} "outputs": [],\n${indent} "source": [\n${indent}  "y"\n${indent} ]\n${indent}}`
    const { text, ...rest } = changed(JUPYTER, {
      edit_mode: 'insert',
      cell_id: 'c1',
      cell_type: 'code',
      new_source: 'y',
    })
    assert.deepEqual(rest, { cellId: 'fresh', isCode: true, language: 'R' })
    const between = '\n  },\n  {\n   "cell_type": "markdown"'
    assert.equal(text, JUPYTER.replace(between, `\n  },\n  ${cell('  ')},${between.slice(5)}`))
    const first = changed(JUPYTER, { edit_mode: 'insert', cell_type: 'code', new_source: 'y' })
    assert.equal(first.text, JUPYTER.replace('[\n  {', `[\n  ${cell('  ')},\n  {`))
    const last = changed(JUPYTER, { edit_mode: 'insert', cell_id: 'c2', cell_type: 'code', new_source: 'y' })
    assert.equal(last.text, JUPYTER.replace('\n  }\n ],', `\n  },\n  ${cell('  ')}\n ],`))
  })

  it('gives no id before format 4.5, and never one that is taken', () => {
    const old = JUPYTER.replace('"nbformat_minor": 5', '"nbformat_minor": 4')
    const { text, cellId } = changed(old, { edit_mode: 'insert', cell_id: 'c2', cell_type: 'markdown' })
    assert.equal(cellId, 'cell-2')
    assert.deepEqual(JSON.parse(text).cells[2], { cell_type: 'markdown', metadata: {}, source: [] })
    const ids = ['c1', 'c2', 'c3']
    const taken = changed(JUPYTER, { edit_mode: 'insert', cell_type: 'code' }, () => ids.shift() ?? assert.fail())
    assert.equal(taken.cellId, 'c3')
  })

  it('deletes a cell, wherever it stands', () => {
    const first = changed(JUPYTER, { edit_mode: 'delete', cell_id: 'c1' })
    assert.deepEqual([first.cellId, first.isCode], ['c1', true])
    const start = JUPYTER.indexOf('{\n   "cell_type": "code"')
    const end = JUPYTER.indexOf('{\n   "cell_type": "markdown"')
    assert.equal(first.text, JUPYTER.slice(0, start) + JUPYTER.slice(end))
    const second = changed(JUPYTER, { edit_mode: 'delete', cell_id: 'c2' })
    assert.equal(second.text, JUPYTER.slice(0, end - 4) + JUPYTER.slice(JUPYTER.indexOf('\n ],')))
    const none = changed(first.text, { edit_mode: 'delete', cell_id: 'c2' })
    assert.deepEqual(JSON.parse(none.text).cells, [])
    const again = changed(none.text, { edit_mode: 'insert', cell_type: 'markdown', new_source: 'x' })
    assert.match(again.text, /^\{\n "cells": \[\n {2}\{\n {3}"cell_type": "markdown",.*\n {2}\}\n \],\n "metadata"/s)
  })

  it('finds cells by place, when no id says otherwise', () => {
    const plain = (cells: object[]) => JSON.stringify({ cells, nbformat: 4, nbformat_minor: 4 })
    const two = plain([
      { cell_type: 'raw', source: 'a' },
      { cell_type: 'code', source: 'b' },
    ])
    const { text, ...rest } = changed(two, { cell_id: 'cell-0', new_source: 'c' })
    assert.deepEqual(rest, { cellId: 'cell-0', isCode: false, language: 'python' })
    // One line stays one line, a string stays a string.
    assert.equal(text, two.replace('"a"', '"c"'))
    assert.equal(
      changed(two, { cell_id: 'cell-1', edit_mode: 'delete' }).text,
      plain([{ cell_type: 'raw', source: 'a' }]),
    )
    assert.deepEqual(
      JSON.parse(changed(two, { edit_mode: 'insert', cell_type: 'code', new_source: 'x' }).text).cells[0],
      {
        cell_type: 'code',
        execution_count: null,
        metadata: {},
        outputs: [],
        source: 'x',
      },
    )
    const tricky = plain([
      { id: 'cell-1', source: 'a' },
      { id: 'x', source: 'b' },
    ])
    assert.equal(changed(tricky, { cell_id: 'cell-1', new_source: 'c' }).cellId, 'cell-1')
    assert.equal(JSON.parse(changed(tricky, { cell_id: 'cell-0', new_source: 'c' }).text).cells[0].source, 'c')
  })

  it('keeps CRLF and tabs', () => {
    const text = JUPYTER.replace(/^ +/gm, (blanks) => '\t'.repeat(blanks.length)).replaceAll('\n', '\r\n')
    const edited = changed(text, { cell_id: 'c1', new_source: 'a\nb' }).text
    assert.ok(edited.includes('"source": [\r\n\t\t\t\t"a\\n",\r\n\t\t\t\t"b"\r\n\t\t\t]'))
    assert.doesNotMatch(edited, /(?<!\r)\n/)
  })

  const refusals: [string, string, Partial<NotebookEditInput>, string][] = [
    [
      'broken JSON',
      '{nope',
      { cell_id: 'c1' },
      'The notebook is not valid JSON, so that no cell of it can be found. Repair it with Edit or Write first.',
    ],
    ['no object', '[]', { cell_id: 'c1' }, 'The file is no notebook of format 4: it has no list of cells.'],
    [
      'no cells',
      '{"worksheets": []}',
      { cell_id: 'c1' },
      'The file is no notebook of format 4: it has no list of cells.',
    ],
    ['no such id', JUPYTER, { cell_id: 'zz' }, 'No cell has the id "zz". The notebook has 2 cells: c1, c2.'],
    [
      'no such place',
      JUPYTER,
      { cell_id: 'cell-2' },
      'There is no cell 2, counted from 0. The notebook has 2 cells: c1, c2.',
    ],
    ['no id', JUPYTER, {}, 'cell_id is missing: it says which cell to replace.'],
    ['no id to delete', JUPYTER, { edit_mode: 'delete' }, 'cell_id is missing: it says which cell to delete.'],
    [
      'no kind',
      JUPYTER,
      { edit_mode: 'insert' },
      'cell_type is missing: it says what kind of cell to insert, code or markdown.',
    ],
    [
      'insert behind nothing',
      JUPYTER,
      { edit_mode: 'insert', cell_id: 'zz', cell_type: 'code' },
      'No cell has the id "zz". The notebook has 2 cells: c1, c2.',
    ],
    [
      'a cell that is none',
      '{"cells": [1]}',
      { cell_id: 'cell-0' },
      'Cell 0 of the notebook is damaged: it is no object.',
    ],
    [
      'an id twice',
      '{"cells": [{"id": "a"}, {"id": "a"}]}',
      { cell_id: 'a' },
      '2 cells have the id "a": name one by its place, such as cell-0.',
    ],
  ]
  for (const [name, text, input, reason] of refusals) {
    it(`refuses: ${name}`, () => assert.equal(change(text, input), reason))
  }

  it('keeps everything else, for any notebook and any layout', () => {
    const source = fc.oneof(fc.string(), fc.array(fc.string()))
    const extra = fc.jsonValue({ maxDepth: 3 })
    const cell = fc.record({
      cell_type: fc.constantFrom('code', 'markdown', 'raw'),
      source,
      metadata: extra,
      'odd "key"': extra,
    })
    const code = fc.record({ cell_type: fc.constant('code'), source, outputs: fc.array(extra), execution_count: extra })
    const notebook = fc.record({
      before: extra,
      cells: fc.array(fc.oneof(cell, code), { minLength: 1, maxLength: 5 }),
      nbformat: fc.constant(4),
      nbformat_minor: fc.constantFrom(4, 5),
      'cells ': extra,
    })
    const layout = fc.constantFrom<(number | string)[]>(0, 1, 2, 4, '\t')
    const mode = fc.constantFrom<('replace' | 'insert' | 'delete')[]>('replace', 'insert', 'delete')
    fc.assert(
      fc.property(notebook, layout, mode, fc.nat(4), fc.string(), fc.constantFrom('\n', ''), (...all) => {
        const [value, indent, edit_mode, n, new_source, end] = all
        const original = JSON.parse(JSON.stringify(value))
        const index = n % original.cells.length
        const text = JSON.stringify(value, null, indent) + end
        const edit = {
          edit_mode,
          cell_id: `cell-${index}`,
          new_source,
          ...(edit_mode === 'insert' ? { cell_type: 'code' as const } : {}),
        }
        const { text: edited } = changed(text, edit)
        const now = JSON.parse(edited)
        const joined = (lines: unknown) => (Array.isArray(lines) ? lines.join('') : lines)
        if (edit_mode === 'replace') {
          assert.equal(joined(now.cells[index].source), new_source)
          const isCode = original.cells[index].cell_type === 'code'
          Object.assign(original.cells[index], { source: now.cells[index].source })
          if (isCode) Object.assign(original.cells[index], { outputs: [], execution_count: null })
        } else if (edit_mode === 'insert') {
          assert.equal(joined(now.cells[index + 1].source), new_source)
          original.cells.splice(index + 1, 0, now.cells[index + 1])
        } else original.cells.splice(index, 1)
        assert.deepEqual(now, original)
        // The layout is that of the file: writing it anew gives the same text.
        assert.equal(edited, JSON.stringify(JSON.parse(edited), null, indent) + end)
      }),
      { numRuns: byTier({ quick: 250, all: 1000, long: 20_000 }) },
    )
  })
})
