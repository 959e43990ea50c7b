/** One conversation on a terminal: follows the log, shows it, and turns keys into prompts, answers and commands. */

import type { ContentBlockParam, ImageMediaType } from '../../protocol/content.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { messageOf } from '../../protocol/thrown.js'
import { structuredPatch } from '../../tools/files/structured-patch.js'
import { ViewLines } from '../blocks/view-lines.js'
import type { Card } from '../cards/card.js'
import { planTextOfAsk } from '../cards/plan-card.js'
import { completionSource } from '../commands/completions.js'
import { runTypedTerminalCommand } from '../commands/run-typed.js'
import { renderEditor } from '../editor/editor-view.js'
import type { Key, KeyDecoder } from '../editor/key-decoder.js'
import type { EditorSubmission, LineEditor } from '../editor/line-editor.js'
import type { PromptImage } from '../editor/pasted-parts.js'
import type { LiveRegion } from '../screen/live-region.js'
import { detectPictureProtocol, pictureLine, type TerminalPicture } from '../screen/pictures.js'
import { cutText } from '../screen/styled-text.js'
import type { Styles } from '../screen/styles.js'
import type { TerminalPort } from '../screen/terminal-port.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { SessionClient } from '../sessions/session-client.js'
import { AttentionSignals } from '../status/attention.js'
import { StatusLineCommand } from '../status/status-line-command.js'
import { activityRows, statusRow } from '../status/status-row.js'
import { FollowedSession, type FollowedSessionPorts } from './followed-session.js'
import { KeyBindings } from './key-bindings.js'
import { layOutFrame } from './lay-out-frame.js'
import { LiveScreen } from './live-screen.js'
import { OpenAskCards } from './open-asks.js'
import type { TerminalUi } from './terminal-ui.js'
import { waitingPromptLines } from './waiting-prompts.js'

export type TerminalSessionPorts = FollowedSessionPorts & {
  terminal: TerminalPort
  region: LiveRegion
  editor: LineEditor
  decoder: KeyDecoder
  styles: Styles
  cwd: string
}

const ESCAPE_MS = 60
const TICK_MS = 1000
/** Maximum earlier messages shown. */
const REPLAYED = 60

export class TerminalSession extends FollowedSession implements TerminalUi {
  readonly #ports: TerminalSessionPorts
  readonly asks: OpenAskCards
  readonly screen: LiveScreen
  protected readonly lines: ViewLines
  readonly #keys: KeyBindings
  readonly #attention: AttentionSignals
  readonly #status: StatusLineCommand
  #cancelEscape = () => {}
  #cancelTick: (() => void) | undefined
  /** Typed before there was a session. */
  #pending: Waiting[] = []
  #isReady = false
  #isOver = false
  /** Why it couldn't continue. */
  failure: string | undefined

  constructor(ports: TerminalSessionPorts) {
    super(ports)
    this.#ports = ports
    const { styles, machine, terminal, region, cwd, editor } = ports
    const protocol = detectPictureProtocol(machine.env)
    this.lines = new ViewLines({
      styles,
      cwd,
      columns: () => terminal.columns,
      now: machine.now,
      view: () => this.view,
      ...(protocol ? { picture: (one: TerminalPicture, columns: number) => pictureLine(protocol, one, columns) } : {}),
    })
    const write = (text: string) => terminal.write(text)
    this.#attention = new AttentionSignals({
      env: machine.env,
      write,
      now: machine.now,
      command: machine.notifyCommand,
    })
    this.screen = new LiveScreen({
      terminal,
      region,
      styles,
      machine,
      frame: (flash) => this.#frame(flash),
      words: (markdown) => this.lines.words(markdown),
      noticeLines: (level, text) => this.lines.notice(level, text),
      onAsked: (card) => this.#attention.needed(card.title),
    })
    this.#status = new StatusLineCommand({ machine, onChange: () => this.screen.refresh() })
    this.asks = new OpenAskCards({
      cwd,
      canBypass: machine.canBypass,
      now: machine.now,
      compare: structuredPatch,
      answer: (ask, answer) => void this.#answer(ask, answer),
      editOutside: (text, name) => this.screen.outside(() => machine.edit(text, name)),
      onShown: (ask, card) => this.#asked(ask, card),
      onChange: () => this.screen.draw(),
    })
    this.#keys = new KeyBindings(this)
    editor.history = machine.history(cwd)
    editor.completions = completionSource(this)
    editor.onChange = () => this.screen.refresh()
  }

  get editor(): LineEditor {
    return this.#ports.editor
  }

  /** Takes the keys. */
  listen(): void {
    this.#ports.terminal.listen({
      onInput: (data) => this.input(data),
      onResize: () => this.screen.resized(),
      onGone: () => this.leave(129),
      onContinue: () => this.screen.again(),
    })
    this.screen.refresh()
  }

  input(data: string): void {
    const { decoder, machine } = this.#ports
    this.#cancelEscape()
    this.#pressed(decoder.feed(data))
    if (decoder.isWaiting) this.#cancelEscape = machine.after(ESCAPE_MS, () => this.#pressed(decoder.flush()))
  }

  #pressed(keys: readonly Key[]): void {
    if (this.screen.isAway) return
    for (const key of keys) {
      if (key.id === 'focus' || key.id === 'blur') this.#attention.looked(key.id === 'focus')
      else {
        this.#attention.typed()
        this.#keys.key(key)
      }
    }
    this.screen.draw()
  }

  // ── the session ────────────────────────────────────────────────────────────

  async open(client: SessionClient): Promise<void> {
    this.unfollow()
    this.client = client
    const info = await client.info()
    const { messages, isWhole } = await client.stored()
    this.begin(info, messages, REPLAYED)
    void this.follow(client, isWhole ? info.seq : 0)
    this.hasSent = !isWhole || messages.length > 0
    this.#isReady = true
    this.#status.use(client.cwd)
    for (const { text, images, when } of this.#pending.splice(0)) this.#send(text, images, when)
    this.screen.refresh()
  }

  protected applied(item: LogItem, wasBusy: boolean): void {
    const { facts } = this.view
    if (item.kind === 'message' && item.data.type === 'result') this.#status.changed(facts, this.client)
    if (wasBusy && !this.isBusy) this.#attention.ended(this.machine.now() - this.turnBegan, facts.title)
  }

  #asked(ask: Ask, card: Card): void {
    this.#attention.needed(card.title)
    if (ask.kind === 'plan') this.screen.say(planTextOfAsk(ask))
    const { step, address, code, problem } = ask.signIn ?? {}
    // With a code, it is another device's page.
    if (step === 'visit' && address !== undefined && code === undefined && problem === undefined)
      void this.#ports.machine.openPage(address)
  }

  async #answer(ask: Ask, answer: AskAnswer): Promise<void> {
    try {
      const told = await this.client?.answer(ask.id, answer)
      if (typeof told !== 'object') return
      const { already } = told
      const text =
        already === 'withdrawn'
          ? 'The request was withdrawn before your answer.'
          : `${already.name} already answered this request.`
      this.screen.notice('notice', text)
    } catch (error) {
      this.screen.notice('error', messageOf(error))
    }
  }

  // ── prompts ────────────────────────────────────────────────────────────────

  /** What was typed before there was a session. */
  takeTyped(submissions: readonly EditorSubmission[]): void {
    for (const { text, images } of submissions)
      if (!runTypedTerminalCommand(this, text)) this.#send(text, images, 'queue')
  }

  submit(when: 'queue' | 'steer'): void {
    const { text, images } = this.editor.take()
    if (!runTypedTerminalCommand(this, text)) this.#send(text, images, when)
    this.screen.refresh()
  }

  #send(text: string, images: PromptImage[], when: 'queue' | 'steer'): void {
    const { client, machine } = this
    if (!client || !this.#isReady) {
      this.#pending.push({ text, images, when })
      return
    }
    this.hasSent = true
    const beside = this.shell.take()
    const isPlain = beside.length + images.length === 0
    const content = isPlain ? text : [...beside.map(textBlock), ...images.map(imageBlock), textBlock(text)]
    const steer = when === 'steer' && this.isBusy ? { when } : {}
    client.send({ id: machine.newId(), content, ...steer }).catch((error: unknown) => {
      this.screen.notice('error', `It was not sent: ${messageOf(error)}`)
      if (this.editor.isEmpty) this.editor.set(text)
    })
  }

  leave(code = 0): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#cancelTick?.()
    this.#cancelEscape()
    this.screen.print(this.lines.end())
    this.screen.leave()
    this.over(code)
  }

  // ── the screen ─────────────────────────────────────────────────────────────

  #frame(flash: string) {
    const { terminal, styles, machine, editor, cwd } = this.#ports
    const { columns, rows } = terminal
    const { view, asks, screen } = this
    if (this.isBusy && !this.#cancelTick) this.#tick()
    const ask = asks.card
    const card = screen.card ?? ask
    const gate = screen.card ? screen.cardGate : asks.gate
    const hasKeys = card !== undefined && (gate === undefined || gate.isOpen || editor.isEmpty)
    return layOutFrame({
      columns,
      rows,
      styles,
      queue: [...waitingPromptLines(view.waitingPrompts), ...this.#pending.map(({ text }) => toTerminalSafeLine(text))],
      live: (height) => this.lines.live(height),
      activity:
        this.isBusy && !ask ? activityRows(view, { columns, styles, now: machine.now(), since: this.turnBegan }) : [],
      card: card && { view: (height) => card.view({ columns, height, styles }), hasKeys },
      editor: (height) => renderEditor(editor, styles, { columns, height, sign: this.#sign(), hint: this.#hint() }),
      notice: flash === '' ? '' : styles.yellow(cutText(`  ${flash}`, columns - 1)),
      status: statusRow(view, {
        columns,
        styles,
        branch: machine.branch(cwd),
        own: this.#status.text,
        hint: card && !hasKeys ? 'tab: answer' : '? for help',
      }),
    })
  }

  #sign(): string {
    const { styles } = this.#ports
    const first = this.editor.text.charAt(0)
    return first === '!' ? styles.magenta('!') : first === '#' ? styles.cyan('#') : styles.cyan(styles.sign.arrow)
  }

  #hint(): string {
    if (this.screen.card ?? this.asks.card) return ''
    if (this.isBusy) return 'type on: enter queues, ctrl-s says it now'
    return this.hasSent ? '' : 'ask for something, @ names a file, / a command, ! runs one'
  }

  /** Seconds go by although nothing happens. */
  #tick(): void {
    this.#cancelTick = this.machine.after(TICK_MS, () => {
      this.#cancelTick = undefined
      if (this.isBusy) this.screen.refresh()
    })
  }
}

type Waiting = { text: string; images: PromptImage[]; when: 'queue' | 'steer' }

function textBlock(text: string): ContentBlockParam {
  return { type: 'text', text }
}

function imageBlock({ mediaType, data }: PromptImage): ContentBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: mediaType as ImageMediaType, data } } // one of those the machine gives
}
