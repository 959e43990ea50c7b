/** Makes foreign text safe for the screen: no escapes, no control characters, tabs as spaces, separate lines. */
import { terminalSafeText } from '../../platform/visible-text.js'
import { codePointWidth } from './char-width.js'

const TAB = 4

/** Text of models, files and people. */
export function toTerminalSafeLines(text: string): string[] {
  return terminalSafeText(text).split('\n').map(withoutTabs)
}

export function toTerminalSafeLine(text: string): string {
  return toTerminalSafeLines(text.replaceAll(/\s*\n\s*/g, ' ')).join(' ')
}

const SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|[\]P_^X][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[ -/]*[0-~])/g

/** What a command printed: colors and movements are left out, and of a line that was written over, the last version stays. */
export function commandOutputLines(text: string): string[] {
  const plain = text.replace(SEQUENCES, '').replaceAll('\r\n', '\n')
  return terminalSafeText(plain.split('\n').map(lastVersion).join('\n')).split('\n').map(withoutTabs)
}

function lastVersion(line: string): string {
  if (!line.includes('\r')) return line
  return line.split('\r').findLast((part) => part !== '') ?? ''
}

function withoutTabs(line: string): string {
  if (!line.includes('\t')) return line
  let column = 0
  let result = ''
  for (const character of line) {
    const step = character === '\t' ? TAB - (column % TAB) : codePointWidth(character.codePointAt(0) ?? 0)
    result += character === '\t' ? ' '.repeat(step) : character
    column += step
  }
  return result
}
