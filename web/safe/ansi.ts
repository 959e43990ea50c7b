/** Output of a terminal as pieces with a color; everything else that such output can say is left out. */
import { showHiddenCharacters } from './clean-text.js'

export type AnsiPiece = { text: string; style: string }

const SEQUENCE =
  /\u001b(?:\[([0-9;]*)m|\[[0-9;?<>=!]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[PX^_][^\u001b]*(?:\u001b\\)?|[@-Z\\-_])/g
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
const COLORS = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white']

export function parseTerminalOutput(output: string): AnsiPiece[] {
  const text = withoutOverprint(output)
  const pieces: AnsiPiece[] = []
  let style = new Set<string>()
  let from = 0
  const add = (raw: string) => {
    const shown = showHiddenCharacters(raw.replace(CONTROLS, ''))
    if (shown !== '') pieces.push({ text: shown, style: [...style].map((name) => `ansi-${name}`).join(' ') })
  }
  for (const found of text.matchAll(SEQUENCE)) {
    add(text.slice(from, found.index))
    from = found.index + found[0].length
    if (found[1] !== undefined) style = styled(style, found[1])
  }
  add(text.slice(from))
  return pieces
}

/** Applies carriage returns, which overwrite the line: the text that came last stays, in its own colors. */
function withoutOverprint(text: string): string {
  if (!text.includes('\r')) return text
  return text.replace(/\r\n/g, '\n').split('\n').map(lastVersion).join('\n')
}

function lastVersion(line: string): string {
  const versions = line.split('\r')
  const last = versions.map((one) => one.replace(SEQUENCE, '') !== '').lastIndexOf(true)
  return versions.map((one, n) => (n === last ? one : (one.match(SEQUENCE) ?? []).join(''))).join('')
}

function styled(before: ReadonlySet<string>, codes: string): Set<string> {
  let style = new Set(before)
  const numbers = codes.split(';').map(Number)
  for (let n = 0; n < numbers.length; n += 1) {
    const code = numbers[n] ?? 0
    if (code === 0) style = new Set()
    else if (code === 1) style.add('bold')
    else if (code === 2) style.add('dim')
    else if (code === 3) style.add('italic')
    else if (code === 4) style.add('underline')
    else if (code === 22) style = without(style, /^(bold|dim)$/)
    else if (code === 23) style.delete('italic')
    else if (code === 24) style.delete('underline')
    else if (code === 39) style = without(style, /^(?!bold|dim|italic|underline)/)
    else if (code === 38 || code === 48) n += numbers[n + 1] === 5 ? 2 : 4
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) {
      style = without(style, /^(?!bold|dim|italic|underline)/)
      style.add(COLORS[code % 10] ?? '')
    }
  }
  return style
}

function without(style: ReadonlySet<string>, names: RegExp): Set<string> {
  return new Set([...style].filter((name) => !names.test(name)))
}
