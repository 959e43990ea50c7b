/** A call of a tool: one line that says what it is about, and what came of it beneath. */

import { useExpanded } from '../parts/expanded.js'
import { duration, tokens } from '../parts/formats.js'
import { Icon } from '../parts/icons.js'
import { lazyComponent } from '../parts/lazy.js'
import { toDisplaySafeLine, toDisplaySafeText } from '../safe/clean-text.js'
import { revisionSignalOfItem } from '../state/session-signals.js'
import { T } from '../texts.js'
import { headOf } from './tool-heads.js'
import type { ToolProps } from './tool-props.js'

const ToolBody = lazyComponent(() => import('./tool-bodies.js').then((part) => part.ToolBody))

export function ToolCard(props: ToolProps) {
  const { item, conversation } = props
  const { verb, target, count, isOpen: startsOpen } = headOf(item, conversation.facts.value.cwd)
  const { state, result } = item
  const hasFailed = state === 'failed' || state === 'denied' || state === 'unfinished'
  const [isOpen, turn] = useExpanded(item.key, startsOpen)
  return (
    <div
      role="group"
      class={hasFailed ? 'tool failed' : `tool ${state}`}
      aria-label={T.toolLabel(toDisplaySafeLine(verb), toDisplaySafeLine(target, 100))}
    >
      <button type="button" class="fold" aria-expanded={isOpen} onClick={turn}>
        <Icon name="chevron" />
        <span class="verb">{toDisplaySafeLine(verb, 80)}</span>{' '}
        <span class="what">{toDisplaySafeLine(target, 400)}</span>{' '}
        {count !== '' && <span class="count">{toDisplaySafeText(count)}</span>}{' '}
        <span class="state">
          {state === 'waiting' ? (
            <span class="dot needs-you" aria-hidden="true" />
          ) : hasFailed || state === 'done' ? (
            <Icon name={hasFailed ? 'close' : 'check'} />
          ) : (
            <span class="dot running" aria-hidden="true" />
          )}
          <span class={state === 'waiting' ? '' : 'unseen'}>{T.toolStates[state]}</span>
          {result && result.ms >= 1000 && <span>{duration(result.ms)}</span>}
          {item.agentTokens > 0 && <span>{T.someTokens(tokens(item.agentTokens))}</span>}
        </span>
      </button>
      {isOpen && (
        <div class="body">
          <ToolBody {...props} rev={revisionSignalOfItem(item).value} />
        </div>
      )}
    </div>
  )
}
