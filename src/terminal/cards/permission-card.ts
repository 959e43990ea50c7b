/** May it do this? What would happen, why it is asked, and the exact rule of every "always". */
import type { Ask, AskAnswer, RuleSuggestion } from '../../protocol/session-log/ask-types.js'
import { cutLineMiddle, showUnseen } from '../../protocol/shown/unseen-text.js'
import { PERMISSION_DECISIONS, RULE_SCOPES, suggestionCoverage } from '../../protocol/shown/vocabulary.js'
import { displayOf } from '../../tools/displays.js'
import { requestTitle } from '../../view/request-title.js'
import type { DiffHunk } from '../blocks/diff-lines.js'
import { diffLines } from '../blocks/diff-lines.js'
import { toToolTitleParts } from '../blocks/tool-lines.js'
import { cutText, wrapText } from '../screen/styled-text.js'
import { commandOutputLines, toTerminalSafeLine, toTerminalSafeLines } from '../screen/terminal-safe-text.js'
import type { Card, CardViewOptions } from './card.js'
import { choiceCard } from './choice-card.js'
import type { Choice } from './choice-list.js'
import { textFieldCard } from './text-field.js'

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
  | { kind: 'always'; suggestion: RuleSuggestion }
  | { kind: 'edit' }
  | { kind: 'message' }
  | { kind: 'stop' }

const LONGEST_RULE = 200

export function permissionCard(ask: Ask, ports: PermissionCardPorts): Card {
  const { answer, show } = ports
  const { tool } = ask
  const about = tool ? { hash: tool.hash } : {}
  const choices: Choice<Pick>[] = [
    { value: { kind: 'once' }, label: PERMISSION_DECISIONS.allowOnce, letter: 'y' },
    ...ask.suggestions.slice(0, 4).map(
      (suggestion): Choice<Pick> => ({
        value: { kind: 'always', suggestion },
        label: `${PERMISSION_DECISIONS.alwaysAllow} ${cutLineMiddle(showUnseen(suggestion.rule), LONGEST_RULE)}`,
        detail: suggestionDetail(suggestion),
      }),
    ),
    { value: { kind: 'edit' }, label: PERMISSION_DECISIONS.editThenAllow, letter: 'e' },
    { value: { kind: 'message' }, label: PERMISSION_DECISIONS.denyWithMessage, letter: 'n' },
    { value: { kind: 'stop' }, label: PERMISSION_DECISIONS.denyAndStop, letter: 's' },
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

/** How far it goes, and what its name doesn't say. */
function suggestionDetail({ scope, update }: RuleSuggestion): string {
  const covers = suggestionCoverage(update)
  return covers === undefined ? RULE_SCOPES[scope] : `${RULE_SCOPES[scope]}: ${covers}`
}

function messageCard({ answer, show }: PermissionCardPorts, back: Card): Card {
  return textFieldCard({
    title: 'Deny: what should the agent do instead?',
    hint: 'leave it empty to deny without a message',
    onDone: (message) => answer({ kind: 'deny', ...(message.trim() === '' ? {} : { message }) }),
    onCanceled: () => show(back),
  })
}

function editCard({ tool }: Ask, { answer, show, editOutside }: PermissionCardPorts, back: Card): Card {
  const input = tool?.input ?? {}
  const field = displayOf(tool?.name ?? '').editedField
  const value = field === undefined ? undefined : input[field]
  const isText = typeof value === 'string'
  const problem = { text: '' }
  const card: Card = textFieldCard({
    title: isText ? `Edit ${field}, then allow` : 'Edit the input, then allow',
    words: ({ styles }) => (problem.text === '' ? [] : [styles.red(`  ${problem.text}`)]),
    hint: '',
    text: isText ? value : JSON.stringify(input, null, 2),
    editOutside: (text) => editOutside(text, isText && field !== 'command' ? 'change.txt' : 'change.sh'),
    onDone(text) {
      const changed = isText && field !== undefined ? { ...input, [field]: text } : parsed(text)
      if (changed) return answer({ ...(tool ? { hash: tool.hash } : {}), kind: 'allow', input: changed })
      problem.text = "This isn't a JSON object."
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

export function permissionTitle(ask: Ask, cwd: string): string {
  const { agent, asker } = ask
  const job = asker && (asker.name ?? asker.job)
  const named = asker ? toTerminalSafeLine(`${asker.type}${job ? ` (${job})` : ''}`) : 'An agent'
  const question = toTerminalSafeLine(cutLineMiddle(showUnseen(requestTitle(ask, cwd)), LONGEST_RULE))
  return agent.length > 0 ? `${named}: ${question}` : question
}

function wordsOf(ask: Ask, look: CardViewOptions, hunks: DiffHunk[] | undefined, cwd: string): string[] {
  const { columns, styles, height } = look
  const reason = wrapText(styles.dim(`  ${toTerminalSafeLine(askReasonText(ask))}`), columns - 1, { indent: '  ' })
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

export function askReasonText({ why }: Ask): string {
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
      const words = typeof description === 'string' ? [styles.dim(toTerminalSafeLine(description))] : []
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
              return `${sign} ${cutLineMiddle(showUnseen(command), Math.max(20, width - 30))} ${styles.dim(toTerminalSafeLine(reason))}`
            })
      const main = toTerminalSafeLines(showUnseen(preview.command)).flatMap((line) => wrapped(styles.bold(line)))
      return { main, beside: [...words, ...parts] }
    }
    case 'address':
      return only(wrapped(toTerminalSafeLine(showUnseen(preview.url))))
    case 'document':
      return only(toTerminalSafeLines(preview.text).flatMap(wrapped))
    default: {
      const reason = preview?.type === 'none' ? [styles.dim(toTerminalSafeLine(preview.reason))] : []
      if (!tool) return only(reason)
      const { about } = toToolTitleParts(tool, cwd)
      const input = commandOutputLines(showUnseen(JSON.stringify(tool.input, null, 2))).flatMap(wrapped)
      return only([...(about === '' ? [] : [about]), ...reason, ...input])
    }
  }
}
