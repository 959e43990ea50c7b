/**
 * Whether the details panel is open. On a wide screen it stays open until the user closes it. On a narrow screen, where it covers
 * the conversation, navigating away or back closes it.
 */
import { computed, signal } from '@preact/signals'
import { go, route, toSessionLink } from '../state/route.js'

const narrow = matchMedia('(max-width: 1100px)')
const isNarrow = signal(narrow.matches)
narrow.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})

const isWanted = signal(false)
const isPlace = computed(() => route.value.view === 'session' && route.value.isDetails === true)
export const isPanelOpen = computed(() => isPlace.value || (isWanted.value && !isNarrow.value))

let wasOpenedHere = false

export function openPanel(id: string): void {
  if (!isNarrow.value) {
    isWanted.value = true
    return
  }
  wasOpenedHere = true
  go(toSessionLink(id, '/details').slice(1))
}

export function closePanel(id: string): void {
  isWanted.value = false
  if (!isPlace.value) return
  if (wasOpenedHere) history.back()
  else location.replace(toSessionLink(id))
  wasOpenedHere = false
}
