/** The prompt line: editing, history, history search, folded long pastes, completion. */

import { type CompletionMenu, type CompletionSource, completionWordAt } from './completion-menu.js'
import type { Key } from './key-decoder.js'
import { PastedParts, type PromptImage } from './pasted-parts.js'
import { TextBuffer } from './text-buffer.js'

/** What was typed in this folder before, oldest first. */
export type InputHistory = { entries: readonly string[]; add(text: string): void }

/** What leaves the editor when Enter is pressed. */
export type EditorSubmission = { text: string; images: PromptImage[] }

const NO_HISTORY: InputHistory = { entries: [], add() {} }

export class LineEditor {
  readonly buffer = new TextBuffer()
  readonly pasted = new PastedParts()
  history: InputHistory = NO_HISTORY
  completions: CompletionSource | undefined
  /** Columns there are for text; set when it is shown. */
  columns = 78
  menu: CompletionMenu | undefined
  search: { query: string; found: number } | undefined
  #recalled: number | undefined
  #draft = ''
  /** Something else than a key changed it. */
  onChange: () => void = () => {}

  get text(): string {
    return this.buffer.text
  }

  get isEmpty(): boolean {
    return this.buffer.text === ''
  }

  /** What is shown becomes what was meant, and the editor is empty. */
  take(): EditorSubmission {
    const { text } = this.buffer
    const submission = this.pasted.whole(text)
    if (text.trim() !== '') this.history.add(submission.text)
    this.clear()
    return submission
  }

  clear(): void {
    this.buffer.set('')
    this.pasted.clear()
    this.#left()
  }

  set(text: string): void {
    this.buffer.set(text)
    this.#left()
  }

  /** False: the key means nothing here. */
  key(key: Key): boolean {
    if (this.search) return this.#searching(key)
    if (this.menu && this.#choosing(key)) return true
    if (this.#moving(key) || this.#changing(key)) {
      this.#complete()
      return true
    }
    return false
  }

  /** A backslash before Enter, where a terminal has no other way to say it. */
  continuesLine(): boolean {
    const { text, at } = this.buffer
    if (text.charAt(at - 1) !== '\\') return false
    this.buffer.complete(1, '\n')
    return true
  }

  paste(text: string): void {
    this.#edited()
    this.buffer.insert(this.pasted.add(text))
  }

  attach(image: PromptImage): void {
    this.#edited()
    this.buffer.insert(`${this.pasted.addImage(image)} `)
    this.onChange()
  }

  #changing(key: Key): boolean {
    const { buffer } = this
    switch (key.id) {
      case 'text':
        buffer.insert(key.text)
        break
      case 'paste':
        this.paste(key.text)
        return true
      case 'ctrl-j':
      case 'shift-enter':
      case 'alt-enter':
        buffer.insert('\n')
        break
      case 'backspace':
      case 'shift-backspace':
        if (!this.#removePart()) buffer.backspace()
        break
      case 'delete':
      case 'ctrl-d':
        buffer.delete()
        break
      case 'ctrl-k':
        buffer.killToEnd()
        break
      case 'ctrl-u':
        buffer.killToStart()
        break
      case 'ctrl-w':
        buffer.killWord()
        break
      case 'alt-backspace':
      case 'ctrl-backspace':
        buffer.killWordLeft()
        break
      case 'alt-d':
        buffer.killWordRight()
        break
      case 'ctrl-y':
        buffer.yank()
        break
      case 'ctrl-_':
      case 'ctrl-/':
        buffer.undo()
        break
      default:
        return false
    }
    this.#edited()
    return true
  }

  #moving({ id }: Key): boolean {
    const { buffer } = this
    switch (id) {
      case 'left':
        buffer.left()
        return true
      case 'right':
      case 'ctrl-f':
        buffer.right()
        return true
      case 'alt-b':
      case 'alt-left':
      case 'ctrl-left':
        buffer.wordLeft()
        return true
      case 'alt-f':
      case 'alt-right':
      case 'ctrl-right':
        buffer.wordRight()
        return true
      case 'home':
      case 'ctrl-a':
        buffer.lineStart()
        return true
      case 'end':
      case 'ctrl-e':
        buffer.lineEnd()
        return true
      case 'ctrl-home':
        buffer.start()
        return true
      case 'ctrl-end':
        buffer.end()
        return true
      case 'up':
        if (!buffer.moveRow(-1, this.columns)) this.#recall(-1)
        return true
      case 'down':
        if (!buffer.moveRow(1, this.columns)) this.#recall(1)
        return true
      case 'ctrl-p':
        this.#recall(-1)
        return true
      case 'ctrl-n':
        this.#recall(1)
        return true
      case 'ctrl-r':
        this.search = { query: '', found: this.history.entries.length }
        return true
      default:
        return false
    }
  }

  /** A folded paste goes as a whole. */
  #removePart(): boolean {
    const { text, at } = this.buffer
    const length = this.pasted.lengthBefore(text, at)
    if (length === 0) return false
    this.buffer.complete(length, '')
    return true
  }

  #recall(by: 1 | -1): void {
    const { entries } = this.history
    const at = (this.#recalled ?? entries.length) + by
    if (at < 0 || at > entries.length || (this.#recalled === undefined && by > 0)) return
    if (this.#recalled === undefined) this.#draft = this.buffer.text
    this.#recalled = at === entries.length ? undefined : at
    this.buffer.set(this.#recalled === undefined ? this.#draft : (entries[at] ?? ''))
  }

  #searching(key: Key): boolean {
    const search = this.search ?? { query: '', found: 0 }
    switch (key.id) {
      case 'text':
      case 'paste':
        this.#find(search.query + key.text, this.history.entries.length)
        return true
      case 'backspace':
        this.#find(search.query.slice(0, -1), this.history.entries.length)
        return true
      case 'ctrl-r':
        this.#find(search.query, search.found)
        return true
      case 'escape':
      case 'ctrl-g':
      case 'ctrl-c':
        this.search = undefined
        return true
      default: {
        const found = this.found
        this.search = undefined
        if (found !== undefined) this.buffer.set(found)
        // Enter takes it and sends nothing: what was found is looked at first.
        return key.id === 'enter' || key.id === 'tab' ? true : this.key(key)
      }
    }
  }

  /** What the search stands at. */
  get found(): string | undefined {
    return this.search && this.search.query !== '' ? this.history.entries[this.search.found] : undefined
  }

  #find(query: string, before: number): void {
    const lower = query.toLowerCase()
    let found = before - 1
    while (found >= 0 && !(this.history.entries[found] ?? '').toLowerCase().includes(lower)) found -= 1
    this.search = { query, found: found < 0 ? (this.search?.found ?? before) : found }
    if (query === '') this.search = { query, found: this.history.entries.length }
  }

  #choosing({ id }: Key): boolean {
    const { menu } = this
    if (!menu) return false
    switch (id) {
      case 'up':
      case 'ctrl-p':
        menu.chosen = (menu.chosen + menu.items.length - 1) % menu.items.length
        return true
      case 'down':
      case 'ctrl-n':
        menu.chosen = (menu.chosen + 1) % menu.items.length
        return true
      case 'tab':
        this.acceptCompletion()
        return true
      case 'escape':
        this.menu = undefined
        this.#refused = this.buffer.text
        return true
      default:
        return false
    }
  }
  /** The text for which the menu was closed by hand. */
  #refused: string | undefined

  acceptCompletion(): void {
    const { menu } = this
    const item = menu?.items[menu.chosen]
    if (!menu || !item) return
    this.buffer.complete(menu.length, item.insert)
    this.menu = undefined
    this.#refused = this.buffer.text
  }

  #complete(): void {
    const { text, at } = this.buffer
    const word = text === this.#refused ? undefined : completionWordAt(text, at)
    if (!word || !this.completions) {
      this.menu = undefined
      return
    }
    const show = (items: CompletionMenu['items']) => {
      this.menu = items.length === 0 ? undefined : { items, chosen: 0, length: word.text.length, kind: word.kind }
    }
    const found = this.completions(word)
    if (Array.isArray(found)) {
      show(found)
      return
    }
    this.menu = undefined
    void found.then((items) => {
      if (this.buffer.text !== text || this.buffer.at !== at) return
      show(items)
      this.onChange()
    })
  }

  #edited(): void {
    this.#recalled = undefined
    this.#refused = undefined
  }

  #left(): void {
    this.#recalled = undefined
    this.menu = undefined
    this.search = undefined
  }
}
