/** Answers to asks: about exactly what is shown, never in the moment a card appears, and once. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { NotFoundError } from '../../src/client/client-errors.js'
import { messageOf } from '../../src/protocol/thrown.js'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { closeAsk } from '../state/all-sessions.js'
import { server } from '../state/server.js'
import type { Ask, AskAnswer } from '../state/server-types.js'
import { store } from '../state/stored.js'
import { toast } from '../state/toasts.js'
import { T } from '../texts.js'

/** A click that was meant for what was there before comes within this time. */
export const GUARD_MS = 500

export type Guard = {
  isReady: Signal<boolean>
  isSending: Signal<boolean>
  act(work: () => Promise<void> | void): void
}

/** `seen` is what the reader sees of the card, and where: when it changes, a click may have been meant for something else. */
export function useGuard(seen: string): Guard {
  const isReady = useSignal(false)
  const isSending = useSignal(false)
  useEffect(() => {
    isReady.value = false
    const timer = setTimeout(() => {
      isReady.value = true
    }, GUARD_MS)
    return () => clearTimeout(timer)
  }, [seen])
  return {
    isReady,
    isSending,
    act(work) {
      if (!isReady.peek() || isSending.peek()) return
      isSending.value = true
      void Promise.resolve(work()).finally(() => {
        isSending.value = false
      })
    },
  }
}

/** The input's hash goes with the answer: if it is not about that any more, the server refuses it. */
export async function submitAnswer(ask: Ask, answer: AskAnswer): Promise<void> {
  try {
    const outcome = await server.answer(ask.session, ask, answer)
    if (outcome !== 'accepted')
      toast(outcome.already === 'withdrawn' ? T.wasWithdrawn : T.wasAnswered(toDisplaySafeLine(outcome.already.name)))
  } catch (error) {
    const isClosed = error instanceof NotFoundError && error.code === 'ask_not_found'
    toast(isClosed ? T.wasWithdrawn : messageOf(error), { isError: !isClosed })
    if (!isClosed) return
  }
  done(ask)
}

function done({ id }: Ask): void {
  store(`ask:${id}`, undefined)
  closeAsk(id)
}

/** Keys for the card that is looked at; what is typed into a field is none. */
export function useCardKeys(isActive: boolean, keys: Record<string, () => void>): void {
  useEffect(() => {
    if (!isActive) return
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return
      const { target } = event
      if (target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable))
        return
      if (document.querySelector('dialog[open]')) return
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  })
}
