/** Whether a tool, a thought, or a sub-agent is unfolded. */
import { usePageScope } from '../state/page-scope.js'

export function useExpanded(key: string, start: boolean): [boolean, () => void] {
  const { unfolded } = usePageScope()
  const isOpen = unfolded.value.get(key) ?? start
  const turn = () => {
    unfolded.value = new Map([...unfolded.value, [key, !isOpen]])
  }
  return [isOpen, turn]
}
