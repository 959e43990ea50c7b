/** `--help` of a command, in the one format of all commands: usage, what it does, options, examples, docs; 80 columns. */
import {
  type Command,
  type CommandFlag,
  type CommandSection,
  HELP_FLAG,
  lastWordOfCommand,
} from '../../protocol/command-table/command-row.js'
import { docsPageLocation } from './docs-page-location.js'

const WIDTH = 80
/** Longer terms have a line of their own. */
const WIDEST_TERM = 30

type Row = readonly [term: string, text: string]

export function commandHelp(command: Command): string {
  const { about, examples, sections = [], page } = command
  const commands = (command.commands ?? []).map((one): Row => [lastWordOfCommand(one), one.help])
  const words = (command.arguments ?? []).map(({ name, help }): Row => [name, help])
  return joinSections([
    usageText(command),
    wrapText(about, WIDTH).join('\n'),
    sectionText('Commands', commands),
    sectionText('Arguments', words),
    commands.length > 0
      ? moreText(command)
      : sectionText('Options', [...(command.flags ?? []), HELP_FLAG].map(flagRow)),
    examplesText(examples),
    ...sections.map(({ title, rows }) => sectionText(title, rows)),
    docsText(page),
  ])
}

export function usageText(command: Command): string {
  const [first, ...more] = command.usage ?? [`kedge ${[command.name, ...usageWords(command)].join(' ')}`]
  return [`Usage: ${first}`, ...more.map((line) => `       ${line}`)].join('\n')
}

function usageWords(command: Command): string[] {
  if (command.commands) return ['COMMAND']
  const options = command.flags ? ['[options]'] : []
  const words = (command.arguments ?? []).map(({ name, isOptional, isRepeated }) => {
    const word = isRepeated ? `${name}…` : name
    return isOptional ? `[${word}]` : word
  })
  return [...options, ...words]
}

function moreText({ name }: Command): string {
  return `Run \`kedge ${name} COMMAND --help\` for the options of a command.`
}

/** Returns the left and right column of a flag. */
export function flagRow({ short, name, value, help, default: fallback }: CommandFlag): Row {
  const term = `${short ? `-${short}, ` : ''}--${name}${value === undefined ? '' : ` ${value}`}`
  return [term, fallback === undefined ? help : `${help} (default: ${fallback})`]
}

/** A long command has lines that end with a backslash, so it can be pasted. */
export function examplesText(examples: Command['examples']): string {
  const lines = examples.flatMap(([command, result]) => [
    ...command.split('\n').map((line) => `  ${line}`),
    ...(result === '' ? [] : wrapText(result, WIDTH - 6).map((line) => `      ${line}`)),
  ])
  return lines.length === 0 ? '' : `Examples:\n${lines.join('\n')}`
}

export function docsText(page: string): string {
  return `Docs: ${docsPageLocation(page)}`
}

export function sectionText(title: CommandSection['title'], rows: readonly Row[]): string {
  return rows.length === 0 ? '' : `${title}:\n${columnsText(rows)}`
}

export function joinSections(sections: readonly string[]): string {
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`
}

/** Two columns; the right one wraps. */
function columnsText(rows: readonly Row[]): string {
  const terms = rows.map(([term]) => term.length)
  const left = Math.max(...terms.filter((length) => length <= WIDEST_TERM), 0) + 4
  return rows
    .flatMap(([term, text]) => {
      const lines = wrapText(text, WIDTH - left).map((line) => `${' '.repeat(left)}${line}`)
      const start = `  ${term}`
      if (start.length + 2 > left) return [start, ...lines]
      return [`${start.padEnd(left)}${lines[0]?.trimStart() ?? ''}`.trimEnd(), ...lines.slice(1)]
    })
    .join('\n')
}

function wrapText(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines
}
