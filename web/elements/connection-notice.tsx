/** Says that a connection is lost, and what can be done about it. */
import type { LiveState } from '../../src/client/live-value.js'
import { toDisplaySafeText } from '../safe/clean-text.js'
import { T } from '../texts.js'

type Props = {
  state: LiveState
  onRetry(): void
  /** What is shown while what was loaded stays. */
  lost?: string
}

export function ConnectionNotice({ state: { connection, error, isReady }, onRetry, lost = T.reconnecting }: Props) {
  if (connection !== 'ended' && connection !== 'lost') return null
  const isShown = isReady && connection === 'lost'
  const fix = error && 'fix' in error ? error.fix : ''
  return (
    <div class={isShown ? 'lost' : 'problem'} role={isShown ? 'status' : 'alert'}>
      {isShown || !error ? (
        <p>{lost}</p>
      ) : (
        <p>
          {toDisplaySafeText(error.message)} <span class="quiet">{toDisplaySafeText(fix)}</span>
        </p>
      )}
      <button type="button" class="small" onClick={onRetry}>
        {T.retry}
      </button>
    </div>
  )
}
