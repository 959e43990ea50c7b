/** `--plain`: the same conversation in nothing but lines, typed and printed. */
import { constants } from 'node:os'
import { createInterface } from 'node:readline'
import type { LogItem } from '../../protocol/session-log/entries.js'
import { messageOf } from '../../protocol/thrown.js'
import { structuredPatch } from '../../tools/files/structured-patch.js'
import { ViewLines } from '../blocks/view-lines.js'
import { planTextOfAsk } from '../cards/plan-card.js'
import { runTypedTerminalCommand } from '../commands/run-typed.js'
import { LineEditor } from '../editor/line-editor.js'
import type { TerminalArguments } from '../front/session-arguments.js'
import type { TerminalMachine } from '../machine/machine-port.js'
import { plainStyles } from '../screen/styles.js'
import { FollowedSession } from '../session/followed-session.js'
import { OpenAskCards } from '../session/open-asks.js'
import type { TerminalUi } from '../session/terminal-ui.js'
import type { SessionBackend, SessionClient } from '../sessions/session-client.js'
import { openFirstSession } from '../setup/open-first-session.js'
import { setUpModelAccess } from '../setup/set-up-model-access.js'
import { cardKeysOfTypedLine, PlainScreen } from './plain-screen.js'

export type PlainConversationPorts = {
  args: TerminalArguments
  backend: SessionBackend
  machine: TerminalMachine
  cwd: string
  wanted: string | undefined
  serve?: (client: SessionClient) => Promise<string>
}

const COLUMNS = 100

export async function runPlainConversation(ports: PlainConversationPorts): Promise<number> {
  const { args, cwd, wanted } = ports
  const ui = new PlainSession({ ...ports, write: (text) => void process.stdout.write(text) })
  const lines = createInterface({ input: process.stdin, terminal: false })
  lines.on('line', (line) => ui.line(line))
  lines.on('close', () => ui.ended())
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => ui.stop(signal, 128 + constants.signals[signal]))
  process.stdout.on('error', () => ui.leave())
  const begin = async () => {
    if (!ui.backend.isRemote) await setUpModelAccess(ui)
    await openFirstSession(ui, args, cwd, wanted)
    if (args.isServed && ui.serve) ui.screen.notice('notice', await ui.serve())
    if (args.prompt !== '') ui.prompt(args.prompt)
    return ui.left
  }
  let code = 0
  try {
    // The user can leave while a question is still open.
    code = await Promise.race([begin(), ui.left])
  } catch (error) {
    ui.screen.notice('error', messageOf(error))
    return 1
  } finally {
    lines.close()
  }
  const { client, hasSent } = ui
  if (client && hasSent && !ui.backend.isRemote) ui.screen.print([`To come back: kedge --resume ${client.id}`])
  if (client && !hasSent && !ui.backend.isRemote) await ui.backend.forget(client.id).catch(() => {})
  return code
}

export class PlainSession extends FollowedSession implements TerminalUi {
  readonly screen: PlainScreen
  readonly editor = new LineEditor()
  readonly asks: OpenAskCards
  protected readonly lines: ViewLines
  #pending: string[] = []
  #isInputOver = false

  constructor(ports: PlainConversationPorts & { write(text: string): void }) {
    super({ ...ports, settings: ports.args.settings })
    const { machine, cwd, write } = ports
    const columns = COLUMNS
    this.lines = new ViewLines({
      styles: plainStyles(),
      cwd,
      columns: () => columns,
      now: machine.now,
      view: () => this.view,
    })
    this.screen = new PlainScreen({
      columns,
      now: machine.now,
      write,
      words: (markdown) => this.lines.words(markdown),
      noticeLines: (level, text) => this.lines.notice(level, text),
    })
    this.asks = new OpenAskCards({
      cwd,
      canBypass: machine.canBypass,
      now: machine.now,
      compare: structuredPatch,
      answer: (ask, answer) => {
        this.screen.card = undefined
        void this.client?.answer(ask.id, answer).catch((error) => this.screen.notice('error', messageOf(error)))
      },
      editOutside: (text, name) => machine.edit(text, name),
      onShown: (ask) => {
        if (ask.kind === 'plan') this.screen.say(planTextOfAsk(ask))
      },
      onChange: () => {
        const { card } = this.asks
        if (card && card !== this.screen.card) this.screen.show(card)
        if (!card && !this.screen.cardGate) this.screen.card = undefined
      },
    })
  }

  line(line: string): void {
    const { screen, asks, machine } = this
    const { card } = screen
    const gate = screen.cardGate ?? (card === asks.card ? asks.gate : undefined)
    // A line that was on its way before the question was there is a prompt, not an answer.
    if (card && (gate?.admits(machine.now(), 'line', false) ?? true)) {
      const isTaken = cardKeysOfTypedLine(card, line).every((key) => (screen.card ?? card).key(key))
      if (!isTaken) screen.print(['Please type the number of your answer.'])
      return
    }
    this.prompt(line)
  }

  prompt(text: string): void {
    if (text.trim() === '') return
    if (!this.client) this.#pending.push(text)
    else if (!runTypedTerminalCommand(this, text)) this.#send(text)
  }

  submit(): void {
    this.prompt(this.editor.take().text)
  }

  #send(text: string): void {
    this.hasSent = true
    const told = this.shell.take().map((one) => ({ type: 'text' as const, text: one }))
    const content = told.length === 0 ? text : [...told, { type: 'text' as const, text }]
    this.client
      ?.send({ id: this.machine.newId(), content })
      .catch((error: unknown) => this.screen.notice('error', messageOf(error)))
  }

  async open(client: SessionClient): Promise<void> {
    this.unfollow()
    const info = await client.info()
    const { messages, isWhole } = await client.stored()
    this.begin(info, messages)
    this.hasSent = !isWhole || messages.length > 0
    this.client = client
    void this.follow(client, isWhole ? info.seq : 0)
    this.screen.print(['Ready: type a prompt and press Enter. /help says what else there is.'])
    for (const text of this.#pending.splice(0)) this.prompt(text)
    this.#endIfOver()
  }

  protected applied(_item: LogItem, wasBusy: boolean): void {
    if (!wasBusy && this.isBusy) this.screen.print(['(working)'])
    if (wasBusy && !this.isBusy) {
      this.screen.print(['(done)'])
      this.#endIfOver()
    }
  }

  /** Nothing more will be typed: what was asked for is still done. */
  ended(): void {
    this.#isInputOver = true
    this.#endIfOver()
  }

  #endIfOver(): void {
    const isIdle = !this.isBusy && this.view.waitingPrompts.length === 0 && this.#pending.length === 0
    if (this.#isInputOver && this.client && (isIdle || this.asks.count > 0)) this.#soon()
  }

  /** What was just sent may not be in the log yet. */
  #soon(): void {
    void this.client?.info().then(({ status, waiting }) => {
      if (waiting === 0 && status !== 'running') this.leave()
    })
  }

  stop(signal: string, code: number): void {
    if (this.isBusy && signal === 'SIGINT') void this.client?.interrupt('turn').catch(() => {})
    else this.leave(code)
  }

  leave(code = 0): void {
    this.over(code)
  }
}
