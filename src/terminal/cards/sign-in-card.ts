/** A sign-in to an MCP server: first whether to begin, then the page to visit and a place to paste where it ended. */
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { SIGN_IN_TEXTS } from '../../protocol/shown/vocabulary.js'
import { requestTitle } from '../../view/request-title.js'
import { wrapText } from '../screen/styled-text.js'
import { toTerminalSafeLine } from '../screen/terminal-safe-text.js'
import type { Card, CardViewOptions } from './card.js'
import { choiceCard } from './choice-card.js'
import { textFieldCard } from './text-field.js'

export type SignInCardPorts = { answer(answer: AskAnswer): void; show(card: Card): void }

export function signInCard(ask: Ask, { answer, show }: SignInCardPorts): Card {
  const { url = '', step, address = '', code, canPaste, problem } = ask.signIn ?? {}
  const title = toTerminalSafeLine(requestTitle(ask, ''))
  const cancel = () => answer({ kind: 'sign-in', action: 'cancel' })
  const failed = ({ columns, styles }: CardViewOptions) =>
    problem === undefined
      ? []
      : wrapText(styles.red(`  ${toTerminalSafeLine(SIGN_IN_TEXTS.failed(problem))}`), columns - 1, { indent: '  ' })
  const text = (words: string) => (look: CardViewOptions) => [
    ...failed(look),
    ...wrapText(`  ${toTerminalSafeLine(words)}`, look.columns - 1, { indent: '  ' }),
  ]
  if (step !== 'visit')
    return choiceCard<'browser' | 'device' | 'cancel'>({
      title,
      words: text(SIGN_IN_TEXTS.offer(url)),
      choices: [
        { value: 'browser', label: SIGN_IN_TEXTS.start },
        { value: 'device', label: SIGN_IN_TEXTS.startWithCode },
        { value: 'cancel', label: SIGN_IN_TEXTS.notNow },
      ],
      onCanceled: cancel,
      onChosen: ([method = 'cancel']) =>
        method === 'cancel' ? cancel() : answer({ kind: 'sign-in', action: 'start', method }),
    })
  const words = (look: CardViewOptions) => [
    ...text(SIGN_IN_TEXTS.visit)(look),
    // In one piece, so that it can be copied or clicked.
    `  ${look.styles.underline(toTerminalSafeLine(address))}`,
    ...(code === undefined ? [] : text(SIGN_IN_TEXTS.code(code))(look)),
  ]
  const waiting: Card = choiceCard<'paste' | 'cancel'>({
    title,
    words,
    choices: [
      ...(canPaste ? [{ value: 'paste' as const, label: SIGN_IN_TEXTS.paste }] : []),
      { value: 'cancel', label: SIGN_IN_TEXTS.cancel },
    ],
    onCanceled: cancel,
    onChosen: ([choice]) => (choice === 'paste' ? show(pasting) : cancel()),
  })
  const pasting: Card = textFieldCard({
    title,
    words: text(SIGN_IN_TEXTS.pasteHint),
    hint: SIGN_IN_TEXTS.pasteExample,
    onCanceled: () => show(waiting),
    onDone: (callback) =>
      callback.trim() === '' ? show(waiting) : answer({ kind: 'sign-in', action: 'finish', callback: callback.trim() }),
  })
  return waiting
}
