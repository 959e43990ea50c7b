/** The grammar of the practice model: a table of patterns for plain English requests, the first that fits wins. */

import { trimTrailingCharacters } from '../../platform/trim-end.js'
import type { PracticeIntent, PracticePlanStep } from './practice-request.js'
import { QUOTE_MARK_PATTERN, type TextWithoutQuotes, takeOutQuotes } from './quoting.js'

/** Reads one request; what fits nothing is `unknown`. `piece` is part of `quoted.text`. */
export function parsePracticeIntent(piece: string, quoted: TextWithoutQuotes): PracticeIntent {
  if (piece.length > LONGEST) return { kind: 'unknown' }
  const polite = piece.trim().replace(OPENING, '')
  const plain = polite.replace(CLOSING, '')
  const request = match(plain, quoted)
  // There the closing words may be part of what is to be written or asked.
  return endsInFreeText(request) ? match(polite, quoted) : request
}

/** The last words of such a request can be any text, so a comma or an "and" in it means nothing. */
export function endsInFreeText({ kind }: PracticeIntent): boolean {
  return kind === 'create' || kind === 'ask' || kind === 'plan' || kind === 'propose'
}

/** Maximum characters of unquoted text in one request; bounds the time a pattern can take. */
const LONGEST = 2000
const MOST_STEPS = 20

const OPENING =
  /^(?:(?:please|now|first|next|finally|also|then|and|ok(?:ay)?|hi|hello|hey|(?:can|could|would|will) you(?: please)?|i(?: would like|'d like| want)(?: you)? to|let's|let us)[,!]?\s+)+/i
const CLOSING = /,?\s+(?:please|for me|thanks|thank you)[.!]*$/i

/** A name without blanks, or anything in quotes. */
const NAME = `(?:${QUOTE_MARK_PATTERN}|[^\\s\uE000]+)`
/** The same, but it must look like a file where a wrong guess would write something. */
const FILE = `(?:${QUOTE_MARK_PATTERN}|[^\\s\uE000]*[./][^\\s\uE000]*)`
const NEW_FILE = `(?:(?:an?|the) )?(?:new )?(?:empty )?(?:text )?(?:file (?:called |named )?(?<named>${NAME})|(?<path>${FILE}))`
const OLD_FILE = `(?:the )?(?:file )?(?<path>${NAME})`
const FOLDER = `(?:(?:this|the|the current|the working|my) (?:folder|directory|project)|(?:all|the|every|my) files?|(?:the )?(?:folder |directory |file )?(?<path>${NAME})(?: (?:folder|directory))?)`
const WITH =
  '(?:with(?: the following| the| this| these)?(?: (?:texts?|contents?|lines?|words?))?|containing(?: the (?:text|lines?|words?))?|that (?:says|contains|reads)|saying|and (?:write|put))'
const CHANGE = `(?:replace|change)(?<all> all| every| each)?(?: occurrences? of)?(?: the (?:words?|text|lines?))? (?<from>.+?) (?:with|to|by|into) (?<to>.+)`

type Words = Record<string, string | undefined>
type Rule = [pattern: RegExp, read: (words: Words, quoted: TextWithoutQuotes) => PracticeIntent | undefined]

const RULES: Rule[] = [
  [rule('(?:help|what can you do|who are you|what are you)'), () => ({ kind: 'help' })],
  [
    rule(
      '(?:plan|todos?|to-?do list|(?:make|write)(?: me)?(?: an?| the)? (?:plan|to-?do list))(?:(?: for| to)[^:]*:|(?: for| to)?:?) (?<steps>.+)',
    ),
    ({ steps }, quoted) => readPlan(steps ?? '', quoted),
  ],
  [
    rule('(?:propose|present)(?: me)?(?: an?| the| your)? plan(?:(?: for| to)[^:]*:|(?: for| to)?:?) (?<steps>.+)'),
    ({ steps }, quoted) => {
      const pieces = quoted.literal(steps ?? '').split(/\n|;|,\s*(?:and\b)?\s*(?:then\b)?/i)
      return {
        kind: 'propose',
        steps: pieces
          .map((piece) => piece.trim())
          .filter(hasMoreThanPunctuation)
          .slice(0, MOST_STEPS),
      }
    },
  ],
  [rule('ask(?: me)?(?: about| for)?:? (?<question>.+)'), ({ question }, quoted) => readQuestion(question, quoted)],
  [
    rule('(?:run|execute)(?: the(?: shell| bash)? command| command)?:? (?!(?:the|my|an?) )(?<command>.+)'),
    ({ command }, quoted) => readCommand(command ?? '', quoted),
  ],
  [
    rule(
      `(?:list|show|find|display|ls)(?: me)?(?: all| every)?(?: of)?(?: the| my)?(?: (?<glob>[^\\s\uE000]*\\*[^\\s\uE000]*))? files?(?: (?:named|called|matching|like) (?<pattern>${NAME}))?(?: here| there)?(?: (?:in|of|under|inside|from) ${FOLDER})?`,
    ),
    ({ path, pattern, glob }, quoted) => list(path, pattern ?? glob, quoted),
  ],
  [rule(`(?:what|which) files are (?:here|there|in ${FOLDER})`), ({ path }, quoted) => list(path, undefined, quoted)],
  [
    rule(`(?:ls|list(?: the)?(?: contents? of)?(?: the)?(?: folder| directory)?)(?: (?<path>${NAME}))?`),
    ({ path }, quoted) => (path?.includes('*') ? list(undefined, path, quoted) : list(path, undefined, quoted)),
  ],
  [rule(`search (?:in )?${FOLDER} for (?:the (?:words?|text) )?(?<text>.+)`), search],
  [
    rule(
      `(?:search(?: for)?|look for|grep(?: for)?|find|where (?:is|are)) (?:the (?:words?|text) )?(?<text>.+?)(?: (?:in|under|inside) ${FOLDER})?`,
    ),
    search,
  ],
  [
    rule(`(?:read|show|open|print|cat|display|view)(?: me)?(?: the contents? of)? ${OLD_FILE}`),
    ({ path }, quoted) => ({ kind: 'read', path: name(path, quoted) }),
  ],
  [
    rule(`what(?:'s| is) in ${OLD_FILE}|what does (?:the file )?(?<named>${NAME}) (?:say|contain)`),
    ({ path, named }, quoted) => ({ kind: 'read', path: name(path ?? named, quoted) }),
  ],
  [
    rule(`(?:create|make|add) ${NEW_FILE}(?: ${WITH}:? (?<content>.+))?`),
    ({ path, named, content = '' }, quoted) => {
      return { kind: 'create', path: name(path ?? named, quoted), content: quoted.literal(content) }
    },
  ],
  [
    rule(`overwrite ${OLD_FILE} ${WITH}:? (?<content>.+)`),
    ({ path, content = '' }, quoted) => ({ kind: 'write', path: name(path, quoted), content: quoted.literal(content) }),
  ],
  [
    rule(`(?:write|put|save)(?: the (?:text|lines?|words?))? (?<content>.+) (?:to|into|in) ${NEW_FILE}`),
    ({ path, named, content = '' }, quoted) => {
      return { kind: 'write', path: name(path ?? named, quoted), content: quoted.literal(content) }
    },
  ],
  [rule(`${CHANGE} (?:everywhere )?in ${OLD_FILE}`), edit],
  [rule(`(?:in|edit) ${OLD_FILE}(?:,|:| and)? ${CHANGE}`), edit],
  [
    rule(`(?:append|add)(?: the (?:text|lines?|words?))? (?<content>.+) to (?:the end of )?${OLD_FILE}`),
    ({ path, content = '' }, quoted) => ({
      kind: 'append',
      path: name(path, quoted),
      content: quoted.literal(content),
    }),
  ],
]

/** Blanks may be any white space; a sentence may end like one. */
function rule(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern.replaceAll(' ', '\\s+')})\\s*[.!?]*$`, 'i')
}

function match(text: string, quoted: TextWithoutQuotes): PracticeIntent {
  for (const [pattern, read] of RULES) {
    const found = pattern.exec(text)
    const request = found && read(found.groups ?? {}, quoted)
    if (request) return request
  }
  return { kind: 'unknown' }
}

/** A file or folder; what ends the sentence isn't part of it. */
function name(words: string | undefined, quoted: TextWithoutQuotes): string {
  return quoted.literal((words ?? '').replace(/(?<=[\w\uE001)*])[.,:;!?]+$/, ''))
}

function list(path: string | undefined, pattern: string | undefined, quoted: TextWithoutQuotes): PracticeIntent {
  const wanted = pattern === undefined ? '**/*' : name(pattern, quoted)
  // A pattern without a folder means files of that name anywhere.
  return { kind: 'list', pattern: wanted.includes('/') ? wanted : `**/${wanted}`, ...folder(path, quoted) }
}

function search({ text = '', path }: Words, quoted: TextWithoutQuotes): PracticeIntent {
  return { kind: 'search', text: quoted.literal(text.replace(/(?<=[\w\uE001])[.!?]+$/, '')), ...folder(path, quoted) }
}

function folder(path: string | undefined, quoted: TextWithoutQuotes): { path?: string } {
  return path === undefined ? {} : { path: name(path, quoted) }
}

function edit({ path, from = '', to = '', all }: Words, quoted: TextWithoutQuotes): PracticeIntent {
  return {
    kind: 'edit',
    path: name(path, quoted),
    from: quoted.literal(from),
    to: quoted.literal(to),
    all: all !== undefined,
  }
}

function readCommand(words: string, quoted: TextWithoutQuotes): PracticeIntent | undefined {
  const command = quoted.literal(words.replace(/(?<=[\w\uE001])[.!?]+$/, ''))
  const isQuotedWhole = quoted.typed(words).trim() !== command
  // Backticks around a part are meant as quotes here, but bash would run that part.
  return command === '' || (command.includes('`') && !isQuotedWhole) ? undefined : { kind: 'run', command }
}

/** "which drink: tea, coffee or water" has its answers in it; otherwise yes or no. */
function readQuestion(words: string | undefined, quoted: TextWithoutQuotes): PracticeIntent {
  const question = quoted.literal(words ?? '')
  if (/^(?:a question|something)[.!?]*$/i.test(question)) {
    return { kind: 'ask', question: 'What should I do next?', options: ['List the files', 'Nothing'] }
  }
  const choices = trimTrailingCharacters(question.slice(question.lastIndexOf(':') + 1), '.?! \t\r\n')
  const options = choices.split(/\s*,\s*(?:or\s+)?|\s+or\s+/i).map((option) => option.trim())
  const usable =
    options.length >= 2 &&
    options.length <= 4 &&
    new Set(options).size === options.length &&
    options.every((option) => option !== '' && option.split(/\s+/).length <= 3)
  return { kind: 'ask', question, options: usable ? options : ['Yes', 'No'] }
}

/** Steps stand on lines of their own, or between commas, semicolons and "then"; with none of these, around an "and". */
function readPlan(words: string, outer: TextWithoutQuotes): PracticeIntent | undefined {
  const quoted = takeOutQuotes(outer.literal(words))
  const split = (pattern: RegExp) => quoted.text.split(pattern).map(withoutBullet).filter(hasMoreThanPunctuation)
  const parts = split(/\n|;|,\s*(?:and\b)?\s*(?:then\b)?|(?:\band\s+)?\bthen\b/i)
  const pieces = parts.length > 1 ? parts : split(/\band\b/i)
  const steps = pieces.slice(0, MOST_STEPS).map((piece): PracticePlanStep => {
    const request = parsePracticeIntent(piece, quoted)
    // A plan within a plan would replace the list it stands on.
    return { text: quoted.typed(piece).trim(), request: request.kind === 'plan' ? { kind: 'unknown' } : request }
  })
  return steps.length === 0 ? undefined : { kind: 'plan', steps }
}

export function withoutBullet(line: string): string {
  return line.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, '')
}

export function hasMoreThanPunctuation(piece: string): boolean {
  return /[^\s.,:;!?]/.test(piece)
}
