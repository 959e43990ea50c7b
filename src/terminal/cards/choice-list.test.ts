/** Lists to choose from: by arrow, number, letter or search, one or several. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plainStyles } from '../screen/styles.js'
import { choiceCard } from './choice-card.js'
import { ChoiceList, type ChoiceListOptions } from './choice-list.js'

const look = { columns: 40, height: 20, styles: plainStyles() }
const choices = [
  { value: 'a', label: 'Apple' },
  { value: 'b', label: 'Banana', detail: 'yellow' },
  { value: 'c', label: 'Cherry', letter: 'x' },
]
const listOf = (more: Partial<ChoiceListOptions<string>> = {}) => new ChoiceList({ choices, ...more })
const press = (list: ChoiceList<string>, ...ids: string[]) => ids.map((id) => list.key({ id, text: '' })).at(-1)
const type = (list: ChoiceList<string>, text: string) => list.key({ id: 'text', text })

describe('one of a list', () => {
  test('rows: an arrow, numbers, letters, details below', () => {
    assert.deepEqual(listOf().rows(look), ['> 1 Apple', '  2 Banana', '    yellow', '  3 Cherry (x)'])
  })

  test('arrows go round, Enter chooses', () => {
    const list = listOf()
    press(list, 'up')
    assert.equal(list.current?.value, 'c')
    press(list, 'down', 'tab')
    assert.deepEqual(press(list, 'enter'), { chosen: ['b'] })
    press(list, 'pagedown')
    assert.equal(list.current?.value, 'c')
    press(list, 'pageup')
    assert.equal(list.current?.value, 'a')
  })

  test('a number or a letter chooses at once; another one, or several keys at once, do not', () => {
    assert.deepEqual(type(listOf(), '2'), { chosen: ['b'] })
    assert.deepEqual(type(listOf(), 'x'), { chosen: ['c'] })
    for (const text of ['9', '0', 'q', '12', '1\n', ' ']) assert.equal(type(listOf(), text), 'ignored', text)
  })

  test('Escape and Ctrl-C leave it', () => {
    assert.equal(press(listOf(), 'escape'), 'canceled')
    assert.equal(press(listOf(), 'ctrl-c'), 'canceled')
    assert.equal(press(listOf(), 'backspace'), 'ignored')
    assert.equal(press(listOf(), 'f1'), 'ignored')
  })

  test('only as many rows as there is room for, around the one that is pointed at', () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ value: String(n), label: `Choice ${n}` }))
    const list = new ChoiceList({ choices: many })
    press(list, ...Array.from({ length: 15 }, () => 'down'))
    const rows = list.rows({ ...look, height: 5 })
    assert.equal(rows.length, 5)
    assert.ok(rows.includes('> 16 Choice 15'), rows.join('\n'))
  })

  test('labels of strangers can not steer the terminal', () => {
    const list = new ChoiceList({ choices: [{ value: 'a', label: 'a\u001b[2Jb\nc', detail: '\u001b]0;x\u0007' }] })
    assert.doesNotMatch(list.rows(look).join(''), /[\u0000-\u001f]/)
  })
})

describe('several of a list', () => {
  test('blank and numbers mark and unmark, Enter takes those that are marked', () => {
    const list = listOf({ isMultiple: true })
    assert.equal(type(list, '3'), 'taken')
    type(list, '1')
    type(list, ' ')
    press(list, 'down')
    type(list, ' ')
    assert.deepEqual(list.rows(look), ['  1 [ ] Apple', '> 2 [x] Banana', '    yellow', '  3 [x] Cherry (x)'])
    assert.deepEqual(press(list, 'enter'), { chosen: ['c', 'b'] })
  })

  test('none is a choice, too', () => {
    assert.deepEqual(press(listOf({ isMultiple: true }), 'enter'), { chosen: [] })
  })
})

describe('a list that can be searched', () => {
  test('typing filters, labels and details; nothing that fits can not be chosen', () => {
    const list = listOf({ canSearch: true })
    type(list, 'yel')
    assert.deepEqual(list.rows(look), ['  search: yel', '> Banana  yellow'])
    assert.equal(list.cursorColumn(), 13)
    assert.deepEqual(press(list, 'enter'), { chosen: ['b'] })
    type(list, 'zzz')
    assert.deepEqual(list.rows(look), ['  search: yelzzz', '  nothing fits'])
    assert.equal(press(list, 'enter'), 'taken')
    press(list, 'backspace', 'backspace', 'backspace')
    assert.equal(list.current?.value, 'b')
  })
})

test('a card of it: words give way to the list, and whoever made it is told of choices, moves and keys', () => {
  const told: unknown[] = []
  const card = choiceCard({
    title: 'Fruit',
    hint: 'enter: choose',
    choices: choices.map(({ value, label }) => ({ value, label })),
    words: () => Array.from({ length: 30 }, (_, n) => `word ${n}`),
    onChosen: (chosen) => told.push(chosen),
    onCanceled: () => told.push('canceled'),
    onMoved: (current) => told.push(`at ${current}`),
    onKey: ({ id }, current) => id === 'delete' && told.push(`delete ${current}`) > 0,
  })
  const { rows } = card.view({ ...look, height: 10 })
  assert.ok(rows.length <= 11 && rows[0]?.startsWith('-- Fruit'), rows.join('\n'))
  for (const label of ['Apple', 'Banana', 'Cherry', 'enter: choose']) assert.match(rows.join('\n'), new RegExp(label))
  for (const id of ['down', 'delete', 'enter', 'escape']) assert.equal(card.key({ id, text: '' }), true, id)
  assert.equal(card.key({ id: 'f9', text: '' }), false)
  assert.deepEqual(told, ['at b', 'delete b', ['b'], 'canceled'])
})
