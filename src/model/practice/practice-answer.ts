/** What the practice model says: plain reports of what really came back, and an honest word where it knows nothing. */

import { trimTrailingCharacters } from '../../platform/trim-end.js'
import type { PracticeToolOutcome } from './read-request.js'

/** Each is a request the grammar understands; a test makes sure of that. */
export const ABILITY_EXAMPLES: readonly string[] = [
  'list the files in src',
  'read notes.txt',
  'search for TODO in src',
  'create notes.txt with "Buy milk"',
  'replace milk with bread in notes.txt',
  'append "and eggs" to notes.txt',
  'run `git status`',
  'plan: list the files, read notes.txt, tidy up',
  'ask me: tea or coffee?',
  'propose a plan: read notes.txt, tidy up',
]

/** How a question in plain text begins; the next message is then taken as its answer. */
export const QUESTION_OPENING = 'A question for you: '

export const INTERJECTED_TEXT =
  'Another message of yours came in while I was working. I read one message at a time: please send it again.'

const SHOWN_LINES = 40
const SHOWN_CHARACTERS = 4000

export function practiceHelp(): string {
  return `I am the practice model: a fixed program without intelligence that stands in for a real model, offline.\n${abilities()}`
}

export function notUnderstoodText(words: string): string {
  return `I am the practice model, a fixed program without intelligence, and I didn't understand ${quoteText(words)}.\n${abilities()}`
}

export function acknowledgeAnswerText(words: string): string {
  return `You answered ${quoteText(words)}. I am the practice model, so nothing follows from it.`
}

export function needsToolText(names: string): string {
  return `I would need the tool ${names} for that, which this session does not have.`
}

/** For an outcome that is an error. */
export function failedToolText(tool: string, { text }: PracticeToolOutcome): string {
  const wrapped = /^<tool_use_error>(.*)<\/tool_use_error>$/s.exec(text)
  if (wrapped) return `That did not work: ${wrapped[1]}`
  if (tool === 'Bash' && text.startsWith('Exit code')) return failedCommand(text)
  if (INTERRUPTED_BY_USER.test(text)) return 'That was interrupted.'
  if (CUT_OFF.test(text)) return text.replace(CUT_OFF, 'That was interrupted')
  return isRefusal(tool, text) ? `That was refused: ${text}` : `That did not work: ${text}`
}

export function foundFilesText(outcome: PracticeToolOutcome, folder: string, where: string): string {
  // What is said about the list stands behind an empty line.
  const lines = (outcome.text.split(/\n\n[([]/)[0] ?? '').split('\n').filter((line) => line !== '')
  if (lines.length === 0 || lines[0] === 'No files found') return `There are no files${where}.`
  const start = folder.endsWith('/') ? folder : `${folder}/`
  const names = lines.map((line) => (line.startsWith(start) ? line.slice(start.length) : line))
  return `The files${where}:\n${block(names.join('\n'))}`
}

export function describeSearchMatches(outcome: PracticeToolOutcome, text: string): string {
  const found = outcome.text.trim()
  if (found === '' || /^No (?:matches|files) found/.test(found) || isSilence(found))
    return `${quoteText(text)} occurs nowhere.`
  return `${quoteText(text)} occurs here:\n${block(outcome.text)}`
}

export function fileContentText(path: string, text: string): string {
  return text === '' ? `${path} is empty.` : `${path} says:\n${block(text)}`
}

export function commandOutputText(outcome: PracticeToolOutcome): string {
  return outcome.text === '' || isSilence(outcome.text)
    ? 'The command printed nothing.'
    : `The command printed:\n${block(outcome.text)}`
}

/** Approved or not, it is practice. */
export const PLAN_APPROVED_TEXT = 'You approved the plan. I am the practice model, so nothing follows from it.'

export function quoteText(text: string): string {
  const short = text.length > 200 ? `${text.slice(0, 199)}…` : text
  return `“${short}”`
}

/** The content of a file from what Read shows: numbered lines, then notes. Without such lines, as it is. */
export function withoutLineNumbers(text: string): string {
  const lines = text.split('\n')
  const end = lines.findIndex((line) => !/^ *\d+→/.test(line))
  const numbered = end < 0 ? lines : lines.slice(0, end)
  if (numbered.length > 0) return numbered.map((line) => line.replace(/^ *\d+→/, '')).join('\n')
  return text === '(The file exists but is empty.)' ? '' : text
}

function abilities(): string {
  return `What I can do, with the real tools:\n${block(ABILITY_EXAMPLES.join('\n'))}\nSeveral requests can be joined with “then”.`
}

function isSilence(text: string): boolean {
  return text.startsWith('(no output, exit code ')
}

function failedCommand(text: string): string {
  const [code = '', ...rest] = text.split('\n')
  const output = rest.join('\n')
  const ended = `The command failed with ${code.toLowerCase()}`
  return output === '' ? `${ended} and printed nothing.` : `${ended} and printed:\n${block(output)}`
}

/** A call that was stopped, and calls that the history has no result for: nobody denied them. */
const INTERRUPTED_BY_USER = /^\[Request interrupted by user/
const CUT_OFF = /^(?:This call was interrupted|The session was cut off)/

const KNOWN_TROUBLE =
  /^(?:File |Could not |Cannot |Bash could not |The (?:working directory|command|file|path) |String to |Found \d|No changes |(?:[A-Z]+|\w*Error): )/

/**
 * A host says no in its own words, which look like any other error. Tools that change things put what they find out
 * beforehand into `<tool_use_error>` and begin what goes wrong later in known ways, so the rest is a refusal.
 */
function isRefusal(tool: string, text: string): boolean {
  if (/\b(?:permissions?|denied|not allowed|approval|granted|refused|blocked)\b/i.test(text)) return true
  if (!['Bash', 'Write', 'Edit', 'AskUserQuestion'].includes(tool)) return false
  return !KNOWN_TROUBLE.test(text)
}

function block(text: string): string {
  const all = trimTrailingCharacters(text.slice(0, SHOWN_CHARACTERS), '\n').split('\n')
  const shown = all.slice(0, SHOWN_LINES).map((line) => `  ${line}`)
  const cut = text.length > SHOWN_CHARACTERS || all.length > SHOWN_LINES
  return [...shown, ...(cut ? ['  … (and more, not shown here)'] : [])].join('\n')
}
