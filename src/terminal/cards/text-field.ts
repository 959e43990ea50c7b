/** A card, or a part of one, with a text field. */
import { type EditorRows, renderEditor } from '../editor/editor-view.js'
import type { Key } from '../editor/key-decoder.js'
import { LineEditor } from '../editor/line-editor.js'
import { type Card, type CardViewOptions, cardTitleRow } from './card.js'

export type TextFieldCardOptions = {
  title: string
  words?: (look: CardViewOptions) => string[]
  hint: string
  text?: string
  /** It is not shown, as keys are not. */
  isSecret?: boolean
  onDone(text: string): void
  onCanceled(): void
  /** Opens the text in an external editor, with Ctrl-G. */
  editOutside?: (text: string) => Promise<string | undefined>
}

export function textFieldCard(options: TextFieldCardOptions): Card {
  const { title, words, hint, text = '', isSecret = false, onDone, onCanceled, editOutside } = options
  const editor = new LineEditor()
  editor.set(text)
  return {
    title,
    kind: 'text',
    view(look): EditorRows {
      const { columns, height, styles, isReadOut = false } = look
      const above = (words?.(look) ?? []).slice(0, Math.max(0, height - 4))
      const room = Math.max(1, height - above.length - 2)
      const shown = isSecret ? hidden(editor) : editor
      const { rows, cursor } = renderEditor(shown, styles, { columns, height: room, hint, sign: styles.sign.arrow })
      const help = styles.dim(`  enter: done · esc: back${editOutside ? ' · ctrl-g: editor' : ''}`)
      const head = [cardTitleRow(title, look), ...above]
      return {
        rows: [...head, ...rows, ...(isReadOut ? [] : [help])],
        ...(cursor ? { cursor: { ...cursor, row: cursor.row + head.length } } : {}),
      }
    },
    key(key: Key) {
      if (key.id === 'enter') {
        if (!editor.continuesLine()) onDone(editor.take().text)
        return true
      }
      if (key.id === 'escape' || key.id === 'ctrl-c') {
        onCanceled()
        return true
      }
      if (key.id === 'ctrl-g' && editOutside) {
        void editOutside(editor.text).then((edited) => edited !== undefined && editor.set(edited))
        return true
      }
      return editor.key(key)
    },
  }
}

function hidden(editor: LineEditor): LineEditor {
  const shown = new LineEditor()
  shown.set('•'.repeat([...editor.text].length))
  return shown
}
