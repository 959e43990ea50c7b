/** Which tools, thoughts and sub-agents are unfolded: rows that leave the screen forget everything else. */
import { signal } from '@preact/signals'

const unfolded = signal<ReadonlyMap<string, boolean>>(new Map())

export function useExpanded(key: string, start: boolean): [boolean, () => void] {
  const isOpen = unfolded.value.get(key) ?? start
  const turn = () => {
    unfolded.value = new Map([...unfolded.value, [key, !isOpen]])
  }
  return [isOpen, turn]
}
