/** A screen as a person would see it: what a program writes goes in, rows of text come out. */
import headless from '@xterm/headless'

export type Emulator = {
  readonly columns: number
  readonly rows: number
  write(data: string): Promise<void>
  resize(columns: number, rows: number): void
  /** What is on the screen now, without blanks at the ends of rows and below the last. */
  screen(): string[]
  /** With everything that scrolled away. */
  all(): string[]
  cursor(): { row: number; column: number }
  /** Cells for pictures: each row as runs of one style. */
  runs(): Run[][]
  end(): void
}

export type Run = { text: string; color: number | undefined; isBold: boolean; isDim: boolean; isItalic: boolean }

/** `reflows`: whether it wraps long rows anew when it becomes narrower, as most do, or cuts them off, as xterm does. */
export function openEmulator(columns: number, rows: number, reflows = true): Emulator {
  const terminal = new headless.Terminal({
    cols: columns,
    rows,
    scrollback: 20_000,
    allowProposedApi: true,
    // What it takes for an old console does not.
    ...(reflows ? {} : { windowsPty: { backend: 'winpty' as const, buildNumber: 1 } }),
  })
  const buffer = () => terminal.buffer.active
  const lines = (from: number) => {
    const all = Array.from({ length: buffer().length - from }, (_, n) => buffer().getLine(from + n))
    return trimmed(all.map((line) => line?.translateToString(true) ?? ''))
  }
  return {
    get columns() {
      return terminal.cols
    },
    get rows() {
      return terminal.rows
    },
    write: (data) => new Promise((resolve) => terminal.write(data, resolve)),
    resize: (width, height) => terminal.resize(width, height),
    screen: () => lines(buffer().baseY),
    all: () => lines(0),
    cursor: () => ({ row: buffer().cursorY, column: buffer().cursorX }),
    runs() {
      const cell = buffer().getNullCell()
      return Array.from({ length: terminal.rows }, (_, n) => {
        const line = buffer().getLine(buffer().baseY + n)
        const runs: Run[] = []
        for (let column = 0; column < terminal.cols; column += 1) {
          const found = line?.getCell(column, cell)
          if (!found || found.getWidth() === 0) continue
          const color = found.isFgPalette() ? found.getFgColor() : undefined
          const style = { color, isBold: found.isBold() > 0, isDim: found.isDim() > 0, isItalic: found.isItalic() > 0 }
          const text = found.getChars() || ' '
          const last = runs.at(-1)
          const isSame = last !== undefined && styleOf(last) === styleOf({ text, ...style })
          if (last && isSame) last.text += text
          else runs.push({ text, ...style })
        }
        return runs
      })
    },
    end: () => terminal.dispose(),
  }
}

function styleOf({ color, isBold, isDim, isItalic }: Run): string {
  return [color, isBold, isDim, isItalic].join()
}

function trimmed(lines: string[]): string[] {
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return lines.slice(0, last + 1).map((line) => line.trimEnd())
}
