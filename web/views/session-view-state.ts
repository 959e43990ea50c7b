/**
 * Whether the panel beside the conversation is open. Where there is room for both, for as long as the page is; where it
 * covers the conversation, it is a place of its own: going elsewhere or back leaves it.
 */
import { computed, signal } from '@preact/signals'
import { go, place, toSession } from '../state/place.js'

const narrow = matchMedia('(max-width: 1100px)')
const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})

const isWanted = signal(false)
const isPlace = computed(() => place.value.view === 'session' && place.value.isDetails === true)
export const isPanelOpen = computed(() => isPlace.value || (isWanted.value && !isNarrow.value))

let wasOpenedHere = false

export function openPanel(id: string): void {
  if (!isNarrow.value) {
    isWanted.value = true
    return
  }
  wasOpenedHere = true
  go(toSession(id, '/details').slice(1))
}

export function closePanel(id: string): void {
  isWanted.value = false
  if (!isPlace.value) return
  if (wasOpenedHere) history.back()
  else location.replace(toSession(id))
  wasOpenedHere = false
}
