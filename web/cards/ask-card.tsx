/** One thing that waits for a person, whatever kind it is. */
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { clockTime } from '../parts/formats.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { askTitle } from '../state/ask-title.js'
import { usePageScope } from '../state/page-scope.js'
import type { Ask } from '../state/server-types.js'
import { T } from '../texts.js'
import { useAnswerGuard } from './answering.js'
import { ElicitationForm } from './elicitation-form.js'
import { PermissionCard } from './permission-card.js'
import { PlanCard } from './plan-card.js'
import { QuestionForm } from './question-form.js'
import { SignInCard } from './sign-in-card.js'

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

const BODIES = {
  permission: PermissionCard,
  question: QuestionForm,
  plan: PlanCard,
  elicitation: ElicitationForm,
  'sign-in': SignInCard,
}

export function AskCard({ ask, isActive, seen, isWanted = false, isElsewhere = false }: Props) {
  const scope = usePageScope()
  const guard = useAnswerGuard(ask, seen)
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isWanted) return
    root.current?.scrollIntoView({ block: 'nearest' })
    root.current?.querySelector<HTMLElement>('[data-first]')?.focus({ preventScroll: true })
  }, [isWanted])
  useLayoutEffect(() => {
    const card = root.current
    return () => {
      if (card?.contains(scope.root.activeElement)) focusAround(card)
    }
  }, [])
  const session = scope.sessionOf(ask.session)
  const title = askTitle(ask, session?.cwd ?? '')
  const Body = BODIES[ask.kind]
  return (
    <article class={`card ${ask.kind}`} ref={root} aria-label={T.cardLabel(T.askKinds[ask.kind], title)}>
      <header>
        <h2>{title}</h2>
        {ask.agent.length > 0 && <span class="tag">{T.agent(whoAsks(ask))}</span>}
        {isElsewhere && (
          <SessionLink title={toDisplaySafeLine(session?.title ?? T.untitled, 80)} href={scope.linkToAsk(ask)} />
        )}
        <time dateTime={ask.since}>{clockTime(ask.since)}</time>
      </header>
      <Body ask={ask} guard={guard} isActive={isActive} />
    </article>
  )
}

/** A card that goes takes the focus with it: who answers by key stays where the next one comes. */
function focusAround(card: HTMLElement): void {
  card.parentElement?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
}

function SessionLink({ title, href }: { title: string; href: string | undefined }) {
  return href === undefined ? <span class="quiet">{title}</span> : <a href={href}>{title}</a>
}

/** A sub-agent by what it was started for and its kind. A teammate has a name. */
function whoAsks({ asker, agent }: Ask): string {
  if (!asker) return toDisplaySafeLine(agent.at(-1) ?? '', 80)
  return T.asker(toDisplaySafeLine(asker.name ?? asker.job, 80), toDisplaySafeLine(asker.type, 40))
}
