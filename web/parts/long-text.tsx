/** A text of strangers, exactly: what can't be seen is marked, and of a long one the beginning and the end are shown. */
import { useSignal } from '@preact/signals'
import { cutTextMiddle, exact } from '../safe/clean-text.js'
import { T } from '../texts.js'

/** What fits on a phone beside the buttons of a card. */
const MOST = { characters: 800, lines: 16 }

export function LongText({ text }: { text: string }) {
  const isAll = useSignal(false)
  const shown = exact(text)
  const { head, hidden, tail } = cutTextMiddle(shown, MOST)
  if (hidden === 0 || isAll.value) return <>{shown}</>
  return (
    <>
      {head}
      <button
        type="button"
        class="small unfold"
        onClick={() => {
          isAll.value = true
        }}
      >
        {T.showHidden(hidden)}
      </button>
      {tail}
    </>
  )
}
