/** The prompt while somebody types: keys, what was typed before, searching it, pastes, completion. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompletionItem, CompletionWord } from './completion-menu.js'
import { LineEditor } from './line-editor.js'

const item = (label: string): CompletionItem => ({ insert: label, label, detail: '' })

function editorWith({ entries = [] as string[], text = '' } = {}): LineEditor {
  const editor = new LineEditor()
  const kept = [...entries]
  editor.history = { entries: kept, add: (line) => void kept.push(line) }
  editor.set(text)
  return editor
}
const type = (editor: LineEditor, text: string) => editor.key({ id: 'text', text })
const press = (editor: LineEditor, ...ids: string[]) => ids.map((id) => editor.key({ id, text: '' }))

describe('keys', () => {
  test('those that edit are taken, others are left to whoever else wants them', () => {
    const editor = editorWith({ text: 'one two' })
    assert.deepEqual(press(editor, 'ctrl-w', 'home', 'ctrl-y'), [true, true, true])
    assert.equal(editor.text, 'twoone ')
    assert.deepEqual(press(editor, 'enter', 'escape', 'ctrl-l', 'f5'), [false, false, false, false])
  })

  test('there are several ways to a new line, and a backslash before Enter is one', () => {
    for (const id of ['ctrl-j', 'shift-enter', 'alt-enter']) {
      const editor = editorWith({ text: 'a' })
      press(editor, id)
      type(editor, 'b')
      assert.equal(editor.text, 'a\nb', id)
    }
    const editor = editorWith({ text: 'a\\' })
    assert.equal(editor.continuesLine(), true)
    assert.equal(editor.text, 'a\n')
    assert.equal(editor.continuesLine(), false)
  })
})

describe('what was typed before', () => {
  test('up and down go through it, and back to what was being written', () => {
    const editor = editorWith({ entries: ['first', 'second'], text: 'draft' })
    const seen = ['up', 'up', 'up', 'down', 'down', 'down'].map((id) => {
      press(editor, id)
      return editor.text
    })
    assert.deepEqual(seen, ['second', 'first', 'first', 'second', 'draft', 'draft'])
  })

  test('in a prompt of several rows, arrows first move in it', () => {
    const editor = editorWith({ entries: ['first'], text: 'a\nb' })
    press(editor, 'up')
    assert.equal(editor.text, 'a\nb')
    press(editor, 'up')
    assert.equal(editor.text, 'first')
    // The shells' keys don't.
    const other = editorWith({ entries: ['first'], text: 'a\nb' })
    press(other, 'ctrl-p')
    assert.equal(other.text, 'first')
  })

  test('what was recalled and changed is a prompt of its own', () => {
    const editor = editorWith({ entries: ['first', 'second'] })
    press(editor, 'up')
    type(editor, '!')
    assert.equal(editor.text, 'second!')
    press(editor, 'up')
    assert.equal(editor.text, 'second')
    assert.deepEqual(editor.history.entries, ['first', 'second'])
  })

  test('what is sent is kept; blanks are not', () => {
    const editor = editorWith({ text: 'hello' })
    assert.deepEqual(editor.take(), { text: 'hello', images: [] })
    assert.equal(editor.isEmpty, true)
    editor.set('  ')
    editor.take()
    assert.deepEqual(editor.history.entries, ['hello'])
  })
})

describe('searching it', () => {
  const entries = ['npm test', 'git status', 'npm run build', 'ls']

  test('the newest that has the letters, older ones with the same key again, and Enter only takes it', () => {
    const editor = editorWith({ entries, text: 'draft' })
    press(editor, 'ctrl-r')
    type(editor, 'NPM')
    assert.equal(editor.found, 'npm run build')
    press(editor, 'ctrl-r')
    assert.equal(editor.found, 'npm test')
    // There is none before: it stays.
    press(editor, 'ctrl-r')
    assert.equal(editor.found, 'npm test')
    assert.deepEqual(press(editor, 'enter'), [true])
    assert.deepEqual([editor.text, editor.search], ['npm test', undefined])
  })

  test('fewer letters look from the newest again, and none find nothing', () => {
    const editor = editorWith({ entries })
    press(editor, 'ctrl-r')
    type(editor, 'npm t')
    assert.equal(editor.found, 'npm test')
    press(editor, 'backspace', 'backspace')
    assert.equal(editor.found, 'npm run build')
    press(editor, 'backspace', 'backspace', 'backspace')
    assert.equal(editor.found, undefined)
  })

  test('leaving it leaves the draft; another key takes what was found and does its work', () => {
    for (const id of ['escape', 'ctrl-g', 'ctrl-c']) {
      const editor = editorWith({ entries, text: 'draft' })
      press(editor, 'ctrl-r')
      type(editor, 'git')
      press(editor, id)
      assert.deepEqual([editor.text, editor.search], ['draft', undefined], id)
    }
    const editor = editorWith({ entries })
    press(editor, 'ctrl-r')
    type(editor, 'git')
    press(editor, 'home')
    type(editor, 'x ')
    assert.equal(editor.text, 'x git status')
  })
})

describe('pastes', () => {
  const long = Array.from({ length: 8 }, (_, n) => `line ${n}`).join('\n')

  test('a short one is text; a long one is a mark, whole again when it is sent, and goes as a whole', () => {
    const editor = editorWith()
    editor.key({ id: 'paste', text: 'a\nb' })
    assert.equal(editor.text, 'a\nb')
    editor.clear()
    type(editor, 'see ')
    editor.key({ id: 'paste', text: long })
    assert.equal(editor.text, 'see [Pasted text #1: 8 lines]')
    press(editor, 'backspace')
    assert.equal(editor.text, 'see ')
    editor.key({ id: 'paste', text: 'x'.repeat(900) })
    assert.equal(editor.text, 'see [Pasted text #2: 900 characters]')
    assert.equal(editor.take().text, `see ${'x'.repeat(900)}`)
  })

  test('text that looks like a pattern of a replacement is what it is', () => {
    const editor = editorWith()
    const text = `$& $1 $$\n${long}`
    editor.paste(text)
    assert.equal(editor.take().text, text)
  })

  test('an image goes along as long as its mark is there', () => {
    const image = { mediaType: 'image/png', data: 'AAAA', name: 'a.png' }
    const editor = editorWith()
    let changes = 0
    editor.onChange = () => {
      changes += 1
    }
    editor.attach(image)
    assert.deepEqual([editor.text, changes], ['[Image #1: a.png] ', 1])
    assert.deepEqual(editor.take(), { text: '[Image #1: a.png] ', images: [image] })
    editor.attach(image)
    press(editor, 'backspace', 'backspace')
    assert.deepEqual(editor.take(), { text: '', images: [] })
  })
})

describe('completion', () => {
  const asked: CompletionWord[] = []
  const withMenu = () => {
    const editor = editorWith()
    editor.completions = (word) => {
      asked.push(word)
      return word.kind === 'command' ? [item('/help'), item('/hooks')] : []
    }
    return editor
  }

  test('a menu for a command at the start, through which arrows go round; Tab takes one', () => {
    const editor = withMenu()
    type(editor, '/h')
    assert.deepEqual(asked.at(-1), { kind: 'command', text: '/h' })
    assert.deepEqual(
      editor.menu?.items.map(({ label }) => label),
      ['/help', '/hooks'],
    )
    press(editor, 'down', 'down', 'up')
    assert.equal(editor.menu?.chosen, 1)
    press(editor, 'tab')
    assert.deepEqual([editor.text, editor.menu], ['/hooks', undefined])
  })

  test('a menu that was closed stays closed until something else is written', () => {
    const editor = withMenu()
    type(editor, '/h')
    press(editor, 'escape')
    assert.equal(editor.menu, undefined)
    press(editor, 'left', 'right')
    assert.equal(editor.menu, undefined)
    type(editor, 'e')
    assert.ok(editor.menu)
  })

  test('files that are found later are shown if the prompt is still the same', async () => {
    const editor = editorWith()
    const late: ((items: CompletionItem[]) => void)[] = []
    editor.completions = () => new Promise((resolve) => late.push(resolve))
    let changes = 0
    editor.onChange = () => {
      changes += 1
    }
    type(editor, '@a')
    type(editor, 'b')
    late[0]?.([item('@a')])
    await Promise.resolve()
    assert.deepEqual([editor.menu, changes], [undefined, 0])
    late[1]?.([item('@ab')])
    await Promise.resolve()
    assert.deepEqual([editor.menu?.items.length, editor.menu?.kind, changes], [1, 'file', 1])
    assert.equal(editor.menu?.length, 3)
  })
})
