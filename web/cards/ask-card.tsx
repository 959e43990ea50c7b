/** One thing that waits for a person, whatever kind it is. */
import { useEffect, useRef } from 'preact/hooks'
import { clockTime } from '../parts/formats.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { askTitle } from '../state/ask-title.js'
import { toSessionLink } from '../state/route.js'
import type { Ask } from '../state/server-types.js'
import { sessionTitle } from '../state/toasts.js'
import { T } from '../texts.js'
import { useGuard } from './answering.js'
import { ElicitationForm } from './elicitation-form.js'
import { PermissionCard } from './permission-card.js'
import { PlanCard } from './plan-card.js'
import { QuestionForm } from './question-form.js'

type Props = {
  ask: Ask
  /** Its keys work. */
  isActive: boolean
  seen: string
  /** A link led here. */
  isWanted?: boolean
  /** The session is named: the card is not in it. */
  isElsewhere?: boolean
}

export function AskCard({ ask, isActive, seen, isWanted = false, isElsewhere = false }: Props) {
  const guard = useGuard(seen)
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isWanted) return
    root.current?.scrollIntoView({ block: 'nearest' })
    root.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true })
  }, [isWanted])
  const title = askTitle(ask)
  const Body = { permission: PermissionCard, question: QuestionForm, plan: PlanCard, elicitation: ElicitationForm }[
    ask.kind
  ]
  return (
    <article class={`card ${ask.kind}`} ref={root} aria-label={T.cardLabel(T.askKinds[ask.kind], title)}>
      <header>
        <h2>{title}</h2>
        {ask.agent.length > 0 && <span class="tag">{T.agent(whoAsks(ask))}</span>}
        {isElsewhere && <a href={toSessionLink(ask.session, `?ask=${ask.id}`)}>{sessionTitle(ask.session)}</a>}
        <time dateTime={ask.since}>{clockTime(ask.since)}</time>
      </header>
      <Body ask={ask} guard={guard} isActive={isActive} />
    </article>
  )
}

/** A sub-agent by what it was started for and its kind. A teammate has a name. */
function whoAsks({ asker, agent }: Ask): string {
  if (!asker) return toDisplaySafeLine(agent.at(-1) ?? '', 80)
  return T.asker(toDisplaySafeLine(asker.name ?? asker.job, 80), toDisplaySafeLine(asker.type, 40))
}
