/** The `kedge …` commands that help, errors, fixes and pages print, and whether the command would take them as they are. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unsupportedSubcommandText, whyWordsAreNoPrompt } from '../../src/cli/subcommands.js'
import { chooseCommand, readCommandLine } from '../../src/platform/command-line/read-command-line.js'
import { CLI_COMMANDS_WITH_SUBCOMMANDS, TOP_LEVEL_COMMANDS } from '../../src/protocol/command-table/all-commands.js'
import { createFlagReader, parseArgv } from '../../src/protocol/option-table/parse-argv.js'
import { root } from '../support/stage.js'

export type PrintedCommand = {
  where: string
  line: string
  /** To be pasted as it is; otherwise text may name a command without what it needs: "see `kedge mcp test`". */
  isWhole: boolean
}

const ID = '3f0c1b9e-6d5a-4f1e-9d55-0c2f4a7b8e61'
/** What users put in their place. */
const PLACEHOLDERS: readonly (readonly [pattern: RegExp, value: string])[] = [
  [/ …(?= |$)/g, ' x'],
  [/…/g, ''],
  [/ COMMAND\b/g, ''],
  [/\bSHELL\b/g, 'bash'],
  [/\[([^\]]+)\]/g, '$1'],
  [/\\?\|\S+/g, ''],
  [/\bDOLLARS\b/g, '5'],
  [/\b(?:ID|SESSION)\b/g, ID],
  [/\bADDRESS\b/g, 'http://127.0.0.1:4141'],
  [/\$\{[^}]*\}/g, 'x'],
  [/\bN$/g, '1'],
]

const pages = [
  ...readdirSync(root).filter((name) => name.endsWith('.md') && name !== 'CHANGELOG.md'),
  ...readdirSync(join(root, 'docs')).flatMap((name) => (name.endsWith('.md') ? [`docs/${name}`] : [])),
]

export function commandsOfPages(): PrintedCommand[] {
  return pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, code = '']) => code)
    const prose = text.replace(/^```[\s\S]*?^```/gm, '')
    return [
      ...blocks.flatMap((code) => commandLines(code).map((line) => ({ where: page, line, isWhole: true }))),
      ...inCodeFont(prose).map((line) => ({ where: page, line, isWhole: false })),
    ]
  })
}

/** Of errors, fixes and notices: texts of the source, without its comments. */
export function commandsOfTexts(): PrintedCommand[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !/\.test\.ts$|\.generated\.ts$/.test(path),
  )
  return files.flatMap((path) => {
    const code = readFileSync(join(root, 'src', path), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .replace(/^\s*\/\/.*$/gm, '')
    // In a template a backtick of the text is escaped; in quotes it isn't.
    const escaped = [...code.matchAll(/\\`([^`\n]*?)\\`/g)].map(([, text = '']) => `\`${text}\``)
    const quoted = code.match(/'[^'\n$]*'|"[^"\n$]*"/g) ?? []
    return inCodeFont([...escaped, ...quoted].join('\n')).map((line) => ({
      where: `src/${path}`,
      line,
      isWhole: false,
    }))
  })
}

export function commandsOfHelp(): PrintedCommand[] {
  return CLI_COMMANDS_WITH_SUBCOMMANDS.flatMap(({ name, examples }) =>
    examples.map(([line]) => ({ where: `kedge ${name} --help`, line: line.replace(/ \\\n\s*/g, ' '), isWhole: true })),
  )
}

function commandLines(code: string): string[] {
  const lines = code.replace(/\\\n\s*/g, '').split('\n')
  return lines.map((line) => line.replace(/\s#.*$/, '').trim()).filter((line) => commandsIn(line).length > 0)
}

function inCodeFont(text: string): string[] {
  const found = [...text.matchAll(/`(?:npx )?(kedge(?: [^`\n]+)?)`/g)].map(([, line = '']) => line)
  return found.filter((line) => /^kedge (?:-|[a-z]+\b)/.test(line) && isCommand(line))
}

/** `kedge listens` of a sentence is none. */
function isCommand(line: string): boolean {
  const [, word = ''] = line.split(' ')
  return word.startsWith('-') || TOP_LEVEL_COMMANDS.some(({ name }) => name === word)
}

/** The calls of `kedge` in a line of shell, as words. */
export function commandsIn(line: string): string[][] {
  const parts = line.split(/(?<!<)\|{1,2}(?![^']*'$)|&&|;|<\(/)
  return parts.flatMap((part) => {
    const words = shellWords(part.replace(/\)\s*$/, '').replace(/\s(?:\d?>|<)\s*\S+/g, ''))
    const at = words.indexOf('kedge')
    const isCall = at === 0 || (at > 0 && words.slice(0, at).every((word) => /^(?:npx|exec|\w+=.*)$/.test(word)))
    return isCall ? [words.slice(at + 1)] : []
  })
}

function shellWords(text: string): string[] {
  const words = text.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g) ?? []
  return words.map((word) => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
}

/** What the command says is wrong with its command line; undefined: it takes it. */
export function problemOf({ line, isWhole }: PrintedCommand): string | undefined {
  const filled = PLACEHOLDERS.reduce((text, [pattern, value]) => text.replace(pattern, value), line)
  for (const words of commandsIn(filled)) {
    const problem = problemOfWords(words)
    if (problem === undefined || (!isWhole && /^Usage: | needs [A-Z]| argument missing/.test(problem))) continue
    return problem
  }
  return undefined
}

function problemOfWords(words: readonly string[]): string | undefined {
  const [word = ''] = words
  const top = TOP_LEVEL_COMMANDS.find(({ name }) => name === word)
  if (!top) return problemOfPrompt(words)
  const chosen = top.commands ? chooseCommand(top, words.slice(1)) : { command: top, args: words.slice(1) }
  if ('text' in chosen) return chosen.isHelp ? undefined : chosen.text
  const read = readCommandLine(chosen.command, chosen.args)
  return 'text' in read && !read.isHelp ? read.text : undefined
}

function problemOfPrompt(words: readonly string[]): string | undefined {
  const parsed = parseArgv(words)
  if (!parsed.ok) return parsed.message
  const flags = createFlagReader(parsed.values)
  if (flags.has('print') || flags.rest.length === 0) return undefined
  return unsupportedSubcommandText(words[0]) ?? whyWordsAreNoPrompt(flags.rest)
}
