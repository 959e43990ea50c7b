/** A plan that waits for approval: how to continue, with changes or comments. The whole plan is in the scrollback. */

import type { PermissionMode } from '../../protocol/permission-types.js'
import type { Ask, AskAnswer } from '../../protocol/session-log/ask-types.js'
import { MODES_AFTER_PLAN, PLAN_DECISIONS } from '../../protocol/shown/vocabulary.js'
import { requestTitle } from '../../view/request-title.js'
import type { Card } from './card.js'
import { choiceCard } from './choice-card.js'
import type { Choice } from './choice-list.js'
import { textFieldCard } from './text-field.js'

export type PlanPorts = {
  answer(answer: AskAnswer): void
  show(card: Card): void
  editOutside(text: string, name: string): Promise<string | undefined>
  canBypass: boolean
}

type Way = { mode: PermissionMode } | 'edit' | 'comment'

export function planTextOfAsk({ tool }: Ask): string {
  const plan = tool?.input['plan']
  return typeof plan === 'string' ? plan : ''
}

export function planCard(ask: Ask, { answer, show, editOutside, canBypass }: PlanPorts): Card {
  let plan: string | undefined
  const about = ask.tool ? { hash: ask.tool.hash } : {}
  const choices: Choice<Way>[] = [
    ...MODES_AFTER_PLAN.filter(({ mode }) => canBypass || mode !== 'bypassPermissions').map(({ mode, label }) => ({
      value: { mode },
      label,
    })),
    { value: 'edit', label: `${PLAN_DECISIONS.edit} in your editor`, letter: 'e' },
    { value: 'comment', label: PLAN_DECISIONS.sendBackWithComments, letter: 'n' },
  ]
  const card: Card = choiceCard<Way>({
    title: requestTitle(ask, ''),
    choices,
    words: ({ styles }) => (plan === undefined ? [] : [styles.green('  the agent receives your version of the plan')]),
    onCanceled: () => answer({ kind: 'revise', comments: '' }),
    onChosen([way]) {
      if (typeof way === 'object')
        return answer({ ...about, kind: 'approve', mode: way.mode, ...(plan === undefined ? {} : { plan }) })
      if (way === 'edit') {
        void editOutside(plan ?? planTextOfAsk(ask), 'plan.md').then((edited) => {
          plan = edited ?? plan
          show(card)
        })
        return
      }
      show(
        textFieldCard({
          title: 'What should be different?',
          hint: 'your comments',
          onDone: (comments) => answer({ kind: 'revise', comments }),
          onCanceled: () => show(card),
        }),
      )
    },
  })
  return card
}
