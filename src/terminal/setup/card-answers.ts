/** Kedge's questions as promises. Undefined if the user canceled. */

import type { Card, CardViewOptions } from '../cards/card.js'
import { choiceCard } from '../cards/choice-card.js'
import type { Choice } from '../cards/choice-list.js'
import { textFieldCard } from '../cards/text-field.js'
import type { TerminalUi } from '../session/terminal-ui.js'

export type CardQuestion<T> = {
  title: string
  choices: readonly Choice<T>[]
  words?: (look: CardViewOptions) => string[]
  hint?: string
}

export function askChoice<T>(ui: TerminalUi, question: CardQuestion<T>): Promise<T | undefined> {
  return askWithCard(ui, (done) =>
    choiceCard<T>({ ...question, onChosen: ([choice]) => done(choice), onCanceled: () => done(undefined) }),
  )
}

export function askText(
  ui: TerminalUi,
  field: { title: string; hint: string; words?: (look: CardViewOptions) => string[]; isSecret?: boolean },
): Promise<string | undefined> {
  return askWithCard(ui, (done) => textFieldCard({ ...field, onDone: done, onCanceled: () => done(undefined) }))
}

export function askWithCard<T>(
  ui: TerminalUi,
  make: (done: (value: T | undefined) => void) => Card,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    ui.screen.askUser(
      make((value) => {
        ui.screen.show(undefined)
        resolve(value)
      }),
    )
  })
}
