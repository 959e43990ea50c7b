import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainStyles } from '../screen/styles.js'
import { renderEditor } from './editor-view.js'
import { LineEditor } from './line-editor.js'

const look = { columns: 20, height: 3, hint: 'ask for something', sign: '>' }
const view = (editor: LineEditor, more: Partial<typeof look> = {}) =>
  renderEditor(editor, plainStyles(), { ...look, ...more })

test('empty: the hint, and the cursor behind the sign', () => {
  assert.deepEqual(view(new LineEditor()), { rows: ['> ask for something'], cursor: { row: 0, column: 2 } })
})

test('more rows than there is room for: those around the cursor, with a sign that there are more', () => {
  const editor = new LineEditor()
  editor.set('1\n2\n3\n4\n5')
  assert.deepEqual(view(editor), { rows: ['...3', '  4', '  5'], cursor: { row: 2, column: 3 } })
  editor.key({ id: 'ctrl-home', text: '' })
  assert.deepEqual(view(editor).rows, ['> 1', '  2', '...3'])
})

test('what could steer the terminal is shown, and keeps its place', () => {
  const editor = new LineEditor()
  editor.set('a\u001b[31m\tb')
  const [row = ''] = view(editor).rows
  assert.ok(!row.includes('\u001b') && !row.includes('\t'), JSON.stringify(row))
})

test('the menu is below, with what each is for, around the chosen one', () => {
  const editor = new LineEditor()
  const items = Array.from({ length: 12 }, (_, n) => ({ insert: '', label: `/c${n}`, detail: `does ${n}` }))
  editor.menu = { items, chosen: 10, length: 1, kind: 'command' }
  const rows = view(editor, { columns: 40 }).rows.slice(1)
  assert.equal(rows.length, 8)
  assert.deepEqual(
    rows.filter((row) => row.startsWith('>')),
    ['> /c10  does 10'],
  )
})

test('a search has its own rows: what is looked for, and what was found', () => {
  const editor = new LineEditor()
  editor.history = { entries: ['npm test'], add() {} }
  editor.key({ id: 'ctrl-r', text: '' })
  assert.deepEqual(view(editor, { columns: 40 }).rows, ['search: ', '  nothing found yet'])
  editor.key({ id: 'text', text: 'test' })
  assert.deepEqual(view(editor, { columns: 40 }), {
    rows: ['search: test', '  npm test'],
    cursor: { row: 0, column: 12 },
  })
})
