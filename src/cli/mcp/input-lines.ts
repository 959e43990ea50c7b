/** Reads lines that a user types or pastes at a command, and secrets without showing them. */
import { createInterface } from 'node:readline'
import { printToStderr } from '../terminal-output.js'

/** Lines of stdin until `close`, which leaves stdin to others. */
export function readLines(): { all: AsyncIterable<string>; close(): void } {
  const reader = createInterface({ input: process.stdin, terminal: false })
  return {
    all: reader,
    close() {
      reader.close()
      // Else a command that is done waits for the end of its input.
      process.stdin.unref?.()
      process.stdin.pause()
    },
  }
}

const ENTER = /[\r\n]/
const BACKSPACE = /[\b\x7f]/
const CANCEL = /[\x03\x04]/

/** One line that isn't shown. From a pipe it is read as it comes. Rejects if there is none. */
export async function readHiddenLine(question: string): Promise<string> {
  const { stdin } = process
  if (!stdin.isTTY) {
    const lines = readLines()
    for await (const line of lines.all) {
      lines.close()
      return line
    }
    throw new Error('there was nothing to read')
  }
  printToStderr(question)
  stdin.setRawMode(true)
  stdin.setEncoding('utf8')
  try {
    let text = ''
    // Texts, because of the encoding set above.
    for await (const chunk of stdin as AsyncIterable<string>) {
      for (const character of chunk) {
        if (ENTER.test(character)) return text
        if (CANCEL.test(character)) throw new Error('canceled')
        text = BACKSPACE.test(character) ? text.slice(0, -1) : text + character
      }
    }
    throw new Error('there was nothing to read')
  } finally {
    stdin.setRawMode(false)
    stdin.pause()
    printToStderr('\n')
  }
}
