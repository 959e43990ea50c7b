/** Reads a command line into a `Script`, within limits: what is too long, too deep or broken becomes a problem, never a guess. */

import type { ParsedScript } from 'unbash'
import { INVISIBLE_CHARACTER_PATTERN } from '../../rule.js'
import { CommandCollector, TooManyCommandsError } from './collect-commands.js'
import { isSourceCoveredByTree } from './coverage.js'
import { createOwnVariableDetector } from './own-variables.js'
import { printScript, UnprintableScriptError } from './print-script.js'
import type { ShellScript } from './syntax.js'
import { WordReader } from './word-reader.js'

type Unbash = typeof import('unbash')
export type ParseScript = (text: string) => ShellScript

/** Commands longer than this are never approved without asking. */
export const MAX_APPROVABLE_COMMAND_LENGTH = 10_000
/** No system passes a longer argument to a program, so nothing longer can run. */
const LONGEST_PARSED = 131_072
/** Lines of a here-document count too, so this is far more than any command line has. */
const MOST_SEPARATORS = 3_000
const DEEPEST = 60
const MOST_BACKTICKS = 3_000
/** Their number makes the parser slow, not their size. */
const MOST_DOCUMENTS = 64
/**
 * Limits per word, or what looks like one: expansions and globs, quotes, and characters of an arithmetic expression.
 */
const MOST_PARTS = 3_000
const MOST_QUOTES = 30_000
const LONGEST_ARITHMETIC = 20_000

/** The parser is loaded at first use: most sessions' first request needs none. */
export async function loadShellParser(): Promise<ParseScript> {
  const unbash = await import('unbash')
  // A call is looked at several times in a row: may it run beside others, may it run at all, what does it write.
  let last: ShellScript | undefined
  return (text) => {
    if (last?.text !== text) last = parseScript(text, unbash)
    return last
  }
}

/** Characters that bash uses internally to mark quoted parts of a word. */
const OF_BASH = /[\u0001\u007f]/

const NOTHING_KNOWN = { invisible: false, stateful: true, revealing: true, hidden: true }

function parseScript(text: string, unbash: Unbash): ShellScript {
  const refuse = (problem: string): ShellScript => {
    return { text, commands: [], redirects: [], problems: [problem], printed: undefined, ...NOTHING_KNOWN }
  }
  const limit = overLimit(text)
  if (limit) return refuse(limit)
  try {
    const ast = unbash.parse(text)
    const isOwn = createOwnVariableDetector(ast, unbash.forEachChild)
    const reader: WordReader = new WordReader(isOwn, (script) => printed(script, reader))
    const collector = new CommandCollector(text, unbash, reader, isOwn)
    collector.visit(ast, text)
    const leads = leading(ast)
    const { commands, problems, ...rest } = collector.result()
    const marked = commands.map((command, i) =>
      i < leads && command.words[0]?.value === 'cd' ? { ...command, leads: true } : command,
    )
    const isCertain =
      problems.length === 0 && !OF_BASH.test(text) && isSourceCoveredByTree(ast, text, unbash.forEachChild)
    const code = isCertain ? printed(ast, reader, text) : undefined
    const unprinted = problems.length === 0 && code === undefined ? ['bash might read it in another way'] : []
    return {
      text,
      ...rest,
      commands: marked,
      problems: [...problems, ...unprinted],
      printed: code,
      invisible: INVISIBLE_CHARACTER_PATTERN.test(text),
    }
  } catch (error) {
    // The parser recurses; running out of stack on hostile input is an answer too.
    return refuse(error instanceof TooManyCommandsError ? 'it has too many parts' : 'it could not be parsed')
  }
}

function printed(script: ParsedScript, words: WordReader, source?: string): string | undefined {
  try {
    const text = printScript(script, words, source)
    // Quotes make it longer, and then bash could not be given it.
    return isTooLong(text) ? undefined : text
  } catch (error) {
    if (error instanceof UnprintableScriptError) return undefined
    throw error
  }
}

/** In bytes, of which a character has three at most. */
function isTooLong(text: string): boolean {
  return text.length * 3 >= LONGEST_PARSED && new TextEncoder().encode(text).length >= LONGEST_PARSED
}

/** `cd a && cd b && …` and nothing else: how many commands there are that only lead somewhere. */
function leading(ast: ParsedScript): number {
  const [statement, ...others] = ast.commands
  if (others.length > 0 || statement?.background || statement?.command.type !== 'AndOr') return 0
  const { commands, operators } = statement.command
  if (operators.includes('||')) return 0
  const end = commands.findIndex((command) => command.type !== 'Command' || command.name?.text !== 'cd')
  return end < 0 ? commands.length : end
}

/** Checked before parsing, so that hostile input can't buy time. */
function overLimit(text: string): string | undefined {
  if (text.includes('\u0000')) return 'it holds a NUL character'
  if (/\p{Surrogate}/u.test(text)) return 'it holds characters that are no text'
  if (text.length > LONGEST_PARSED) return 'it is too long'
  if (text.length > MAX_APPROVABLE_COMMAND_LENGTH && (text.match(/[;|&\n]/g)?.length ?? 0) > MOST_SEPARATORS)
    return 'it has too many parts'
  if ((text.match(/<</g)?.length ?? 0) > MOST_DOCUMENTS) return 'it has too many parts'
  let depth = 0
  let backticks = 0
  let word = { from: 0, parts: 0, quotes: 0, arithmetic: false }
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (char === 0x28 || char === 0x7b) depth += 1
    else if ((char === 0x29 || char === 0x7d) && depth > 0) depth -= 1
    else if (char === 0x60) backticks += 1
    if (depth > DEEPEST || backticks > MOST_BACKTICKS) return 'it is nested too deeply'
    if (char <= 0x20) word = { from: i, parts: 0, quotes: 0, arithmetic: false }
    else if (char === 0x22 || char === 0x27) word.quotes += 1
    else if (char === 0x24 || char === 0x2a || char === 0x3f || char === 0x5b) word.parts += 1
    else if (char === 0x28 && text.charCodeAt(i - 1) === 0x28) word.arithmetic = true
    if (word.parts > MOST_PARTS || word.quotes > MOST_QUOTES || (word.arithmetic && i - word.from > LONGEST_ARITHMETIC))
      return 'it has too many parts'
  }
  return undefined
}
