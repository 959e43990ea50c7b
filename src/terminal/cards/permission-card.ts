/** May it do this? What would happen, why it is asked, and the exact rule of every "always". */
import type { Ask, AskAnswer, Suggestion } from '../../hub/ask-types.js'
import { foldedLine, withMarks } from '../../protocol/shown/unseen-text.js'
import type { DiffHunk } from '../blocks/diff-lines.js'
import { diffLines } from '../blocks/diff-lines.js'
import { shortPath, toolTitle } from '../blocks/tool-lines.js'
import { printedLines, shownLine, shownLines } from '../screen/shown-text.js'
import { cutText, wrapText } from '../screen/styled-text.js'
import type { Card, CardViewOptions } from './card.js'
import { choiceCard } from './choice-card.js'
import type { Choice } from './choice-list.js'
import { textField } from './text-field.js'

export type PermissionCardPorts = {
  cwd: string
  answer(answer: AskAnswer): void
  /** Shows another card instead of this one. */
  show(card: Card): void
  editOutside(text: string, name: string): Promise<string | undefined>
  /** The diff of a preview, computed before the card is made. */
  hunks: DiffHunk[] | undefined
}

type Pick =
  | { kind: 'once' }
  | { kind: 'always'; suggestion: Suggestion }
  | { kind: 'edit' }
  | { kind: 'message' }
  | { kind: 'stop' }

const SCOPES: Readonly<Record<Suggestion['scope'], string>> = {
  session: 'until this session ends',
  local: 'in this folder, for you: .claude/settings.local.json',
  project: 'in this folder, for everybody: .claude/settings.json',
  user: 'everywhere: ~/.claude/settings.json',
}

const LONGEST_RULE = 200

/** What of the input a person would edit. */
const EDITED: Readonly<Record<string, string>> = {
  Bash: 'command',
  Write: 'content',
  Edit: 'new_string',
  WebFetch: 'url',
  WebSearch: 'query',
  Task: 'prompt',
}

export function permissionCard(ask: Ask, ports: PermissionCardPorts): Card {
  const { answer, show } = ports
  const { tool } = ask
  const about = tool ? { hash: tool.hash } : {}
  const choices: Choice<Pick>[] = [
    { value: { kind: 'once' }, label: 'Yes, this time', letter: 'y' },
    ...ask.suggestions.slice(0, 4).map(
      (suggestion): Choice<Pick> => ({
        value: { kind: 'always', suggestion },
        label: `Yes, and always: ${foldedLine(withMarks(suggestion.rule), LONGEST_RULE)}`,
        detail: SCOPES[suggestion.scope],
      }),
    ),
    { value: { kind: 'edit' }, label: 'Change it first', letter: 'e' },
    { value: { kind: 'message' }, label: 'No, and say what to do instead', letter: 'n' },
    { value: { kind: 'stop' }, label: 'No, and stop', letter: 's' },
  ]
  const title = permissionTitle(ask, ports.cwd)
  const card: Card = choiceCard<Pick>({
    title,
    choices,
    words: (look) => wordsOf(ask, look, ports.hunks, ports.cwd),
    onCanceled: () => answer({ kind: 'deny', stop: true }),
    onChosen([pick]) {
      switch (pick?.kind) {
        case 'once':
          return answer({ ...about, kind: 'allow' })
        case 'always':
          return answer({ ...about, kind: 'allow', updates: [pick.suggestion.update] })
        case 'edit':
          return show(editCard(ask, ports, card))
        case 'message':
          return show(messageCard(ports, card))
        default:
          return answer({ kind: 'deny', stop: true })
      }
    },
  })
  return { ...card, whole: (look) => wordsOf(ask, { ...look, height: 100_000 }, ports.hunks, ports.cwd) }
}

function messageCard({ answer, show }: PermissionCardPorts, back: Card): Card {
  return textField({
    title: 'No: what should it do instead?',
    hint: 'leave it empty for a plain no',
    onDone: (message) => answer({ kind: 'deny', ...(message.trim() === '' ? {} : { message }) }),
    onCanceled: () => show(back),
  })
}

function editCard({ tool }: Ask, { answer, show, editOutside }: PermissionCardPorts, back: Card): Card {
  const input = tool?.input ?? {}
  const field = EDITED[tool?.name ?? '']
  const value = field === undefined ? undefined : input[field]
  const isText = typeof value === 'string'
  const problem = { text: '' }
  const card: Card = textField({
    title: isText ? `Change ${field}, then allow it` : 'Change what it is called with, then allow it',
    words: ({ styles }) => (problem.text === '' ? [] : [styles.red(`  ${problem.text}`)]),
    hint: '',
    text: isText ? value : JSON.stringify(input, null, 2),
    editOutside: (text) => editOutside(text, isText && field !== 'command' ? 'change.txt' : 'change.sh'),
    onDone(text) {
      const changed = isText && field !== undefined ? { ...input, [field]: text } : parsed(text)
      if (changed) return answer({ ...(tool ? { hash: tool.hash } : {}), kind: 'allow', input: changed })
      problem.text = 'This is no JSON object.'
      show(card)
    },
    onCanceled: () => show(back),
  })
  return card
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

export function permissionTitle({ tool, agent, asker, preview }: Ask, cwd: string): string {
  const job = asker && (asker.name ?? asker.job)
  const named = asker ? shownLine(`${asker.type}${job ? ` (${job})` : ''}`) : 'An agent'
  const who = agent.length > 0 ? `${named} wants to ` : ''
  const what = () => {
    if (preview?.type === 'diff')
      return `${preview.oldText === null ? 'create' : 'change'} ${shownLine(shortPath(preview.path, cwd))}`
    if (tool?.name === 'Bash') return 'run a command'
    if (preview?.type === 'address') return `open ${shownLine(preview.host)}`
    return `use ${toolTitle({ name: tool?.name ?? 'a tool', input: {} }, cwd).name}`
  }
  const words = what()
  return who === '' ? `${words.charAt(0).toUpperCase()}${words.slice(1)}?` : `${who}${words}`
}

function wordsOf(ask: Ask, look: CardViewOptions, hunks: DiffHunk[] | undefined, cwd: string): string[] {
  const { columns, styles, height } = look
  const reason = wrapText(styles.dim(`  ${shownLine(whyText(ask))}`), columns - 1, { indent: '  ' })
  const why = endsOf(reason, Math.max(2, Math.floor((height - 8) / 3)), styles)
  const room = Math.max(2, height - why.length - 8)
  const { main, beside } = previewLines(ask, look, hunks, cwd)
  const fit = (lines: string[]) => lines.map((line) => cutText(`  ${line}`, columns - 1))
  // What runs has at least half of the room.
  const rest = endsOf(beside, Math.max(0, room - Math.min(main.length, Math.max(2, Math.ceil(room / 2)))), styles)
  return [...fit(endsOf(main, room - rest.length, styles)), ...fit(rest), ...why]
}

/** The first and the last of too many lines: what comes last runs as well. */
function endsOf(lines: string[], room: number, styles: CardViewOptions['styles']): string[] {
  if (lines.length <= room) return lines
  if (room < 1) return []
  const shown = room - 1
  const tail = Math.ceil(shown / 2)
  const hidden = lines.length - shown
  const more = styles.yellow(`${styles.sign.more} ${hidden} more ${hidden === 1 ? 'line' : 'lines'} (ctrl-o shows all)`)
  return [...lines.slice(0, shown - tail), more, ...lines.slice(lines.length - tail)]
}

export function whyText({ why }: Ask): string {
  const source = why.source === undefined ? '' : ` (${why.source})`
  return why.rule === undefined ? why.text : `${why.text} Rule: ${why.rule}${source}`
}

function previewLines(
  { preview, tool }: Ask,
  { columns, styles }: CardViewOptions,
  hunks: DiffHunk[] | undefined,
  cwd: string,
): { main: string[]; beside: string[] } {
  const width = columns - 4
  const only = (main: string[]) => ({ main, beside: [] })
  const wrapped = (line: string) => wrapText(line, width, { anywhere: true })
  switch (preview?.type) {
    case 'diff':
      return only([
        ...(preview.cut ? [styles.yellow('too long to show whole')] : []),
        ...diffLines(hunks ?? [], width, styles),
      ])
    case 'command': {
      const description = tool?.input['description']
      const words = typeof description === 'string' ? [styles.dim(shownLine(description))] : []
      const parts =
        preview.parts.length < 2
          ? []
          : preview.parts.map(({ command, behavior, reason }) => {
              const sign =
                behavior === 'allow'
                  ? styles.green(styles.sign.tick)
                  : behavior === 'deny'
                    ? styles.red(styles.sign.cross)
                    : styles.yellow('?')
              return `${sign} ${foldedLine(withMarks(command), Math.max(20, width - 30))} ${styles.dim(shownLine(reason))}`
            })
      const main = shownLines(withMarks(preview.command)).flatMap((line) => wrapped(styles.bold(line)))
      return { main, beside: [...words, ...parts] }
    }
    case 'address':
      return only(wrapped(shownLine(withMarks(preview.url))))
    case 'document':
      return only(shownLines(preview.text).flatMap(wrapped))
    default: {
      const reason = preview?.type === 'none' ? [styles.dim(shownLine(preview.reason))] : []
      if (!tool) return only(reason)
      const { about } = toolTitle(tool, cwd)
      const input = printedLines(withMarks(JSON.stringify(tool.input, null, 2))).flatMap(wrapped)
      return only([...(about === '' ? [] : [about]), ...reason, ...input])
    }
  }
}
