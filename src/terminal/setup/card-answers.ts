/** Kedge's questions as promises. Undefined if the user canceled. */

import type { Card, CardLook } from '../cards/card.js'
import { choiceCard } from '../cards/choice-card.js'
import type { Choice } from '../cards/choice-list.js'
import { textField } from '../cards/text-field.js'
import type { Face } from '../session/face.js'

export type CardQuestion<T> = {
  title: string
  choices: readonly Choice<T>[]
  words?: (look: CardLook) => string[]
  hint?: string
}

export function askChoice<T>(face: Face, question: CardQuestion<T>): Promise<T | undefined> {
  return askWithCard(face, (done) =>
    choiceCard<T>({ ...question, onChosen: ([choice]) => done(choice), onCancelled: () => done(undefined) }),
  )
}

export function askText(
  face: Face,
  field: { title: string; hint: string; words?: (look: CardLook) => string[]; isSecret?: boolean },
): Promise<string | undefined> {
  return askWithCard(face, (done) => textField({ ...field, onDone: done, onCancelled: () => done(undefined) }))
}

export function askWithCard<T>(
  face: Face,
  make: (done: (value: T | undefined) => void) => Card,
): Promise<T | undefined> {
  return new Promise((resolve) => {
    face.screen.askUser(
      make((value) => {
        face.screen.show(undefined)
        resolve(value)
      }),
    )
  })
}
