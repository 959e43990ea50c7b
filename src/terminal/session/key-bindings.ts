/** What each key does; docs/terminal.md has the table. */

import { modeName, NOTICE_TEXTS } from '../../protocol/shown/vocabulary.js'
import { userTextIn } from '../../view/typed-text.js'
import { TERMINAL_COMMANDS } from '../commands/command-table.js'
import { openHelp } from '../commands/help-command.js'
import { PERMISSION_MODE_CYCLE } from '../commands/mode-choice.js'
import { chooseModel } from '../commands/model-command.js'
import { openRewind } from '../commands/rewind-command.js'
import { openBackgroundTasks } from '../commands/tasks-command.js'
import type { Key } from '../editor/key-decoder.js'
import { runReportingFailure, type TerminalUi } from './terminal-ui.js'

/** Twice within this time is twice. */
const TWICE_MS = 900
const LEAVE_MS = 2500
/** While a question is on the screen these mean an answer, or nothing. */
const ANSWERING = ['enter', 'tab', 'escape']

export class KeyBindings {
  readonly #ui: TerminalUi
  #lastEscape = Number.NEGATIVE_INFINITY
  #lastInterrupt = Number.NEGATIVE_INFINITY
  /** How far back Ctrl-O has gone. */
  #unfolded = 0
  #newest: unknown

  constructor(ui: TerminalUi) {
    this.#ui = ui
  }

  /** Wherever one is. */
  readonly #always: Readonly<Record<string, () => void>> = {
    'ctrl-c': () => this.#interrupt(),
    'ctrl-z': () => this.#ui.screen.suspend(),
    'ctrl-l': () => this.#ui.screen.redraw(),
  }

  /** At the prompt. What is not here is for the editor. */
  readonly #atPrompt: Readonly<Record<string, () => void>> = {
    enter: () => this.#enter('queue'),
    'ctrl-s': () => this.#enter('steer'),
    'ctrl-enter': () => this.#enter('steer'),
    escape: () => this.#escape(),
    'shift-tab': () => this.#nextMode(),
    'alt-m': () => runReportingFailure(this.#ui, () => chooseModel(this.#ui, '')),
    'ctrl-o': () => this.#unfold(),
    'ctrl-t': () => openBackgroundTasks(this.#ui),
    'ctrl-g': () => runReportingFailure(this.#ui, () => this.#editOutside()),
    'ctrl-v': () => runReportingFailure(this.#ui, () => this.#pasteImage()),
    'ctrl-b': () => this.#background(),
  }

  key(key: Key): void {
    const always = this.#always[key.id]
    if (always) always()
    else if (!this.#answered(key)) this.#typed(key)
  }

  /** True if a card took the key, or if the key must be dropped. */
  #answered(key: Key): boolean {
    const { screen, asks, editor, machine } = this.#ui
    const card = screen.card ?? asks.card
    if (!card) return false
    const gate = screen.card ? screen.cardGate : asks.gate
    if (gate && !gate.admits(machine.now(), key.id, !editor.isEmpty)) return ANSWERING.includes(key.id)
    if (key.id === 'ctrl-o') {
      this.#showWhole()
      return true
    }
    const isTaken = card.key(key)
    if (isTaken || !gate || !['text', 'paste'].includes(key.id)) return true
    // Words that are no answer belong to the prompt, and so does the Enter that comes after them.
    gate.turnAway()
    return false
  }

  #typed(key: Key): void {
    const ui = this.#ui
    const { editor, view } = ui
    const isEmpty = editor.isEmpty && !editor.menu && !editor.search
    if (key.id === 'ctrl-d' && isEmpty) ui.leave()
    else if (key.id === 'up' && isEmpty && view.waitingPrompts.length > 0)
      runReportingFailure(ui, () => this.#takeBack())
    else if (key.id === 'text' && key.text === '?' && isEmpty) openHelp(ui, TERMINAL_COMMANDS)
    else if (key.id === 'paste' && this.#pasteFile(key.text)) return
    else if (!editor.search && this.#atPrompt[key.id]) this.#atPrompt[key.id]?.()
    else editor.key(key)
  }

  #enter(when: 'queue' | 'steer'): void {
    const { editor } = this.#ui
    if (editor.menu?.kind === 'file') {
      editor.acceptCompletion()
      return
    }
    editor.acceptCompletion()
    if (editor.continuesLine() || editor.text.trim() === '') return
    this.#ui.submit(when)
  }

  #escape(): void {
    const ui = this.#ui
    const { editor, isBusy, machine, screen } = ui
    if (editor.menu) {
      editor.key({ id: 'escape', text: '' })
      return
    }
    const now = machine.now()
    const isTwice = now - this.#lastEscape < TWICE_MS
    this.#lastEscape = isTwice ? Number.NEGATIVE_INFINITY : now
    if (isTwice && !editor.isEmpty) editor.clear()
    else if (isTwice) runReportingFailure(ui, () => openRewind(ui))
    else if (isBusy) runReportingFailure(ui, async () => ui.client?.interrupt('turn'))
    else screen.flash(editor.isEmpty ? 'esc again: go back to an earlier prompt' : 'esc again: clear the prompt')
  }

  #interrupt(): void {
    const ui = this.#ui
    const { editor, isBusy, machine, screen } = ui
    const isCard = screen.card !== undefined && (screen.cardGate?.isOpen ?? true)
    if (isCard) screen.card?.key({ id: 'ctrl-c', text: '' })
    else if (editor.search) editor.key({ id: 'ctrl-c', text: '' })
    else if (!editor.isEmpty) editor.clear()
    else if (machine.now() - this.#lastInterrupt < LEAVE_MS) ui.leave()
    else {
      this.#lastInterrupt = machine.now()
      if (isBusy) runReportingFailure(ui, async () => ui.client?.interrupt('turn'))
      screen.flash('ctrl-c again: leave')
    }
  }

  #nextMode(): void {
    const ui = this.#ui
    const at = PERMISSION_MODE_CYCLE.findIndex((one) => one === (ui.view.facts.mode ?? 'default'))
    const mode = PERMISSION_MODE_CYCLE[(at + 1) % PERMISSION_MODE_CYCLE.length] ?? 'default'
    runReportingFailure(ui, async () => {
      await ui.client?.change({ mode })
      ui.screen.flash(modeName(mode))
    })
  }

  #background(): void {
    const ui = this.#ui
    const call = ui.calls.runningCommand
    if (call === undefined || !ui.isBusy) {
      ui.editor.key({ id: 'left', text: '' })
      return
    }
    runReportingFailure(ui, async () => {
      const isMoved = await ui.client?.background(call)
      ui.screen.flash(
        isMoved ? `${NOTICE_TEXTS.continuesInBackground} (ctrl-t)` : 'Nothing here can go to the background',
      )
    })
  }

  async #takeBack(): Promise<void> {
    const ui = this.#ui
    const last = ui.view.waitingPrompts.at(-1)
    if (!last || !ui.client) return
    await ui.client.removePrompt(last.id)
    ui.editor.set(userTextIn(last.content))
    ui.screen.refresh()
  }

  async #editOutside(): Promise<void> {
    const { editor, machine, screen } = this.#ui
    const { text } = editor.pasted.whole(editor.text)
    const edited = await screen.outside(() => machine.edit(text, 'prompt.md'))
    if (edited !== undefined) editor.set(edited.replace(/\n$/, ''))
    screen.refresh()
  }

  async #pasteImage(): Promise<void> {
    const image = await this.#ui.machine.clipboardImage()
    if (image) this.#ui.editor.attach(image)
    else this.#ui.screen.flash('There is no image in the clipboard')
  }

  /** Attaches an image that was dropped into the window. */
  #pasteFile(text: string): boolean {
    const { machine, client, editor } = this.#ui
    const quoted = text.trim().replace(/^['"]|['"]$/g, '')
    const path = quoted.replaceAll('\\ ', ' ').replace(/^file:\/\//, '')
    if (!/^[/~].{1,500}\.(?:png|jpe?g|gif|webp)$/i.test(path)) return false
    const image = machine.image(path, client?.cwd ?? '/')
    if (image) editor.attach(image)
    return image !== undefined
  }

  #unfold(): void {
    const { calls, screen } = this.#ui
    const { folded } = calls
    if (folded.at(-1) !== this.#newest) this.#unfolded = 0
    this.#newest = folded.at(-1)
    const block = folded.at(-1 - this.#unfolded)
    if (!block) {
      screen.flash('There is nothing folded')
      return
    }
    this.#unfolded += 1
    screen.print(['', ...block.whole(screen.columns)])
  }

  #showWhole(): void {
    const { screen, asks } = this.#ui
    const { columns, styles } = screen
    const card = screen.card ?? asks.card
    const lines = card?.whole?.({ columns, styles, height: 100_000 })
    if (lines) screen.print(['', ...lines])
  }
}
