/** `kedge` on a terminal: shows a prompt that takes keys, then loads everything else. Loads as little as it can itself. */
import { createSessionView } from '../../view/view-state.js'
import { renderEditor } from '../editor/editor-view.js'
import { KeyDecoder } from '../editor/key-decoder.js'
import { LineEditor } from '../editor/line-editor.js'
import { LiveRegion } from '../screen/live-region.js'
import { createStyles, detectTerminalAbilities } from '../screen/styles.js'
import { doesTerminalRewrapRows } from '../screen/terminal-rewrap.js'
import { openTtyTerminal } from '../screen/tty-terminal.js'
import { layOutFrame } from '../session/lay-out-frame.js'
import { statusRow } from '../status/status-row.js'
import type { EarlyTerminalParts, LoadedTerminal, LoadTerminalPart } from './early-terminal.js'
import { readTerminalArguments, type TerminalArguments } from './session-arguments.js'

export type TerminalStartPorts = {
  /** What the loader starts instead, when this is not for us. */
  isTerminal: boolean
  load: LoadTerminalPart
  /** Keeps the compiled code for the next start. */
  saveCache(): void
}

/** Undefined: the other command says what there is to say. */
export function startTerminal(
  argv: readonly string[],
  { isTerminal, load, saveCache }: TerminalStartPorts,
): Promise<void> | undefined {
  const args = readTerminalArguments(argv)
  if (!args) return undefined
  const { env } = process
  const isPlain = args.isPlain || env['TERM'] === 'dumb'
  if (!isTerminal && !args.isPlain) return undefined
  return run(isPlain ? undefined : openFront(), args, load, saveCache)
}

async function run(
  front: EarlyTerminalParts | undefined,
  args: TerminalArguments,
  load: LoadTerminalPart,
  saveCache: () => void,
): Promise<void> {
  const { runTerminalConversation, runPlainTerminal } = (await load('terminal')) as LoadedTerminal // src/terminal/terminal-conversations.ts
  // After the prompt is shown, and before the user can be in a hurry.
  setTimeout(saveCache, 1000).unref()
  const code = await (front ? runTerminalConversation(front, args, load) : runPlainTerminal(args, load))
  front?.terminal.end()
  process.exit(code)
}

function openFront(): EarlyTerminalParts {
  const { env } = process
  const terminal = openTtyTerminal()
  const styles = createStyles(detectTerminalAbilities(env))
  const editor = new LineEditor()
  const decoder = new KeyDecoder()
  const region = new LiveRegion((text) => terminal.write(text), terminal.columns, doesTerminalRewrapRows(env))
  const submitted: EarlyTerminalParts['submitted'] = []
  const leave = (code: number) => {
    region.leave()
    terminal.leave()
    process.exit(code)
  }
  const front: EarlyTerminalParts = { terminal, region, editor, decoder, styles, submitted, leave }
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const)
    process.on(signal, () => front.leave(code))
  process.on('uncaughtException', (error) => {
    region.leave()
    terminal.leave()
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    process.exit(1)
  })
  const draw = () => {
    const { columns, rows } = terminal
    const frame = layOutFrame({
      columns,
      rows,
      styles,
      activity: [],
      card: undefined,
      notice: '',
      live: () => [],
      queue: submitted.map(({ text }) => text),
      editor: (height) =>
        renderEditor(editor, styles, { columns, height, hint: '', sign: styles.cyan(styles.sign.arrow) }),
      status: statusRow(createSessionView('open'), { columns, styles, branch: undefined, own: undefined, hint: '' }),
    })
    region.paint({ ...frame, commit: [] })
  }
  terminal.enter()
  draw()
  terminal.listen({
    onInput(data) {
      for (const key of decoder.feed(data)) {
        if (key.id === 'ctrl-c' || (key.id === 'ctrl-d' && editor.isEmpty)) return leave(0)
        if (key.id !== 'enter') editor.key(key)
        else if (editor.text.trim() !== '') submitted.push(editor.take())
      }
      draw()
    },
    onResize() {
      region.resize(terminal.columns)
      draw()
    },
    onGone: () => process.exit(129),
    onContinue() {
      region.restart(terminal.columns)
      draw()
    },
  })
  return front
}
