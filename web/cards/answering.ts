/** Answers to requests: about exactly what is shown, never in the moment a card appears, and once. */
import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { toDisplaySafeLine } from '../safe/clean-text.js'
import { type PageScope, usePageScope } from '../state/page-scope.js'
import type { Ask, AskAnswer } from '../state/server-types.js'
import { T } from '../texts.js'

/** A click that was meant for what was there before comes within this time. */
export const IGNORED_CLICK_MS = 500

export type AnswerGuard = {
  isReady: Signal<boolean>
  isSending: Signal<boolean>
  /** Sends an answer, unless the card has just appeared or another answer is on its way. */
  answer(answer: AskAnswer): void
}

/** `seen` is what the reader sees of the card, and where: when it changes, a click may have been meant for something else. */
export function useAnswerGuard(ask: Ask, seen: string): AnswerGuard {
  const scope = usePageScope()
  const isReady = useSignal(false)
  const isSending = useSignal(false)
  useEffect(() => {
    isReady.value = false
    const timer = setTimeout(() => {
      isReady.value = true
    }, IGNORED_CLICK_MS)
    return () => clearTimeout(timer)
  }, [seen])
  return {
    isReady,
    isSending,
    answer(answer) {
      if (!isReady.peek() || isSending.peek()) return
      isSending.value = true
      void submitAnswer(scope, ask, answer).finally(() => {
        isSending.value = false
      })
    },
  }
}

/** The input's hash goes with the answer: if it is not about that any more, the server refuses it. */
async function submitAnswer(scope: PageScope, ask: Ask, answer: AskAnswer): Promise<void> {
  try {
    const outcome = await scope.answer(ask, answer)
    if (outcome !== 'accepted')
      scope.toast(
        outcome.already === 'withdrawn' ? T.wasWithdrawn : T.wasAnswered(toDisplaySafeLine(outcome.already.name)),
      )
  } catch (error) {
    if (!isClosedAsk(error)) return scope.fail(error)
    scope.toast(T.wasWithdrawn)
  }
  scope.drafts.write(`ask:${ask.id}`, undefined)
  scope.onClosed(ask)
}

/** By its code: the client can come from another copy of the package, which has other classes. */
function isClosedAsk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ask_not_found'
}

/** Keys for the card that is looked at; what is typed into a field is none. */
export function useCardKeys(isActive: boolean, keys: Record<string, () => void>): void {
  const { root } = usePageScope()
  useEffect(() => {
    if (!isActive) return
    const onKey = (event: Event) => {
      if (!(event instanceof KeyboardEvent)) return
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return
      // The target itself can be an element around a shadow root, with the field inside.
      const [target] = event.composedPath()
      if (target instanceof HTMLElement && (target.matches('input, textarea, select') || target.isContentEditable))
        return
      if (root.querySelector('dialog[open]')) return
      const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
      if (!act) return
      event.preventDefault()
      act()
    }
    root.addEventListener('keydown', onKey)
    return () => root.removeEventListener('keydown', onKey)
  })
}
