/** The asks of one session: one card at a time, the others in a row behind it. */
import { type ReadonlySignal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { askLabel } from '../state/ask-title.js'
import { useRegionLabel } from '../state/page-scope.js'
import type { Ask } from '../state/server-types.js'
import { T } from '../texts.js'
import { AskCard } from './ask-card.js'

type Props = { asks: ReadonlySignal<readonly Ask[]>; wanted: string | undefined }

export function AskCardSwitcher({ asks, wanted }: Props) {
  const label = useRegionLabel(asks.value[0]?.session ?? '', T.needsYou)
  const chosen = useSignal(wanted)
  useEffect(() => {
    if (wanted !== undefined) chosen.value = wanted
  }, [wanted])
  const all = asks.value
  const active = all.find(({ id }) => id === chosen.value) ?? all[0]
  if (!active) return null
  return (
    <section class="ask-cards" aria-label={label}>
      {all.length > 1 && (
        <ol class="ask-row" aria-label={T.waitForYou(all.length)}>
          {all.map((ask, at) => (
            <li key={ask.id}>
              <button
                type="button"
                class="small"
                aria-pressed={ask === active}
                onClick={() => {
                  chosen.value = ask.id
                }}
              >
                {at + 1}. {askLabel(ask)}
              </button>
            </li>
          ))}
        </ol>
      )}
      <AskCard key={active.id} ask={active} isActive seen={active.id} isWanted={active.id === wanted} />
    </section>
  )
}
