/**
 * The edge where text leaves for people. What models, servers, files and APIs say goes through here, so that nothing in it
 * moves a cursor, changes a title, writes to the clipboard or reverses a line. A check keeps every command to it.
 */
import type { HelpOrUsageError } from '../platform/command-line/read-command-line.js'
import { terminalSafeText } from '../platform/visible-text.js'

/** To stderr, which is for people whoever reads it. */
export function printToStderr(text: string): void {
  process.stderr.write(terminalSafeText(text))
}

/** A table or a sentence of a command, to stdout. */
export function print(text: string): void {
  process.stdout.write(terminalSafeText(text))
}

/** Always the same value; on a terminal with what it would obey written as JSON can write it. */
export function terminalJson(text: string): string {
  return process.stdout.isTTY ? terminalSafeText(text, escaped) : text
}

export function printJson(value: unknown): void {
  process.stdout.write(terminalJson(`${JSON.stringify(value, null, 2)}\n`))
}

/** The answer itself: as it is for a program or a file, made safe for a terminal. */
export function printableAnswer(text: string): string {
  return process.stdout.isTTY ? terminalSafeText(text) : text
}

function escaped(character: string): string {
  return Array.from({ length: character.length }, (_, i) => {
    return `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`
  }).join('')
}

/** Prints help to stdout, and what is wrong with a command line to stderr. Returns the exit code. */
export function printCommandText({ text, isHelp }: HelpOrUsageError, wrongCode = 1): number {
  if (isHelp) print(text)
  else printToStderr(text)
  return isHelp ? 0 : wrongCode
}
