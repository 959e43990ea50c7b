/**
 * A rough look at a command line: which simple commands it joins, and how. Only for hints to the reader of a result
 * (is silence normal? is exit code 1 a failure?), never for a decision; anything but a plain list is not looked at.
 */

type Joint = 'start' | ';' | '&&' | '||' | '|' | '&'
type Part = { joint: Joint; words: string[] }

/** Succeed without a word. */
const SILENT = new Set('mkdir rmdir touch mv cp rm ln cd chmod chown chgrp export unset wait'.split(' '))

const NO_MATCHES = 'No matches found'
/** What exit code 1 means where it is an answer and not a failure. */
const ANSWERS = new Map([
  ['grep', NO_MATCHES],
  ['egrep', NO_MATCHES],
  ['fgrep', NO_MATCHES],
  ['rg', NO_MATCHES],
  ['diff', 'Files differ'],
  ['test', 'Condition is false'],
  ['[', 'Condition is false'],
  ['find', 'Some directories were inaccessible'],
])

const KEYWORDS = new Set(
  'if then else elif fi for while until do done case esac select function time ! [[ { }'.split(' '),
)

export function expectsNoOutput(command: string): boolean {
  const parts = outline(command)
  if (!parts) return false
  return parts.every(
    ({ joint, words }) => joint === '||' || (joint !== '|' && joint !== '&' && SILENT.has(words[0] ?? '')),
  )
}

/** The meaning of an exit code that isn't a failure. */
export function explainExitCode(command: string, exitCode: number | null, output: string): string | undefined {
  const parts = outline(command)
  if (exitCode !== 1 || !parts) return undefined
  const last = parts.at(-1)
  const meaning = ANSWERS.get(last?.words[0] ?? '')
  if (!last || !meaning) return undefined
  if (last.joint === '&' || last.joint === '||') return undefined
  if (last.joint !== '&&') return meaning
  // The code may be that of an earlier command, except of one that would have said so.
  const earlier = parts.slice(0, -1)
  return earlier.every(({ words }) => words[0] === 'cd') && !output.includes(': cd: ') ? meaning : undefined
}

/** Undefined when the command is more than a list of simple commands. */
function outline(command: string): Part[] | undefined {
  const parts: Part[] = []
  let part: Part = { joint: 'start', words: [] }
  let word: string | undefined
  const endWord = () => {
    if (word !== undefined) part.words.push(word)
    word = undefined
  }
  const endPart = (joint: Joint) => {
    endWord()
    if (part.words.length > 0) parts.push(part)
    part = { joint, words: [] }
  }
  for (const [token] of command.matchAll(TOKEN)) {
    if (/^['"\\]/.test(token)) {
      if (token.length === 1 || (token.startsWith('"') && /[`]|\$\(/.test(token))) return undefined
      word = (word ?? '') + token
    } else if (/^[ \t]/.test(token)) endWord()
    else if (token.startsWith('#') && word === undefined) continue
    else if (token === '\n' || token === ';') endPart(';')
    else if (token === '&&' || token === '||' || token === '|' || token === '&') endPart(token)
    else if (token === '|&') endPart('|')
    else if (/^[()`]$|^\$\(|^<<|^[<>]\(/.test(token)) return undefined
    else word = (word ?? '') + token
  }
  endPart(';')
  return parts.some(({ words }) => KEYWORDS.has(words[0] ?? '')) ? undefined : parts
}

/** Quoted strings, escapes, blanks, comments, redirections (whose & is no joint), operators, and what is left of words. */
const TOKEN =
  /'[^']*'|"(?:[^"\\]|\\.)*"|\\.|['"\\]|[ \t]+|#[^\n]*|<<|[<>]\(|&>>?|[<>]&|\$\(|&&|\|\||\|&|[;&|\n()`]|[^\s'"\\#;&|()`<>$]+|./gs
