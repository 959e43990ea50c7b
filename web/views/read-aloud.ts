/** Has screen readers read out what the agent says, once it is complete. */
import type { Signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { SessionSignals } from '../state/session-signals.js'

/** `isReady`: what came before that isn't read out. */
export function useAnnounceToScreenReader(
  conversation: SessionSignals | undefined,
  isReady: boolean,
  announcement: Signal<string>,
): void {
  useEffect(() => {
    if (!conversation || !isReady) return
    const before = conversation.said.peek()
    return conversation.said.subscribe((text) => {
      if (text !== before) announcement.value = text
    })
  }, [conversation, isReady])
}
