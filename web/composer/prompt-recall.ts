/** Earlier prompts of a session, for the arrow keys in an empty field. */
import { useRef } from 'preact/hooks'
import type { ViewItem } from '../../src/view/view-items.js'
import type { SessionSignals } from '../state/session-signals.js'

/** Returns what the field should have then; undefined if the key is to move the cursor as usual. */
export type RecallPrompt = (text: string, isUp: boolean) => string | undefined

export function usePromptRecall(conversation: SessionSignals): RecallPrompt {
  const shown = useRef<{ back: number; text: string } | undefined>(undefined)
  return (text, isUp) => {
    const last = shown.current?.text === text ? shown.current : undefined
    if (text !== '' && !last) return undefined
    const prompts = conversation.items.flatMap(textOf).reverse()
    const back = (last?.back ?? -1) + (isUp ? 1 : -1)
    if (back >= prompts.length || (back < 0 && !last)) return undefined
    const recalled = back < 0 ? '' : (prompts[back] ?? '')
    shown.current = back < 0 ? undefined : { back, text: recalled }
    return recalled
  }
}

function textOf(item: ViewItem): string[] {
  if (item.kind !== 'prompt') return []
  const { content } = item
  const text =
    typeof content === 'string' ? content : content.map((block) => (block.type === 'text' ? block.text : '')).join('\n')
  return text.trim() === '' ? [] : [text.trim()]
}
